"""Ports for servers that are started with a fixed port."""

from __future__ import annotations

import fcntl
import os
import socket
import tempfile
from functools import cache
from pathlib import Path
from random import SystemRandom

BELOW = range(20_000, 32_000)  # below the range from which systems choose ports themselves
CLAIMS = Path(tempfile.gettempdir()) / f"referee-ports-{os.getuid()}"

_claimed = set[int]()


def free() -> int:
    """A free port of the loopback, which is not given out again.

    No other process of this account gets it while this one lives. It is also outside the range for
    connections without a fixed port: otherwise a phone that looks for a killed server could get
    that port itself, and connect to itself.
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
    """Lock the byte with the port's number; the lock ends with the process, however it ends."""
    if port in _claimed:  # a process is not blocked by its own locks
        return False
    try:
        fcntl.lockf(_claims(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
    except OSError:
        return False
    _claimed.add(port)
    return True


@cache
def _claims() -> int:
    """The file with all locks; open as long as the process, since closing it would release them."""
    return os.open(CLAIMS, os.O_WRONLY | os.O_CREAT, 0o600)
