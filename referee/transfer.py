"""Matches in and out of the store as record files."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from referee.core.record import Grammar, Record, Unreadable, parse_header, print_header, read, write
from referee.games import GAMES
from referee.report import replay, report
from referee.store import NewEntry, Store
from referee.telling import word


class Fault(NamedTuple):
    """Why a file was not taken: its line (1-based) and a sentence."""

    line: int
    text: str


class NotARecord(Exception):
    """A file that can't be imported, with everything that stands against it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(faults)
        self.faults = faults


def export(store: Store, match: str) -> str:
    """The record of a match; raises ``NoSuchMatch``."""
    header = parse_header(store.header(match), GAMES)
    return write(header, (entry.line for entry in store.read(match)))


def load(source: bytes, lang: str, *, keep_illegal: bool = False) -> Record:
    """A record that replays; raises ``Unreadable``, and ``NotARecord`` for what does not replay.

    ``keep_illegal`` takes entries that the referee calls illegal as they are; they change nothing.
    """
    record = read(source, GAMES)
    if not isinstance(record, Record):
        raise Unreadable("read_tally_import", line=2)
    if not keep_illegal:
        rows = report(record, lang)["entries"]
        faults = [
            Fault(written.line, f"{row['text']}: {row['says']} ({row['clause']})")
            for written, row in zip(record.entries, rows, strict=True)
            if row["verdict"] == "illegal" and "ruled" not in row
        ]
        if faults:
            raise NotARecord(faults)
    return record


def add(store: Store, record: Record) -> str:
    """Store a record as a new match, whole or not at all; returns the match's id."""
    log, match = replay(record), secrets.token_urlsafe(16)
    grammar = Grammar(log.game, record.header.seats)
    entries = [
        NewEntry(
            grammar.print(written.entry),
            f"import-{seq}",
            word(log.moments[seq].verdict),
            log.moments[seq].verdict.clause,
            log.game.VERSION,
        )
        for seq, written in enumerate(record.entries, 1)
    ]
    store.add(match, "\n".join(print_header(record.header)), entries)
    return match


def file_name(opened: str, header: str, match: str) -> str:
    """A name for the exported file: the day it was opened, the game, the head of the id."""
    game = parse_header(header, GAMES).game
    return f"{opened[:10]}-{game}-{match[:8]}.txt"


def export_all(store: Store, folder: Path) -> list[Path]:
    """Every match as a file in ``folder``, those opened last first."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for listed in store.matches():
        path = folder / file_name(listed.opened, listed.header, listed.id)
        path.write_text(export(store, listed.id), encoding="utf-8")
        paths.append(path)
    return paths
