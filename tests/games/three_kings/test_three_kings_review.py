"""The review of Three Kings against a second opinion, for every entry of whole deals."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from counted_again import Line, Lying, followed, reviewed, written

from referee.core.record import Header
from referee.games import three_kings
from referee.games.simulation import played
from referee.insight.chances import LEAST, turning_point
from referee.insight.review import review

NUMBERS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q"]


@pytest.mark.parametrize("options", [{}, {"end": "all_cards"}])
@pytest.mark.parametrize("names", [("A", "B"), ("A", "B", "C")])
def test_whole_deals(names: tuple[str, ...], options: dict[str, str], tmp_path: Path) -> None:
    pack = [*NUMBERS * (2 * len(names)), *["K"] * (2 * len(names) + 1)]
    last = ""

    def follow(lying: Lying | None, line: Line) -> Lying:
        nonlocal last
        match line.words:
            case ["table", "deal", _, tableau]:
                lying = Lying(pack)
                for seat in names:
                    lying.hidden["hand", seat] = 4
                lying.rest("stock")
                for card in tableau.removeprefix("tableau=").split(","):
                    lying.turned(card, ("stock", None))
                return lying
        assert lying is not None
        seat, what = line.words[:2]
        if what in ("capture", "discard", "king", "pass"):
            last = seat
            lying.drawn(("hand", seat))
        match line.words:
            case [_, "capture", card, *_]:
                lying.laid(seat, card)
                lying.drawn(("hand", seat))
            case [_, "discard", card]:
                lying.laid(seat, card)
            case [_, "king"]:
                lying.shown(seat, ["K"])
                lying.hand(seat)["K"] += 1
            case ["table", "refill", *cards]:
                for card in cards:
                    lying.turned(card, ("stock", None))
                lying.hand(last)["K"] += Counter(cards)["K"]
            case [_, "declare", *count]:
                kings = int(count[0]) if count else 3
                known = lying.hand(seat)["K"]
                if kings - known > min(lying.hidden["hand", seat], lying.unseen["K"]):
                    lying.drawn(("hand", seat))
                lying.shown(seat, ["K"] * kings)
        return lying

    grids = 0
    for seed in range(4):
        log = played(three_kings, names, seed, lies=0.2 * (seed % 2), options=options)
        for entries in reviewed(written(log, Header(three_kings.NAME, names, options)), tmp_path):
            grids += followed(entries, follow)[0]
    assert grids > 60


def test_the_play_that_moved_the_winners_chance_most_is_found_by_playing_on() -> None:
    """Hidden cards and the stock are dealt again, and simulated players go on."""
    found = turning_point(review(played(three_kings, "AB", 1), 1))
    assert found
    assert found.winners == ("B",)
    assert abs(found.after - found.before) >= LEAST
    assert found.match
    assert found.greedy
