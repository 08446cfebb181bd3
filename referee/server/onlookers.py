"""Streams of onlookers: what all of them are shown is made once and sent to each.

The phones at a table fetch what has changed; a thousand onlookers would fetch it a thousand times.
So their streams carry the picture, or the lines of the feed. The app makes it, as its answer to the
same request without a stream: everything after the event that a client has (``Last-Event-ID``).
"""

from __future__ import annotations

import asyncio
import random
import re
from http import HTTPStatus

from referee.server.live import (
    FULL,
    HEADERS,
    PING,
    RETRY_MS,
    Ask,
    Headers,
    Streams,
    send_answer,
)
from referee.server.refusals import Receive, Scope, Send
from referee.store.broadcasts import Broadcasts

ADDRESS = re.compile(r"/live/([A-Za-z0-9_-]{22})/(?:stream|events)")
DUE, LAST = b"retry-after", b"last-event-id"
"""When the delay lets more through, a header of the app's answer; what a client has."""
AT_ONCE = 50
"""Onlookers who are sent something before other work has its turn."""
TROUBLE_SECONDS = 5.0
"""After how long the app is asked again when it could not answer."""


class Onlooker:
    """The connection to one onlooker; ``has`` is the id of the last event that was sent."""

    __slots__ = ("_audience", "_late", "_open", "_send", "_writing", "has")

    def __init__(self, send: Send, audience: Audience, has: bytes) -> None:
        self.has = has
        self._audience, self._send, self._open = audience, send, False
        self._late = False  # there was news while the last one was on its way
        self._writing: asyncio.Task[None] | None = None

    async def open(self, body: bytes) -> None:
        """Begin with what the app has answered."""
        await self._send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        await self._body(body + b"retry: %d\n\n" % random.randint(*RETRY_MS))
        self._open = True

    def tell(self, body: bytes, has: bytes) -> None:
        """Send events, of which ``has`` is the last; returns at once however slow the client is.

        Who is still busy with earlier ones asks again afterwards, for everything since.
        """
        if self._writing is not None:
            self._late = True
        elif self._open:
            self.has = has
            self._writing = asyncio.create_task(self._write(body))

    def move_to(self, position: int) -> None:
        """The table has changed."""
        self._audience.look()

    async def allowed(self) -> bool:
        """Let the audience look, which ends itself if its address is no longer valid."""
        self._audience.look()
        return True

    def ping(self) -> None:
        """Check whether the client is still there, unless an event is on its way already."""
        if self._open and self._writing is None:
            self._writing = asyncio.create_task(self._write(PING))

    async def end(self) -> None:
        """End the answer."""
        if self._open:
            self._open = False
            await self._body(b"", more=False)

    async def _write(self, body: bytes) -> None:
        try:
            await self._body(body)
        finally:
            self._writing = None
            if self._late:
                self._late = False
                self._audience.look()

    async def _body(self, body: bytes, *, more: bool = True) -> None:
        await self._send({"type": "http.response.body", "body": body, "more_body": more})


class Audience:
    """The onlookers with one address: they are all shown the same.

    The app is asked on behalf of all, so without the network address of the first of them: what
    else comes from there must not count against the others.
    """

    def __init__(self, ask: Ask, scope: Scope) -> None:
        self.held: set[Onlooker] = set()
        self._ask, self._scope = ask, scope
        self._looking: asyncio.Task[None] | None = None
        self._again = False
        self._timer: asyncio.TimerHandle | None = None

    def look(self) -> None:
        """Ask the app what is new, and tell everybody; returns at once."""
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        else:
            self._again = True

    def later(self, headers: Headers) -> None:
        """Look again when the delay lets more through, as an answer with these headers says."""
        due = dict(headers).get(DUE, b"")
        if due.isdigit():
            self._look_in(int(due))

    def leave(self) -> None:
        """Nobody is left."""
        if self._timer is not None:
            self._timer.cancel()
        if self._looking is not None:
            self._looking.cancel()

    async def _look(self) -> None:
        try:
            while True:
                self._again = False
                for has in {onlooker.has for onlooker in self.held}:
                    await self._tell(has)
                if not self._again:
                    return
        except Exception:  # an error of the app, which is in its log
            self._look_in(TROUBLE_SECONDS)
        finally:
            self._looking = None

    async def _tell(self, has: bytes) -> None:
        status, headers, body = await self._ask({**_for_all(self._scope, has), "client": None})
        self.later(headers)
        if status == HTTPStatus.NOT_FOUND:
            for onlooker in [*self.held]:
                await onlooker.end()
        elif status != HTTPStatus.OK:
            self._look_in(TROUBLE_SECONDS)
        elif latest := last_id(body):
            self._again = True  # there may be more than one answer holds
            behind = [onlooker for onlooker in self.held if onlooker.has == has]
            for start in range(0, len(behind), AT_ONCE):
                for onlooker in behind[start : start + AT_ONCE]:
                    onlooker.tell(body, latest)
                await asyncio.sleep(0)

    def _look_in(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self.look)


class Onlookers:
    """The streams of live pages of one server process, which are among its ``streams``."""

    def __init__(self, streams: Streams) -> None:
        self._streams, self._broadcasts = streams, Broadcasts(streams.store)
        self._audiences: dict[tuple[str, bytes], Audience] = {}

    def wanted(self, scope: Scope) -> str | None:
        """The secret in a request for such a stream; None for another request."""
        found = ADDRESS.fullmatch(self._streams.path(scope))
        return found[1] if found else None

    async def serve(
        self, secret: str, ask: Ask, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Hold a stream until the client disconnects; the app decides whether it may open."""
        client = (scope.get("client") or ("",))[0]
        if not self._streams.has_room(client):
            await send_answer(send, HTTPStatus.SERVICE_UNAVAILABLE, FULL, b"")
            return
        has = dict(scope["headers"]).get(LAST, b"")
        status, headers, body = await ask(_for_all(scope, has))
        found = None
        if status == HTTPStatus.OK:
            found = await asyncio.to_thread(self._broadcasts.with_secret, secret)
        if found is None:
            await send_answer(send, status, headers, body)
            return
        key = scope["path"], scope["query_string"]
        audience = self._audiences.setdefault(key, Audience(ask, scope))
        onlooker = Onlooker(send, audience, last_id(body) or has)
        audience.held.add(onlooker)
        self._streams.looks_on(found.match, 1)
        try:
            with self._streams.holding(found.match, client, onlooker):
                await onlooker.open(body)
                audience.later(headers)
                audience.look()  # for what came between the answer and the stream
                while (await receive())["type"] != "http.disconnect":
                    pass
        finally:
            self._streams.looks_on(found.match, -1)
            audience.held.discard(onlooker)
            if not audience.held:
                audience.leave()
                self._audiences.pop(key, None)


def last_id(body: bytes) -> bytes:
    """The id of the last event, b"" if there is none; lines of data begin with their name."""
    return body.rpartition(b"\nid: ")[2].partition(b"\n")[0] if b"\nid: " in body else b""


def _for_all(scope: Scope, has: bytes) -> Scope:
    """The request as one of a client that has the event ``has``.

    Without cookies and language of a single client, because the answer is for all.
    """
    kept = [row for row in scope["headers"] if row[0] == b"host"]
    return {**scope, "headers": [*kept, (LAST, has)] if has else kept}
