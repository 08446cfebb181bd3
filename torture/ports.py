"""Ports for servers that are started under their number."""

from __future__ import annotations

import socket
from random import SystemRandom

BELOW = range(20_000, 32_000)  # what systems hand out themselves begins above


def free() -> int:
    """A port of the loopback that nobody has now.

    Nor does anybody get it who asks for no number, as every connection does: a phone that looks for
    a server that has been killed could else be given its port, and find itself there.
    """
    for port in SystemRandom().sample(BELOW, 100):
        try:
            with socket.create_server(("127.0.0.1", port)):
                return port
        except OSError:
            continue
    raise OSError("no port of the loopback is free")
