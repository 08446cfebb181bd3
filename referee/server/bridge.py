"""From ASGI to WSGI: `Bridge(app)` lets an asyncio server run the Flask app in a few threads.

The event loop reads a whole request before a thread is asked for, and sends the answer when the
thread is free again: slow phones cost no threads. A request crosses between loop and thread exactly
twice; bridges that cross for every chunk reach half as many requests a second. Few threads, because
one database writer and one interpreter lock leave nothing for more of them to do. Who only looks
has threads apart: those who write wait for the disk, and nobody should wait for them.
"""

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from typing import Any, TypeAlias
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIApplication, WSGIEnvironment

from referee.server.live import Streams

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Headers: TypeAlias = list[tuple[bytes, bytes]]

THREADS = 2  # of each sort
READING = ("GET", "HEAD", "OPTIONS")
MAX_BODY = 1024 * 1024
"""Bytes. A play is some hundred bytes, a record of a long match some ten thousand."""
MAX_FILE = 64 * 1024 * 1024
"""Bytes of the one body at a time that may be larger: a history to take in."""
FILES = "/history/import"
BODY_SECONDS, FILE_SECONDS = 20.0, 120.0
LINGER_SECONDS = 2.0

TOO_LARGE = (
    "送られた内容が 1 MiB を超えています。何も記録していません。\n"
    "The request is larger than 1 MiB. Nothing was recorded.\n"
)
TOO_BUSY = (
    "いま別のファイルを受けとっています。少し待って、もう一度送ってください。\n"
    "Another file is being taken in. Wait a little and send it again.\n"
)
TOO_SLOW = (
    "送信に時間がかかりすぎました。何も記録していません。\n"
    "The request did not arrive in time. Nothing was recorded.\n"
)


class BodyTooLarge(Exception):
    """More bytes were announced or sent than the bridge takes."""


class ClientGone(Exception):
    """The connection closed before the request was complete."""


class Bridge:
    """An ASGI application that answers HTTP requests with a WSGI application.

    The whole answer is held in memory: an answer that does not end would hold its thread for ever.
    Those belong into ``streams``, which the event loop holds; the app is asked whether it may open.
    An exception that the app lets out goes on to the server, which logs it and answers a bare 500.
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
        self._max_body = max_body
        self._body_seconds = body_seconds
        self._takes_file = False
        self._writing = ThreadPoolExecutor(THREADS, thread_name_prefix="writing")
        self._reading = ThreadPoolExecutor(THREADS, thread_name_prefix="reading")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            match = self._streams.wanted(scope) if self._streams is not None else None
            if self._streams is not None and match is not None:
                await self._streams.serve(match, self._ask, scope, receive, send)
            else:
                await self._http(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)

    async def end_streams(self) -> None:
        """Let go of every open stream: until then a server can't finish its answers."""
        if self._streams is not None:
            await self._streams.stop()

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        if self._streams is not None:
            self._streams.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.end_streams()
        self._writing.shutdown(wait=False, cancel_futures=True)
        self._reading.shutdown(wait=False, cancel_futures=True)
        await send({"type": "lifespan.shutdown.complete"})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _announced(scope) <= self._max_body or not scope["path"].endswith(FILES):
            await self._answer(scope, receive, send, self._max_body, self._body_seconds)
        elif self._takes_file:  # one alone, until it is answered: they are held in memory
            await _refuse(send, receive, HTTPStatus.SERVICE_UNAVAILABLE, TOO_BUSY)
        else:
            self._takes_file = True
            try:
                await self._answer(scope, receive, send, MAX_FILE, FILE_SECONDS)
            finally:
                self._takes_file = False

    async def _answer(
        self, scope: Scope, receive: Receive, send: Send, limit: int, seconds: float
    ) -> None:
        try:
            async with asyncio.timeout(seconds):
                body = await _read(scope, receive, limit)
        except ClientGone:
            return  # Half a request records nothing.
        except BodyTooLarge:
            await _refuse(send, receive, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_LARGE)
            return
        except TimeoutError:
            await _refuse(send, receive, HTTPStatus.REQUEST_TIMEOUT, TOO_SLOW)
            return
        # From here on the client may go away: what it declared is complete and will be recorded.
        status, headers, content = await self._ask(scope, body)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    async def _ask(self, scope: Scope, body: bytes = b"") -> tuple[int, Headers, bytes]:
        """The app's whole answer: status, headers, content."""
        loop = asyncio.get_running_loop()
        environ = _environ(scope, body)
        environ["referee.streams"] = self._streams is not None  # so that pages know
        threads = self._reading if scope["method"] in READING else self._writing
        return await loop.run_in_executor(threads, self._call, environ)

    def _call(self, environ: WSGIEnvironment) -> tuple[int, Headers, bytes]:
        """Run the app to the end of its answer; called in a thread."""
        head: list[tuple[str, list[tuple[str, str]]]] = []
        chunks: list[bytes] = []

        def start_response(
            status: str, headers: list[tuple[str, str]], exc_info: object = None, /
        ) -> Callable[[bytes], object]:
            head.append((status, headers))
            return chunks.append

        answer = self._app(environ, start_response)
        try:
            chunks.extend(answer)
        finally:
            close = getattr(answer, "close", None)
            if close is not None:
                close()
        status, headers = head[-1]
        code = int(status.split(" ", 1)[0])
        content = b"".join(chunks)
        raw = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        bodiless = environ["REQUEST_METHOD"] == "HEAD" or code in (204, 304)
        if not bodiless and not any(name == b"content-length" for name, _ in raw):
            raw.append((b"content-length", b"%d" % len(content)))
        return code, raw, content


