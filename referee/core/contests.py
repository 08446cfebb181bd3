"""Contests: a seat says that an entry is wrong; the table votes and decides."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from referee.core.corrections import Contest, Decide, Vote
from referee.core.verdict import Illegal, Legal, Seat, evidence

if TYPE_CHECKING:
    from referee.core.log import Log, Moment


class Contested(NamedTuple):
    """Contest ``seq``, the last word of everybody who has voted, and the entry that decided it."""

    seq: int
    contest: Contest
    votes: Mapping[Seat, bool]
    decided: int | None


def contested(log: Log, moment: Moment | None = None) -> list[Contested]:
    """The contests in force at ``moment`` (now), in the order in which they were made."""
    found: dict[int, Contested] = {}
    if not any(isinstance(entry, Contest) for entry in log.entries):
        return []
    moment = moment or log.now
    for seq in sorted(log.in_force(moment)):
        entry = log.entries[seq - 1] if seq <= len(log) else None
        if isinstance(entry, Contest | Vote | Decide):
            if isinstance(log.moments[seq].verdict, Illegal):
                continue
            if isinstance(entry, Contest):
                found[seq] = Contested(seq, entry, {entry.seat: True}, None)
            elif isinstance(entry, Vote):
                now = found[entry.number]
                votes = {**now.votes, entry.seat: entry.agrees}
                found[entry.number] = now._replace(votes=votes)
            else:
                found[entry.number] = found[entry.number]._replace(decided=seq)
    return list(found.values())


def carried(rule: str, seats: Collection[Seat], votes: Mapping[Seat, bool], right: bool) -> bool:
    """Whether ``votes`` allow to decide that a contest is ``right``, or is not.

    The record is changed only if the house rule ``rule`` is met ("agree": by all, "majority": by
    more than half); it stands as soon as that can no longer be. The "host" asks nobody.
    """
    yes = sum(votes.values())
    no = len(votes) - yes
    match rule:
        case "agree":
            return yes == len(seats) if right else no > 0
        case "majority":
            return 2 * yes > len(seats) if right else 2 * no >= len(seats)
        case _:
            return True


def fault(log: Log, entry: Contest | Vote | Decide) -> Illegal | None:
    """Why the entry can't be made now."""
    if isinstance(entry, Contest):
        fact = log.fault(entry.number)
        return Illegal("log.4", evidence(fact, number=entry.number)) if fact else None
    clause = "log.5" if isinstance(entry, Decide) else "log.4"
    found = next((one for one in contested(log) if one.seq == entry.number), None)
    if found is None:
        return Illegal(clause, evidence("no_contest", number=entry.number))
    if found.decided:
        return Illegal(clause, evidence("decided_before", number=entry.number))
    if isinstance(entry, Vote):
        return None
    rule = log.table.option("contest")
    if not carried(rule, log.table.seats, found.votes, entry.right):
        yes = sum(found.votes.values())
        values = {"yes": yes, "no": len(found.votes) - yes, "seats": len(log.table.seats)}
        return Illegal(clause, evidence(f"not_carried_{rule}", **values))
    fact = log.fault(found.contest.number) if entry.right else None
    return Illegal(clause, evidence(fact, number=found.contest.number)) if fact else None


def noted(entry: Contest | Vote) -> Legal:
    """The verdict of a contest or a vote that can be made."""
    match entry:
        case Contest(seat=seat, number=number):
            return Legal("log.4", evidence("contested", seat=seat, number=number))
        case Vote(seat=seat, number=number, agrees=agrees):
            fact = "agrees" if agrees else "disagrees"
            return Legal("log.4", evidence(fact, seat=seat, number=number))


def decided(entry: Decide) -> Legal:
    """The verdict of a decision that can be made."""
    facts = evidence("found_right" if entry.right else "found_wrong", number=entry.number)
    if entry.reason is not None:
        facts = (*facts, *evidence("reason", text=entry.reason))
    return Legal("log.5", facts)
