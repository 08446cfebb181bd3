"""A formation in the facts of a verdict and in the answers to records."""

from __future__ import annotations

from referee.core.verdict import Facts, Seat, Term, evidence
from referee.jukugo.formations import Formation


def formed(fact: str, seat: Seat, formation: Formation, at: int | None = None) -> Facts:
    """The fact that ``seat`` shows a formation, or could still form it."""
    cards = "".join(formation.order)
    return evidence(
        fact,
        at,
        seat=seat,
        cards=cards,
        formation=Term(formation.kind.label),
        words=formation.words or (cards,),
        sum=formation.primary,
    )


def as_json(formation: Formation) -> dict[str, object]:
    """A formation as the answers to records have it."""
    return {
        "name": formation.kind.label,
        "primary": formation.primary,
        "secondary": formation.secondary,
        "words": list(formation.words),
    }
