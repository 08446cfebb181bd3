"""The parts of the ruling book of a game of this family, and the rules that ``[text]`` can name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.book import Text
from referee.kit.chapters.bidding import texts as bidding
from referee.kit.chapters.calling import texts as calling
from referee.kit.chapters.claiming import texts as claiming
from referee.kit.chapters.deal import texts as deal
from referee.kit.chapters.deck import listed, table
from referee.kit.chapters.deck import texts as deck
from referee.kit.chapters.leaving import texts as leaving
from referee.kit.chapters.match import texts as match
from referee.kit.chapters.passing import texts as passing
from referee.kit.chapters.play import texts as play
from referee.kit.chapters.scoring import texts as scoring
from referee.kit.chapters.trick import texts as trick
from referee.kit.chapters.trump import texts as trump
from referee.kit.notes.words import NAMED
from referee.kit.saying import BookParts
from referee.kit.text.faults import Path
from referee.kit.text.source import RulesSource

SECTIONS: tuple[tuple[str, str, str], ...] = (
    ("setup", "準備", "Setting up"),
    ("starter", "スタートプレイヤー", "Who leads first"),
    ("pass", "カードを渡す", "Passing"),
    ("bid", "ビッド", "Bids"),
    ("trump", "切り札", "The trump suit"),
    ("call", "カードの指名", "Calling a card"),
    ("lead", "リード", "Leading"),
    ("follow", "フォロー", "Following"),
    ("win", "トリックの勝者", "Who wins a trick"),
    ("next", "次のトリック", "The next trick"),
    ("leave", "抜ける", "Leaving a deal"),
    ("rest", "残りの宣言", "Claiming the rest"),
    ("score", "得点", "Scoring"),
    ("deals", "ラウンド", "The deals"),
    ("outcome", "勝敗", "Winning"),
)

WITHIN = {"always": "follow", "draw": "next", "equal": "win", "none": "win"}
"""Clauses without a section of their own → the section in which they are listed."""

ABSENT: Mapping[str, Text] = {
    "setup.turn_up": Text("カードを表にしない。", "No card is turned up."),
    "pass.1": Text("カードを渡さない。", "No cards are passed."),
    "bid.1": Text("ビッドをしない。", "There are no bids."),
    "trump.1": Text("切り札を指名しない。", "Nobody names a trump suit."),
    "call.1": Text("カードを指名しない。", "No card is called."),
    "rest.1": Text("残りをまとめて取る宣言はない。", "The rest of a deal cannot be claimed."),
    "rest.3": Text("了承する宣言はない。", "There is no claim to agree to."),
}
"""What is not in a game whose rules do not mention it, although an entry can claim it."""


PARTS = (
    *(deck.clauses, deal.clauses, passing.clauses, bidding.clauses, trump.clauses),
    *(calling.clauses, play.clauses, trick.clauses, deal.drawing, leaving.clauses),
    *(claiming.clauses, scoring.clauses, match.clauses),
)
"""What makes the clauses, in the order of the rules."""


BOOK = BookParts(SECTIONS, PARTS, ABSENT, WITHIN)


def ruled(source: RulesSource) -> Iterator[str]:
    """The rules of a file, as ``[text]`` names them."""
    yield from ("setup.deck", "setup.hand", "starter.1", "equal.1", "deals.1", "outcome.1")
    for path, clause in _WITH_A_CLAUSE:
        if source.at(*path) not in (None, "none"):
            yield clause
    for name in ("lead", "follow"):
        yield from _numbered(name, len(listed(source.at("play", name))) + 1)
    yield from _numbered("win", len(listed(source.at("trick", "best"))))
    # after a list of leads: the winner leads, and who leads if nobody has won
    yield from _numbered("next", len(listed(source.at("trick", "next"))) + 2)
    yield from (f"score.{name}" for key in NAMED for name in table(source.at(key)))


def _numbered(name: str, many: int) -> Iterator[str]:
    return (f"{name}.{k}" for k in range(1, many + 1))


_WITH_A_CLAUSE: tuple[tuple[Path, str], ...] = (
    (("seats", "teams"), "setup.teams"),
    (("deal", "turn_up"), "setup.turn_up"),
    (("pass",), "pass.1"),
    (("bid",), "bid.1"),
    (("bid", "forbid"), "bid.2"),
    (("trump",), "trump.1"),
    (("call",), "call.1"),
    (("play", "always"), "always.1"),
    (("trick", "none"), "none.1"),
    (("trick", "next_none"), "none.1"),
    (("deal", "draw"), "draw.1"),
    (("leave",), "leave.1"),
    (("match", "out"), "leave.1"),
)
"""Parts of a file that have a rule of their own where they are written."""
