"""The checker of histories: lost, doubled, reordered, half-applied or invented entries."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from referee.store import Clash, NewEntry, NoSuchMatch, Store

_BATCH = re.compile(r"(?P<batch>\S+ batch \d+) (?P<row>\d+)/(?P<size>\d+)")


def faults(store: Store, promised: Sequence[Sequence[Any]]) -> list[str]:
    """Faults of the store, given the promises to a ``torture.writer``; [] if there are none.

    A promise is ["open", match] or ["entry", match, number, line].
    """
    found: list[str] = []
    matches = {match for what, match, *_rest in promised if what == "open"}
    listed = {row.id for row in store.matches()}
    found += [f"{match} is lost" for match in sorted(matches - listed)]
    for match in sorted(listed):
        found += _of_match(store, match, {p[2]: p[3] for p in promised if p[1] == match and p[2:]})
    return found


def _of_match(store: Store, match: str, expected: dict[int, str]) -> list[str]:
    stored = store.read(match)
    found = []
    if [row.seq for row in stored] != list(range(1, len(stored) + 1)):
        found.append(f"{match}: entries are not numbered one after the other")
    lines = {row.seq: row.line for row in stored}
    for seq, line in expected.items():
        if seq not in lines:
            found.append(f"{match}: entry {seq} is lost")
        elif lines[seq] != line:
            found.append(f"{match}: entry {seq} is {lines[seq]!r}, promised was {line!r}")
    if len(set(lines.values())) != len(lines):
        found.append(f"{match}: an entry is doubled")
    batches: dict[str, list[tuple[int, int]]] = {}
    for line in lines.values():
        marked = _BATCH.fullmatch(line)
        if marked is None:
            found.append(f"{match}: {line!r} was never sent")
            continue
        batches.setdefault(marked["batch"], []).append((int(marked["row"]), int(marked["size"])))
    for name, rows in batches.items():
        if [row for row, _size in rows] != list(range(1, rows[0][1] + 1)):
            found.append(f"{name} is half-applied or out of order: {rows}")
    try:  # checks that the store can still be written
        store.append(match, len(stored), [NewEntry("after", "after", "legal", "-", "-")])
    except (Clash, NoSuchMatch):
        found.append(f"{match}: nothing can be appended")
    return found
