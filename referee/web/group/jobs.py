"""Long work in the background, one job at a time, whose progress a page shows."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock, Thread
from time import monotonic, sleep

from flask import Flask, current_app

from referee.foreign import taking
from referee.foreign.plays import ForeignPlay
from referee.history import counting, exchange, records
from referee.http.current import ledger
from referee.http.machine import machine
from referee.store import Circles, Clash, Store
from referee.store.archive import Archive
from referee.store.foreign import ForeignMatch, ForeignPlays
from referee.store.statistics import Digests
from referee.web.group import sent_files
from referee.web.group.intake import Busy

KEY = "works"
REMEMBERED = 64  # circles whose last job can still be shown
ASKED = 1_000  # ids in a query
COUNTED = 4  # matches counted between two pauses
JUDGED = 20  # plays of another program judged between two pauses
WRITTEN = 500  # of them in a transaction
LONGEST_REST_SECONDS = 0.25


@dataclass(slots=True)
class Work:
    """A job of a circle: ``done`` of ``total`` matches so far, ``fresh`` of them new here.

    ``counting``: the import is over, and ``done`` and ``total`` are those of counting.
    ``refused``: files that can't be imported, each with its first fault. ``clash``: id of the match
    whose different log stopped the job; ``elsewhere``: a match belongs to another circle;
    ``failed``: another exception stopped it, which is in the server's log.
    """

    circle: str
    total: int
    done: int = 0
    counting: bool = False
    fresh: int = 0
    refused: list[tuple[str, records.RecordFault]] = field(default_factory=list)
    clash: str = ""
    elsewhere: bool = False
    failed: bool = False
    over: bool = False


_starting = Lock()


def _works() -> OrderedDict[str, Work]:
    """The last job of each circle, the oldest first."""
    found: OrderedDict[str, Work] = current_app.extensions.setdefault(KEY, OrderedDict())
    return found


def current(circle: str) -> Work | None:
    """A copy of the running or last job of this circle; None if there was none."""
    work = _works().get(circle)
    if work is None:
        return None
    over = work.over  # read first: a job that is over has its final numbers
    return replace(work, over=over)


def start(
    job: Callable[[Store, Work], None],
    circle: str,
    total: int,
    end: Callable[[], object] = lambda: None,
) -> None:
    """Start a job on ``total`` matches in a thread; raises ``Busy`` while another is running.

    ``end`` is called when it is over. On a machine without threads the job is over at the return.
    """
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    with _starting:
        works = _works()
        if any(not going.over for going in works.values()):
            raise Busy
        works.pop(circle, None)
        while len(works) >= REMEMBERED:
            works.popitem(last=False)
        work = works[circle] = Work(circle, total)
    store = ledger().store

    def run() -> None:
        try:
            job(store, work)
        except exchange.Elsewhere:
            work.elsewhere = True
        except Clash as fault:
            work.clash = str(fault)
        except Exception as fault:  # the page reports it; what was imported stays
            work.failed = True
            app.logger.error("import", exc_info=fault)
        finally:
            end()
            work.over = True

    if machine().processes:
        Thread(target=run, name="work", daemon=True).start()
    else:
        run()


def import_records(messages: Iterator[sent_files.Message], store: Store, work: Work) -> None:
    """Job: import the records that can be read and are not stored yet, and count them."""
    known = records.Known(store, work.circle)
    for message in messages:
        began = monotonic()
        match message:
            case records.Ready():
                work.fresh += known.take_in(message)[1]
            case sent_files.Refused(name, fault):
                work.refused.append((name, fault))
            case sent_files.IntakeFaults(faults):
                work.refused += [("", fault) for fault in faults]
        work.done += 1
        _rest(monotonic() - began)
    _count(store, work)


def import_history(
    messages: Iterator[sent_files.Message],
    whole: exchange.Whole,
    ids: list[str],
    store: Store,
    work: Work,
) -> None:
    """Job: import a history and count it.

    ``ids``: of all its matches; raises ``Elsewhere`` before anything is imported if one of them
    belongs to another circle, and ``Clash`` at a match whose stored log differs.
    """
    archive = Archive(store, work.circle)
    if any(archive.elsewhere(ids[i : i + ASKED]) for i in range(0, len(ids), ASKED)):
        raise exchange.Elsewhere
    archive.settle(whole.people, whole.sessions, whole.decks, whole.games)
    for message in messages:
        began = monotonic()
        if not isinstance(message, list):
            raise RuntimeError("the process that reads the history has ended")
        work.fresh += archive.put(message)
        work.done += len(message)
        _rest(monotonic() - began)
    archive.agree(whole.words)
    if whole.circle and not Circles(store).get(work.circle).name:
        Circles(store).call(work.circle, whole.circle)
    _count(store, work)


def import_plays(
    plays: Sequence[ForeignPlay],
    who: Mapping[str, str],
    when: taking.When,
    language: str,
    store: Store,
    work: Work,
) -> None:
    """Job: import plays of another program that are not here, and count them.

    All are judged before the first is written.
    """
    judged: list[ForeignMatch] = []
    for start in range(0, len(plays), JUDGED):
        began = monotonic()
        some = plays[start : start + JUDGED]
        judged += taking.matches(some, who, when, language)
        work.done += len(some)
        _rest(monotonic() - began)
    foreign = ForeignPlays(store, work.circle)
    for start in range(0, len(judged), WRITTEN):
        began = monotonic()
        work.fresh += foreign.add(judged[start : start + WRITTEN], who)
        _rest(monotonic() - began)
    _count(store, work)


def _count(store: Store, work: Work) -> None:
    work.counting, work.done, work.total = True, 0, Digests(store).pending()
    began = monotonic()

    def done(count: int) -> None:
        nonlocal began
        work.done += count
        _rest(monotonic() - began)
        began = monotonic()

    counting.catch_up(store, done=done, batch=COUNTED)
    store.engine.analyse()


def _rest(seconds: float) -> None:
    """Sleep as long as the last step took, so that tables get the interpreter and the disk."""
    sleep(min(seconds, LONGEST_REST_SECONDS))
