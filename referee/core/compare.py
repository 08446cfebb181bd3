"""What a correction would change: the differences between two moments of one match."""

from __future__ import annotations

from typing import NamedTuple

from referee.core.corrections import NO_PLAYS
from referee.core.game import Line
from referee.core.log import Log
from referee.core.steps import Moment, Step, steps
from referee.core.verdict import Illegal, Outcome, Seat, Verdict
from referee.core.written import Points


class VerdictChange(NamedTuple):
    """An entry whose play or verdict changes: its step before and after.

    None where the entry is not in force.
    """

    seq: int
    before: Step | None
    after: Step | None


class TrickChange(NamedTuple):
    """A trick whose points change: its score lines before and after.

    Deal and trick are 1-based; ``trick`` is None for points of a whole deal.
    """

    deal: int
    trick: int | None
    before: tuple[Line, ...]
    after: tuple[Line, ...]


class Changes(NamedTuple):
    """All differences between two moments.

    ``totals``: seat, points before and points after, for each seat whose total changes.
    ``outcomes``: before and after. ``breaks``: the first play that becomes illegal, as judged after
    the change, or None.
    """

    verdicts: tuple[VerdictChange, ...]
    tricks: tuple[TrickChange, ...]
    totals: tuple[tuple[Seat, Points, Points], ...]
    outcomes: tuple[Outcome | None, Outcome | None]
    breaks: Step | None

    def __bool__(self) -> bool:
        return bool(self.verdicts or self.tricks or self.outcomes[0] != self.outcomes[1])


def compare(log: Log, before: Moment, after: Moment) -> Changes:
    """Changes from ``before`` to ``after``, both of them moments of ``log``."""
    old = {step.seq: step for step in steps(before.step)}
    new = {step.seq: step for step in steps(after.step)}
    verdicts = tuple(
        VerdictChange(seq, old.get(seq), new.get(seq))
        for seq in sorted(old.keys() | new.keys())
        if _compared(old.get(seq)) != _compared(new.get(seq))
    )
    breaks = next((c.after for c in verdicts if c.before and _breaks(c.before, c.after)), None)
    sheets = [log.game.score(log.state_at(moment)) for moment in (before, after)]
    old_totals, new_totals = (sheet.totals for sheet in sheets)
    totals = tuple(
        (seat, old_totals.get(seat, 0), new_totals.get(seat, 0))
        for seat in {**old_totals, **new_totals}
        if old_totals.get(seat) != new_totals.get(seat)
    )
    outcomes = (
        log.game.outcome(log.state_at(before)),
        log.game.outcome(log.state_at(after)),
    )
    return Changes(verdicts, _tricks(sheets[0].lines, sheets[1].lines), totals, outcomes, breaks)


def _compared(step: Step | None) -> tuple[object, type[Verdict], str] | None:
    """What is compared of a step: its play, and the verdict without its evidence."""
    return (step.play, type(step.verdict), step.verdict.clause) if step else None


def _breaks(before: Step, after: Step | None) -> bool:
    return (
        after is not None
        and isinstance(after.verdict, Illegal)
        and not isinstance(before.verdict, Illegal)
    )


def _tricks(before: tuple[Line, ...], after: tuple[Line, ...]) -> tuple[TrickChange, ...]:
    def grouped(lines: tuple[Line, ...]) -> dict[tuple[int, int | None], list[Line]]:
        groups: dict[tuple[int, int | None], list[Line]] = {}
        for line in lines:
            groups.setdefault((line.deal, line.trick), []).append(line)
        return groups

    def points(lines: list[Line]) -> list[tuple[Seat, Points]]:
        return sorted((line.seat, line.points) for line in lines)

    old, new = grouped(before), grouped(after)
    places = sorted(old.keys() | new.keys(), key=lambda place: (place[0], place[1] or 0))
    return tuple(
        TrickChange(*place, tuple(old.get(place, ())), tuple(new.get(place, ())))
        for place in places
        if points(old.get(place, [])) != points(new.get(place, []))
    )


def broken(log: Log, moment: Moment) -> list[int]:
    """Plays in force at ``moment`` that a correction has made illegal, by number.

    Without those that the table accepts, and those that were illegal when they were recorded.
    """
    if not any(isinstance(entry, NO_PLAYS) for entry in log.entries):
        return []
    return sorted(
        step.seq
        for step in steps(moment.step)
        if isinstance(step.verdict, Illegal)
        and step.ruled is None
        and step.seq <= len(log)
        and not isinstance(log.entries[step.seq - 1], NO_PLAYS)
        and not isinstance(log.moments[step.seq].verdict, Illegal)
    )
