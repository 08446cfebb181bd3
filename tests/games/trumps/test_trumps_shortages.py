"""A finding about several declarations says which cards no hand has room for, or lacks."""

from __future__ import annotations

import pytest

from referee.games import GAMES
from referee.games.simulation import played
from referee.rulings import book
from referee.rulings.sentences import finding


@pytest.mark.parametrize(
    ("seats", "seed", "lang", "sentence"),
    [
        (
            "ABC",
            52,
            "en",
            "At least 1 more card of A was in hand at each of these declarations, and no card fits "
            "all of them.",
        ),
        (
            "ABC",
            145,
            "en",
            "By these declarations 3 more cards of C can only have been 6; with the 4 that were "
            "seen that makes 3 + 4 = 7; the deck has 6.",
        ),
        (
            "ABC",
            145,
            "ja",
            "申告のとおりなら、見えていないCのカードのうち3枚は6。見えた4枚と合わせて3 + 4 = 7枚に"
            "なりますが、全部で6枚しかありません。",
        ),
    ],
)
def test_what_makes_declarations_impossible_is_counted(
    seats: str, seed: int, lang: str, sentence: str
) -> None:
    log = played(GAMES["trumps"], seats, seed, 0.9, 0, most=120)
    texts = [said.text for found in log.findings() for said in finding(found, book("trumps"), lang)]
    assert sentence in texts
