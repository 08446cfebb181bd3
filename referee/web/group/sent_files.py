"""Reads a form with files: ``main`` runs in a process of its own (see ``intake``).

The process has little memory and time, and no thread of the server waits for its interpreter. It
writes messages (see ``Message``) to its output, pickled. After a request for a deck (``Wanted``) it
reads the answer, a line of JSON, from its input.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import signal
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path, PurePath
from time import process_time
from typing import IO, Any, BinaryIO, NamedTuple, TypeAlias

from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.formparser import FormDataParser
from werkzeug.http import parse_options_header

from referee.core.game import Find
from referee.core.record import Unreadable
from referee.foreign import files as foreign
from referee.foreign.plays import ForeignPlay
from referee.history import exchange, records
from referee.rulings import COMMON, book
from referee.store.archive import ArchivedMatch, batches

MOST_BYTES = 64 * 1024 * 1024  # of the form
MOST_PARTS = 5_000  # fields and files of the form
MOST_FIELD = 128 * 1024  # bytes of all fields that are no files
MEMORY = 128 * 1024 * 1024
"""Bytes of data beyond those that the process has at its start."""
SECONDS = 180
"""Seconds of processor time: a hundred thousand matches take a minute."""
RECORD_SECONDS, REFUSED_SECONDS = 1.5, 6.0
"""Of that, for one record, and for all that are refused: corrections can replay it thousands of
times.
"""
NICENESS = 10
BATCH = 50  # matches per message
PLAYS = 200  # plays of another program per message
IDS = 1_000  # ids per message
MOST_DECKS = 4 * 1024 * 1024  # bytes, all decks together
MOST_QUOTED = 100  # characters of a file in a sentence about it
MOST_FAULTS = 3  # of a record, shown together


class IntakeFaults(NamedTuple):
    """Nothing can be imported: the reasons, as (line or 0, sentence), and how many more there are.

    ``illegal``: there are illegal entries, which the person may decide to keep. ``nothing``: "" or
    what was sent instead, "deck" or "none".
    """

    faults: list[records.RecordFault]
    more: int = 0
    illegal: bool = False
    nothing: str = ""


class Wanted(NamedTuple):
    """A record names a deck that is not among the files; the answer is its CSV, or null."""

    deck: str


class Alone(NamedTuple):
    """A single record."""

    record: records.Ready


class Several(NamedTuple):
    """The number of records: each follows as ``Ready`` or ``Refused``."""

    total: int


class Refused(NamedTuple):
    """One of several records, which can't be imported, and its first fault."""

    name: str
    fault: records.RecordFault


class Ids(NamedTuple):
    """Ids of some matches of a history; ``History`` follows later."""

    matches: list[str]


class History(NamedTuple):
    """A history that is readable from beginning to end; lists of its matches follow."""

    whole: exchange.Whole


class ForeignHead(NamedTuple):
    """A file of another program, whose plays follow in lists.

    ``table``: a table, and not an export of BG Stats. ``local``: its times are those of the group.
    ``faults``: what cannot come in; ``whole``: nothing of it can until they are mended.
    """

    table: bool
    local: bool
    faults: list[SaidFault]
    whole: bool


class SaidFault(NamedTuple):
    """What is wrong with a play: its line or number, 1-based, its column (0: all), a sentence."""

    number: int
    column: int
    text: str


class Plays(NamedTuple):
    """Some plays of a file of another program."""

    plays: list[ForeignPlay]


Parts: TypeAlias = list[tuple[str, "io.BufferedReader[Any]"]]
Matches: TypeAlias = list[ArchivedMatch]
Message: TypeAlias = (
    IntakeFaults
    | Wanted
    | Alone
    | Several
    | Refused
    | records.Ready
    | Ids
    | History
    | Matches
    | ForeignHead
    | Plays
)


def main(body: str, content_type: str, language: str, zone: str) -> None:
    """Read the form in the file ``body``, and write messages with its content.

    ``content_type``: as JSON.
    """
    limit()
    try:
        with Path(body).open("rb") as file:
            with suppress(OSError):  # the file is deleted, however either process ends
                Path(body).unlink()
                Path(body).parent.rmdir()
            form, patience = json.loads(content_type), Patience().record
            for message in messages(file, form, language, asked, zone, patience):
                send(message)
    except MemoryError:
        send(faults(Unreadable("read_sent_size"), language))
    except BrokenPipeError:  # nobody reads the output any more
        os._exit(1)


