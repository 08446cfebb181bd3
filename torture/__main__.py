"""``python -m torture [--kills N] [--servers N] [--cuts N] [--calls N] [--inputs N] [--seed N]``"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests import cluster
from torture import cuts, faults, fuzz, kills, shim

WRITES = 400  # appends in each run whose power is cut
CUTS_A_RUN = 100
PLAYTHROUGHS = Path(__file__).parent.parent / "tests" / "playthroughs"


def main() -> int:
    """Print what was tried and found; 1 if anything was lost, doubled, reordered or torn."""
    parser = argparse.ArgumentParser(prog="torture", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="kill -9 of a server that is used")
    parser.add_argument("--cuts", type=int, default=5000, help="power cuts")
    parser.add_argument("--calls", type=int, default=60, help="how deep calls are made to fail")
    parser.add_argument("--inputs", type=int, default=1_000_000, help="lines, records, requests")
    parser.add_argument(
        "--servers", type=int, default=1, help="several: on a PostgreSQL that falls, too"
    )
    parser.add_argument("--seed", type=int, default=int(time.time()))
    wish = parser.parse_args()
    print(f"seed {wish.seed}", flush=True)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            wrong += _cuts(folder, wish.cuts, wish.seed)
            wrong += _faults(folder, wish.calls)
        except shim.NoCompiler as fault:
            print(f"power cuts and failing disks were not tried: {fault}")
        wrong += _fuzz(folder, wish.inputs, wish.seed)
        wrong += _kills(folder, wish.kills, wish.seed, wish.servers)
    for text in wrong:
        print(f"  !! {text}")
    print(f"faults found: {len(wrong)}")
    return 1 if wrong else 0


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


def _fuzz(folder: Path, wanted: int, seed: int) -> list[str]:
    """Most of them lines: they cost least, and all that people send is made of them."""
    place = folder / "fuzz"
    place.mkdir()
    seeds = fuzz.seeds(PLAYTHROUGHS)
    tried: dict[str, Callable[[], fuzz.Report]] = {
        "lines": lambda: fuzz.lines(seeds, wanted * 90 // 100, seed),
        "records": lambda: fuzz.records(seeds, wanted * 6 // 100, seed),
        "requests": lambda: fuzz.requests(place, wanted * 4 // 100, seed),
    }
    faults: list[str] = []
    for what, attempt in tried.items():
        report = attempt()
        taken = f"{report.taken:,} of them taken"
        print(f"bad {what}: {report.inputs:,}, {taken}; faults: {len(report.faults)}", flush=True)
        faults += report.faults
    return faults


def _kills(folder: Path, wanted: int, seed: int, servers: int) -> list[str]:
    place = folder / "kills"
    place.mkdir()

    def done(count: int) -> None:
        if count % 100 == 0:  # an hour is long without a word
            print(f"{count} of {wanted} kills", file=sys.stderr, flush=True)

    if servers == 1:
        report = kills.run(place, wanted, seed, done)
    else:
        with cluster.running(durable=True) as server:

            def fell() -> None:
                server.crash()
                server.start()

            report = kills.run(
                place, wanted, seed, done, database=server.address(), servers=servers, fell=fell
            )
    print(
        f"kills: {report.kills}, {report.starting} of them while it started;"
        f" plays acknowledged: {report.promises:,}; sent again after no answer: {report.resent:,};"
        f" standing in {report.matches} matches: {report.entries:,};"
        f" slowest answer: {report.slowest:.1f} s; faults: {len(report.faults)}"
    )
    return report.faults


if __name__ == "__main__":
    raise SystemExit(main())
