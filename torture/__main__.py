"""``python -m torture [--kills N] [--unrest N] [--incidents N] [--cuts N] [--calls N] [--inputs N]
[--requests N] [--seed N]``

``python -m torture --database postgresql [--kills N] [--servers N]``: only the kills, on a
PostgreSQL that is started for it; every fifth kill is of the PostgreSQL server.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

from tests import cluster
from torture import cuts, faults, fuzz, kills, real_life, shim, unrest, visitors

WRITES = 400  # appends in each run whose power is cut
CUTS_A_RUN = 100
PLAYTHROUGHS = Path(__file__).parent.parent / "tests" / "games"


def main() -> int:
    """Print what was tried and found; 1 if anything was lost, doubled, reordered or torn."""
    parser = argparse.ArgumentParser(prog="torture", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="kill -9 of a server in use")
    parser.add_argument(
        "--unrest",
        type=int,
        default=40,
        help="rounds of play during hostile uploads with a ceiling of memory, exports, imports,"
        " clock jumps, the removal of a guest who listens, and files of a newer program; half of"
        " them end with SIGTERM, the others with kill -9",
    )
    parser.add_argument(
        "--incidents",
        type=int,
        default=len(real_life.INCIDENTS),
        help="of real life: another port, a full disk, a new certificate, a login page, a phone's"
        " clock, the server's zone, the data file alone, a VPN; at most",
    )
    parser.add_argument("--cuts", type=int, default=5000, help="simulated power cuts")
    parser.add_argument("--calls", type=int, default=60, help="how deep calls to the disk fail")
    parser.add_argument(
        "--inputs", type=int, default=1_000_000, help="bad lines, every sixteenth a bad record"
    )
    parser.add_argument(
        "--requests", type=int, default=200_000, help="bad requests to every route in every role"
    )
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--servers", type=int, default=1, help="several: on PostgreSQL alone")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    args = parser.parse_args()
    if args.servers > 1 and args.database == "sqlite":
        parser.error("several servers need --database postgresql")
    print(f"seed {args.seed}", flush=True)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if args.database == "sqlite":
            wrong += _file(folder, args)
            wrong += _incidents(folder, args.incidents)
            wrong += _unrest(folder, args.unrest, args.seed)
            wrong += _kills(folder, args.kills, args.seed)
        else:
            wrong += _kills_on_postgresql(folder, args.kills, args.seed, args.servers)
    for text in wrong:
        print(f"  !! {text}")
    print(f"faults found: {len(wrong)}")
    return 1 if wrong else 0


def _file(folder: Path, args: argparse.Namespace) -> list[str]:
    """Faults of the file, and of the referee without a server."""
    wrong: list[str] = []
    try:
        wrong += _cuts(folder, args.cuts, args.seed)
        wrong += _faults(folder, args.calls)
    except shim.NoCompiler as fault:
        print(f"power cuts and failing disks were not tried: {fault}")
    return wrong + _fuzz(folder, args.inputs, args.requests, args.seed)


def _cuts(folder: Path, wanted: int, seed: int) -> list[str]:
    promises, wrong = 0, list[str]()
    for number, first in enumerate(range(0, wanted, CUTS_A_RUN)):
        place = folder / f"cuts{number}"
        place.mkdir()
        report = cuts.run(place, seed + number, WRITES, min(CUTS_A_RUN, wanted - first))
        promises += report.promises
        wrong += report.faults
    print(
        f"power cuts: {wanted}; promises looked up after them: {promises:,}; faults: {len(wrong)}"
    )
    return wrong


def _faults(folder: Path, deepest: int) -> list[str]:
    place = folder / "faults"
    place.mkdir()
    report = faults.run(place, deepest=deepest)
    print(f"calls that failed (disk full, I/O error): {report.calls}; faults: {len(report.faults)}")
    return report.faults


def _fuzz(folder: Path, wanted: int, requests: int, seed: int) -> list[str]:
    """The faults found with bad input. Most of it are lines: they are fast, and records consist of
    them.
    """
    place = folder / "fuzz"
    place.mkdir()
    seeds = fuzz.seeds(PLAYTHROUGHS)
    tried: dict[str, Callable[[], fuzz.Report | visitors.Report]] = {
        "lines": lambda: fuzz.lines(seeds, wanted * 15 // 16, seed),
        "records": lambda: fuzz.records(seeds, wanted // 16, seed),
        "requests": lambda: visitors.requests(place, requests, seed),
    }
    faults: list[str] = []
    for what, attempt in tried.items():
        report = attempt()
        taken = f"{report.taken:,} of them taken"
        print(f"bad {what}: {report.inputs:,}, {taken}; faults: {len(report.faults)}", flush=True)
        faults += report.faults
    return faults


def _incidents(folder: Path, wanted: int) -> list[str]:
    place = folder / "incidents"
    place.mkdir()
    report = real_life.run(place, real_life.INCIDENTS[:wanted])
    for skipped in report.skipped:
        print(f"not tried: {skipped}")
    if report.tried:
        print(f"incidents: {', '.join(report.tried)}; faults: {len(report.faults)}", flush=True)
    return report.faults


def _unrest(folder: Path, wanted: int, seed: int) -> list[str]:
    if not wanted:
        return []
    place = folder / "unrest"
    place.mkdir()
    try:
        report = unrest.run(place, wanted, seed)
    except shim.NoCompiler as fault:
        print(f"unrest was not tried: {fault}")
        return []
    print(
        f"unrest: {report.rounds} rounds, {report.ended} of them ended by SIGTERM,"
        f" {report.refused} begun on a newer program's file; files sent: {report.files};"
        f" clock jumps: {report.jumps}; plays acknowledged: {report.promises:,};"
        f" faults: {len(report.faults)}",
        flush=True,
    )
    return report.faults


def _kills(folder: Path, wanted: int, seed: int) -> list[str]:
    busy, place = wanted // 5, folder / "busy"
    wrong = _lines(kills.run(folder, wanted - busy, seed, _counting(wanted)))
    if busy:
        place.mkdir()
        print("the last ones while files come in and go out:")
        wrong += _lines(kills.run(place, busy, seed, _counting(wanted), traffic=unrest.traffic))
    return wrong


def _kills_on_postgresql(folder: Path, wanted: int, seed: int, servers: int) -> list[str]:
    with cluster.running(durable=True) as server:
        ways = cycle((server.kill, server.kill_one, server.crash))

        def fell() -> None:
            next(ways)()
            server.start()

        report = kills.run(
            folder,
            wanted,
            seed,
            _counting(wanted),
            database=server.address(),
            servers=servers,
            fell=fell,
        )
    return _lines(report)


def _counting(wanted: int) -> Callable[[int], None]:
    def done(count: int) -> None:
        if count % 100 == 0:  # shows that it is still running
            print(f"{count} of {wanted} kills", file=sys.stderr, flush=True)

    return done


def _lines(report: kills.Report) -> list[str]:
    fell = f", {report.fallen} of the database server" if report.fallen else ""
    print(
        f"kills: {report.kills}, {report.starting} of them while it started{fell};"
        f" plays acknowledged: {report.promises:,}; sent again after no answer: {report.resent:,};"
        f" standing in {report.matches} matches: {report.entries:,};"
        f" slowest answer: {report.slowest:.1f} s; faults: {len(report.faults)}"
    )
    return report.faults


if __name__ == "__main__":
    raise SystemExit(main())
