"""``python -m torture.writer FOLDER SEED TIMES``: writes matches, and logs what was acknowledged.

Every line names its batch, so that a checker knows which lines belong together. Acknowledged
appends are added to ``acks`` in the same folder, a JSON list per line.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from random import Random

from referee import paths
from referee.store import NewEntry, Store

ACKS = "acks"


def batch(match: str, number: int, size: int) -> list[NewEntry]:
    """The entries of the append with this number, which occurs once: so no two lines are equal."""
    rows = range(1, size + 1)
    lines = [f"{match} batch {number} {row}/{size}" for row in rows]
    return [NewEntry(line, f"key {line}", "legal", "-", "-") for line in lines]


def main(folder: Path, seed: int, times: int) -> None:
    rng = Random(seed)
    acks = os.open(folder / ACKS, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    store = Store(folder / paths.DATABASE)
    matches: list[str] = []
    lengths: dict[str, int] = {}
    for number in range(times):
        if len(matches) < 3 or rng.random() < 0.02:
            match = f"match{len(matches)}"
            matches.append(match)
            lengths[match] = 0
            store.open(match, f"game: any\nnote: {match}\n", ["A", "B"])
            os.write(acks, f"{json.dumps(['open', match])}\n".encode())
            continue
        match = rng.choice(matches)
        entries = batch(match, number, rng.choice((1, 1, 1, 2, 3)))
        store.append(match, lengths[match], entries)
        for entry in entries:
            lengths[match] += 1
            said = ["entry", match, lengths[match], entry.line]
            os.write(acks, f"{json.dumps(said)}\n".encode())
    store.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
