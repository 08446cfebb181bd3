"""Corrections that shift the following cards to other seats.

A phone that records card after card assigns each to the seat whose turn it is. If a card is missing
or recorded twice, or the wrong seat led, every later card has the wrong seat, and one correction
has to move them all.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.corrections import Amend, Decide, Insert, Part, Rule, Together, Void
from referee.core.game import Table
from referee.core.generic import Entry
from referee.core.log import Log
from referee.core.log.edits import PlayToJudge
from referee.core.sheets import judge
from referee.core.slips import named
from referee.core.steps import Moment, Step, steps
from referee.core.verdict import Illegal

MOST = 300  # entries moved by one correction, at most


def taken_along(log: Log, entry: Entry) -> Together | None:
    """``entry`` together with amendments that give the cards after it to the seats that were due.

    None if ``entry`` breaks nothing, or if amendments would not leave fewer entries broken.
    """
    if isinstance(entry, Void | Decide | Rule):
        return None
    parts = log.parts(entry, log.now)
    made = log.consider(entry)
    if isinstance(made.verdict, Illegal) or not parts:
        return None
    plain = _broken(log.now, made)
    if not plain:
        return None
    head, rows, _ = log.rows(parts, len(log) + 1)
    stood = _took_effect(log.now)
    aimed = {part.number for part in parts if not isinstance(part, Insert)}
    more: list[Part] = []
    broken = 0
    for place, row in enumerate(rows):
        step = log.judged(head, *row)
        if isinstance(step.verdict, Illegal) and row.seq in stood:
            after = rows[place + 1].play if place + 1 < len(rows) else None
            movable = row.seq not in aimed and len(more) < MOST
            instead = next(_shifted(log, head, row, after), None) if movable else None
            if instead is None:
                broken += 1
            else:
                more.append(Amend(row.seq, instead.play))
                step = instead
        head = step
    return Together((*parts, *more)) if more and broken < len(plain) else None


def _shifted(log: Log, head: Step | None, row: PlayToJudge, after: Entry | None) -> Iterator[Step]:
    """``row`` judged with each other seat for which it is not illegal, those due first.

    If a seat is only named, as a leader is, the next play ``after`` must be legal with it.
    """
    state = head.state if head else log.start
    due = log.game.to_act(state)
    for name, _seat, others in named(log.table, row.play):
        for other in sorted(others, key=lambda play: _turn(due, getattr(play, name), log.table)):
            step = log.judged(head, row.seq, other, None)
            alone = name == "seat" or after is None
            if not isinstance(step.verdict, Illegal) and (
                alone or not isinstance(judge(log.game, log.table, step.state, after), Illegal)
            ):
                yield step


def _turn(due: tuple[str, ...], seat: str, table: Table) -> int:
    """A sort key: the seats due in their order, then the others in seat order."""
    return due.index(seat) if seat in due else len(due) + table.seats.index(seat)


def _took_effect(moment: Moment) -> set[int]:
    """Numbers of the entries that took effect."""
    return {step.seq for step in steps(moment.step) if step.took_effect}


def _broken(before: Moment, after: Moment) -> set[int]:
    """Numbers of entries that took effect before, and are in force after without effect."""
    played = {step.seq for step in steps(after.step)}
    return (_took_effect(before) & played) - _took_effect(after)
