"""Power cuts: a disk is laid out as it may be after one, then opened and checked.

A run of the writer is recorded once, call by call. After a cut, synced writes are on the disk; of
later writes, any may be missing, and the last one may be torn between two sectors. A created file
exists once its folder was synced. (The model of ALICE, Pillai et al., OSDI 2014, without its
reordering across syncs, which no disk is allowed.)
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

from sqlite_utils.utils import sqlite3

from referee import paths
from referee.store import Damaged, Store
from torture import history, shim
from torture.writer import ACKS

SECTOR = 512


@dataclass
class File:
    """One file: ``held`` is certainly on the disk, ``pending`` may be."""

    held: bytearray = field(default_factory=bytearray)
    pending: list[shim.Op] = field(default_factory=list)
    linked: bool = False  # its name is certainly on the disk


class Report(NamedTuple):
    """How many cuts were tried, how many promises were looked up after them, and the faults."""

    cuts: int
    promises: int
    faults: list[str]


def recorded(folder: Path, seed: int, times: int) -> list[shim.Op]:
    """All changes of files by a run of the writer; raises ``NoCompiler``."""
    watched = folder / "watched"
    watched.mkdir()
    journal = folder / "journal"
    command = [sys.executable, "-m", "torture.writer", str(watched), str(seed), str(times)]
    library = shim.compiled(folder)
    subprocess.run(command, check=True, env=shim.environment(library, watched, journal))
    return list(shim.journal(journal))


def run(folder: Path, seed: int, times: int, cuts: int) -> Report:
    """``cuts`` power cuts at random moments of one run of ``times`` writes."""
    rng = Random(seed)
    ops = recorded(folder, seed, times)
    moments = sorted(rng.choices(range(1, len(ops) + 1), k=cuts))
    faults: list[str] = []
    promises = 0
    for number, (moment, files, acks) in enumerate(_states(ops, moments)):
        place = folder / f"cut{number}"
        place.mkdir()
        _lay_out(place, files, rng)
        kept, wrong = _checked(place, acks)
        promises += kept
        faults += [f"cut {number} after call {moment}: {fault}" for fault in wrong]
        for left in place.iterdir():
            left.unlink()
        place.rmdir()
    return Report(cuts, promises, faults)


def _states(
    ops: list[shim.Op], moments: list[int]
) -> Iterator[tuple[int, dict[str, File], list[str]]]:
    """The files and the promises so far, after each of ``moments`` calls."""
    files: dict[str, File] = {}
    acks: list[str] = []
    done = 0
    for moment in moments:
        for op in ops[done:moment]:
            name = Path(op.path).name
            if name == ACKS:
                acks += op.data.decode().splitlines()
            elif not name.endswith("-shm"):
                _happens(files, op)
        done = moment
        yield moment, files, list(acks)


def _happens(files: dict[str, File], op: shim.Op) -> None:
    match op.what:
        case "C":
            files[op.path] = File()
        case "U":
            # A deletion is durable only when its folder is synced, but SQLite truncates or syncs
            # before it relies on it. A rollback journal that exists again after a power cut is
            # tested by a cut before this call.
            files.pop(op.path, None)
        case "S" if op.path in files:
            file = files[op.path]
            for pending in file.pending:
                _apply(file.held, pending)
            file.pending.clear()
        case "S":
            for path, file in files.items():
                file.linked |= Path(path).parent == Path(op.path)
        case _:
            files.setdefault(op.path, File(linked=True)).pending.append(op)


def _apply(held: bytearray, op: shim.Op) -> None:
    if op.what == "T":
        del held[op.at :]
        held.extend(bytes(op.at - len(held)))
        return
    end = op.at + len(op.data)
    held.extend(bytes(max(0, end - len(held))))
    held[op.at : end] = op.data


def _lay_out(place: Path, files: dict[str, File], rng: Random) -> None:
    """Write ``files`` into ``place`` as a power cut may leave them."""
    for path, file in files.items():
        if not file.linked and rng.random() < 0.5:
            continue
        held = bytearray(file.held)
        luck = rng.choice((0.0, 0.5, 0.9, 1.0))  # from no pending write to all of them
        lost = False
        for op in file.pending:
            if rng.random() >= luck:
                lost = True
                continue
            if op.what == "W" and lost and len(op.data) > SECTOR and rng.random() < 0.5:
                op = op._replace(data=op.data[: SECTOR * rng.randrange(len(op.data) // SECTOR)])
            _apply(held, op)
        (place / Path(path).name).write_bytes(held)


def _checked(place: Path, acks: list[str]) -> tuple[int, list[str]]:
    """How many promises were looked up in ``place`` (0: the file is damaged), and the faults."""
    promised = [json.loads(ack) for ack in acks]
    try:
        store = Store(place / paths.DATABASE)
    except Damaged as fault:
        return 0, [f"the file is damaged: {fault}"]
    try:
        found = history.faults(store, promised)
    finally:
        store.close()
    with closing(sqlite3.connect(place / paths.DATABASE)) as db:
        said = [str(row[0]) for row in db.execute("PRAGMA integrity_check")]
    return len(promised), found + [text for text in said if text != "ok"]
