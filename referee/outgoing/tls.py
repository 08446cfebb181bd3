"""A connection over TLS that looks at the addresses behind a name before it connects.

It is cut after some seconds, however many bytes come until then: the next address waits for it.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPSConnection
from ipaddress import IPv4Address, IPv6Address, ip_address
from threading import Timer

from referee.outgoing.refused import NotAccepted


class CheckedConnection(HTTPSConnection):
    """A connection to a name, all of whose addresses are ``reachable``, for some ``seconds``.

    ``trusted``: whose certificates are accepted; None: those that the system trusts.
    """

    def __init__(
        self,
        host: str,
        port: int,
        reachable: Callable[[IPv4Address | IPv6Address], bool],
        trusted: ssl.SSLContext | None,
        seconds: float,
    ) -> None:
        self._tls, self._seconds = trusted or ssl.create_default_context(), seconds
        self._end = Timer(seconds, self._cut)
        self._end.daemon = True
        super().__init__(host, port, timeout=seconds, context=self._tls)
        self._reachable = reachable

    def connect(self) -> None:
        """Connect to the address that was looked at; the name is not looked up again."""
        plain = socket.create_connection((self._address(), self.port), self._seconds)
        self.sock = self._tls.wrap_socket(
            plain, server_hostname=self.host, do_handshake_on_connect=False
        )
        self._end.start()
        try:
            self.sock.do_handshake()
        except ssl.SSLEOFError:
            raise  # it was cut
        except ssl.SSLError as fault:
            raise NotAccepted("certificate") from fault

    def close(self) -> None:
        """Close it; nothing is left to cut."""
        self._end.cancel()
        super().close()

    def _cut(self) -> None:
        """End what waits for bytes, in a thread of its own."""
        with suppress(OSError):
            socket.socket.shutdown(self.sock, socket.SHUT_RDWR)

    def _address(self) -> str:
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        names = [str(row[4][0]).partition("%")[0] for row in found]
        ips = [ip_address(name) for name in names]
        mapped = [getattr(ip, "ipv4_mapped", None) or ip for ip in ips]
        if not all(map(self._reachable, mapped)):
            raise NotAccepted("private")
        return names[0]
