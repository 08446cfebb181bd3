"""Open tables: the cost of their streams, and the time until an entry is on every phone."""

from __future__ import annotations

import asyncio
import itertools
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.parse import urlencode

from referee.core.record import Header
from referee.games.simulation import WIDEST, played
from referee.ledger import Ledger
from referee.paths import DATABASE
from referee.store import Store
from tests.introduced import COOKIE, introduced

TABLES, PHONES = 1000, 4
SECONDS = 15
RATES = (40, 100)
NAMES = ("A", "B", "C", "D")

SERVER = (sys.executable, "-m", "bench.live_server")


class Phone(asyncio.Protocol):
    """A phone with its page open; ``heard``: position of the table → when it arrived."""

    def __init__(self, match: str) -> None:
        self.match, self.heard = match, dict[int, float]()
        self.open = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        head = f"GET /t/{self.match}/live HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n"
        transport.write(f"{head}Cookie: {COOKIE}\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        for line in data.split(b"\n"):
            if line.startswith(b"data: "):
                self.heard.setdefault(int(line[6:]), now)
                self.open.set()


class Taps:
    """Connections to a server over which plays are sent, one at a time on each."""

    def __init__(self) -> None:
        self._free: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = (
            asyncio.Queue()
        )

    async def open(self, port: int, connections: int = 32) -> None:
        for _ in range(connections):
            self._free.put_nowait(
                await asyncio.open_connection("127.0.0.1", port, local_addr=("127.1.0.2", 0))
            )

    async def play(self, match: str, seq: int, line: str) -> None:
        """Send ``line`` as the play after entry ``seq``, and read the answer."""
        reader, writer = connection = await self._free.get()
        body = urlencode({"line": line, "seen": seq, "key": secrets.token_urlsafe(8)}).encode()
        head = (
            f"POST /t/{match}/play HTTP/1.1\r\nHost: bench\r\nHX-Request: true\r\n"
            f"Cookie: {COOKIE}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 200"), answer
        length = answer.lower().split(b"content-length: ")[1].split(b"\r\n")[0]
        await reader.readexactly(int(length))
        self._free.put_nowait(connection)


def run() -> None:
    """Print memory and delivery times; client and server share the machine."""
    with tempfile.TemporaryDirectory() as folder:
        tables = begun(Path(folder) / DATABASE, TABLES)
        command = [*SERVER, folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                port = int(server.stdout.readline())
                asyncio.run(_measure(port, server.pid, tables))
            finally:
                server.terminate()


def begun(place: Path | str, tables: int, most: int = 24) -> dict[str, list[str]]:
    """New matches in the store at ``place``: id → up to ``most`` lines to be played there."""
    store = Store(place)
    ledger = Ledger(store)
    logs = []
    for seed in range(20):
        view = ledger.open(Header(WIDEST, NAMES))
        log = played(view.game, NAMES, seed, most=most)
        logs.append([view.grammar.print(entry) for entry in log.entries])
    circle = introduced(store)
    found = {ledger.open(Header(WIDEST, NAMES), circle).match: logs[i % 20] for i in range(tables)}
    store.close()
    return found


async def _measure(port: int, pid: int, tables: dict[str, list[str]]) -> None:
    empty = megabytes(pid)
    loop, began, phones = asyncio.get_running_loop(), time.perf_counter(), dict[str, list[Phone]]()
    for number, match in enumerate(tables):
        address = (f"127.0.{number % 50}.2", 0)  # phones have addresses of their own
        made = [
            loop.create_connection(lambda m=match: Phone(m), "127.0.0.1", port, local_addr=address)
            for _ in range(PHONES)
        ]
        phones[match] = [phone for _, phone in await asyncio.gather(*made)]
    await asyncio.gather(*(phone.open.wait() for four in phones.values() for phone in four))
    took = time.perf_counter() - began
    print(f"\n{TABLES} tables × {PHONES} phones in one process, all open after {took:.1f} s")
    print(f"  memory: {empty:.0f} MB empty, {megabytes(pid):.0f} MB with every stream open")
    seats = {match: iter(enumerate(lines)) for match, lines in tables.items()}
    turn = itertools.cycle(tables)
    await _play(port, 10, 3, seats, turn)  # templates are compiled, connections warm
    for rate in RATES:
        sent = await _play(port, rate, SECONDS, seats, turn)
        await asyncio.sleep(1)
        # phones hear of entry n+1 after the play that was made on entry n
        late = [
            phone.heard.get(seq + 1, at + 1) - at
            for match, seq, at in sent
            for phone in phones[match]
        ]
        lost = sum(seq + 1 not in p.heard for match, seq, _ in sent for p in phones[match])
        middle, worst = statistics.median(late), statistics.quantiles(late, n=100)[98]
        times = (f"{word} {s * 1e3:5.1f} ms" for word, s in (("p50", middle), ("p99", worst)))
        print(
            f"  {rate:3} plays/s ({len(sent)}): tap to each phone  {'  '.join(times)}"
            f"  not heard {lost}  memory {megabytes(pid):.0f} MB"
        )


async def _play(
    port: int,
    rate: int,
    seconds: float,
    seats: dict[str, Iterator[tuple[int, str]]],
    turn: Iterator[str],
) -> list[tuple[str, int, float]]:
    """Plays at random moments, ``rate`` a second on average, each on the next table."""
    sent: list[tuple[str, int, float]] = []
    taps = Taps()
    await taps.open(port)

    async def once(match: str, seq: int, line: str) -> None:
        sent.append((match, seq, time.perf_counter()))
        await taps.play(match, seq, line)

    running = set()
    until = time.perf_counter() + seconds
    due = time.perf_counter()
    random = Random(1)
    while due < until:
        due += random.expovariate(rate)
        await asyncio.sleep(max(0, due - time.perf_counter()))
        match = next(turn)
        seq, line = next(seats[match])
        running.add(asyncio.create_task(once(match, seq, line)))
    await asyncio.gather(*running)
    return sent


def megabytes(pid: int) -> float:
    """The resident memory of a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise LookupError(pid)
