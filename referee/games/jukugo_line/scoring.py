"""The score in flags, and whether they decide the match."""

from __future__ import annotations

from itertools import takewhile

from referee.core.game import Line, ScoreSheet
from referee.core.verdict import Finding, Outcome, Seat, evidence
from referee.games.jukugo_line.evidence import formed
from referee.games.jukugo_line.state import FLAGS, State, formation, side_of

IN_A_ROW, IN_ALL = 3, 5  # flags that win: in a row, in all


def score(state: State) -> ScoreSheet:
    """A point for each flag, in the order in which they were taken."""
    taken = [(at, flag) for flag, at in enumerate(state.claimed, 1) if at is not None]
    lines = []
    for at, flag in sorted(taken):
        seat = state.owners[flag - 1]
        assert seat is not None
        facts = evidence("takes_flag", at, flag=flag)
        shown = formation(state, seat, flag)
        if shown:
            facts += formed("shows", seat, shown, side_of(state, seat, flag).full)
        lines.append(Line(seat, 1, "aim.1", facts, 1, None))
    totals = {seat: state.owners.count(seat) for seat in state.table.seats}
    return ScoreSheet(tuple(lines), totals)


def outcome(state: State) -> Outcome | None:
    """The outcome; three flags in a row are checked before five in all (J41)."""
    return decided(state.table.seats, state.owners) or state.stopped


def decided(seats: tuple[Seat, ...], owners: tuple[Seat | None, ...]) -> Outcome | None:
    """The outcome with these flags, or None; ``owners`` by flag."""
    for seat in seats:
        row = _row(owners, seat)
        if row:
            facts = evidence("broke_through", seat=seat, flags=row)
            return Outcome("end.2", (seat,), facts)
    for seat in seats:
        count = owners.count(seat)
        if count >= IN_ALL:
            return Outcome("end.3", (seat,), evidence("has_flags", seat=seat, count=count))
    return None


def _row(owners: tuple[Seat | None, ...], seat: Seat) -> tuple[int, ...]:
    """All flags of the first row of at least three that ``seat`` owns, 1-based; () if none."""
    if owners.count(seat) < IN_A_ROW:
        return ()
    three = (seat,) * IN_A_ROW
    for start in range(FLAGS):
        if owners[start : start + IN_A_ROW] == three:
            row = takewhile(lambda i: owners[i] == seat, range(start, FLAGS))
            return tuple(i + 1 for i in row)
    return ()


def audit(state: State) -> tuple[Finding, ...]:
    """Nothing is declared about hidden hands, so nothing can be proven about them later."""
    return ()
