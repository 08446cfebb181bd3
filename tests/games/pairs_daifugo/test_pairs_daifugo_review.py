"""The review of ペアーズ大富豪 against a second opinion, for every entry of whole deals."""

from __future__ import annotations

from pathlib import Path

import pytest
from counted_again import Line, Lying, followed, numbers, reviewed, written

from referee.core.record import Header
from referee.games import pairs_daifugo
from referee.games.simulation import played

HANDS = {2: 6, 3: 8, 4: 7, 5: 5, 6: 3}


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_whole_deals(seats: int, tmp_path: Path) -> None:
    names = ("A", "B", "C", "D", "E", "F")[:seats]
    each, hand = 55 // seats, HANDS[seats]

    def follow(lying: Lying | None, line: Line) -> Lying:
        if line.words[:2] == ["table", "deal"]:
            lying = Lying(numbers(10))
            for seat in names:
                lying.hidden["hand", seat] = hand
                lying.hidden["pyramid", seat] = each - hand
            lying.rest("rest")
        assert lying is not None
        match line.words:
            case [seat, "row", *cards]:
                for card in cards:
                    lying.turned(card, ("pyramid", seat))
            case [seat, "turn", _, card]:
                lying.turned(card, ("pyramid", seat))
            case [seat, "lay", *cards]:
                open_ones = 0
                if "using" in cards:
                    at = cards.index("using")
                    open_ones, cards = len(cards) - at - 1, cards[:at]
                for card in cards[open_ones:]:
                    lying.laid(seat, card)
        return lying

    grids = 0
    log = played(pairs_daifugo, names, seats, most=400)
    for entries in reviewed(written(log, Header(pairs_daifugo.NAME, names)), tmp_path):
        grids += followed(entries, follow)[0]
    assert grids > 60
