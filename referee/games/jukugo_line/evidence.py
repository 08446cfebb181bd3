"""A formation in the facts of a verdict and in the answers to records."""

from __future__ import annotations

from typing import Any

from referee.core.verdict import Evidence, Facts, Seat, Term
from referee.jukugo.formations import Formation


def shows(seat: Seat, shown: Formation, at: int | None) -> Facts:
    """What the column of ``seat`` is worth since the entry ``at`` that filled it."""
    return (Evidence("shows", {"seat": seat} | as_values(shown), at),)


def as_values(shown: Formation) -> dict[str, object]:
    """A formation as the values of a sentence."""
    return {
        "cards": "".join(shown.order),
        "formation": Term(shown.kind.label),
        "words": shown.words or ("".join(shown.order),),
        "sum": shown.primary,
    }


def as_json(formation: Formation) -> dict[str, Any]:
    """A formation as the answers to records have it."""
    return {
        "name": formation.kind.label,
        "primary": formation.primary,
        "secondary": formation.secondary,
        "words": list(formation.words),
    }
