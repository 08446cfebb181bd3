"""Long work behind a page: one at a time, and the page says how far it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Any

from flask import Flask, current_app

from referee import counting, exchange
from referee.store import Circles, Clash, Store
from referee.store.archive import Archive
from referee.store.statistics import Digests
from referee.web import tables

KEY = "work"


class Busy(Exception):
    """Something else is still being worked on."""


@dataclass(slots=True)
class Work:
    """A piece of work for a circle: ``done`` of ``total`` so far, ``fresh`` matches taken in.

    ``clash``: the match that stopped it; ``failed``: something else did, and stands in the log.
    """

    circle: str
    total: int
    done: int = 0
    counting: bool = False
    fresh: int = 0
    clash: str = ""
    failed: bool = False
    over: bool = False

    def more(self, count: int) -> None:
        """``count`` more are done."""
        self.done += count


_starting = Lock()


def current(circle: str) -> Work | None:
    """The work that goes on for this circle, or was done last."""
    work: Work | None = current_app.extensions.get(KEY)
    return work if work and work.circle == circle else None


def start(job: Callable[[Store, Work, Any], None], circle: str, whole: exchange.Whole) -> None:
    """Begin a piece of work; raises ``Busy`` while another goes on."""
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    with _starting:
        going = app.extensions.get(KEY)
        if going and not going.over:
            raise Busy
        work = app.extensions[KEY] = Work(circle, len(whole.matches))
    store = tables.desk().store

    def run() -> None:
        try:
            job(store, work, whole)
        except Clash as fault:
            work.clash = str(fault)
        except Exception as fault:  # the page says so; what was taken in stays
            work.failed = True
            app.logger.error("import", exc_info=fault)
        finally:
            work.over = True

    Thread(target=run, name="work", daemon=True).start()


def import_history(store: Store, work: Work, whole: exchange.Whole) -> None:
    """Take a history in and count it."""
    work.fresh = exchange.take_in(Archive(store, work.circle), whole, work.more)
    if whole.circle and not Circles(store).get(work.circle).name:
        Circles(store).call(work.circle, whole.circle)
    work.counting, work.done, work.total = True, 0, Digests(store).pending()
    counting.catch_up(store, done=work.more)
    store.engine.analyse()
