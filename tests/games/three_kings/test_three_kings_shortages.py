"""A finding about several declarations says which cards no hand has room for, or lacks."""

from __future__ import annotations

import pytest

from referee.games import GAMES
from referee.games.simulation import played
from referee.rulings import book
from referee.rulings.sentences import finding


def sentences(lang: str, seed: int, lies: float, **options: str) -> list[str]:
    log = played(GAMES["three_kings"], "AB", seed, lies, 0, most=200, options=options)
    return [
        said.text for found in log.findings() for said in finding(found, book("three_kings"), lang)
    ]


def test_cards_that_only_later_draws_can_explain_are_counted_against_these_draws() -> None:
    said = sentences("en", 4, 0.5, end="all_cards")
    assert (
        "By these declarations A drew a 2, a 4, an 8, four 10s and a Q after entry 13: 8 cards, "
        "but 7 were drawn by entry 34." in said
    )


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        (
            "en",
            "By these declarations 3 more cards of A can only have been K; with the 3 that were "
            "seen that makes 3 + 3 = 6; the deck has 5.",
        ),
        (
            "ja",
            "申告のとおりなら、見えていないAのカードのうち3枚はK。見えた3枚と合わせて3 + 3 = 6枚に"
            "なりますが、全部で5枚しかありません。",
        ),
    ],
)
def test_cards_of_which_there_are_too_few_are_named_and_counted(lang: str, sentence: str) -> None:
    assert sentence in sentences(lang, 180, 0.9)
