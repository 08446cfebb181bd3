"""A convention: many tables at once, with people who think, on one server process or several.

`python -m bench convention --tables 2000 --seconds 600 --servers 2 --database postgresql` plays at
every table: each play at a random time after the previous one (``--think`` seconds on average),
through the server of the phone that plays. With several average times, one run follows the other:
`--think 20 10 5 2.5` shows at which load a server is saturated. PostgreSQL is started for the run,
with durable commits. Each phone is an open file here: `ulimit -Hn` has to be above four times the
number of tables.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench import live
from referee.paths import DATABASE
from referee.server import serve
from referee.store import Store
from tests import cluster

PHONES = 4
ADDRESSES = 50  # client addresses that the phones share, as behind the routers of a hall
TICKS = os.sysconf("SC_CLK_TCK")


class Play(NamedTuple):
    """An acknowledged play: when it was tapped and answered."""

    match: str
    seq: int
    tapped: float
    answered: float


def run(flags: Sequence[str] = ()) -> None:
    """Print plays per second, times to the answer and to every phone, and processor time."""
    parser = argparse.ArgumentParser(prog="python -m bench convention", description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20, help="of play, for each --think")
    parser.add_argument(
        "--think", type=float, nargs="+", default=[4.0], help="seconds between plays of a table"
    )
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    args = parser.parse_args(flags)
    files = serve.descriptors()
    if files < args.tables * PHONES + 100:
        parser.error(f"{files} open files are allowed: too few for {args.tables * PHONES} phones")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        place: Path | str = folder / DATABASE
        database = None
        if args.database == "postgresql":
            running = cluster.running("shared_buffers=256MB", durable=True)
            database = stack.enter_context(running)
            place = database.address()
        lines = sum(int(3 * args.seconds / think) + 12 for think in args.think)
        tables = live.begun(place, args.tables, lines)
        servers = [stack.enter_context(_server(folder, place)) for _ in range(args.servers)]
        print(
            f"\n{args.tables} tables × {PHONES} phones, {args.database},"
            f" server processes: {args.servers}"
        )
        asyncio.run(_convention(servers, database, tables, args.seconds, args.think))
        lost = _lost(place, tables)
        print(f"  plays in the logs that were not those of the tables: {lost}")


class Server(NamedTuple):
    """A server process and its port."""

    pid: int
    port: int

    def seconds(self) -> float:
        """Processor time of the process so far, in seconds."""
        after = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(after[11]) + int(after[12])) / TICKS


@contextmanager
def _server(folder: Path, place: Path | str) -> Iterator[Server]:
    settings = {"REFEREE_DATABASE": place} if isinstance(place, str) else {}
    command = [*live.SERVER, str(folder)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=os.environ | settings
    ) as server:
        try:
            assert server.stdout is not None
            yield Server(server.pid, int(server.stdout.readline()))
        finally:
            server.terminate()


async def _convention(
    servers: Sequence[Server],
    database: cluster.Cluster | None,
    tables: dict[str, list[str]],
    seconds: float,
    thinks: Sequence[float],
) -> None:
    loop = asyncio.get_running_loop()
    phones: dict[str, list[live.Phone]] = {}
    for number, match in enumerate(tables):
        made = [
            loop.create_connection(
                lambda m=match: live.Phone(m),
                "127.0.0.1",
                servers[phone % len(servers)].port,
                local_addr=(f"127.0.{number % ADDRESSES}.2", 0),
            )
            for phone in range(PHONES)
        ]
        phones[match] = [phone for _, phone in await asyncio.gather(*made)]
    await asyncio.gather(*(phone.open.wait() for four in phones.values() for phone in four))
    taps = [live.Taps() for _ in servers]
    for tap, server in zip(taps, servers, strict=True):
        await tap.open(server.port)
    await asyncio.gather(  # every match is loaded once, as by opening its page
        *(tap.play(match, 0, lines[0]) for tap in taps for match, lines in tables.items())
    )
    left = {match: list(enumerate(lines))[:0:-1] for match, lines in tables.items()}
    for think in thinks:
        measured = [*servers, database] if database else servers
        spent = [each.seconds() for each in measured]
        began = time.perf_counter()
        plays = await _played(taps, left, seconds, think)
        took = max(play.answered for play in plays) - began
        cost = [now.seconds() - before for now, before in zip(measured, spent, strict=True)]
        await asyncio.sleep(2)
        print(f" a play in {think:g} s at each table: {len(tables) / think:.0f} a second wanted")
        _print(servers, plays, phones, took, cost)


async def _played(
    taps: Sequence[live.Taps],
    left: dict[str, list[tuple[int, str]]],
    seconds: float,
    think: float,
) -> list[Play]:
    """The plays made in ``seconds``; their lines are removed from the end of ``left``."""
    plays: list[Play] = []
    until = time.perf_counter() + seconds

    async def table(number: int, match: str) -> None:
        random = Random(f"{number} {think}")
        while left[match]:
            await asyncio.sleep(random.expovariate(1 / think))
            tapped = time.perf_counter()
            if tapped > until:
                return
            seq, line = left[match].pop()
            await taps[(number + seq) % len(taps)].play(match, seq, line)
            plays.append(Play(match, seq, tapped, time.perf_counter()))

    every = [asyncio.create_task(table(number, match)) for number, match in enumerate(left)]
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds + 30):
            await asyncio.gather(*every)
    return plays


def _print(
    servers: Sequence[Server],
    plays: Sequence[Play],
    phones: dict[str, list[live.Phone]],
    took: float,
    cost: Sequence[float],
) -> None:
    late, silent = list[float](), 0
    for play in plays:
        for phone in phones[play.match]:
            heard = [at for seq, at in phone.heard.items() if seq > play.seq]
            late += [min(heard) - play.tapped] if heard else []
            silent += not heard
    print(f"  plays: {len(plays)}, {len(plays) / took:.1f} a second")
    print(f"  tap to answer:     {_times([play.answered - play.tapped for play in plays])}")
    print(f"  tap to each phone: {_times(late)}   not heard {silent}")
    each = ", ".join(f"{live.megabytes(server.pid):.0f} MB" for server in servers)
    busy = ", ".join(f"{seconds / took:.0%}" for seconds in cost[: len(servers)])
    a_play = sum(cost[: len(servers)]) / len(plays)
    print(f"  processor: {busy} of a core, {a_play * 1e3:.1f} ms a play; {each}")
    for seconds in cost[len(servers) :]:
        a_play = seconds / len(plays)
        print(f"  of the database: {seconds / took:.0%} of a core, {a_play * 1e3:.1f} ms a play")


def _times(seconds: Sequence[float]) -> str:
    cuts = statistics.quantiles(seconds, n=100)
    return f"p50 {cuts[49] * 1e3:6.1f} ms   p99 {cuts[98] * 1e3:7.1f} ms"


def _lost(place: Path | str, tables: dict[str, list[str]]) -> int:
    """The number of tables whose log is not a prefix of what was played there."""
    store = Store(place)
    try:
        logs = {match: [entry.line for entry in store.read(match)] for match in tables}
    finally:
        store.close()
    return sum(log != tables[match][: len(log)] for match, log in logs.items())
