"""Ports for servers that are started under their number."""

from __future__ import annotations

import fcntl
import os
import socket
import tempfile
from functools import cache
from pathlib import Path
from random import SystemRandom
from typing import IO

BELOW = range(20_000, 32_000)  # what systems hand out themselves begins above
CLAIMS = Path(tempfile.gettempdir()) / f"referee-ports-{os.getuid()}"

_claimed = set[int]()


def free() -> int:
    """A port of the loopback that nobody has now, and that is given to nobody else from now on:
    to no process of this account while this one lives, and here not again.

    Nor does anybody get it who asks for no number, as every connection does: a phone that looks for
    a server that has been killed could else be given its port, and find itself there.
    """
    for port in SystemRandom().sample(BELOW, 100):
        if not _claim(port):
            continue
        try:
            with socket.create_server(("127.0.0.1", port)):
                return port
        except OSError:
            continue
    raise OSError("no port of the loopback is free")


def _claim(port: int) -> bool:
    """Take the lock on the byte with the port's number; it goes with the process, however."""
    if port in _claimed:  # a process is not kept out by its own locks
        return False
    try:
        fcntl.lockf(_claims(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
    except OSError:
        return False
    _claimed.add(port)
    return True


@cache
def _claims() -> IO[bytes]:
    """The file of all claims; open as long as the process, since closing it would end them."""
    return CLAIMS.open("ab")
