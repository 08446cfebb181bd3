"""Help for players, as a page; docs/help.ja.md and docs/help.md are made of the same texts."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from flask import Blueprint, render_template, request

from referee.core.book import Text
from referee.http import language

bp = Blueprint("help", __name__)

KEY = re.compile(r"\[([^\[\]]+)\]")
"""A key of the app in a text, such as [New table]."""

HEADS = {
    "title": Text("使い方", "How to use it"),
    "verdicts": Text("3つの判定", "The three verdicts"),
    "questions": Text("こんなとき", "What to do when …"),
}
WORDS = {
    "legal": Text("○ 合法", "✓ legal"),
    "illegal": Text("× 反則", "✕ illegal"),
    "unprovable": Text("△ 手札しだい", "? depends on the hand"),
}

EXAMPLE = {
    "ja": "* **{word}**：{means}（{cards}：{example}）",
    "en": "* **{word}**: {means} ({cards}: {example})",
}


class HelpVerdict(NamedTuple):
    """One of the verdicts: what it means, and a card that gets it in a game without following.

    ``trick``: the cards that lie already; ``card``: the one that is played.
    """

    mark: str
    means: Text
    trick: tuple[int, ...]
    card: int
    example: Text


class HelpQuestion(NamedTuple):
    """A question of a player, and what to do. ``id``: its place on the page."""

    id: str
    ask: Text
    answer: Text


class Help(NamedTuple):
    steps: tuple[Text, ...]
    verdicts: tuple[HelpVerdict, ...]
    questions: tuple[HelpQuestion, ...]
    """The last one says what the app sees, and what it does not see."""


@lru_cache(maxsize=1)
def texts() -> Help:
    """All texts of the help."""
    source = tomllib.loads(Path(__file__).with_name("player_help.toml").read_text(encoding="utf-8"))
    sees = source["sees"]
    return Help(
        tuple(Text(row["ja"], row["en"]) for row in source["step"]),
        tuple(
            HelpVerdict(
                row["mark"],
                Text(row["ja"], row["en"]),
                tuple(row["trick"]),
                row["card"],
                Text(**row["example"]),
            )
            for row in source["verdict"]
        ),
        tuple(
            HelpQuestion(row["id"], Text(**row["ask"]), Text(row["ja"], row["en"]))
            for row in (*source["question"], {"id": "sees", **sees})
        ),
    )


@bp.get("/help")
def page() -> str:
    """Page that says how to use the app. ``?q=``: the question that is open at first."""
    lang = language.current()
    return render_template(
        "site/help.html",
        help=texts(),
        asked=request.args.get("q"),
        pieces=lambda text: pieces(text, lang),
    )


def pieces(text: Text, lang: str) -> list[str]:
    """``text`` split at its keys: words and keys by turns, words first."""
    return KEY.split(text.in_(lang))


def markdown(lang: str) -> str:
    """The help as a page of the documentation."""

    def said(text: Text) -> str:
        return KEY.sub(r"「\1」" if lang == "ja" else r"*\1*", text.in_(lang))

    help_, heads = texts(), {name: head.in_(lang) for name, head in HEADS.items()}
    *questions, sees = help_.questions
    lines = [f"# {heads['title']}", ""]
    lines += [f"{number}. {said(step)}" for number, step in enumerate(help_.steps, 1)]
    lines += ["", f"## {heads['verdicts']}", ""]
    for verdict in help_.verdicts:
        word, means, example = WORDS[verdict.mark].in_(lang), said(verdict.means), verdict.example
        cards = f"{' '.join(map(str, verdict.trick))} → {verdict.card}"
        form = EXAMPLE[lang]
        lines.append(form.format(word=word, means=means, cards=cards, example=said(example)))
    lines += ["", f"## {heads['questions']}", ""]
    for question in questions:
        lines += [f"### {said(question.ask)}", "", said(question.answer), ""]
    return "\n".join([*lines, f"## {said(sees.ask)}", "", said(sees.answer), ""])
