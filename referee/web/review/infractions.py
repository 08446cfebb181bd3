"""What the table did about infractions that had been proven: rulings, rewinds, voided deals."""

from __future__ import annotations

from typing import NamedTuple

from referee.core.corrections import Rewind, Rule, Void
from referee.core.log import Moment, steps
from referee.core.verdict import Finding, Illegal
from referee.desk import View


class Settled(NamedTuple):
    """``finding`` was answered by entry ``seq``; ``how`` is a value of ``revoke_policy``."""

    seq: int
    finding: Finding
    how: str


def settled(view: View) -> list[Settled]:
    """The choices in force, in the order in which they were made."""
    found = []
    for seq in sorted(view.in_force()):
        entry = view.log.entries[seq - 1]
        if not isinstance(entry, Rewind | Rule | Void):
            continue
        if isinstance(view.log.moments[seq].verdict, Illegal):
            continue
        then = view.log.moments[seq - 1]
        for finding in view.log.findings(then):
            how = _how(then, entry, finding)
            if how:
                found.append(Settled(seq, finding, how))
    return found


def _how(then: Moment, entry: Rewind | Rule | Void, finding: Finding) -> str:
    match entry:
        case Rule(number=number):
            return "let_stand" if number == finding.at else ""
        case Rewind(to=to):  # further back is another matter than this card
            return "rewind" if to == finding.at - 1 else ""
        case Void(number=number):
            deals = {step.seq: step.state.deal for step in steps(then.step)}
            return "void_deal" if deals[number] == deals[finding.at] else ""
