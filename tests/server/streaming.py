"""A server that holds streams, and the streams that a test has opened there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from flask import Flask
from sockets import running

from referee.server.bridge import Bridge
from referee.server.live import Streams


class Stream(Protocol):
    """The reading end of a stream."""

    def leaves(self) -> None: ...


OPEN: list[Stream] = []
"""What is hung up after the test."""


@contextmanager
def serving(app: Flask, **limits: float) -> Iterator[tuple[int, Streams]]:
    streams = Streams(app.extensions["ledger"], **limits)  # type: ignore[arg-type]
    with running(Bridge(app, streams)) as port:
        yield port, streams
