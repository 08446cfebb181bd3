"""The history in and out of the app: files of a match, an evening, a circle; backups."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path, PurePath
from shutil import rmtree

from flask import Blueprint, Response, abort, current_app, jsonify, request, url_for

from referee import paths
from referee.core.game import Find
from referee.core.record import Unreadable
from referee.history import counting, exchange, exports, records
from referee.rulings import COMMON, book
from referee.store.archive import Archive
from referee.store.past import Past, Played
from referee.upkeep import backup
from referee.web.group import jobs
from referee.web.group.history import current
from referee.web.http import access, htmx, language
from referee.web.http.current import desk
from referee.web.http.language import gettext as _

bp = Blueprint("transfers", __name__)

MOST_BYTES = 64 * 1024 * 1024  # of an uploaded history
MOST_FILES = 5_000  # uploaded at once
CHUNK = 64 * 1024
FAULTS = 3  # of a record, told at once
LONG_AGO = (2000, 1, 1, 0, 0, 0)  # of files in an archive, so that equal histories are equal files


@bp.get("/history/files")
def transfers() -> Response:
    """What can be taken out and in."""
    access.adopt()
    return _page(illegal="illegal" in request.args)


@bp.get("/history/history.json.gz")
def history_json() -> Response:
    """Everything of the circle, for another installation."""
    archive, past = _circle()
    name = access.circles().get(access.circle()).name
    pieces = exchange.packed(exchange.write(archive, past, name))
    return _attached(pieces, "fudami-history.json.gz", "application/gzip")


@bp.get("/history/results.csv")
def history_csv() -> Response:
    _archive, past = _circle()
    return _attached(exports.as_csv(past.matches()[::-1]), "fudami-results.csv", "text/csv")


@bp.get("/history/records.zip")
def history_records() -> Response:
    archive, _past = _circle()
    return _records(archive.ids(), "fudami-records.zip")


@bp.get("/history/history.db")
def history_db() -> Response:
    """A SQLite file for datasette and the like; nothing of other circles is in it."""
    archive, past = _circle()
    return _made(lambda path: exports.as_database(path, archive, past), "fudami-history.db")


@bp.get("/history/evening/<int(max=999999999):session>/results.csv")
def evening_csv(session: int) -> Response:
    name = f"fudami-evening-{session}.csv"
    return _attached(exports.as_csv(_evening(session)[::-1]), name, "text/csv")


@bp.get("/history/evening/<int(max=999999999):session>/history.json")
def evening_json(session: int) -> Response:
    _evening(session)
    archive, past = _circle()
    name = access.circles().get(access.circle()).name
    pieces = (piece.encode() for piece in exchange.write(archive, past, name, session))
    return _attached(pieces, f"fudami-evening-{session}.json", "application/json")


@bp.get("/history/evening/<int(max=999999999):session>/records.zip")
def evening_records(session: int) -> Response:
    ids = [match.match for match in _evening(session)[::-1]]
    return _records(ids, f"fudami-evening-{session}.zip")


@bp.get("/t/<match>/result.csv")
def match_csv(match: str) -> Response:
    return _attached(exports.as_csv([_match(match)]), f"fudami-{match[:8]}.csv", "text/csv")


@bp.get("/t/<match>/match.json")
def match_json(match: str) -> Response:
    """A match with all its entries."""
    played = _match(match)
    archive = Archive(desk().store, access.way(match).circle)
    stored = archive.get(match, archive.contents(match=match))
    response = jsonify(exchange.match_as_json(stored, played))
    response.headers.set("Content-Disposition", "attachment", filename=f"fudami-{match[:8]}.json")
    return response


@bp.get("/t/<match>/bgstats.json")
def match_bg_stats(match: str) -> Response:
    """The play as BG Stats takes it in."""
    response = jsonify(exports.bg_stats(_match(match), language.current()))
    name = f"fudami-{match[:8]}-bgstats.json"
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


@bp.post("/history/import")
def take_in() -> Response:
    """Take a history or records in; the work goes on behind the page that shows how far it is."""
    keep = request.form.get("keep_illegal") == "1"
    try:
        files = _files()
        if files.decks and not files.records:
            return _page(
                _(
                    "CSV（デッキ）だけでは取りこめません。"
                    "対局の記録か引っ越し用のファイルもいっしょにえらんでください。"
                )
            )
        if not any(files.records.values()):
            return _page(_("ファイルを選んでください。"))
        [source, *others] = files.records.values()
        if others:
            job = partial(jobs.import_records, files, language.current(), keep)
            jobs.start(job, access.own_circle(), len(files.records))
        elif exchange.looks_like(source):
            whole = exchange.read(source)
            job = partial(jobs.import_history, whole)
            jobs.start(job, access.own_circle(), len(whole.matches))
        else:
            match = _taken(source, files.find(desk().store.shelf.deck), keep)
            return htmx.go_to(url_for("scores.score", match=match))
    except Unreadable as fault:
        return _page(_at(fault.line, _says(fault)))
    except records.NotARecord as found:
        told = [_at(fault.line, fault.text) for fault in found.faults[:FAULTS]]
        return _page(*told, more=len(found.faults) - len(told), illegal=True)
    except jobs.Busy:
        return _page(_("ほかの取りこみが終わるまで待ってください。"))
    return htmx.go_to(url_for(".work"))


@bp.before_request
def _allow_files() -> None:
    if request.endpoint == "transfers.take_in":
        request.max_content_length = MOST_BYTES
        request.max_form_parts = MOST_FILES
        request.max_form_memory_size = 2 * CHUNK  # a file is read in such pieces, and put aside


@bp.get("/history/work")
def work() -> Response:
    """How far the work is; the page asks again by itself while it goes on."""
    going = jobs.current(access.circle())
    if going is None and _database():
        abort(404)
    # of the servers on one database, only the one that has the file knows how far it is
    response = htmx.fragment("history/work.html", work=going, matches=_count())
    if going is None or not going.over:
        response.headers["Refresh"] = "1"
    return response


@bp.get("/history/backup.db")
def back_up() -> Response:
    """The whole database, all circles: for who sits at the computer that serves it."""
    database = _database()
    if database is None or not access.at_this_computer():
        abort(404)
    return _made(partial(backup.back_up, database), "fudami-backup.db")


def _files() -> records.Files:
    """What was sent: records, those in archives among them, and the decks beside them."""
    files = records.Files({}, {})
    for i, file in enumerate(request.files.getlist("file"), 1):
        name, source = PurePath(file.filename or "").name, file.read()
        if name.lower().endswith(".csv"):
            files.decks[name] = source
            continue
        inside = records.unpacked(f"{i}. {name}", source)
        files.records.update(inside.records)
        files.decks.update(inside.decks)
    return files


def _taken(source: bytes, find: Find, keep: bool) -> str:
    """The match of a record: a new one, unless the circle has it already."""
    store, circle = desk().store, access.own_circle()
    record = records.load(source, language.current(), find, keep_illegal=keep)
    return records.take_in(store, record, records.lengths(store, circle), circle)[0]


def _page(*faults: str, more: int = 0, illegal: bool = False) -> Response:
    folder = Path(current_app.config["DATA_DIR"])
    made = backup.scheduled_backups(folder / backup.FOLDER)
    own = access.at_this_computer() or request.method == "POST"
    response = htmx.fragment(
        "history/files.html",
        faults=faults,
        more=more,
        illegal=illegal,
        matches=_count(),
        host=own and _database() is not None,  # a server has backups of its own
        backups=len(made),
        newest=made[-1].name if made else "",
    )
    response.status_code = 400 if faults else 200
    return response


def _count() -> int:
    """How many matches the circle of this phone has."""
    return len(Archive(desk().store, access.circle()).ids()) if access.circle() else 0


def _database() -> Path | None:
    """The file that holds everything, unless a server does."""
    found = paths.database(Path(current_app.config["DATA_DIR"]))
    return found if isinstance(found, Path) else None


def _circle() -> tuple[Archive, Past]:
    """The circle of this phone; its digests are complete, however long that takes."""
    left, past = current()
    while left:
        left, past = current()
    return Archive(desk().store, access.circle()), past


def _evening(session: int) -> tuple[Played, ...]:
    access.circles().session(access.circle(), session)
    return _circle()[1].evening(session).matches


def _match(match: str) -> Played:
    """A match of any circle: who may read its table was decided already."""
    counting.catch_up(desk().store, match=match)
    played = Past(desk().store, access.way(match).circle).get(match)
    if played is None:
        abort(404)
    return played


def _records(ids: Iterable[str], name: str) -> Response:
    """Record files in one archive, the first match first, and the decks that they name."""
    store = desk().store
    decks: dict[str, str] = {}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for i, match in enumerate(ids, 1):
            info = zipfile.ZipInfo(f"{i:05}-{match[:8]}.txt", LONG_AGO)
            archive.writestr(info, records.export(store, match), zipfile.ZIP_DEFLATED)
            decks |= records.deck_file(store, match)
        for deck, csv in decks.items():
            archive.writestr(zipfile.ZipInfo(deck, LONG_AGO), csv, zipfile.ZIP_DEFLATED)
    return _attached([buffer.getvalue()], name, "application/zip")


def _attached(body: str | Iterable[bytes], name: str, kind: str) -> Response:
    response = Response(body, content_type=f"{kind}; charset=utf-8" if kind[:4] == "text" else kind)
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


def _made(make: Callable[[Path], object], name: str) -> Response:
    """A file that ``make`` writes; with its folder it goes when it has been sent, or has failed."""
    folder = Path(tempfile.mkdtemp(prefix="fudami-"))
    try:
        make(folder / name)
        return _file(folder / name, name)
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise


def _file(path: Path, name: str) -> Response:
    def chunks() -> Iterator[bytes]:
        with path.open("rb") as file:
            yield from iter(lambda: file.read(CHUNK), b"")
        rmtree(path.parent, ignore_errors=True)

    response = _attached(chunks(), name, "application/vnd.sqlite3")
    response.content_length = path.stat().st_size
    response.call_on_close(lambda: rmtree(path.parent, ignore_errors=True))
    return response


def _at(line: int, text: str) -> str:
    return _("%(line)s 行目：%(said)s", line=line, said=text) if line else text


def _says(fault: Unreadable) -> str:
    return book(COMMON).says(fault.fact, fault.values, language.current())
