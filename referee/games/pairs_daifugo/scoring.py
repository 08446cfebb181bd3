"""The score of the deals: chips, and the winners."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.game import Line, ScoreSheet
from referee.core.verdict import Evidence, Finding, Outcome
from referee.games.pairs_daifugo.state import State, Win


def score(state: State) -> ScoreSheet:
    lines: list[Line] = []
    needed = state.table.option("wins_needed")
    for nth, win in _wins(state):
        seat, rank, size, at = win.last
        out = Evidence("went_out", {"seat": seat}, at)
        if size:
            out = Evidence("won_with", {"seat": seat, "rank": rank, "count": size}, at)
        chip = Evidence("nth_win", {"seat": seat, "nth": nth, "needed": needed})
        lines.append(Line(seat, 1, "win.1", (out, chip), win.deal, win.number))
    return ScoreSheet(tuple(lines), state.wins)


def _wins(state: State) -> Iterator[tuple[int, Win]]:
    """The deals won so far, in order, each with how many its winner had won by then."""
    won, win = [], state.won
    while win:
        won.append(win)
        win = win.before
    counts = dict.fromkeys(state.table.seats, 0)
    for win in reversed(won):
        counts[win.last.seat] += 1
        yield counts[win.last.seat], win


def outcome(state: State) -> Outcome | None:
    return state.ended


def audit(state: State) -> tuple[Finding, ...]:
    """No findings: passing is free, so no entry declares anything about a hand."""
    return ()
