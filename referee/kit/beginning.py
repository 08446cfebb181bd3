"""The questions of ``referee game new``, and the game file made from their answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from referee.core.book import Text
from referee.kit.chapters.deck import PAIRS


class AskedChoice(NamedTuple):
    """A possible answer: its word, its label, and what it writes into the file."""

    value: str
    text: Text
    writes: str


class AskedQuestion(NamedTuple):
    """A question: choices, or a text that matches ``pattern``; ``allowed`` says what does.

    ``only_if``: (key of an earlier question, answers); the question is asked only after one of
    these answers.
    """

    key: str
    text: Text
    choices: tuple[AskedChoice, ...] = ()
    default: str = ""
    pattern: re.Pattern[str] = re.compile(r"[^\"\\\x00-\x1f]{1,80}")
    allowed: Text = Text(
        '1字から80字まで、" と \\ は使えません。', '1 to 80 characters, without " and \\.'
    )
    only_if: tuple[str, tuple[str, ...]] | None = None


SUITS = ("deck", ("french", "french36", "french32"))

QUESTIONS = (
    AskedQuestion(
        "key",
        Text("記録での名前（英小文字）", "Name in records (small letters)"),
        default="mine",
        pattern=re.compile(r"[a-z][a-z0-9_]{0,23}"),
        allowed=Text(
            "英小文字で始め、英小文字、数字、_ で24字まで。例：my_game",
            "Up to 24 small letters, digits and _, beginning with a letter, such as my_game.",
        ),
    ),
    AskedQuestion("ja", Text("日本語の題名", "Title in Japanese"), default="わたしのゲーム"),
    AskedQuestion("en", Text("英語の題名", "Title in English"), default="My game"),
    AskedQuestion(
        "count",
        Text("人数（4 か 3-5）", "Players (4 or 3-5)"),
        default="3-4",
        pattern=re.compile(r"[1-9]|([2-7])-([3-9])"),
        allowed=Text(
            "1から9までの人数か、範囲。例：4、3-6",
            "A number from 1 to 9, or a range, such as 4 or 3-6.",
        ),
    ),
    AskedQuestion(
        "deck",
        Text("デッキ", "Deck"),
        (
            AskedChoice("french", Text("トランプ52枚", "52 cards"), 'pack = "french"'),
            AskedChoice(
                "french36", Text("6からの36枚", "36 cards, from the sixes"), 'pack = "french36"'
            ),
            AskedChoice(
                "french32", Text("7からの32枚", "32 cards, from the sevens"), 'pack = "french32"'
            ),
            AskedChoice(
                PAIRS,
                Text("ペアーズ（nがn枚）", "Pairs: n copies of n"),
                f'pack = "{PAIRS}"\ntop = 10',
            ),
        ),
    ),
    AskedQuestion(
        "hand",
        Text("手札", "Cards in each hand"),
        (
            AskedChoice(
                "all", Text("できるだけ全部を配る", "as many as there are"), 'hand = "deck/n"'
            ),
            AskedChoice(
                "grow",
                Text("1枚から増える", "one card, then one more"),
                'hand = "min(deal, deck/n)"',
            ),
            AskedChoice("five", Text("5枚", "five"), 'hand = "min(5, deck/n)"'),
        ),
    ),
    AskedQuestion(
        "follow",
        Text("出せるカード", "What may be played"),
        (
            AskedChoice(
                "suit", Text("リードと同じスートがあれば出す", "follow suit"), '["suit led"]'
            ),
            AskedChoice(
                "beat",
                Text("同じスートで、勝てるなら勝つ", "follow suit, and beat if you can"),
                '["suit led and beats", "suit led"]',
            ),
            AskedChoice("free", Text("何を出してもよい", "anything"), "[]"),
        ),
        only_if=SUITS,
    ),
    AskedQuestion(
        "numbers",
        Text("出せるカード", "What may be played"),
        (
            AskedChoice(
                "rank", Text("リードと同じ数字があれば出す", "follow the number"), '["rank led"]'
            ),
            AskedChoice(
                "other",
                Text("見えている数字は出せない", "no number that shows"),
                '["not rank showing"]',
            ),
            AskedChoice("free", Text("何を出してもよい", "anything"), "[]"),
        ),
        only_if=("deck", (PAIRS,)),
    ),
    AskedQuestion(
        "trump",
        Text("切り札", "Trump suit"),
        (
            AskedChoice("none", Text("なし", "none"), ""),
            AskedChoice("fixed", Text("いつも♠", "always spades"), 'from = "fixed"\nsuit = "S"'),
            AskedChoice(
                "cycle",
                Text("ラウンドごとに♠♥♦♣", "♠ ♥ ♦ ♣ deal by deal"),
                'from = "cycle"\nsuits = ["S", "H", "D", "C"]',
            ),
        ),
        only_if=SUITS,
    ),
    AskedQuestion(
        "score",
        Text("得点", "Scoring"),
        (
            AskedChoice("tricks", Text("1トリック1点", "a point a trick"), 'points = "tricks"'),
            AskedChoice(
                "bids",
                Text(
                    "取る数を言い、当たれば10点と1トリック1点",
                    "bid; if right, 10 and a point a trick",
                ),
                'when = "tricks = bid"\npoints = "10 + tricks"',
            ),
            AskedChoice(
                "hearts",
                Text("取った最強の数字1枚につき−1点", "−1 for each of the highest cards taken"),
                'points = "-taken(rank {top})"',
            ),
        ),
    ),
    AskedQuestion(
        "deals",
        Text("ラウンドの数", "Number of deals"),
        default="4",
        pattern=re.compile(r"[1-9]|10"),
        allowed=Text("1から10までの数。", "A number from 1 to 10."),
    ),
)


def written(answers: Mapping[str, str]) -> str:
    """The game file for these answers, by the keys of the questions that were asked."""
    said = {question.key: _writes(question, answers) for question in QUESTIONS}
    trump = said["trump"]
    follow = said["follow"] or said["numbers"]
    best = '["all"]' if answers["deck"] == PAIRS else '["suit led"]'
    if trump:
        best = '["suit trump", "suit led"]'
    if answers.get("numbers") == "rank":
        best = '["rank led"]'
    per = "\n".join(
        ('per = "deal"', said["score"].format(top="10" if answers["deck"] == PAIRS else "A"))
    )
    parts = [
        ("seats", f'count = "{answers["count"]}"'),
        ("deck", said["deck"]),
        ("deal", said["hand"]),
        ("bid", 'values = "0..hand"' if answers["score"] == "bids" else ""),
        ("trump", trump),
        ("play", f"follow = {follow}"),
        ("trick", f'best = {best}\nnext = "winner"'),
        ("score.points", per),
        ("match", f'deals = {answers["deals"]}\nwinner = "most"'),
    ]
    head = [
        "kit = 1",
        'family = "trick_taking"',
        f'key = "{answers["key"]}"',
        'version = "1"',
        f'title = {{ ja = "{answers["ja"]}", en = "{answers["en"]}" }}',
    ]
    return "\n".join((*head, *(f"\n[{name}]\n{body}" for name, body in parts if body), ""))


def _writes(question: AskedQuestion, answers: Mapping[str, str]) -> str:
    """The text that the chosen answer writes into the file; "" if it was not asked."""
    chosen = answers.get(question.key, "")
    return next((each.writes for each in question.choices if each.value == chosen), "")
