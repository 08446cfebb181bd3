"""A thousand onlookers of one table: when a play is on their screens, and who waits for them."""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from random import Random

from bench.live import SERVER, Taps, begun, megabytes
from referee.paths import DATABASE
from referee.store import Store
from referee.store.broadcasts import Broadcast, Broadcasts

ONLOOKERS, OTHERS = 1000, 40
SECONDS = 15
WATCHED_RATE, OTHER_RATE = 1.0, 20.0
"""Plays a second at the watched table, and at the others together."""
SECRET = "o" * 22
PATH = f"/live/{SECRET}/stream?look=score&lang=en"


class Onlooker(asyncio.Protocol):
    """An overlay that is open; ``heard``: when each picture arrived."""

    def __init__(self) -> None:
        self.heard: list[float] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        head = f"GET {PATH} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n"
        transport.write(head.encode())

    def data_received(self, data: bytes) -> None:
        if b"id: " in data:
            self.heard.append(time.perf_counter())


def run() -> None:
    """Print memory and times; client and server share the machine."""
    with tempfile.TemporaryDirectory() as folder:
        tables = begun(Path(folder) / DATABASE, OTHERS + 1)
        watched = next(iter(tables))
        store = Store(Path(folder) / DATABASE)
        Broadcasts(store).begin(SECRET, Broadcast(watched, "", 0))
        store.close()
        command = [*SERVER, folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                port = int(server.stdout.readline())
                asyncio.run(_measure(port, server.pid, watched, tables))
            finally:
                server.terminate()


async def _measure(port: int, pid: int, watched: str, tables: dict[str, list[str]]) -> None:
    taps = Taps()
    await taps.open(port)
    others = {match: lines for match, lines in tables.items() if match != watched}
    await _each(taps, others, 3, 0)  # templates are compiled
    idle = megabytes(pid)
    loop, onlookers = asyncio.get_running_loop(), list[Onlooker]()
    for number in range(0, ONLOOKERS, 100):
        address = (f"127.0.{number // 100}.3", 0)
        made = [
            loop.create_connection(Onlooker, "127.0.0.1", port, local_addr=address)
            for _ in range(100)
        ]
        onlookers += [onlooker for _, onlooker in await asyncio.gather(*made)]
    while not all(onlooker.heard for onlooker in onlookers):
        await asyncio.sleep(0.05)
    print(f"\n{ONLOOKERS} onlookers of one table, {OTHERS} other tables that play")
    print(f"  memory: {idle:.0f} MB idle, {megabytes(pid):.0f} MB with all of them")
    plays = asyncio.create_task(_each(taps, others, SECONDS * OTHER_RATE, 1 / OTHER_RATE, 1))
    late, missed = list[float](), 0
    for seq, line in enumerate(tables[watched][:SECONDS]):
        before, at = [len(each.heard) for each in onlookers], time.perf_counter()
        await taps.play(watched, seq, line)
        await asyncio.sleep(1 / WATCHED_RATE)
        for onlooker, count in zip(onlookers, before, strict=True):
            missed += len(onlooker.heard) == count
            late += [heard - at for heard in onlooker.heard[count:][:1]]
    _print("play to overlay", late)
    _print("plays of others", await plays)
    print(f"  not heard {missed}  memory {megabytes(pid):.0f} MB")


async def _each(
    taps: Taps, tables: dict[str, list[str]], most: float, pause: float, first: int = 0
) -> list[float]:
    """How long each of ``most`` plays took, one table after the other, from entry ``first`` on."""
    random, running, took = Random(2), list[asyncio.Task[None]](), list[float]()
    turns = [(m, seq) for seq in range(first, 24) for m in tables if seq < len(tables[m])]

    async def once(match: str, seq: int) -> None:
        at = time.perf_counter()
        await taps.play(match, seq, tables[match][seq])
        took.append(time.perf_counter() - at)

    for match, seq in turns[: int(most) if pause else len(tables)]:
        running.append(asyncio.create_task(once(match, seq)))
        await asyncio.sleep(random.expovariate(1 / pause) if pause else 0)
    await asyncio.gather(*running)
    return took


def _print(what: str, seconds: list[float]) -> None:
    middle, worst = statistics.median(seconds), statistics.quantiles(seconds, n=100)[98]
    print(f"  {what}: p50 {middle * 1e3:.0f} ms  p99 {worst * 1e3:.0f} ms  ({len(seconds)})")