def send(message: object) -> None:
    """Write a message to the output, for the process that has started this one."""
    pickle.dump(message, sys.stdout.buffer)
    sys.stdout.buffer.flush()


def limit(memory: int = MEMORY, seconds: int = SECONDS, niceness: int = NICENESS) -> None:
    """Limit this process to ``memory`` bytes more than it has now, and to processor time and
    niceness.

    Does nothing on systems without these limits.
    """
    if os.name != "posix":
        return
    import resource

    os.nice(niceness)
    status = Path("/proc/self/status")
    if status.exists():
        text = status.read_text(encoding="ascii").partition("VmData:")[2]
        most = int(text.split()[0]) * 1024 + memory
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


class Patience:
    """Ends the reading of records that take more processor time than they may."""

    def __init__(self) -> None:
        self._left = REFUSED_SECONDS

    @contextmanager
    def record(self) -> Iterator[None]:
        """Give the block the time of one record; raises ``Unreadable`` if that is not enough."""
        if self._left <= 0:
            raise Unreadable("read_record_time")
        if not hasattr(signal, "setitimer"):  # Windows
            yield
            return
        began = process_time()
        signal.signal(signal.SIGPROF, _over)
        signal.setitimer(signal.ITIMER_PROF, min(RECORD_SECONDS, self._left))
        try:
            yield
        except BaseException:
            self._left -= process_time() - began
            raise
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def _over(_signal: int, _frame: object) -> None:
    raise Unreadable("read_record_time")


class UploadedFile(io.RawIOBase):
    """A file of the form: a section of ``shared``, which has all files one after the other."""

    def __init__(self, shared: IO[bytes]) -> None:
        self._shared, self._start = shared, shared.seek(0, os.SEEK_END)
        self._size = self._at = 0

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        self._shared.seek(self._start + self._size)
        self._size += len(data)
        return self._shared.write(data)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, at: int, whence: int = os.SEEK_SET, /) -> int:
        base = (0, self._at, self._size)[whence]
        self._at = max(0, base + at)
        return self._at

    def readinto(self, buffer: bytearray, /) -> int:  # type: ignore[override]
        self._shared.seek(self._start + self._at)
        some = self._shared.read(max(0, min(len(buffer), self._size - self._at)))
        buffer[: len(some)] = some
        self._at += len(some)
        return len(some)


