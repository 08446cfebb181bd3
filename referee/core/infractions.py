"""Proven infractions, and what the table did about them: rulings, rewinds, voided deals."""

from __future__ import annotations

from typing import NamedTuple, cast

from referee.core.corrections import Decide, Rewind, Rule, Void
from referee.core.log import Log
from referee.core.steps import Moment, steps
from referee.core.verdict import Finding, Illegal, Seat


class Settled(NamedTuple):
    """``finding`` was answered by entry ``seq``; ``how`` is a value of ``revoke_policy``."""

    seq: int
    finding: Finding
    how: str


def settled(log: Log, moment: Moment) -> list[Settled]:
    """How infractions were settled by entries in force at ``moment``, in their order."""
    found = []
    for seq in sorted(log.in_force(moment)):
        entry = log.entries[seq - 1]
        if not isinstance(entry, Rewind | Rule | Void):
            continue
        if isinstance(log.moments[seq].verdict, Illegal):
            continue
        for finding in log.findings_after(seq - 1):
            how = _how(log.moment(seq - 1), entry, finding)
            if how:
                found.append(Settled(seq, finding, how))
    return found


def undecided(log: Log, moment: Moment) -> tuple[Finding, ...]:
    """The infractions proven at ``moment`` about which the table has not decided.

    It has if it accepted the entry, or rejected an objection to it after the proof. A correction
    that leaves an infraction proven does not decide about it.
    """
    found = log.findings(moment)
    if not found:
        return ()
    accepted = {step.seq for step in steps(moment.step) if step.ruled is not None}
    left = _left_alone(log, moment)
    return tuple(one for one in found if one.at not in accepted and (one.seat, one.at) not in left)


def just_proven(log: Log, seq: int) -> tuple[Finding, ...]:
    """The undecided infractions that entry ``seq``, the last one that counts, has proven."""
    found = undecided(log, log.moment(seq))
    known = {(one.seat, one.at) for one in log.findings_after(seq - 1)} if found else set()
    return tuple(one for one in found if (one.seat, one.at) not in known)


def _left_alone(log: Log, moment: Moment) -> set[tuple[Seat, int]]:
    """Seats and entries of infractions that the table knew when it rejected an objection."""
    decided = [
        (one.contest.number, one.decided) for one in log.contests(moment) if one.decided is not None
    ]
    return {
        (finding.seat, number)
        for number, seq in decided
        if not cast(Decide, log.entries[seq - 1]).right
        for finding in log.findings_after(seq - 1)
        if finding.at == number
    }


def _how(then: Moment, entry: Rewind | Rule | Void, finding: Finding) -> str:
    """How ``entry`` answers ``finding``, as a value of ``revoke_policy``; "" if it does not."""
    match entry:
        case Rule(number=number):
            return "let_stand" if number == finding.at else ""
        case Rewind(to=to):  # a rewind to an earlier entry is not about this card alone
            return "rewind" if to == finding.at - 1 else ""
        case Void(number=number):
            deals = {step.seq: step.state.deal for step in steps(then.step)}
            return "void_deal" if deals[number] == deals[finding.at] else ""