def _announced(scope: Scope) -> int:
    return int(dict(scope["headers"]).get(b"content-length", b"0"))


async def _read(scope: Scope, receive: Receive, limit: int) -> bytes:
    """The request body, whether it came with its length or in chunks."""
    if _announced(scope) > limit:
        raise BodyTooLarge
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        body += message.get("body", b"")
        if len(body) > limit:
            raise BodyTooLarge
        more = message.get("more_body", False)
    return bytes(body)


async def _refuse(send: Send, receive: Receive, status: HTTPStatus, text: str) -> None:
    """Answer before the request is complete, and close."""
    content = text.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", b"%d" % len(content)),
        (b"connection", b"close"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": status.value, "headers": headers})
    await send({"type": "http.response.body", "body": content, "more_body": True})
    # Closing while bytes still come in resets the connection, and the answer is lost with it.
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while (await receive()).get("more_body", False):
                pass
    await send({"type": "http.response.body"})


def _environ(scope: Scope, body: bytes) -> WSGIEnvironment:
    """What PEP 3333 asks for; paths are bytes there, dressed up as latin-1."""
    root = scope.get("root_path", "").encode().decode("latin-1")
    path = unquote_to_bytes(scope["raw_path"]).decode("latin-1")
    server_name, server_port = scope.get("server") or ("localhost", 80)
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": root,
        "PATH_INFO": path.removeprefix(root),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "CONTENT_LENGTH": str(len(body)),
        "SERVER_NAME": server_name,
        "SERVER_PORT": str(server_port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": (scope.get("client") or ("",))[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").upper(), raw_value.decode("latin-1")
        # The body is here in one piece, however it came. A name with an underscore would pass for
        # the one with a dash.
        if name in ("CONTENT-LENGTH", "TRANSFER-ENCODING") or "_" in name:
            continue
        key = "CONTENT_TYPE" if name == "CONTENT-TYPE" else "HTTP_" + name.replace("-", "_")
        joint = "; " if key == "HTTP_COOKIE" else ","
        environ[key] = f"{environ[key]}{joint}{value}" if key in environ else value
    return environ
