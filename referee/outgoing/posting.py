"""One JSON message to an address that a host has typed, and to no other.

HTTPS alone, no redirect is followed, and no proxy is used. A server on the internet, where anybody
may open a group, sends to public addresses only; one at home sends into its own network as well,
but not to itself. The name is looked up once, and what was checked is what is connected to.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from referee.outgoing.refused import NotAccepted

if TYPE_CHECKING:
    from ssl import SSLContext

LONGEST = 500
"""Characters of an address."""
SECONDS = 10.0
"""How long an address may take, from the connection to its answer."""
AGENT = "fudami"

Reachable = Callable[[IPv4Address | IPv6Address], bool]
Connect = Callable[[str, int], HTTPConnection]


class BadAddress(ValueError):
    """An address that can't be used, whatever answers there."""


def checked(address: str) -> str:
    """``address`` if a message can be sent there; raises ``BadAddress``."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as fault:
        raise BadAddress(address) from fault
    plain = address.isascii() and not any(letter <= " " for letter in address)
    named = parts.hostname and not parts.username and not parts.password and not parts.fragment
    if parts.scheme != "https" or not plain or not named or port == 0 or len(address) > LONGEST:
        raise BadAddress(address)
    return address


def anywhere_public(ip: IPv4Address | IPv6Address) -> bool:
    """Whether everybody on the internet can reach this address."""
    return ip.is_global and not ip.is_multicast


def anywhere_but_here(ip: IPv4Address | IPv6Address) -> bool:
    """Whether this address is not that of this computer, or of any or all computers."""
    here = ip.is_loopback or ip.is_link_local or ip.is_unspecified or ip.is_multicast
    return not here and not ip.is_reserved


def connecting(
    reachable: Reachable, trusted: SSLContext | None = None, seconds: float = SECONDS
) -> Connect:
    """The function that opens connections to ``reachable`` addresses alone.

    ``trusted``: whose certificates are accepted; None: those that the system trusts.
    """
    # a browser tab has no TLS of its own, and sends nothing
    from referee.outgoing.tls import CheckedConnection

    return lambda host, port: CheckedConnection(host, port, reachable, trusted, seconds)


def posted(address: str, message: Mapping[str, object], connect: Connect) -> None:
    """Send ``message`` to ``address``; any status from 200 to 299 accepts it.

    Raises ``NotAccepted``.
    """
    parts = urlsplit(checked(address))
    path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    body = json.dumps(message, ensure_ascii=False).encode()
    headers = {"Content-Type": "application/json", "User-Agent": AGENT}
    try:
        with closing(connect(parts.hostname or "", parts.port or 443)) as connection:
            connection.request("POST", path, body, headers)
            status = connection.getresponse().status
    except (OSError, HTTPException, UnicodeError) as fault:
        raise NotAccepted("silent") from fault
    if not 200 <= status <= 299:
        raise NotAccepted(str(status))
