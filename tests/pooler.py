"""A pooler in transaction mode, like PgBouncer: each transaction gets the next server process.

It implements as much of the protocol as the driver needs without a password.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from threading import Event, Thread
from urllib.parse import quote

from psycopg.conninfo import conninfo_to_dict

SSL_REQUEST, CANCEL_REQUEST = 80877103, 80877102
PROCESSES = 3
READY, KEY, IDLE, CLOSE = b"Z", b"K", b"I", b"X"


class Process:
    """A connection to the server, for one client at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer, self.taken = reader, writer, asyncio.Lock()


class Pooler:
    """Serves the database at ``address``; ``used`` counts the transactions of each process."""

    def __init__(self, address: str) -> None:
        self._to = conninfo_to_dict(address)
        self._greeting = b""
        self._processes: list[Process] = []
        self._clients: list[asyncio.StreamWriter] = []
        self.used = [0] * PROCESSES
        self.port = 0

    async def serve(self, ready: Event, over: asyncio.Event) -> None:
        for _ in range(PROCESSES):
            self._processes.append(await self._process())
        self._turns = cycle(range(PROCESSES))
        server = await asyncio.start_server(self._client, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await over.wait()
        server.close()
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
        for writer in (*(process.writer for process in self._processes), *self._clients):
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _process(self) -> Process:
        process = Process(
            *await asyncio.open_connection(str(self._to["host"]), int(str(self._to["port"])))
        )
        parameters = {"user": self._to["user"], "database": self._to["dbname"]}
        if "options" in self._to:
            parameters["options"] = self._to["options"]
        words = b"".join(f"{key}\0{value}\0".encode() for key, value in parameters.items()) + b"\0"
        start = (196608).to_bytes(4, "big") + words
        process.writer.write((len(start) + 4).to_bytes(4, "big") + start)
        greeting = b""
        while True:
            kind, message = await _message(process.reader)
            if kind == READY:
                break
            # the number of a process of its own, as nobody stays with one
            greeting += message[:5] + bytes(8) if kind == KEY else message
        self._greeting = greeting + READY + (5).to_bytes(4, "big") + IDLE
        return process

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._clients.append(writer)
        with suppress(asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            while True:
                size = int.from_bytes(await reader.readexactly(4), "big")
                asked = int.from_bytes((await reader.readexactly(size - 4))[:4], "big")
                if asked == CANCEL_REQUEST:
                    return
                if asked != SSL_REQUEST:
                    break
                writer.write(b"N")
            writer.write(self._greeting)
            while True:
                first = await _message(reader)
                if first[0] == CLOSE:
                    return
                turn = next(self._turns)
                self.used[turn] += 1
                async with self._processes[turn].taken:
                    await self._transaction(first[1], reader, writer, self._processes[turn])
        writer.close()

    async def _transaction(
        self,
        message: bytes,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        process: Process,
    ) -> None:
        """Pass messages on until the server is in no transaction."""
        while True:
            process.writer.write(message)
            # an answer is over where the server is ready; it is after a query or a Sync
            while message[:1] not in (b"Q", b"S"):
                _kind, message = await _message(reader)
                process.writer.write(message)
            kind = b""
            while kind != READY:
                kind, answer = await _message(process.reader)
                writer.write(answer)
            await writer.drain()
            if answer[-1:] == IDLE:
                return
            _kind, message = await _message(reader)


async def _message(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """The kind of the next message, and all of it."""
    head = await reader.readexactly(5)
    return head[:1], head + await reader.readexactly(int.from_bytes(head[1:], "big") - 4)


@contextmanager
def pooling(address: str) -> Iterator[tuple[str, Pooler]]:
    """A pooler before the database at ``address``, and the address under which it serves."""
    pooler, ready = Pooler(address), Event()
    loop, over = asyncio.new_event_loop(), asyncio.Event()
    thread = Thread(target=lambda: loop.run_until_complete(pooler.serve(ready, over)))
    thread.start()
    assert ready.wait(60)
    parts = conninfo_to_dict(address)
    try:
        yield f"postgresql://{quote(str(parts['user']))}@127.0.0.1:{pooler.port}/db", pooler
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()
