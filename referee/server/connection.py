"""Limits connections that send no request: how long, how many bytes, and how many.

An idle connection costs a file descriptor and no thread, but file descriptors are limited, too. The
server below waits for ever and accepts heads of any length.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from referee.server.refusals import LINGER_SECONDS, LONG_HEAD

if TYPE_CHECKING:
    from collections import deque

    from uvicorn.protocols.http.h11_impl import H11Protocol as Protocol
else:
    try:  # faster, but has no wheels for some machines
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as Protocol
    except ImportError:
        from uvicorn.protocols.http.h11_impl import H11Protocol as Protocol

HEAD_SECONDS = 20.0
MOST_HEAD = 32 * 1024
"""Bytes of address and headers together; a little more if they arrive at once."""
MOST_AT_ONCE = 1024 * 1024
"""Bytes of a head in the parser; more than can arrive at once, so that ``MOST_HEAD`` decides."""
READ = 16 * 1024
"""Bytes that are read at a time: what a connection may hold before anybody counts it."""
MOST_WAITING = 8
"""Requests that one connection may send before the first is answered; browsers send one."""
MOST_PER_ADDRESS = 500  # more than the streams that one address may hold, see `live`


class TooManyAtOnce(Exception):
    """A connection sends more requests than ``MOST_WAITING`` without taking their answers."""


class Connection(Protocol):
    """A connection that closes if no complete head arrives in time, or if there are too many.

    ``proxies`` connect for many people and may hold any number.
    """

    proxies: ClassVar[tuple[Any, ...]] = ()
    held: ClassVar[Counter[str]] = Counter()
    _waiting: asyncio.TimerHandle | None = None
    _bytes = 0
    _refused = False
    if TYPE_CHECKING:
        pipeline: deque[Any]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if hasattr(transport, "max_size"):  # of asyncio's own; its default is 256 kB
            transport.max_size = READ
        host = self._host()
        self.held[host] += 1
        if self.held[host] > MOST_PER_ADDRESS and not self._is_proxy(host):
            transport.close()
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        host = self._host()
        self.held[host] -= 1
        if not self.held[host]:
            del self.held[host]
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:  # read some more: closing at once would cost the client the answer
            self._bytes += len(data)
            if self._bytes > MOST_AT_ONCE:
                self.transport.close()
            return
        before = self.cycle
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self.cycle is not before:  # a head is complete
            self._bytes = 0
            self._wait_no_more()
            return
        if self.cycle is not None and not self.cycle.response_complete:
            return
        self._bytes += len(data)
        if self._bytes > MOST_HEAD:
            self._wait_no_more()
            self._refuse()
        elif self._waiting is None:  # these bytes have ended the wait for the next request
            self._wait()

    def on_message_begin(self) -> None:
        """Called by httptools, which would read all requests of a packet; h11 reads one."""
        if len(self.pipeline) >= MOST_WAITING:
            raise TooManyAtOnce
        super().on_message_begin()  # type: ignore[misc]

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _refuse(self) -> None:
        content = LONG_HEAD.encode()
        self.transport.write(
            b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
            b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
            b"content-length: %d\r\n\r\n%s" % (len(content), content)
        )
        self._refused = True
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._waiting = self.loop.call_later(LINGER_SECONDS, self.transport.close)

    def _host(self) -> str:
        return self.client[0] if self.client else ""

    def _is_proxy(self, host: str) -> bool:
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self.proxies)


def connections(proxy: str) -> type[Connection]:
    """The connections of one server; ``proxy``: addresses or networks, separated by commas."""
    networks = tuple(ipaddress.ip_network(name) for name in proxy.split(",") if name)
    members = {"proxies": networks, "held": Counter[str]()}
    return type("Connection", (Connection,), members)
