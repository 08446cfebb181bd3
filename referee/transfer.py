"""Matches in and out of the store as record files."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from referee.core.game import Find
from referee.core.record import (
    Grammar,
    Header,
    Record,
    Unreadable,
    nothing,
    parse_header,
    print_header,
    read,
    write,
)
from referee.games import GAMES
from referee.jukugo.decks import Deck, write_deck
from referee.jukugo.library import OPEN
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
    header = parse_header(store.header(match), GAMES, store.shelf.deck)
    return write(header, (entry.line for entry in store.read(match)))


def load(
    source: bytes, lang: str, find: Find = nothing, *, keep_illegal: bool = False
) -> Record:
    """A record that replays; raises ``Unreadable``, and ``NotARecord`` for what does not replay.

    ``find`` looks for the deck and the words that it names.

    ``keep_illegal`` takes entries that the referee calls illegal as they are; they change nothing.
    """
    record = read(source, GAMES, find)
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
    store.add(match, "\n".join(print_header(_shelved(store, record.header))), entries)
    return match


def _shelved(store: Store, header: Header) -> Header:
    """``header``, naming its own deck by the id under which the store has it from now on."""
    deck = getattr(header.kit, "deck", None)
    if not isinstance(deck, Deck) or header.named.get("deck", OPEN) == OPEN:
        return header
    if store.shelf.deck(deck.id) is None:
        store.shelf.keep_deck(deck.id, write_deck(deck), deck.id)
        store.shelf.put_away(deck.id)  # the circle did not ask for it in its list
    return replace(header, named={**header.named, "deck": deck.id})


def file_name(opened: str, header: str, match: str) -> str:
    """A name for the exported file: the day it was opened, the game, the head of the id."""
    game = header.partition("game: ")[2].partition("\n")[0]
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