def messages(
    body: BinaryIO,
    content_type: str,
    language: str,
    find: Find,
    zone: str,
    patience: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Generator[Message, None, None]:
    """The content of the form in ``body``, in messages; ``find`` returns stored decks.

    ``zone``: the time zone of times without an offset. Each record is read within ``patience``.
    """
    try:
        yield from _messages(body, content_type, language, find, zone, patience)
    except Unreadable as fault:
        yield faults(fault, language)
    except (RequestEntityTooLarge, OverflowError):
        yield faults(Unreadable("read_sent_size"), language)
    except records.NotARecord as found:
        shown = list(found.faults[:MOST_FAULTS])
        yield IntakeFaults(shown, len(found.faults) - len(shown), illegal=True)


def _messages(
    body: BinaryIO,
    content_type: str,
    language: str,
    known: Find,
    zone: str,
    patience: Callable[[], AbstractContextManager[None]],
) -> Iterator[Message]:
    size = body.seek(0, os.SEEK_END)
    body.seek(0)
    with tempfile.TemporaryFile() as shared:
        parser = FormDataParser(
            stream_factory=lambda *_args, **_values: UploadedFile(shared),  # type: ignore[arg-type]
            max_form_memory_size=MOST_FIELD,
            max_content_length=MOST_BYTES,
            max_form_parts=MOST_PARTS,
        )
        kind, options = parse_options_header(content_type)
        _stream, form, files = parser.parse(body, kind, size, options)
        parts: Parts = [
            (PurePath(file.filename or "").name, io.BufferedReader(file.stream))
            for file in files.getlist("file")
        ]
        keep = form.get("keep_illegal") == "1"
        source = _foreign(parts, form.get("table", ""))
        if source is not None:
            yield from _plays(source, language, zone)
            return
        if len(parts) == 1 and exchange.looks_like(parts[0][1].peek(64)):
            yield from _history(parts[0][1], zone)
            return
        sent = _sent(parts, records.Budget(size))
        if not sent.records:
            yield IntakeFaults([], nothing="deck" if sent.decks else "none")
        else:
            yield from _taken(sent, language, known, patience, keep=keep)


def _foreign(parts: Parts, table: str) -> foreign.Source | None:
    """The table that was pasted, or the one file if it is of another program; None if not.

    Raises ``NoPlays``.
    """
    if table.strip():
        return table
    if len(parts) != 1:
        return None
    name, file = parts[0]
    if not foreign.recognised(name, file.peek(foreign.GLANCE)[: foreign.GLANCE]):
        return None
    return foreign.source_of(file.read(foreign.MOST_BYTES + 1))


def _plays(source: foreign.Source, language: str, zone: str) -> Iterator[Message]:
    """The plays of a file of another program; raises ``NoPlays``."""
    found = foreign.read(source, zone)
    said = [
        SaidFault(
            one.number, one.column, _fault(Unreadable(one.fact, text=one.text), language).text
        )
        for one in found.faults
    ]
    yield ForeignHead(found.table, found.local, said, found.whole)
    for start in range(0, len(found.plays), PLAYS):
        yield Plays(list(found.plays[start : start + PLAYS]))


def _sent(parts: Parts, budget: records.Budget) -> records.Files:
    """The records, decks and game files in the parts of the form, those of archives included."""
    sent, size = records.Files({}, {}), 0
    for number, (name, file) in enumerate(parts, 1):
        if name.lower().endswith((".csv", ".toml")):
            decks = {name: file.read(MOST_DECKS + 1)}
        else:
            inside = records.unpacked(f"{number}. {name}", file, budget)
            sent.records.update(inside.records)
            decks = inside.decks
        sent.decks.update(decks)
        size += sum(map(len, decks.values()))
        if size > MOST_DECKS:
            raise Unreadable("read_sent_size")
    if len(parts) == len(sent.records) == 1 and parts[0][1].seek(0, os.SEEK_END) == 0:
        sent.records.clear()
    return sent


def _taken(
    sent: records.Files,
    language: str,
    known: Find,
    patience: Callable[[], AbstractContextManager[None]],
    *,
    keep: bool,
) -> Iterator[Message]:
    """The records, each ready for the store or refused."""
    find = sent.find(known)
    alone = len(sent.records) == 1
    if not alone:
        yield Several(len(sent.records))
    for name, read in sent.records.items():
        try:
            with patience():
                record = records.ready(records.load(read(), language, find, keep_illegal=keep))
            yield Alone(record) if alone else record
        except Unreadable as fault:
            if alone:
                raise
            yield Refused(fault.file or name, _fault(fault, language))
        except records.NotARecord as found:
            if alone:
                raise
            yield Refused(name, found.faults[0])


def asked(name: str) -> str | None:
    """The CSV of a deck that the main process has stored, or None; asks it on the output."""
    send(Wanted(name))
    found = json.loads(sys.stdin.buffer.readline())
    return found if isinstance(found, str) else None


def _history(file: BinaryIO, zone: str) -> Iterator[Message]:
    whole = exchange.scan(file, zone)
    ids: list[str] = []
    for match in whole.matches:  # read everything before anything is imported
        ids.append(match.id)
        if len(ids) == IDS:
            yield Ids(ids)
            ids = []
    yield Ids(ids)
    yield History(whole._replace(matches=()))
    for batch in batches(whole.matches, BATCH):
        yield list(batch)


def faults(fault: Unreadable, language: str) -> IntakeFaults:
    return IntakeFaults([_fault(fault, language)])


def _fault(fault: Unreadable, language: str) -> records.RecordFault:
    values = {key: _shown(value) for key, value in fault.values.items()}
    return records.RecordFault(fault.line or 0, book(COMMON).says(fault.fact, values, language))


def _shown(value: object) -> object:
    """``value`` as a sentence quotes it: of a long text the beginning."""
    long = isinstance(value, str) and len(value) > MOST_QUOTED
    return f"{str(value)[:MOST_QUOTED]}…" if long else value
