"""Disk full and I/O errors at every call that changes a file, one run for each call.

``python -m torture.faults FOLDER`` must run with the shim loaded; ``run`` starts it so.
Each fault hits one play of a real match: it must be refused as a whole or stand as a whole, the
ledger must say so, and the same play sent again must stand exactly once.
"""

from __future__ import annotations

import ctypes
import errno
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from referee import paths
from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.ledger import Ledger
from referee.store import Store, Unavailable
from torture import shim

LINES = ("table deal leader=A", "A lay 7", "B lay 3", "C lay 9", "D lay 1", "E lay 10")
KINDS = ("W", "S", "T", "C")  # write, sync, truncate, create
ERRORS = (errno.ENOSPC, errno.EIO)


class Report(NamedTuple):
    """How many calls were made to fail, and what went wrong."""

    calls: int
    faults: list[str]


def run(folder: Path, *, deepest: int) -> Report:
    """Let the first, second … ``deepest``-th call of each kind fail; raises ``NoCompiler``."""
    watched = folder / "watched"
    watched.mkdir()
    environment = shim.environment(shim.compiled(folder), watched)
    command = [sys.executable, "-m", "torture.faults", str(watched), str(deepest)]
    done = subprocess.run(command, check=True, env=environment, capture_output=True, text=True)
    return Report(*json.loads(done.stdout))


def main(folder: Path, deepest: int) -> None:
    """Print the number of calls that failed, and the faults, as JSON for ``run``."""
    library = ctypes.CDLL(None)
    library.torture_calls.restype = ctypes.c_long
    tried, faults = 0, list[str]()
    for number, (kind, error, after, forever) in enumerate(_plans(deepest)):
        place = folder / str(number)
        place.mkdir()
        hits, wrong = _one(library, place, kind, error, after, forever)
        tried += hits
        plan = f"{errno.errorcode[error]} at call {after} of kind {kind}"
        faults += [f"{plan}{' and later' * forever}: {text}" for text in wrong]
    print(json.dumps([tried, faults]))


def _plans(deepest: int) -> Iterator[tuple[str, int, int, bool]]:
    """(kind, error, calls that succeed before, whether all later calls fail, too)."""
    for kind in KINDS:
        for error in ERRORS:
            for after in range(deepest):
                yield kind, error, after, False
            yield kind, error, 0, True


def _one(
    library: ctypes.CDLL, place: Path, kind: str, error: int, after: int, forever: bool
) -> tuple[bool, list[str]]:
    """Whether the planned call occurred, and the faults found."""
    ledger = Ledger(Store(place / paths.DATABASE))
    view = ledger.open(Header(WIDEST, ("A", "B", "C", "D", "E")))
    found: list[str] = []
    hit = False
    library.torture_fail(kind.encode()[0], after, error, forever)
    for seen, line in enumerate(LINES):
        key = f"key-{seen:04}"
        try:
            answer = ledger.declare(view.match, line, seen, key)
        except Unavailable:
            hit = True
            if ledger.view(view.match).seq > seen:
                found.append(f"{line!r} was refused and stands")
            library.torture_fail(0, -1, 0, False)
            answer = ledger.declare(view.match, line, seen, key)
        if answer.seq != seen + 1:
            found.append(f"{line!r} sent again has number {answer.seq}, not {seen + 1}")
    library.torture_fail(0, -1, 0, False)
    ledger.store.close()
    store = Store(place / paths.DATABASE)
    lines = tuple(row.line for row in store.read(view.match))
    if lines != LINES:
        found.append(f"in the end the log is {lines}")
    store.close()
    return hit, found


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
