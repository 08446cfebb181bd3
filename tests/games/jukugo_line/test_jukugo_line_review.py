"""The review of 熟語ライン against a second opinion, for every entry of whole matches."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from counted_again import Line, Lying, followed, reviewed, written

from referee.core.record import Header
from referee.games import jukugo_line
from referee.games.simulation import played
from referee.insight.review import finished, review

JOKER = "々"


@pytest.mark.parametrize(
    "options",
    [{}, {"claim_timing": "start_of_turn"}, {"no_slot_draw": "on"}],
    ids=["default", "claims-first", "always-draw"],
)
def test_whole_matches(options: dict[str, str], tmp_path: Path) -> None:
    names = ("A", "B")
    turn, done, drew = "", False, False

    def held(lying: Lying, seat: str) -> int:
        return lying.hidden["hand", seat] + lying.hand(seat).total()

    def follow(lying: Lying | None, line: Line) -> Lying:
        nonlocal turn, done, drew
        seat, what = line.words[:2]
        if what == "deal":
            cells = line.entry["grid"][0]["cells"]
            lying = Lying([*(cell["card"] for cell in cells), JOKER])
            for name in names:
                lying.hidden["hand", name] = 5
                lying.shown(name, [JOKER])
            lying.rest("stock")
            turn, done = line.words[2].removeprefix("leader="), False
            return lying
        assert lying is not None

        def draws() -> None:
            nonlocal turn, done
            assert lying is not None
            if held(lying, turn) < 5 or options.get("no_slot_draw") == "on":
                lying.drawn(("hand", turn))
            turn, done = next(name for name in names if name != turn), False

        if what in ("place", "pass", "claim") and seat != turn:
            draws()
        if what == "place":
            lying.laid(seat, line.words[3])
        if what in ("place", "pass"):
            done = True
        if what == "draw":
            draws()
        return lying

    grids = 0
    for seed in range(4):
        log = played(jukugo_line, names, seed, lies=0.3 * (seed % 2), options=options)
        for entries in reviewed(written(log, Header(jukugo_line.NAME, names, options)), tmp_path):
            grids += followed(entries, follow)[0]
    assert grids > 60


@pytest.mark.parametrize("seed", range(3))
def test_hands_in_hindsight(seed: int) -> None:
    """Each hidden card of a hand is as likely as the others to be the one laid next, and a kanji
    that never came up is as likely as the others to lie in any place. There is one of each.
    """
    log = played(jukugo_line, ("A", "B"), seed)
    [deal] = finished(log)
    entries = review(log, deal).entries
    states = [read.step.state for read in entries]
    laid = [read.step.play for read in entries]
    unseen = len(states[-1].deck.cards) - 1 - len(states[-1].laid)
    checked = 0
    for i in range(0, len(entries), 7):
        seen = entries[i].hindsight
        assert seen is not None
        for row in seen.rows:
            seat = str(row.seat)
            jokers = 1 - states[i].jokers[seat]
            old = Fraction(states[i].hands[seat] - jokers)
            odds: dict[str, Fraction] = {}
            for before, after, play in zip(
                states[i:], states[i + 1 :], laid[i + 1 :], strict=False
            ):
                if not isinstance(play, jukugo_line.Place) or play.card == JOKER:
                    continue
                if play.seat != seat:
                    odds[play.card] = Fraction(0)
                    continue
                hidden = after.hands[seat] + 1 - (1 - before.jokers[seat])
                odds[play.card] = old / hidden
                old -= old / hidden
            for cell in row.cells:
                card = str(cell.card)
                if card == JOKER:
                    assert cell.odds == jokers
                elif card in states[i].laid:
                    assert cell.odds == 0
                else:
                    assert cell.odds == odds.get(card, old / unseen), (i, seat, card)
                    checked += 0 < cell.odds < 1
    assert checked > 100
