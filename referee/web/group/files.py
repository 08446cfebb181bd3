"""Downloads and imports: files of a match, an evening, a circle; backups."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from time import monotonic
from typing import IO, Any, NamedTuple

from flask import Blueprint, Response, abort, current_app, jsonify, request, url_for

from referee import paths
from referee.foreign.plays import ForeignPlay
from referee.history import counting, exchange, exports, records
from referee.http import access, htmx, language, shelf
from referee.http.current import ledger
from referee.http.downloads import as_file, attached
from referee.http.language import gettext as _
from referee.http.local_time import zone
from referee.http.machine import machine
from referee.store import Store, Unavailable
from referee.store.archive import Archive
from referee.store.past import Past
from referee.store.played import PlayedMatch
from referee.upkeep import backup
from referee.web.group import foreign_plays, jobs, sent_files
from referee.web.group.intake import Busy, Here, Intake
from referee.web.site.keeping import copied

bp = Blueprint("transfers", __name__)

CHUNK = 64 * 1024
AT_ONCE = 0.2
"""Seconds in which a file may become complete before its answer begins, which then has a length."""
BEGINNING = b"SQLite format 3\0"
BETWEEN = 15.0  # seconds between two bytes of it; a proxy waits 60
# timestamp of files in an archive, so that equal histories give equal files
LONG_AGO = (2000, 1, 1, 0, 0, 0)


@bp.get("/history/files")
def transfers() -> Response:
    """Page of exports and imports."""
    access.adopt()
    return _page(illegal="illegal" in request.args)


@bp.get("/history/history.json.gz")
def history_json() -> Response:
    """Download of the circle's whole history, for another installation."""
    archive, past = _circle()
    name = access.circles().get(access.circle()).name
    pieces = exchange.packed(exchange.write(archive, past, name))
    return copied(attached(pieces, "fudami-history.json.gz", "application/gzip"))


@bp.get("/history/results.csv", endpoint="history_csv")
@bp.get("/history/evening/<int(max=999999999):session>/results.csv", endpoint="evening_csv")
def results_csv(session: int | None = None) -> Response:
    _archive, past = _circle(session)
    pieces = (piece.encode() for piece in exports.csv_pieces(past.each(session), zone()))
    name = "fudami-results.csv" if session is None else f"fudami-evening-{session}.csv"
    return attached(pieces, name, "text/csv")


@bp.get("/history/records.zip", endpoint="history_records")
@bp.get("/history/evening/<int(max=999999999):session>/records.zip", endpoint="evening_records")
def records_zip(session: int | None = None) -> Response:
    """Record files in one archive, the first match first, with the files that they name."""
    archive, _past = _circle(session)
    name = "fudami-records.zip" if session is None else f"fudami-evening-{session}.zip"
    return attached(_zipped(ledger().store, archive.ids(session)), name, "application/zip")


@bp.get("/history/history.db")
def history_db() -> Response:
    """Download of the circle's history as a SQLite file, for datasette and similar programs."""
    archive, past = _circle()
    return _made(lambda path: exports.as_database(path, archive, past), "fudami-history.db")


@bp.get("/history/evening/<int(max=999999999):session>/history.json")
def evening_json(session: int) -> Response:
    archive, past = _circle(session)
    name = access.circles().get(access.circle()).name
    pieces = (piece.encode() for piece in exchange.write(archive, past, name, session))
    return attached(pieces, f"fudami-evening-{session}.json", "application/json")


@bp.get("/t/<match>/result.csv")
def match_csv(match: str) -> Response:
    return attached(
        exports.as_csv([match_of_any_group(match)], zone()), f"fudami-{match[:8]}.csv", "text/csv"
    )


@bp.get("/t/<match>/match.json")
def match_json(match: str) -> Response:
    """Download of a match with all its entries."""
    played = match_of_any_group(match)
    archive = Archive(ledger().store, access.way(match).circle)
    stored = archive.get(match, archive.contents(match=match))
    found = jsonify(exchange.match_as_json(stored, played, zone()))
    return as_file(found, f"fudami-{match[:8]}.json")


@bp.get("/history/import")
def may_take_in() -> Response:
    """204 if this phone may send files; the bridge asks this before it accepts a large body."""
    return _refused() or Response(status=204)


@bp.post("/history/import")
def take_in() -> Response:
    """Import a history or records."""
    return take(Sent(request.stream, request.content_type or ""))


class Sent(NamedTuple):
    """A form with files, as it was sent."""

    body: IO[bytes]
    content_type: str


