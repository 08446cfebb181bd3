"""Hints between the servers of one PostgreSQL: "somebody has written, look at your tables".

They are sent after the transaction and promise nothing: where none comes through (a pooler between,
an engine without LISTEN) the tables are looked at every ``POLL_SECONDS`` all the same.
"""

from __future__ import annotations

import secrets
import select
import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from typing import Any

import psycopg

CHANNEL = "referee"
POLL_SECONDS = 0.5
GATHER_SECONDS = 0.005  # hints of so long go as one


class Hints:
    """The hints that one process gives and hears, over a connection of their own.

    ``connect`` makes it, in a thread that begins when somebody listens.
    """

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        self._connect, self._own = connect, secrets.token_hex(8)
        self._lock = Lock()
        self._thread: Thread | None = None
        self._closed = False
        self._heard = 0
        self._bell, self._button = socket.socketpair()
        self._bell.setblocking(False)
        self._button.setblocking(False)

    def heard(self) -> int:
        """A number that grows with each hint of others, and with time."""
        if self._thread is None and not self._closed:
            self._begin()
        return self._heard

    def give(self) -> None:
        """Tell the others, soon; returns at once. Who does not listen lets them find out."""
        if self._thread is not None:
            with suppress(OSError):  # full of rings already, or closed
                self._button.send(b"\0")

    def close(self) -> None:
        """Stop the thread and let go of its connection."""
        self._closed = True
        if self._thread is not None:
            self.give()
            self._thread.join()
        self._bell.close()
        self._button.close()

    def _begin(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._work, name="hints", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        while not self._closed:
            with suppress(psycopg.Error), self._connect() as connection:
                connection.execute(f"LISTEN {CHANNEL}")
                connection.add_notify_handler(self._hear)
                self._heard += 1  # what was said before is looked up
                while not self._closed:
                    self._turn(connection)
            self._hush()
            select.select([], [], [], POLL_SECONDS)
            self._heard += 1

    def _turn(self, connection: psycopg.Connection[Any]) -> None:
        """Wait for the bell, the server or the time."""
        waited_for: list[Any] = [self._bell, connection]
        ready, _, _ = select.select(waited_for, [], [], POLL_SECONDS)
        if self._bell in ready:
            select.select([], [], [], GATHER_SECONDS)
            self._hush()
            connection.execute("SELECT pg_notify($1, $2)", (CHANNEL, self._own))
        elif not ready:
            self._heard += 1
        connection.pgconn.consume_input()  # a lost server is told by an exception
        while found := connection.pgconn.notifies():
            self._count(found.extra.decode())

    def _hush(self) -> None:
        with suppress(BlockingIOError):
            self._bell.recv(1 << 16)

    def _hear(self, notify: psycopg.Notify) -> None:
        """Came in beside the answer to a hint of our own."""
        self._count(notify.payload)

    def _count(self, sender: str) -> None:
        if sender != self._own:
            self._heard += 1
