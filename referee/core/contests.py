"""Contests: a player objects to an entry; the table votes and decides."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from referee.core.corrections import Contest, Decide, Vote
from referee.core.game import Table
from referee.core.generic import Entry
from referee.core.verdict import Illegal, Legal, Seat, evidence


class Contested(NamedTuple):
    """Contest ``seq``, the latest vote of every seat, and the entry that decided it or None."""

    seq: int
    contest: Contest
    votes: Mapping[Seat, bool]
    decided: int | None


def contested(
    entries: Iterable[tuple[int, Entry]], before: Mapping[int, Contested]
) -> dict[int, Contested]:
    """``before`` brought up to date with ``entries``: contests by entry number, in order.

    ``entries``: numbers (1-based) and entries that are in force and legal, in order.
    """
    found = dict(before)
    for seq, entry in entries:
        match entry:
            case Contest():
                found[seq] = Contested(seq, entry, {entry.seat: True}, None)
            case Vote():
                now = found[entry.number]
                votes = {**now.votes, entry.seat: entry.agrees}
                found[entry.number] = now._replace(votes=votes)
            case Decide():
                found[entry.number] = found[entry.number]._replace(decided=seq)
    return found


def carried(rule: str, seats: Collection[Seat], votes: Mapping[Seat, bool], right: bool) -> bool:
    """Whether the votes so far suffice to uphold the contest (``right``) or to reject it.

    ``rule`` is the house rule. "agree": all seats must vote yes to uphold it, one no rejects it.
    "majority": more than half of the seats must vote yes; it is rejected once that is impossible.
    "host": the host decides without votes.
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


def fault(
    entry: Contest | Vote | Decide,
    made: Iterable[Contested],
    table: Table,
    present: Collection[Seat],
    missing: Callable[[int], str | None],
) -> Illegal | None:
    """Why ``entry`` cannot be made after the contests ``made``; None if it can.

    ``present``: the seats whose votes count, which are those that are in.
    ``missing``: gives for an entry number the fact that says why it cannot be corrected, or None.
    """
    if isinstance(entry, Contest):
        fact = missing(entry.number)
        if fact:
            return Illegal("log.4", evidence(fact, number=entry.number))
        same = next((one for one in made if one.contest == entry and not one.decided), None)
        if same:
            again = evidence("contested_before", number=entry.number, earlier=same.seq)
            return Illegal("log.4", again)
        return None
    clause = "log.5" if isinstance(entry, Decide) else "log.4"
    found = next((one for one in made if one.seq == entry.number), None)
    if found is None:
        return Illegal(clause, evidence("no_contest", number=entry.number))
    if found.decided:
        return Illegal(clause, evidence("decided_before", number=entry.number))
    rule = table.option("contest")
    if isinstance(entry, Vote):
        return Illegal(clause, evidence("host_decides")) if rule == "host" else None
    votes = {seat: agrees for seat, agrees in found.votes.items() if seat in present}
    if not carried(rule, present, votes, entry.right):
        yes = sum(votes.values())
        values = {"yes": yes, "no": len(votes) - yes, "seats": len(present)}
        return Illegal(clause, evidence(f"not_carried_{rule}", **values))
    fact = missing(found.contest.number) if entry.right else None
    return Illegal(clause, evidence(fact, number=found.contest.number)) if fact else None


def noted(entry: Contest | Vote) -> Legal:
    """The verdict on a contest or a vote that can be made."""
    match entry:
        case Contest(seat=seat, number=number):
            return Legal("log.4", evidence("contested", seat=seat, number=number))
        case Vote(seat=seat, number=number, agrees=agrees):
            fact = "agrees" if agrees else "disagrees"
            return Legal("log.4", evidence(fact, seat=seat, number=number))


def decided(entry: Decide) -> Legal:
    """The verdict on a decision that can be made."""
    facts = evidence("found_right" if entry.right else "found_wrong", number=entry.number)
    if entry.reason is not None:
        facts = (*facts, *evidence("reason", text=entry.reason))
    return Legal("log.5", facts)
