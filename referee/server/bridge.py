"""From ASGI to WSGI: `Bridge(app)` lets an asyncio server run the Flask app in a few threads.

The event loop reads a whole request before it needs a thread, and sends the answer after the thread
is free again: slow phones cost no threads. A request crosses between loop and thread exactly twice;
bridges that cross for every chunk reach half as many requests a second. There are few threads,
because one database writer and one interpreter lock leave nothing for more of them to do. Requests
that only read have threads of their own: writers wait for the disk, and readers should not wait for
them. So do files in both directions, which can take minutes.

Only long answers cross more often. They are produced piece by piece, each after the previous one
was taken, so they need little memory, take turns with other requests, and end with their client.
"""

import asyncio
import io
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http import HTTPStatus
from time import monotonic
from typing import IO, Any, NamedTuple, TypeAlias
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIApplication, WSGIEnvironment

from referee.server import refusals
from referee.server.live import Streams
from referee.server.onlookers import Onlookers
from referee.server.refusals import Message, Receive, Scope, Send, linger, refusal, refuse

Headers: TypeAlias = list[tuple[bytes, bytes]]

THREADS = 2  # of each kind
READING = ("GET", "HEAD", "OPTIONS")
MAX_BODY = 1024 * 1024
"""Bytes. A play is some hundred bytes, a record of a long match some ten thousand."""
MAX_FILE = 64 * 1024 * 1024
"""Bytes of a larger body: an imported file, kept on the disk until it is read."""
SMALL_BODY = 16 * 1024
"""Bytes that a body may always have: a play is never refused because of other requests."""
MOST_IN_FLIGHT, MOST_OF_ADDRESS = 16 * 1024 * 1024, 4 * 1024 * 1024
"""Bytes of larger bodies in memory at a time, in total and per address."""
MOST_FILES, MOST_EXPORTS, MOST_EXPORTS_OF_ADDRESS = 4, 8, 2
"""Files that come in at a time, of which one per address; exports that go out."""
FILES = "/history/import"
EXPORTS = re.compile(r"[a-z]+\.(?:json|json\.gz|csv|zip|db)")
MOST_ADDRESS = 8 * 1024
"""Bytes of path and query. The longest that a page makes is below: a game file to try."""
MOST_HEADERS, MOST_HEADER = 100, 8 * 1024
"""Headers of a request, and bytes of each."""
FIRST_PIECE, PIECE = 256 * 1024, 64 * 1024
"""Bytes: an answer up to the first size is sent in one piece, a longer one in several."""
FIRST_SECONDS, PIECE_SECONDS = 0.2, 0.02
"""How long a client waits for more of the first piece, and other requests for a later piece."""
BODY_SECONDS, FILE_SECONDS = 20.0, 10.0
SLOWEST_FILE = 16 * 1024
"""Bytes per second; a file may not be slower than this for longer than ``FILE_SECONDS``."""


class BodyTooLarge(Exception):
    """More bytes were announced or sent than the bridge takes."""


class ClientGone(Exception):
    """The connection closed before the request was complete."""


class TooBusy(Exception):
    """The bodies of other requests leave no memory for this one."""


class AppAnswer(NamedTuple):
    """The app's answer; ``rest`` follows ``content``, None if there is no more."""

    status: int
    headers: Headers
    content: bytes
    rest: Iterator[bytes] | None = None


class InFlight:
    """Bytes of bodies in memory, in total and by address."""

    def __init__(self) -> None:
        self._all, self._by_address = 0, Counter[str]()

    @contextmanager
    def body(self, address: str) -> Iterator[Callable[[int], None]]:
        """Register a body until it has been answered; yields a function that is called with its
        size.

        That function raises ``TooBusy``.
        """
        counted = 0

        def grown(size: int) -> None:
            nonlocal counted
            if size <= SMALL_BODY:
                return
            more = size - counted
            full = self._all + more > MOST_IN_FLIGHT
            if full or self._by_address[address] + more > MOST_OF_ADDRESS:
                raise TooBusy
            counted = size
            self._all += more
            self._by_address[address] += more

        try:
            yield grown
        finally:
            self._all -= counted
            self._by_address[address] -= counted
            if not self._by_address[address]:
                del self._by_address[address]


