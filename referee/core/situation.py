"""Positions that somebody describes without the entries that led to them, as quick checks do.

A game builds such a state with its function ``situation``; ``judge``, ``candidates`` and ``apply``
take it like any other.
"""

from __future__ import annotations

from referee.core.verdict import Illegal


class ImpossibleSituation(Exception):
    """No table can be in the position that was described.

    ``field``: the part of the description at fault, named by the game's ``situation``.
    ``verdict``: the clause that forbids it, and the evidence.
    """

    def __init__(self, field: str, verdict: Illegal) -> None:
        super().__init__(f"{field}: {verdict.clause}")
        self.field = field
        self.verdict = verdict
