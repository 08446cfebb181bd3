"""How long a piece of work takes."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one call of ``work``."""
    began = perf_counter()
    work()
    return perf_counter() - began