class ConnectionPlaces:
    """A limited number of places, in total and per address."""

    def __init__(self, most: int, of_address: int) -> None:
        self._most, self._of_address, self._taken = most, of_address, Counter[str]()

    @property
    def taken(self) -> int:
        """The number of occupied places."""
        return self._taken.total()

    @contextmanager
    def place(self, address: str) -> Iterator[None]:
        """Occupy a place; raises ``TooBusy``."""
        if self.taken >= self._most or self._taken[address] >= self._of_address:
            raise TooBusy
        self._taken[address] += 1
        try:
            yield
        finally:
            self._taken[address] -= 1
            if not self._taken[address]:
                del self._taken[address]


class Bridge:
    """An ASGI application that answers HTTP requests with a WSGI application.

    Answers that do not end are sent by ``streams`` in the event loop; the app only decides whether
    one may open. Sent by the app, they would occupy a thread and a place for ever. An exception
    that the app does not catch goes to the server, which logs it and answers a bare 500.
    """

    def __init__(
        self,
        app: WSGIApplication,
        streams: Streams | None = None,
        *,
        max_body: int = MAX_BODY,
        body_seconds: float = BODY_SECONDS,
    ) -> None:
        self._app = app
        self._streams = streams
        self._onlookers = Onlookers(streams) if streams is not None else None
        self._max_body = max_body
        self._body_seconds = body_seconds
        self._in_flight = InFlight()
        self._files, self._exports = (
            ConnectionPlaces(MOST_FILES, 1),
            ConnectionPlaces(MOST_EXPORTS, MOST_EXPORTS_OF_ADDRESS),
        )
        self._ending = False
        self._writing = ThreadPoolExecutor(THREADS, thread_name_prefix="writing")
        self._reading = ThreadPoolExecutor(THREADS, thread_name_prefix="reading")
        self._filing = ThreadPoolExecutor(THREADS, thread_name_prefix="filing")
        self._exporting = ThreadPoolExecutor(1, thread_name_prefix="exporting")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            secret = self._onlookers.wanted(scope) if self._onlookers is not None else None
            match = self._streams.wanted(scope) if self._streams is not None else None
            if self._onlookers is not None and secret is not None:
                await self._onlookers.serve(secret, self._whole, scope, receive, send)
            elif self._streams is not None and match is not None:
                await self._streams.serve(match, self._whole, scope, receive, send)
            else:
                await self._http(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)

    async def end_streams(self) -> None:
        """End every open stream and long answer; a server can't stop before that."""
        self._ending = True
        if self._streams is not None:
            await self._streams.stop()

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        if self._streams is not None:
            self._streams.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.end_streams()
        for threads in (self._writing, self._reading, self._filing, self._exporting):
            threads.shutdown(wait=False, cancel_futures=True)
        await send({"type": "lifespan.shutdown.complete"})

    async def _http(self, scope: Scope, receive: Receive, send_on: Send) -> None:
        long = _too_long(scope)
        if long is not None:
            await refuse(scope, send_on, receive, *long)
            return
        path, address, begun = scope["path"], _address(scope), False

        async def send(message: Message) -> None:
            nonlocal begun
            begun = True
            await send_on(message)

        try:
            if path.endswith(FILES) and _announced(scope) > self._max_body:
                with self._files.place(address):
                    await self._file(scope, receive, send)
            elif _is_export(path):
                with self._exports.place(address):
                    await self._answer(scope, receive, send)
            else:
                await self._answer(scope, receive, send)
        except ClientGone:
            pass  # half a request records nothing
        except BodyTooLarge:
            await refuse(
                scope, send, receive, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, refusals.TOO_LARGE
            )
        except TooBusy:
            export = _is_export(path)
            status = HTTPStatus.SERVICE_UNAVAILABLE  # after it, a phone sends its play again
            if export or path.endswith(FILES):
                status = HTTPStatus.TOO_MANY_REQUESTS
            text = refusals.TOO_MANY if export else refusals.TOO_BUSY
            await refuse(scope, send, receive, status, text)
        except TimeoutError:
            await refuse(scope, send, receive, HTTPStatus.REQUEST_TIMEOUT, refusals.TOO_SLOW)
        except asyncio.CancelledError:
            # The server stops and no longer waits for this request. Without this answer it would
            # send 500, as if something had failed. A repeated request is recognised by its key.
            if begun:
                raise
            start, content = refusal(scope, HTTPStatus.SERVICE_UNAVAILABLE, refusals.ENDING)
            await send(start)
            await send({"type": "http.response.body", "body": content})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = io.BytesIO()
        with self._in_flight.body(_address(scope)) as grown:
            await _read(scope, receive, body, self._max_body, self._body_seconds, grown=grown)
            # From here on the client may disconnect: its entry is complete and is recorded.
            answer = await self._ask(scope, body)
        await self._send(answer, receive, send)

    async def _file(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Receive a large body, if the app would accept it from this phone."""
        allowed = await self._ask({**scope, "method": "GET"})
        if allowed.status != HTTPStatus.NO_CONTENT:
            await self._send(allowed, receive, send, last=True)
            return
        with tempfile.TemporaryFile() as body:
            await _read(scope, receive, body, MAX_FILE, FILE_SECONDS, SLOWEST_FILE)
            await self._send(await self._ask(scope, body), receive, send)

    async def _send(
        self, answer: AppAnswer, receive: Receive, send: Send, *, last: bool = False
    ) -> None:
        """Send an answer, and what follows for as long as the client takes it."""
        closes = last or self._ending
        headers = [*answer.headers, (b"connection", b"close")] if closes else answer.headers
        start = {"type": "http.response.start", "status": answer.status, "headers": headers}
        await send(start)
        rest, content = answer.rest, answer.content
        if last:
            await linger(send, receive, content)
            return
        if rest is None:
            await send({"type": "http.response.body", "body": content})
            return
        loop, gone = asyncio.get_running_loop(), asyncio.create_task(_until_gone(receive))
        try:
            more = True
            while more and not gone.done() and not self._ending:
                if content:
                    await send({"type": "http.response.body", "body": content, "more_body": True})
                content, more = await loop.run_in_executor(self._exporting, _piece, rest)
            if not more:
                await send({"type": "http.response.body", "body": content})
        finally:
            gone.cancel()
            with suppress(RuntimeError):  # the server has stopped, and its threads with it
                await loop.run_in_executor(self._exporting, _close, rest)

    async def _ask(self, scope: Scope, body: IO[bytes] | None = None) -> AppAnswer:
        """The app's answer, or the beginning of a long one."""
        loop = asyncio.get_running_loop()
        environ = _environ(scope, body or io.BytesIO())
        # so that pages know whether there are streams
        environ["referee.streams"] = self._streams is not None
        path, reads = scope["path"], scope["method"] in READING
        if _is_export(path):
            threads = self._exporting
        elif path.endswith(FILES) and not reads:
            threads = self._filing
        else:
            threads = self._reading if reads else self._writing
        return await loop.run_in_executor(threads, self._call, environ)

    async def _whole(self, scope: Scope) -> tuple[int, Headers, bytes]:
        """The app's answer to a request without a body; of a long one the first piece alone."""
        answer = await self._ask(scope)
        if answer.rest is not None:
            _close(answer.rest)
        return answer[:3]

    def _call(self, environ: WSGIEnvironment) -> AppAnswer:
        """Run the app to the end of its answer, or of its first piece; called in a thread."""
        head: list[tuple[str, list[tuple[str, str]]]] = []
        written: list[bytes] = []

        def start_response(
            status: str, headers: list[tuple[str, str]], exc_info: object = None, /
        ) -> Callable[[bytes], object]:
            head.append((status, headers))
            return written.append

        answer = self._app(environ, start_response)
        rest = _chunks(answer)
        try:
            content, more = _piece(rest, FIRST_PIECE, FIRST_SECONDS)
        except BaseException:
            _close(rest)
            raise
        if not more:
            _close(rest)
        status, headers = head[-1]
        code = int(status.split(" ", 1)[0])
        content = b"".join([*written, content])
        raw = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        bodiless = environ["REQUEST_METHOD"] == "HEAD" or code in (204, 304)
        if not more and not bodiless and not any(name == b"content-length" for name, _ in raw):
            raw.append((b"content-length", b"%d" % len(content)))
        return AppAnswer(code, raw, content, rest if more else None)


def _chunks(answer: Any) -> Iterator[bytes]:
    """The chunks of a WSGI answer, which is closed afterwards or with this generator."""
    try:
        yield b""  # start the generator: only a started one runs its ``finally``
        yield from answer
    finally:
        close = getattr(answer, "close", None)
        if close is not None:
            close()


def _piece(
    rest: Iterator[bytes], size: int = PIECE, seconds: float = PIECE_SECONDS
) -> tuple[bytes, bool]:
    """The next ``size`` bytes or a little more, and whether there may be further ones.

    The piece ends after ``seconds``: it may be shorter, or empty while the answer is being made.
    """
    chunks: list[bytes] = []
    length, until = 0, monotonic() + seconds
    for chunk in rest:
        chunks.append(chunk)
        length += len(chunk)
        if length >= size or monotonic() > until:
            return b"".join(chunks), True
    return b"".join(chunks), False


def _close(rest: Iterator[bytes]) -> None:
    close = getattr(rest, "close", None)
    if close is not None:
        close()


async def _until_gone(receive: Receive) -> None:
    """Return when the client disconnects."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _address(scope: Scope) -> str:
    return str((scope.get("client") or ("",))[0])


def _is_export(path: str) -> bool:
    """Whether this is the path of a file that is written for the asker.

    The folder is looked up without a pattern: one for both would take the square of the length.
    """
    folder, _, name = path.rpartition("/")
    return "/history/" in f"{folder}/" and EXPORTS.fullmatch(name) is not None


def _too_long(scope: Scope) -> tuple[HTTPStatus, str] | None:
    """Why a request is refused before any work: its address or its headers are too long."""
    headers = scope["headers"]
    if len(scope["raw_path"]) + len(scope["query_string"]) > MOST_ADDRESS:
        return HTTPStatus.REQUEST_URI_TOO_LONG, refusals.LONG_ADDRESS
    if len(headers) > MOST_HEADERS or any(len(n) + len(v) > MOST_HEADER for n, v in headers):
        return HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, refusals.LONG_HEAD
    return None


def _announced(scope: Scope) -> int:
    """The length of the body according to its header, 0 without one."""
    return int(dict(scope["headers"]).get(b"content-length", b"0"))


async def _read(
    scope: Scope,
    receive: Receive,
    body: IO[bytes],
    limit: int,
    seconds: float,
    slowest: float = 0.0,
    grown: Callable[[int], None] = lambda size: None,
) -> None:
    """Write the request body into ``body``, whether it has a length or comes in chunks.

    It may take ``seconds``, and one more for each ``slowest`` bytes received. ``grown`` is called
    with its size. Raises ``BodyTooLarge``, ``ClientGone``, ``TimeoutError``.
    """
    if _announced(scope) > limit:
        raise BodyTooLarge
    size, more = 0, True
    began = asyncio.get_running_loop().time()
    async with asyncio.timeout(seconds) as patience:
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            piece = message.get("body", b"")
            size += len(piece)
            if size > limit:
                raise BodyTooLarge
            grown(size)
            body.write(piece)
            if slowest:
                patience.reschedule(began + seconds + size / slowest)
            more = message.get("more_body", False)
    body.seek(0)


def _environ(scope: Scope, body: IO[bytes]) -> WSGIEnvironment:
    """The WSGI environment (PEP 3333), in which paths are bytes decoded as latin-1."""
    size = body.seek(0, io.SEEK_END)
    body.seek(0)
    root = scope.get("root_path", "").encode().decode("latin-1")
    path = unquote_to_bytes(scope["raw_path"]).decode("latin-1")
    server_name, server_port = scope.get("server") or ("localhost", 80)
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": root,
        "PATH_INFO": path.removeprefix(root),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "CONTENT_LENGTH": str(size),
        "SERVER_NAME": server_name,
        "SERVER_PORT": str(server_port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": (scope.get("client") or ("",))[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").upper(), raw_value.decode("latin-1")
        # The body is complete, however it was sent. A header name with an underscore would be taken
        # for the one with a dash.
        if name in ("CONTENT-LENGTH", "TRANSFER-ENCODING") or "_" in name:
            continue
        key = "CONTENT_TYPE" if name == "CONTENT-TYPE" else "HTTP_" + name.replace("-", "_")
        joint = "; " if key == "HTTP_COOKIE" else ","
        environ[key] = f"{environ[key]}{joint}{value}" if key in environ else value
    return environ
