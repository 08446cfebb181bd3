"""What the table did about proven infractions: rulings, rewinds, voided deals."""

from __future__ import annotations

from typing import NamedTuple

from referee.core.corrections import Rewind, Rule, Void
from referee.core.log import Log, Moment, steps
from referee.core.verdict import Finding, Illegal


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
        then = log.moments[seq - 1]
        for finding in log.findings(then):
            how = _how(then, entry, finding)
            if how:
                found.append(Settled(seq, finding, how))
    return found


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
