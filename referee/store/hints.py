"""Notifications between servers on one PostgreSQL database: "match M has grown to entry N".

They use LISTEN and NOTIFY, are sent after the transaction, and may get lost: servers look for new
entries every ``POLL_SECONDS`` anyway, so a pooler or an engine without LISTEN only makes it slower.
Nothing is stored.
"""

from __future__ import annotations

import secrets
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector
from threading import Lock, Thread
from typing import Any

import psycopg

CHANNEL = "referee"
POLL_SECONDS = 0.5
GATHER_SECONDS = 0.005  # hints that come within this time are sent together
A_NOTIFICATION = 80  # hints in one notification: it may have 8,000 bytes, and an id has at most 64


class Hints:
    """Sends and receives the hints of one process over a connection of its own.

    ``connect`` opens the connection in a background thread, which ``polled`` starts.
    """

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        self._connect, self._own = connect, secrets.token_hex(8)
        self._lock = Lock()
        self._thread: Thread | None = None
        self._closed = False
        self._listeners: list[Callable[[str, int], object]] = []
        self._due: dict[str, int] = {}

    def subscribe(self, listener: Callable[[str, int], object]) -> None:
        """Call ``listener`` with match and entry for each hint, in the background thread."""
        self._listeners.append(listener)

    def polled(self) -> int:
        """A number that grows every ``POLL_SECONDS``; the first call starts to listen."""
        if self._thread is None and not self._closed:
            with suppress(OSError):  # no file descriptor is free: tried again at the next call
                self._begin()
        return int(time.monotonic() / POLL_SECONDS)

    def give(self, match: str, seq: int) -> None:
        """Send a hint to the other processes soon; returns at once.

        Does nothing in a process that does not listen: the others find out when they poll.
        """
        if self._thread is not None:
            with self._lock:
                self._due[match] = max(seq, self._due.get(match, 0))
            self._ring()

    def close(self) -> None:
        """Stop the thread and close its connection."""
        self._closed = True
        if self._thread is not None:
            self._ring()
            self._thread.join()
            self._bell.close()
            self._button.close()

    def _ring(self) -> None:
        # the pipe is full, so a wake-up is pending already; or it is closed
        with suppress(OSError):
            self._button.send(b"\0")

    def _begin(self) -> None:
        with self._lock:
            if self._thread is None:
                self._bell, self._button = socket.socketpair()
                self._bell.setblocking(False)
                self._button.setblocking(False)
                self._thread = Thread(target=self._work, name="hints", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        while not self._closed:
            # OSError: no file descriptor is left; there may be one again
            with suppress(psycopg.Error, OSError), self._connect() as connection:
                self._listen(connection)
            time.sleep(POLL_SECONDS)
            self._taken()  # by now the other processes have found these entries by polling

    def _listen(self, connection: psycopg.Connection[Any]) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        # for notifications that arrived together with the answer to our own
        connection.add_notify_handler(lambda notify: self._hear(notify.payload))
        # not select.select, which takes no descriptor from 1,024 on: streams hold thousands
        with DefaultSelector() as selector:
            selector.register(self._bell, EVENT_READ)
            selector.register(connection, EVENT_READ)
            while not self._closed:
                ready = [key.fileobj for key, _ in selector.select()]
                self._turn(connection, rung=self._bell in ready)

    def _turn(self, connection: psycopg.Connection[Any], *, rung: bool) -> None:
        """Send hints if ``rung``, and deliver those that have arrived."""
        if rung:
            time.sleep(GATHER_SECONDS)
            hints = [f"{match}:{seq}" for match, seq in self._taken().items()]
            for first in range(0, len(hints), A_NOTIFICATION):
                said = " ".join((self._own, *hints[first : first + A_NOTIFICATION]))
                connection.execute("SELECT pg_notify($1, $2)", (CHANNEL, said))
        connection.pgconn.consume_input()  # a lost server raises an exception
        while found := connection.pgconn.notifies():
            self._hear(found.extra.decode())

    def _taken(self) -> dict[str, int]:
        """Remove and return the hints that have to be sent: match → entry."""
        with suppress(BlockingIOError):
            self._bell.recv(1 << 16)
        with self._lock:
            due, self._due = self._due, {}
        return due

    def _hear(self, said: str) -> None:
        sender, *hints = said.split(" ")
        if sender == self._own:
            return
        for hint in hints:
            match, _, seq = hint.partition(":")
            if seq.isdecimal():
                for listener in self._listeners:
                    listener(match, int(seq))
