"""Long work behind a page: one at a time, and the page says how far it is."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Lock, Thread

from flask import Flask, current_app

from referee.core.record import Unreadable
from referee.history import counting, exchange, records
from referee.rulings import COMMON, book
from referee.store import Circles, Clash, Store
from referee.store.archive import Archive
from referee.store.statistics import Digests
from referee.web.http.current import desk

KEY = "works"
REMEMBERED = 64  # circles whose last work is still told


class Busy(Exception):
    """Something else is still being worked on."""


@dataclass(slots=True)
class Work:
    """A piece of work for a circle: ``done`` of ``total`` so far, ``fresh`` matches taken in.

    ``refused``: files that can't be taken in, and the first fault of each. ``clash``: the match
    that stopped it; ``elsewhere``: it is another circle's history; ``failed``: something else
    stopped it, and stands in the log.
    """

    circle: str
    total: int
    done: int = 0
    counting: bool = False
    fresh: int = 0
    refused: list[tuple[str, records.Fault]] = field(default_factory=list)
    clash: str = ""
    elsewhere: bool = False
    failed: bool = False
    over: bool = False

    def more(self, count: int) -> None:
        """``count`` more are done."""
        self.done += count


_starting = Lock()


def _works() -> OrderedDict[str, Work]:
    """What each circle had done last, the oldest first."""
    found: OrderedDict[str, Work] = current_app.extensions.setdefault(KEY, OrderedDict())
    return found


def current(circle: str) -> Work | None:
    """The work that goes on for this circle, or was done last, as it stands at this moment."""
    work = _works().get(circle)
    if work is None:
        return None
    over = work.over  # asked first: what is over has its last figures
    return replace(work, over=over)


def start(job: Callable[[Store, Work], None], circle: str, total: int) -> None:
    """Begin a piece of work on so many matches; raises ``Busy`` while another goes on."""
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    with _starting:
        works = _works()
        if any(not going.over for going in works.values()):
            raise Busy
        works.pop(circle, None)
        while len(works) >= REMEMBERED:
            works.popitem(last=False)
        work = works[circle] = Work(circle, total)
    store = desk().store

    def run() -> None:
        try:
            job(store, work)
        except exchange.Elsewhere:
            work.elsewhere = True
        except Clash as fault:
            work.clash = str(fault)
        except Exception as fault:  # the page says so; what was taken in stays
            work.failed = True
            app.logger.error("import", exc_info=fault)
        finally:
            work.over = True

    Thread(target=run, name="work", daemon=True).start()


def import_records(
    files: records.Files, language: str, keep_illegal: bool, store: Store, work: Work
) -> None:
    """Take in the records that can be read and are not here yet, and count them."""
    lengths = records.lengths(store, work.circle)
    find = files.find(store.shelf.deck)
    for name, source in files.records.items():
        try:
            record = records.load(source, language, find, keep_illegal=keep_illegal)
            work.fresh += records.take_in(store, record, lengths, work.circle)[1]
        except Unreadable as fault:
            says = book(COMMON).says(fault.fact, fault.values, language)
            work.refused.append((fault.file or name, records.Fault(fault.line, says)))
        except records.NotARecord as found:
            work.refused.append((name, found.faults[0]))
        work.more(1)
    _count(store, work)


def import_history(whole: exchange.Whole, store: Store, work: Work) -> None:
    """Take a history in and count it."""
    work.fresh = exchange.take_in(Archive(store, work.circle), whole, work.more)
    if whole.circle and not Circles(store).get(work.circle).name:
        Circles(store).call(work.circle, whole.circle)
    _count(store, work)


def _count(store: Store, work: Work) -> None:
    work.counting, work.done, work.total = True, 0, Digests(store).pending()
    counting.catch_up(store, done=work.more)
    store.engine.analyse()
