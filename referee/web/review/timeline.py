"""Entries as a line above a slider, with marks where a verdict is not "legal"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

WIDTH = 300  # from the first entry to the last
TICKS = 150  # entries that have a tick of their own, at most


class TimelineMark(NamedTuple):
    """An entry on the timeline, at x; ``word``: "legal", "unprovable" or "illegal"."""

    at: float
    word: str


class Timeline(NamedTuple):
    """Entries from left to right; ``proofs``: x of an offence, x of its proof."""

    marks: list[TimelineMark]
    proofs: list[tuple[float, float]]

    @property
    def ticks(self) -> list[TimelineMark]:
        """The marks that are drawn as a tick: none if they would be a solid bar."""
        return self.marks if len(self.marks) <= TICKS else []


def timeline(words: Sequence[str], proofs: Sequence[tuple[int, int]] = ()) -> Timeline:
    """The entries with the verdicts ``words``; ``proofs``: indices of an offence, of its proof."""
    last = max(1, len(words) - 1)
    x = [round(WIDTH * place / last, 1) for place in range(len(words))]
    marks = [TimelineMark(at, word) for at, word in zip(x, words, strict=True)]
    return Timeline(marks, [(x[start], x[end]) for start, end in proofs])
