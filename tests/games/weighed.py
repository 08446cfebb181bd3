"""What a match keeps in memory, measured."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeAlias
from unittest.mock import patch

from referee.core import log
from referee.core.game import Game
from referee.games.simulation import table

MOST = 60_000_000 // 4_000  # bytes an entry

# A log keeps the steps of older timelines up to a number that is meant for long matches; a shorter
# one that is measured keeps as many in proportion.
KEPT = log.KEPT / 4_000

Entries: TypeAlias = Callable[[log.Log], Iterator[Any]]


def taken(game: Game, seats: list[str], kind: Entries, count: int, **options: str) -> int:
    """The bytes that a match with ``count`` entries of this kind keeps in memory."""
    at = table(game, seats, **options)
    gc.collect()
    tracemalloc.start()
    try:
        with patch.object(log, "KEPT", KEPT * count):
            match = log.Log(game, at)
            for entry in islice(kind(match), count):
                match.push(entry)
        gc.collect()
        assert len(match) == count
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def match_of(game: Game, seats: list[str], kind: Entries, count: int) -> log.Log:
    """A match with ``count`` entries of this kind."""
    match = log.Log(game, table(game, seats))
    for entry in islice(kind(match), count):
        match.push(entry)
    return match
