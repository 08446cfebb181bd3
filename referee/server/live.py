"""Live updates: `Streams` notifies every phone that shows a table when the table changes.

A server-sent event is only a number, which grows with every entry and every change of the seats
(`Extent.position`); the page then fetches what it always fetches. So a lost event costs nothing, a
slow phone gets only the newest number, and a phone that reconnects (`Last-Event-ID` or not) needs
only the number with which every stream begins. The event loop holds the streams: an idle one is a
waiting task, never a thread.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Protocol, TypeAlias

from referee.ledger import Ledger
from referee.server.refusals import Receive, Scope, Send
from referee.store import Store, Unavailable
from referee.store.desks import Desks, desk_of, topic

Headers: TypeAlias = list[tuple[bytes, bytes]]
Ask: TypeAlias = Callable[[Scope], Awaitable[tuple[int, Headers, bytes]]]

MOST = 5000
"""Streams in all. Each is a file descriptor: see `serve.descriptors`."""
MOST_PER_ADDRESS = 200  # enough for a club behind one router, but not all streams
# a ping that is not acknowledged shows that the phone is gone: see `serve.listen`
PING_SECONDS = 12.0
PINGS_AT_ONCE = 16
# within this time, a phone that another process has removed gets no more events
CHECK_SECONDS = 60.0
END_SECONDS = 1.0
TICK_SECONDS = 0.02  # how often commits of other processes are looked for
OUTAGE_SECONDS = 1.0  # the same while the database does not answer
REST = 10  # the pause after a query, as a multiple of its duration
# spread, so that not all phones reconnect at the same moment after a restart
RETRY_MS = (500, 2500)

HEADERS: Headers = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
FULL: Headers = [(b"content-length", b"0"), (b"retry-after", b"30")]
PING = b":\n\n"
ADDRESS = re.compile(r"/t/([A-Za-z0-9_-]{1,64})/live")
DESK = re.compile(r"/desk/([0-9]{1,9})/live")


class OpenStream(Protocol):
    """A stream that `Streams` holds: to a phone at the table, or to an onlooker."""

    def move_to(self, position: int) -> None: ...
    def ping(self) -> None: ...
    async def end(self) -> None: ...
    def allowed(self) -> Awaitable[bool]: ...


class Stream:
    """The connection to one phone; ``at`` is the position that it should know."""

    __slots__ = ("_said", "_send", "_writing", "allowed", "at")

    def __init__(self, send: Send, allowed: Callable[[], Awaitable[bool]]) -> None:
        self.at = 0
        self.allowed = allowed  # whether the phone may still watch
        self._said: int | None = None  # None: not open yet
        self._send = send
        self._writing: asyncio.Task[None] | None = None

    async def open(self, at: int) -> None:
        """Begin with the position of the table: the one announced meanwhile, or ``at``."""
        self.at = self._said = max(at, self.at)
        await self._send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        await self._body(b"retry: %d\n" % random.randint(*RETRY_MS) + _event(self._said))
        self.move_to(self.at)

    def move_to(self, position: int) -> None:
        """Send the new position of the table; returns at once however slow the phone is.

        A position below the present one is ignored.
        """
        self.at = max(position, self.at)
        if self._said is not None and self._said < self.at and self._writing is None:
            self._writing = asyncio.create_task(self._write())

    def ping(self) -> None:
        """Check whether the phone is still there, unless an event is on its way already."""
        if self._said is not None and self._writing is None:
            self._writing = asyncio.create_task(self._write(PING))

    async def end(self) -> None:
        """End the answer; the phone then reconnects by itself."""
        if self._said is not None:
            self._said = None
            await self._body(b"", more=False)

    async def _write(self, first: bytes = b"") -> None:
        try:
            if first:
                await self._body(first)
            while self._said is not None and self._said < self.at:
                self._said = self.at
                await self._body(_event(self.at))
        finally:
            self._writing = None

    async def _body(self, body: bytes, *, more: bool = True) -> None:
        await self._send({"type": "http.response.body", "body": body, "more_body": more})


class Streams:
    """The open streams of one server process, by match."""

    def __init__(
        self,
        ledger: Ledger,
        *,
        most: int = MOST,
        per_address: int = MOST_PER_ADDRESS,
        ping_seconds: float = PING_SECONDS,
    ) -> None:
        self._ledger = ledger
        self._most, self._per_address, self._ping_seconds = most, per_address, ping_seconds
        self._tables: defaultdict[str, set[OpenStream]] = defaultdict(set)
        self._addresses: Counter[str] = Counter()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._departed = asyncio.Event()

    @property
    def store(self) -> Store:
        """The store of the matches."""
        return self._ledger.store

    def looks_on(self, match: str, streams: int) -> None:
        """There are so many ``streams`` of onlookers more, or less if it is negative."""
        self._ledger.contacts.looks_on(match, streams)

    @property
    def held(self) -> int:
        """How many streams are open or about to be."""
        return self._addresses.total()

    def start(self) -> None:
        """Begin to listen; must be called in the event loop that will hold the streams."""
        self._loop = asyncio.get_running_loop()
        self._ledger.listeners.append(self._announced)
        self._ledger.departures.append(self._phones_left)
        self._tasks = [
            asyncio.create_task(work) for work in (self._ping(), self._watch(), self._check())
        ]

    async def stop(self) -> None:
        """End every stream and accept no more; their phones reconnect to the next server."""
        if self._loop is None:
            return
        self._loop = None
        self._ledger.listeners.remove(self._announced)
        self._ledger.departures.remove(self._phones_left)
        for task in self._tasks:
            task.cancel()
        ends = [asyncio.create_task(stream.end()) for stream in self._open()]
        if ends:
            await asyncio.wait(ends, timeout=END_SECONDS)

    def path(self, scope: Scope) -> str:
        """The path of a request for a stream; "" for another request or when stopped."""
        if scope["method"] != "GET" or self._loop is None:
            return ""
        if b"text/event-stream" not in dict(scope["headers"]).get(b"accept", b""):
            return ""
        path: str = scope["path"].removeprefix(scope.get("root_path", ""))
        return path

    def wanted(self, scope: Scope) -> str | None:
        """The match whose stream a request asks for; None for another request or when stopped."""
        path = self.path(scope)
        if desk := DESK.fullmatch(path):
            return topic(int(desk[1]))
        found = ADDRESS.fullmatch(path)
        return found[1] if found else None

    async def serve(self, match: str, ask: Ask, scope: Scope, receive: Receive, send: Send) -> None:
        """Hold a stream until the phone disconnects.

        The app decides whether it may open: ``ask`` returns the app's answer to this request, which
        is the position of the table, or a refusal that is passed on.
        """
        client = (scope.get("client") or ("",))[0]
        if not self.has_room(client):
            await send_answer(send, HTTPStatus.SERVICE_UNAVAILABLE, FULL, b"")
            return

        async def allowed() -> bool:
            try:
                status = (await ask(scope))[0]
            except Exception:  # an error of ours, which is in the log, ends no stream
                return True
            return status == HTTPStatus.OK or status >= HTTPStatus.INTERNAL_SERVER_ERROR

        stream = Stream(send, allowed)
        # Registered before the app is asked, so that no entry is lost between its answer and the
        # stream.
        with self.holding(match, client, stream):
            status, headers, body = await ask(scope)
            if status != HTTPStatus.OK or not body.isdigit():
                await send_answer(send, status, headers, body)
                return
            self._ledger.contacts.opened(match)
            try:
                await stream.open(int(body))
                while (await receive())["type"] != "http.disconnect":
                    pass
            finally:
                self._ledger.contacts.closed(match, datetime.now(UTC))

    def has_room(self, client: str) -> bool:
        """Whether a further stream to the address ``client`` may be opened."""
        return self.held < self._most and self._addresses[client] < self._per_address

    @contextmanager
    def holding(self, match: str, client: str, stream: OpenStream) -> Iterator[None]:
        """Let ``stream`` hear what happens at ``match``."""
        self._tables[match].add(stream)
        self._addresses[client] += 1
        try:
            yield
        finally:
            self._tables[match].discard(stream)
            if not self._tables[match]:
                del self._tables[match]
            self._addresses[client] -= 1
            if not self._addresses[client]:
                del self._addresses[client]

    def _open(self) -> list[OpenStream]:
        return [stream for streams in self._tables.values() for stream in streams]

    def _announced(self, match: str, position: int) -> None:
        """An entry or a seat is on the disk; called by the thread that wrote or learned it."""
        loop = self._loop
        if loop is not None and match in self._tables:
            with suppress(RuntimeError):  # the loop has just closed, and its streams with it
                loop.call_soon_threadsafe(self._move, match, position)

    def _move(self, match: str, position: int) -> None:
        for stream in self._tables.get(match, ()):
            stream.move_to(position)

    def _phones_left(self) -> None:
        """Phones were removed; called by the thread that removed them."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._departed.set)

    async def _check(self) -> None:
        """End the streams of phones that may no longer watch, one after the other."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(CHECK_SECONDS):
                    await self._departed.wait()
            self._departed.clear()
            for stream in self._open():
                if not await stream.allowed():
                    await stream.end()

    async def _ping(self) -> None:
        """Ping every stream periodically, a few at a time: all at once would delay events."""
        while True:
            streams = self._open()
            rest = self._ping_seconds
            pause = rest * PINGS_AT_ONCE / max(len(streams), PINGS_AT_ONCE)
            for start in range(0, len(streams), PINGS_AT_ONCE):
                await asyncio.sleep(pause)
                rest -= pause
                for stream in streams[start : start + PINGS_AT_ONCE]:
                    stream.ping()
            await asyncio.sleep(max(rest, 0.01))

    async def _watch(self) -> None:
        """Send phones what other processes have written, until the streams are stopped."""
        time = asyncio.get_running_loop().time
        known: int | None = None
        while True:
            began = time()
            try:
                known = await self._look(known)
                pause = max(TICK_SECONDS, REST * (time() - began))
            except Unavailable:  # ``known`` is unchanged, so no commit is missed
                pause = OUTAGE_SECONDS
            await asyncio.sleep(pause)

    async def _look(self, known: int | None) -> int | None:
        """Send the positions of all tables if ``foreign_commits`` is no longer ``known``.

        Returns its present value. Without open streams nothing is looked for.
        """
        store = self._ledger.store
        found = store.foreign_commits() if self._tables or known is None else known
        if found in (None, known):
            return known
        for match, extent in (await asyncio.to_thread(store.extents, list(self._tables))).items():
            self._move(match, extent.position)
        desks = {desk: topic(desk) for desk in map(desk_of, self._tables) if desk is not None}
        if desks:
            tails = await asyncio.to_thread(Desks(store).tails, list(desks))
            for desk, seq in tails.items():
                self._move(desks[desk], seq)
        return found


def _event(seq: int) -> bytes:
    return b"id: %d\ndata: %d\n\n" % (seq, seq)


async def send_answer(send: Send, status: int, headers: Headers, body: bytes) -> None:
    """Send an answer that ends."""
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": body})
