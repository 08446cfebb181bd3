"""Which phone may enter what: the house rule ``entry_mode``, and declarations about hands."""

from __future__ import annotations

from typing import NamedTuple

from referee.core.corrections import CORRECTIONS, Contest, Decide, Rewind, Vote
from referee.core.generic import Entry
from referee.core.log import Log
from referee.core.steps import Moment, steps
from referee.core.verdict import Illegal, Seat, Unprovable, evidence

CLAUSE = "hand.4"


class Standing(NamedTuple):
    """The role of a phone at a match.

    ``role``: "host" (it opened the table), "seated", "watching", or "member" of the group that the
    match belongs to, without a place at the table. ``seat``: its own, or "". ``phones``: the seats
    that have a phone of their own; every phone at the table speaks for the others.
    """

    role: str
    seat: Seat = ""
    phones: frozenset[Seat] = frozenset()

    def speaks_for(self, seat: Seat) -> bool:
        """Whether this phone may enter what ``seat`` declares or agrees to."""
        return seat == self.seat or seat not in self.phones

    def keyless(self, mode: str, seat: Seat = "") -> Illegal | None:
        """Why this phone has no keys for ``seat``, or "" for the whole table; None if it has.

        ``mode``: the house rule ``entry_mode``.
        """
        if self.role == "watching":
            return _because("entry_watching")
        if mode == "own_seat" and seat and not self.speaks_for(seat):
            return _because("entry_own_seat", seat=seat)
        # other phones declare about the hand of their own seat
        if mode == "host" and self.role != "host" and not (seat and seat == self.seat):
            return _because("entry_host")
        return None


def barred(standing: Standing, log: Log, entry: Entry, moment: Moment) -> Illegal | None:
    """Why this phone may not enter ``entry``, which leads to ``moment``; None if it may."""
    if standing.role == "watching" and not isinstance(entry, Contest):
        return _because("entry_watching")
    declares = declaring(log, entry, moment)
    for owner in log.seats_at(log.state):
        if owner in declares and not standing.speaks_for(owner):
            return _because("entry_own_hand", seat=owner)
    seat = getattr(entry, "seat", None)
    # every seat may object, vote and agree, even if only some phones may enter the cards
    if seat is not None and (
        isinstance(entry, Contest | Vote) or getattr(entry, "OWN_WORD", False)
    ):
        own = standing.speaks_for(seat)
        if isinstance(entry, Contest) and standing.seat:  # it is this player who objects
            own = seat == standing.seat
        return None if own else _because("entry_own_word", seat=seat)
    if isinstance(entry, Decide):  # follows from the votes, except where the host decides
        own = log.table.option("contest") != "host" or standing.role == "host"
        return None if own else _because("entry_host_decides")
    mode = log.table.option("entry_mode")
    if mode == "own_seat" and seat is not None and not standing.speaks_for(seat):
        return _because("entry_own_seat", seat=seat)
    if mode == "host" and standing.role != "host":
        own = declares == {standing.seat} and not isinstance(entry, CORRECTIONS)
        return None if own else _because("entry_host")
    return None


def declaring(log: Log, entry: Entry, moment: Moment) -> frozenset[Seat]:
    """The seats about whose hidden hands ``entry`` declares something.

    A correction declares what it newly puts into the log; a rewind declares nothing.
    """
    if isinstance(moment.verdict, Unprovable):
        return frozenset((moment.verdict.premise.seat,))
    if not isinstance(entry, CORRECTIONS) or isinstance(entry, Rewind):
        return frozenset()
    known = {(step.seq, step.play) for step in steps(log.now.step)}
    return frozenset(
        step.verdict.premise.seat
        for step in steps(moment.step)
        if isinstance(step.verdict, Unprovable) and (step.seq, step.play) not in known
    )


def _because(fact: str, **values: object) -> Illegal:
    return Illegal(CLAUSE, evidence(fact, **values))
