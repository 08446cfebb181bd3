"""``python -m bench.restore [MEGABYTES]``: how long a backup and a restore of a large file take."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from bench.timing import seconds
from referee.games.simulation import WIDEST
from referee.paths import DATABASE
from referee.store import NewEntry, Store
from referee.upkeep.backup import back_up, restore

ENTRIES = 2000  # a match that is far longer than any evening's


def fill(database: Path, size: int) -> int:
    """Write matches until the file has ``size`` bytes; returns how many entries."""
    store, number = Store(database), 0
    while database.stat().st_size < size:
        match = f"match{number:06}"
        store.open(
            match, f"referee: 1\ngame: {WIDEST}\nseats: A B C D E", ["A", "B", "C", "D", "E"]
        )
        rows = [
            NewEntry(f"A lay {seq % 15 + 1}", f"{match}{seq:05}", "legal", "follow.1", "1")
            for seq in range(ENTRIES)
        ]
        store.append(match, 0, rows)
        number += 1
    store.close()
    return number * ENTRIES


def main(megabytes: int) -> None:
    """Print the seconds; the data lie in a temporary folder, which needs four times the space."""
    with tempfile.TemporaryDirectory() as name:
        database, copy = Path(name) / DATABASE, Path(name) / "copy.db"
        entries = fill(database, megabytes * 1_000_000)
        size = database.stat().st_size / 1e6
        print(f"{size:,.0f} MB, {entries:,} entries", flush=True)
        print(f"backup:  {seconds(lambda: back_up(database, copy)):6.1f} s", flush=True)
        print(f"restore: {seconds(lambda: restore(copy, database)):6.1f} s, checked before")
        with_store = seconds(lambda: Store(database).close())
        print(f"start:   {with_store:6.1f} s, with the check of the file")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
