"""Rules of well-known games by topic, for the pages and the tutorial."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from referee.core.book import Text


class Recipe(NamedTuple):
    """A rule in words, the lines that write it, and what to know about them ("": nothing)."""

    text: Text
    code: tuple[str, ...]
    note: Text


class RecipeTopic(NamedTuple):
    """Recipes about one part of a game."""

    id: str
    title: Text
    recipes: tuple[Recipe, ...]


@lru_cache(maxsize=1)
def recipes() -> tuple[RecipeTopic, ...]:
    """All topics: a first game and its steps, then rules from the cards played to the scores."""
    source = Path(__file__).with_name("recipes.toml").read_text(encoding="utf-8")
    return tuple(
        RecipeTopic(
            topic["id"],
            Text(**topic["title"]),
            tuple(
                Recipe(
                    Text(row["ja"], row["en"]),
                    tuple(row["code"]),
                    Text(**row.get("note", {"ja": "", "en": ""})),
                )
                for row in topic["recipes"]
            ),
        )
        for topic in tomllib.loads(source)["topics"]
    )


def markdown(lang: str) -> str:
    """The topics as Markdown, for the tutorial, which tells the steps in sentences."""
    head = "| ルール | 書き方 |" if lang == "ja" else "| Rule | Written |"
    lines = []
    for topic in recipes()[1:]:
        lines += [f"### {topic.title.in_(lang)}", "", head, "|---|---|"]
        lines += [f"| {row.text.in_(lang)} | {_written(row, lang)} |" for row in topic.recipes]
        lines.append("")
    return "\n".join(lines)


def _written(row: Recipe, lang: str) -> str:
    code = ("、" if lang == "ja" else ", ").join(f"`{line}`" for line in row.code)
    note = row.note.in_(lang)
    if not note:
        return code
    return f"{code}（{note}）" if lang == "ja" else f"{code} ({note})"
