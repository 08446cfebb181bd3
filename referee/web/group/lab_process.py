"""The process that simulates matches for the page of a game: ``main`` (see ``labs``).

It reads a ``Job`` from its input and writes messages to its output, both pickled. It has a high
nice value, little memory and little time, so that the tables do not wait for it.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from referee.core.record import Record, Unreadable, read
from referee.games import GAMES
from referee.insight.playing import Batch, Plan, Result, played, recorded
from referee.kit.shipped import beside
from referee.rulings.report import replay
from referee.web.group import sent_files

CHUNK = 5  # matches per message
MEMORY = 256 * 1024 * 1024  # bytes beyond those that the process has at its start
SECONDS = 120  # of processor time
NICENESS = 19


class Job(NamedTuple):
    """``games`` matches of each plan; ``records`` of the group's matches, and the decks and game
    ``files`` that these name: file name → text.
    """

    plans: tuple[Plan, ...]
    games: int
    records: tuple[str, ...]
    files: Mapping[str, str]


class Own(NamedTuple):
    """The results of the group's records that were decided play by play."""

    results: tuple[Result, ...]


class BatchDone(NamedTuple):
    """Further matches of the plan with the number ``version`` (0-based)."""

    version: int
    batch: Batch


def main() -> None:
    """Play the matches of the job, alternating between its plans.

    The process ends if nobody reads its output any more.
    """
    job: Job = pickle.load(sys.stdin.buffer)
    sent_files.limit(MEMORY, SECONDS, NICENESS)
    try:
        sent_files.send(Own(own(job)))
        for start in range(0, job.games, CHUNK):
            for version, plan in enumerate(job.plans):
                chunk = range(start, min(start + CHUNK, job.games))
                sent_files.send(BatchDone(version, played(plan, chunk)))
    except BrokenPipeError:
        os._exit(1)


def own(job: Job) -> tuple[Result, ...]:
    """The results of the group's matches in order, without records that can't be read any more
    and matches that were not decided play by play.
    """
    found = []
    for number, text in enumerate(job.records):
        with suppress(Unreadable):
            record = read(text.encode(), GAMES, job.files.get, beside)
            if isinstance(record, Record):
                found.append(recorded(replay(record), number))
    return tuple(result for result in found if result)
