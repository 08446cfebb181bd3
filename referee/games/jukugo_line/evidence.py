"""A formation in the facts of a verdict and in the answers to records."""

from __future__ import annotations

from referee.core.verdict import Facts, Seat, Term, evidence
from referee.jukugo.formations import Formation

PLAIN = {
    "shows": "shows_plain",
    "best_left": "best_left_plain",
    "would_win": "would_win_plain",
}
"""The facts of a formation that has no words."""


MIGHT_WIN = ("would_win", PLAIN["would_win"])
"""The facts that show with which cards a claim could still be lost."""


def formed(fact: str, seat: Seat, formation: Formation, at: int | None = None) -> Facts:
    """The fact that ``seat`` shows a formation, or could still form it.

    A formation without words has a sentence without them.
    """
    cards = "".join(formation.order)
    return evidence(
        fact if formation.words else PLAIN[fact],
        at,
        seat=seat,
        cards=cards,
        formation=Term(formation.kind.label),
        words=formation.words,
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