def as_form(content: bytes) -> Sent:
    """``content`` as the only file of a form."""
    boundary = sha256(content).hexdigest()
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n\r\n'
    whole = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
    return Sent(io.BytesIO(whole), f"multipart/form-data; boundary={boundary}")


def take(sent: Sent) -> Response:
    """Import what was sent; several matches are imported in the background, see ``work``."""
    refused = _refused()
    if refused:
        return refused
    find = shelf.finder()
    try:
        kind = Intake if machine().processes else Here
        intake = kind(sent.body, sent.content_type, language.current(), find, zone())
    except Busy:
        return _page(_("ほかの取り込みが終わるまでお待ちください。"))
    try:
        response = _taken(intake)
    except BaseException:
        intake.close()
        raise
    return response


@bp.before_request
def _allow_files() -> None:
    if request.endpoint == "transfers.take_in":
        request.max_content_length = sent_files.MOST_BYTES


@bp.get("/history/work")
def work() -> Response:
    """Page with the progress of an import; it reloads itself until the import is over."""
    going = jobs.current(access.circle())
    if going is None and _database():
        abort(404)
    # with several servers on one database, only the one with the file knows the progress
    response = htmx.fragment("group/job.html", work=going, matches=_count())
    if going is None or not going.over:
        response.headers["Refresh"] = "1"
    return response


@bp.get("/history/backup.db")
def back_up() -> Response:
    """Download of the whole database, only for a browser on the server's computer."""
    database = _database()
    if database is None or not access.at_this_computer():
        abort(404)
    return _made(partial(_back_up, database), "fudami-backup.db")


def _refused() -> Response | None:
    """The refusal for a phone without a circle, or None.

    A browser on the server's computer may import without one, and so may any phone if there is just
    one circle.
    """
    if access.circle() or access.at_this_computer() or machine().only_here:
        return None
    return access.no_circle()


def _taken(intake: Intake | Here) -> Response:
    """The answer to what was sent; ``intake`` is closed here, or by the job when it is over."""
    ids: list[str] = []
    messages = intake.messages()
    for message in messages:
        match message:
            case sent_files.Ids(some):
                ids += some
                continue
            case sent_files.Several(total):
                job = partial(jobs.import_records, messages)
            case sent_files.History(whole):
                total, job = len(ids), partial(jobs.import_history, messages, whole, ids)
            case sent_files.Alone(record):
                intake.close()
                known = records.Known(ledger().store, access.own_circle())
                return htmx.go_to(url_for("scores.score", match=known.take_in(record)[0]))
            case sent_files.ForeignHead():
                return _asked(message, messages, intake)
            case sent_files.IntakeFaults():
                intake.close()
                return _faulty(message)
            case _:
                raise RuntimeError(message)
        try:
            jobs.start(job, access.own_circle(), total, intake.close)
        except Busy:  # matches of an earlier import are still being counted
            intake.close()
            return _page(_("ほかの取り込みが終わるまでお待ちください。"))
        return htmx.go_to(url_for("transfers.work"))
    raise RuntimeError("nothing was read")


def _asked(
    head: sent_files.ForeignHead, messages: Iterator[sent_files.Message], intake: Intake | Here
) -> Response:
    """The question about plays of another program, or what is wrong with them."""
    plays: list[ForeignPlay] = []
    for message in messages:
        match message:
            case sent_files.Plays(some):
                plays += some
            case sent_files.IntakeFaults():
                intake.close()
                return _faulty(message)
    intake.close()
    if plays and not head.whole:
        return foreign_plays.ask(access.own_circle(), head, plays)
    if not head.faults:
        return _page(_("取り込むゲームがありません。"))
    shown = [foreign_plays.said(fault) for fault in head.faults[: foreign_plays.SHOWN]]
    return _page(*shown, more=len(head.faults) - len(shown))


def _faulty(found: sent_files.IntakeFaults) -> Response:
    match found.nothing:
        case "deck":
            return _page(
                _(
                    "CSV（デッキ）だけでは取り込めません。ゲームの記録か引っ越し用のファイ"
                    "ルも一緒に選んでください。"
                )
            )
        case "none":
            return _page(_("ファイルを選んでください。"))
    shown = [_at(line, text) for line, text in found.faults]
    return _page(*shown, more=found.more, illegal=found.illegal)


