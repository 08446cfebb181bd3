"""Opens every page about every entry of matches in which people err, and meets no error.

The matches have refused entries, which are kept, corrections of every kind, objections and undone
entries. ``make soak PAGES=100`` plays a hundred of each game and opens their pages; ``python -m
tools.soak --records FILE…`` opens those of records.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from urllib.parse import quote

from flask import Flask
from flask.testing import FlaskClient

from referee.app import create_app
from referee.core.corrections import Contest, Decide, Rewind, Vote
from referee.core.game import Find, Game
from referee.core.generic import Entry
from referee.core.log import Log
from referee.core.record import FILE_KEY, Grammar, Header, Record, nothing, read, write
from referee.core.sheets import Stop
from referee.core.steps import steps
from referee.core.verdict import Illegal
from referee.games import GAMES
from referee.games.simulation import table
from referee.history import records
from referee.kit.game import KitGame
from referee.kit.shipped import beside
from referee.store import Circles
from tools import laws

LANGUAGES = ("ja", "en")
LOOKED_AT = 60  # candidates among which the next play is chosen
ERRS = 0.3  # the chance of an entry that is no good play
OF_MATCH = ("", "/log", "/score", "/result", "/card.svg", "/menu", "/seats", "/record.txt")
AROUND = ("/", "/history", "/history/people", "/decisions", "/people")


def erring(game: Game, header: Header, seed: int, most: int) -> Record:
    """The record of a match of ``most`` entries in which people err."""
    rng = Random(f"{game.NAME} {seed}")
    log = Log(game, table(game, header.seats, **header.options))
    while len(log) < most:
        log.push(erring_entry(log, rng))
    grammar = Grammar(game, header.seats)
    text = write(with_file(game, header), map(grammar.print, log.entries))
    found = read(text.encode(), GAMES, nothing, beside)
    assert isinstance(found, Record)
    return found


def with_file(game: Game, header: Header) -> Header:
    """``header`` as records have it: it names the file of a game that has one."""
    if not isinstance(game, KitGame):
        return header
    return replace(header, game=game.KEY, named={FILE_KEY: game.hash})


def erring_entry(log: Log, rng: Random) -> Entry:
    """What people enter next, who err now and then."""
    plays = [step.seq for step in log.steps()]
    if plays and rng.random() < ERRS:
        return _slip(log, rng, plays)
    likely = list(islice(log.game.candidates(log.state), LOOKED_AT))
    rng.shuffle(likely)
    legal = (play for play in likely if not isinstance(log.game.judge(log.state, play), Illegal))
    found: Entry = next(legal, None) or (rng.choice(likely) if likely else Stop())
    return found


def _slip(log: Log, rng: Random, plays: list[int]) -> Entry:
    """A play that was made before, a correction, an objection, an undone entry."""
    number, seat = rng.choice(plays), rng.choice(log.table.seats)
    choice = rng.random()
    if choice < 0.3:
        likely = list(islice(log.game.candidates(log.state), LOOKED_AT))
        return rng.choice([*likely, *(step.play for step in log.steps())])
    if choice < 0.8:
        return rng.choice([*laws.corrections(log, number, rng)])
    if choice < 0.85:
        return Rewind(rng.randrange(len(log)))
    open_ = [each.seq for each in log.open_contests()]
    if not open_ or choice < 0.9:
        return Contest(seat, number, rng.choice((None, rng.choice(log.steps()).play)))
    if choice < 0.95:
        return Vote(seat, open_[0], rng.random() < 0.8)
    return Decide(open_[0], rng.random() < 0.5)


class Reader:
    """A phone that reads, on an empty database."""

    def __init__(self, folder: Path) -> None:
        self.app: Flask = create_app(folder, TESTING=True)
        self.client: FlaskClient = self.app.test_client()
        self.client.get("/")  # founds the group
        self.store = self.app.extensions["ledger"].store
        self.opened = 0

    def take_in(self, record: Record) -> str:
        return records.add(self.store, record, Circles(self.store).only())

    def faults(self, match: str) -> Iterator[str]:
        """What goes wrong on the pages of ``match``, and on those around it, by turns in both
        languages.
        """
        view = self.app.extensions["ledger"].view(match)
        deals = range(1, view.state.deal + 1)
        paths = [f"/t/{match}{path}" for path in OF_MATCH]
        paths += [f"/t/{match}/review/{deal}" for deal in deals]
        paths += [*AROUND, *self.of_entries(match)]
        for number, path in enumerate(paths):
            both = "?" not in path  # a page of an entry, of the match, or around it
            for lang in LANGUAGES if both else (LANGUAGES[number % 2],):
                yield from self._fault(path, lang)

    def of_entries(self, match: str) -> Iterator[str]:
        """The pages of each entry, of its corrections, and of what could have been played."""
        view = self.app.extensions["ledger"].view(match)
        log, rng = view.log, Random(match)
        played = {step.seq: step for step in steps(view.moment.step)}
        for seq in range(1, len(log) + 1):
            yield f"/t/{match}/e/{seq}"
            for do in ("amend", "insert", "strike", "rewind", "rule", "void"):
                yield f"/t/{match}/correct/{seq}?do={do}"
            if seq not in played:
                continue
            yield f"/t/{match}/what-if/{seq}"
            yield f"/t/{match}/contest/{seq}"
            likely = list(islice(log.game.candidates(log.before(played[seq])), LOOKED_AT))
            for play in [played[seq].play, *rng.sample(likely, min(2, len(likely)))]:
                line = quote(view.grammar.print(play))
                yield f"/t/{match}/correct/{seq}?do=amend&line={line}"
                yield f"/t/{match}/what-if/{seq}?line={line}"
            yield f"/t/{match}/correct/{seq}?do=insert&line={line}"

    def _fault(self, path: str, lang: str) -> Iterator[str]:
        self.opened += 1
        self.client.set_cookie("lang", lang)
        try:
            status = self.client.get(path).status_code
        except Exception:  # any exception of a page is a fault to report
            yield f"{path} in {lang}: {traceback.format_exc()}"
            return
        # 404: there is no review of a deal that is running
        if status >= 500:
            yield f"{path} in {lang}: {status}"


def of_records(files: Iterable[Path]) -> bool:
    """Open the pages of the records in ``files``; returns whether all are right."""
    logging.disable(logging.CRITICAL)
    right = True
    for file in files:
        record = records.load(file.read_bytes(), "en", _beside(file), keep_illegal=True)
        right = _opened(record, file.stem) and right
    return right


def _beside(file: Path) -> Find:
    def find(name: str) -> str | None:
        other = file.with_name(name)
        return other.read_text(encoding="utf-8") if other.is_file() else None

    return find


def _opened(record: Record, named: str) -> bool:
    """Print what goes wrong on the pages of ``record``; returns whether nothing does."""
    with TemporaryDirectory() as folder:
        reader = Reader(Path(folder))
        faults = list(reader.faults(reader.take_in(record)))
        reader.store.close()
    for fault in faults:
        print(f"{named}: {fault}", flush=True)
    print(f"{named}: {reader.opened:,} pages opened.", flush=True)
    return not faults


def soak(game: Game, matches: int, entries: int = 30) -> bool:
    """Open the pages of ``matches`` matches; returns whether all are right."""
    logging.disable(logging.CRITICAL)
    right = True
    for number in range(matches):
        record = erring(game, laws.drawn(game, number), number, entries)
        right = _opened(record, f"{game.NAME}, match {number}") and right
    return right
