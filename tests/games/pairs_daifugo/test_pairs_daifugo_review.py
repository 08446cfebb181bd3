"""The review of ペアーズ大富豪 against a second opinion, for every entry of whole deals."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from counted_again import Line, Lying, followed, numbers, reviewed, written

from referee.core.record import Header
from referee.games import pairs_daifugo
from referee.games.simulation import played
from referee.insight.review import finished, review

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


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_hands_in_hindsight(seats: int) -> None:
    """A hand only gets smaller: it held what it laid later, and what it still holds."""
    names = ("A", "B", "C", "D", "E", "F")[:seats]
    log = played(pairs_daifugo, names, seats, most=300)
    certain = open_ = 0
    for deal in finished(log):
        entries = review(log, deal).entries
        unseen, left = Counter(numbers(10)), dict.fromkeys(names, HANDS[seats])
        laid: list[tuple[str, int] | None] = []
        for read in entries:
            play, held = read.step.play, 0
            match play:
                case pairs_daifugo.Row(_, ranks):
                    unseen.subtract(ranks)
                case pairs_daifugo.Turn(_, _, rank):
                    unseen[rank] -= 1
                case pairs_daifugo.Lay(seat, ranks, using):
                    held = len(ranks) - len(using)
                    unseen[ranks[0]] -= held
                    left[seat] -= held
            laid.append((play.seat, play.ranks[0]) if held else None)
        for i, read in enumerate(entries):
            seen = read.hindsight
            assert seen is not None
            for row in seen.rows:
                for cell in row.cells:
                    missed = of_others(unseen, left[str(row.seat)], cell.card)
                    sure = (row.seat, cell.card) in laid[i + 1 :]
                    assert cell.odds == (1 if sure else 1 - missed)
                    certain += sure
                    open_ += 0 < cell.odds < 1
    assert certain > 50
    assert open_ > 50


def of_others(unseen: Counter[int], hidden: int, card: object) -> Fraction:
    """How likely ``hidden`` cards, drawn from the ``unseen``, are all other cards than ``card``."""
    chance, every = Fraction(1), unseen.total()
    for i in range(hidden):
        chance *= Fraction(max(0, every - unseen[int(str(card))] - i), every - i)
    return chance
