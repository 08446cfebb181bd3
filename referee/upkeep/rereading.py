"""Counting finished matches again after an update, slowly, while the server runs."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread
from time import monotonic

from referee.history.counting import reread
from referee.store import Store, Unavailable

LOG = logging.getLogger(__name__)
START_SECONDS = 5.0  # from the start of the server on, which has more urgent work
BATCH = 4  # matches between two rests
RESTS = 9  # times the last batch's time, so that tables have nine tenths of a processor
END_SECONDS = 5.0


@contextmanager
def rereading(database: Path | str, start: float = START_SECONDS) -> Iterator[None]:
    """While this lasts, count again what an earlier version has counted (see ``reread``)."""
    stop = Event()

    def work() -> None:
        if stop.wait(start) or (isinstance(database, Path) and not database.exists()):
            return
        try:
            with closing(Store(database)) as store:
                began = monotonic()
                for _matches in reread(store, BATCH):
                    if stop.wait(RESTS * (monotonic() - began)):
                        return
                    began = monotonic()
        except Unavailable as fault:  # the next start goes on with it
            LOG.error("matches were not counted again: %s", fault)

    thread = Thread(target=work, name="rereading", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(END_SECONDS)
