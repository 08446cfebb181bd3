"""A connection over TLS that looks at the addresses behind a name before it connects."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable
from http.client import HTTPSConnection
from ipaddress import IPv4Address, IPv6Address, ip_address

from referee.outgoing.refused import NotAccepted


class CheckedConnection(HTTPSConnection):
    """A connection to a name, all of whose addresses are ``reachable``."""

    def __init__(
        self,
        host: str,
        port: int,
        reachable: Callable[[IPv4Address | IPv6Address], bool],
        seconds: float,
    ) -> None:
        self._tls, self._seconds = ssl.create_default_context(), seconds
        super().__init__(host, port, timeout=seconds, context=self._tls)
        self._reachable = reachable

    def connect(self) -> None:
        """Connect to the address that was looked at; the name is not looked up again."""
        plain = socket.create_connection((self._address(), self.port), self._seconds)
        try:
            self.sock = self._tls.wrap_socket(plain, server_hostname=self.host)
        except ssl.SSLError as fault:
            plain.close()
            raise NotAccepted("certificate") from fault

    def _address(self) -> str:
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        names = [str(row[4][0]).partition("%")[0] for row in found]
        ips = [ip_address(name) for name in names]
        mapped = [getattr(ip, "ipv4_mapped", None) or ip for ip in ips]
        if not all(map(self._reachable, mapped)):
            raise NotAccepted("private")
        return names[0]
