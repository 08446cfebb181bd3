"""The review of Trumps against a second opinion, for every entry of whole deals."""

from __future__ import annotations

from pathlib import Path

import pytest
from counted_again import Line, Lying, followed, numbers, reviewed, written

from referee.core.record import Header
from referee.games import trumps
from referee.games.simulation import played

TAKES = ("take", "draw", "pass")


@pytest.mark.parametrize("field", ["open", "remove"])
@pytest.mark.parametrize("names", [("A", "B"), ("A", "B", "C")])
def test_whole_deals(names: tuple[str, ...], field: str, tmp_path: Path) -> None:
    seats = len(names)

    def follow(lying: Lying | None, line: Line) -> Lying:
        if line.words[:2] == ["table", "deal"]:
            lying = Lying(numbers({2: 9, 3: 10}[seats]))
            lying.hidden["aside", None] = {2: 4, 3: 3}[seats]
            for seat in names:
                lying.hidden["hand", seat] = 7
            lying.rest("stock")
            return lying
        assert lying is not None
        match line.words:
            case [seat, "reveal", card]:
                lying.laid(seat, card)
            case [seat, "lay", *cards]:
                for card in cards:
                    lying.laid(seat, card)
            case [seat, "cover", *said]:
                if "shows" in said:
                    at = said.index("shows")
                    lying.shown(seat, said[at + 1 :])
                    said = said[:at]
                if field == "open":
                    lying.laid(seat, said[0])
                else:
                    assert not lying.hand(seat).total()
                    lying.drawn(("covered", None), 1, ("hand", seat))
            case [seat, "draw"]:
                lying.drawn(("hand", seat))
        round_over = line.words[1] in TAKES and line.next and line.next[1] not in TAKES
        if round_over:
            for seat in names:
                pile = "stock" if lying.hidden["stock", None] else "aside"
                lying.drawn(("hand", seat), 1, (pile, None))
        return lying

    grids = covered = 0
    for seed in range(14):
        log = played(
            trumps, names, seed, lies=0.1 * (seed % 2), options={"facedown_to_field": field}
        )
        covers = [entry for entry in log.entries if isinstance(entry, trumps.Cover)]
        if field == "remove" and any(entry.shows for entry in covers):
            continue  # some of what has left unseen is known then: see tests/insight/test_hidden.py
        if seed > 2 and not covers:
            continue
        covered += len(covers)
        header = Header(trumps.NAME, names, {"facedown_to_field": field})
        for entries in reviewed(written(log, header), tmp_path):
            grids += followed(entries, follow)[0]
    assert grids > 60
    assert covered
