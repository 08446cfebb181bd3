"""Positions that are described without the entries that led to them, as in quick checks.

A game builds such a state with its function ``situation``; ``judge``, ``candidates`` and ``apply``
treat it like any other.
"""

from __future__ import annotations

from referee.core.verdict import Illegal


class ImpossibleSituation(Exception):
    """The described position is impossible.

    ``field``: the part of the description at fault, as the game's ``situation`` names it.
    ``verdict``: the clause that forbids it, and the evidence.
    """

    def __init__(self, field: str, verdict: Illegal) -> None:
        super().__init__(f"{field}: {verdict.clause}")
        self.field = field
        self.verdict = verdict