def _page(*faults: str, more: int = 0, illegal: bool = False) -> Response:
    folder = Path(current_app.config["DATA_DIR"])
    made = backup.scheduled_backups(folder / backup.FOLDER)
    own = access.at_this_computer() or request.method == "POST"
    return htmx.fragment(
        "group/files.html",
        faults=faults,
        more=more,
        illegal=illegal,
        matches=_count(),
        hidden=access.hidden().count(access.circle()) if access.circle() else 0,
        # a database server has backups of its own
        host=own and machine().backups and _database() is not None,
        backups=len(made),
        newest=made[-1].name if made else "",
        status_code=400 if faults else 200,
    )


def _count() -> int:
    """The number of matches of this phone's circle."""
    return access.circles().count(access.circle()) if access.circle() else 0


def _database() -> Path | None:
    """The file of the database; None for a database on a server."""
    found = paths.database(Path(current_app.config["DATA_DIR"]))
    return found if isinstance(found, Path) else None


def _circle(session: int | None = None) -> tuple[Archive, Past]:
    """The circle of this phone, after counting all its matches, however long that takes.

    On a full disk nothing new can be counted: exports then have what was counted before. 404
    without a circle, and if the evening ``session`` belongs to another one.
    """
    if session is not None:
        access.circles().session(access.circle(), session)
    if not access.circle():
        abort(404)
    store = ledger().store
    with suppress(Unavailable):
        counting.catch_up(store)
    return Archive(store, access.circle()), Past(store, access.circle())


def match_of_any_group(match: str) -> PlayedMatch:
    """A match of any circle; ``access.decide`` has admitted the phone already."""
    store, past = ledger().store, Past(ledger().store, access.way(match).circle)
    try:
        counting.catch_up(store, match=match)
        played = past.get(match)
    except Unavailable:  # the disk is full: the match is counted without storing the result
        played = None
    return played or counting.uncounted(store, match)  # hidden matches are not counted


def _zipped(store: Store, ids: Sequence[str]) -> Iterator[bytes]:
    """The archive, piece by piece."""
    files: dict[str, str] = {}
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for i, match in enumerate(ids, 1):
            info = zipfile.ZipInfo(f"{i:05}-{match[:8]}.txt", LONG_AGO)
            archive.writestr(info, records.export(store, match), zipfile.ZIP_DEFLATED)
            files |= records.files_beside(store, match)
            if len(sink.written) > CHUNK:
                yield sink.taken()
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, LONG_AGO), text, zipfile.ZIP_DEFLATED)
    yield sink.taken()


class _Sink(io.RawIOBase):
    """A file object for writing only; ``taken`` removes and returns what was written."""

    def __init__(self) -> None:
        self.written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self.written += data
        return len(data)

    def taken(self) -> bytes:
        """What was written since the last call."""
        found = bytes(self.written)
        self.written.clear()
        return found


def _made(make: Callable[[Path], Generator[None, None, None]], name: str) -> Response:
    """Download of a SQLite file that ``make`` writes step by step.

    If that takes longer than ``AT_ONCE``, the answer begins before the file is complete, and a
    client that leaves ends the work. The file's folder is deleted after sending, or on failure.
    """
    folder = Path(tempfile.mkdtemp(prefix="fudami-"))
    steps = make(folder / name)

    def close() -> None:
        steps.close()
        rmtree(folder, ignore_errors=True)

    try:
        until = monotonic() + AT_ONCE
        complete = all(monotonic() < until for _step in steps)
    except BaseException:
        close()
        raise
    response = attached(_growing(steps, folder / name), name, "application/vnd.sqlite3")
    if complete:
        response.content_length = (folder / name).stat().st_size
    else:
        response.headers["X-Accel-Buffering"] = "no"  # nginx would keep the first bytes
    response.call_on_close(close)
    return response


def _growing(steps: Iterable[None], path: Path) -> Iterator[bytes]:
    """The bytes of the SQLite file at ``path``, which is complete after the last of ``steps``.

    Until then, the bytes with which every SQLite file begins are sent one by one, so that the
    client and proxies keep waiting. Each b"" between them lets other requests take their turn.
    """
    sent, due = 0, monotonic()
    for _step in steps:
        if sent < len(BEGINNING) and monotonic() >= due:
            yield BEGINNING[sent : sent + 1]
            sent, due = sent + 1, monotonic() + BETWEEN
        else:
            yield b""
    with path.open("rb") as file:
        file.seek(sent)
        yield from iter(lambda: file.read(CHUNK), b"")


def _back_up(database: Path, path: Path) -> Generator[None, None, None]:
    """A backup, in one step."""
    backup.back_up(database, path)
    yield


def _at(line: int, text: str) -> str:
    return _("%(line)s行目：%(said)s", line=line, said=text) if line else text
