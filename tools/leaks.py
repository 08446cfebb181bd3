"""Looks whether onlookers of a table learn what its log does not say, or say later.

Random matches in which people err, undo, correct and object are recorded at random times and
followed with a delay. Whatever an onlooker has heard by then has to be in the log, old enough, and
not undone in the meantime; and what was heard, entered at another table, has to give the table that
the live page shows. ``python -m tools.leaks --seconds 60`` plays as many matches as it can.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random
from typing import NamedTuple

from referee.core.corrections import Rewind
from referee.core.game import Game
from referee.core.generic import Entry
from referee.core.log import Log
from referee.core.record import Grammar, Header
from referee.games import GAMES
from referee.games.simulation import table
from referee.ledger import View
from referee.store import Stored
from referee.web.broadcast.released import Released, released
from tools import laws, pages

DELAYS = (30, 60, 300)
GAPS = (1, 4, 10, 40, 200)
"""Seconds between two entries."""
LOOKS = 8
"""How often the onlooker of a match looks."""
UNDONE = 0.15
"""The chance that an entry is undone, and of an undone one that this is undone in turn."""


class Recorded(NamedTuple):
    """A match with the times of its entries."""

    header: Header
    log: Log
    grammar: Grammar
    stored: list[Stored]

    def view(self, seq: int) -> View:
        """The match as it stood after entry ``seq``."""
        log = Log(self.log.game, self.log.table)
        for entry in self.log.entries[:seq]:
            log.push(entry)
        return View("", self.header, log, self.grammar, seq, log.now)


def recorded(game: Game, number: int, most: int) -> Recorded:
    """Match ``number`` of a game, with ``most`` entries or some more."""
    rng = Random(f"{game.NAME} {number}")
    header = laws.drawn(game, number)
    log = Log(game, table(game, header.seats, **header.options))
    made = pages.erring(game, header, number, most)
    for written in made.entries:
        log.push(written.entry)
        while len(log) > 1 and rng.random() < UNDONE:
            log.push(Rewind(len(log) - 1))
    at, stored = datetime(2026, 1, 1, tzinfo=UTC), list[Stored]()
    for seq in range(1, len(log) + 1):
        at += timedelta(seconds=rng.choice(GAPS))
        stored.append(Stored(seq, "", "", "", "", "", at.isoformat()))
    return Recorded(header, log, Grammar(game, header.seats, header.options), stored)


def leaks(match: Recorded, delay: int, rng: Random) -> Iterator[str]:
    """What the onlooker of ``match`` has learned too early, or wrongly."""
    heard: list[str] = []
    first = datetime.fromisoformat(match.stored[0].at)
    length = datetime.fromisoformat(match.stored[-1].at) - first + timedelta(seconds=delay)
    for now in sorted(first + rng.random() * length for _ in range(LOOKS)):
        there = [row for row in match.stored if datetime.fromisoformat(row.at) <= now]
        known = released(match.view(len(there)), there, delay, now)
        for row in known.feed(len(heard)):
            if row.again:
                heard[row.number - 1] = row.line
            else:
                heard.append(row.line)
        yield from _untrue(match, heard, delay, now)
        yield from _hidden(match, known, there, delay)
        again = _entered(match, heard)
        if _shown(again, again.now) != _shown(known.whole.log, known.view.moment):
            yield f"entry {known.last} at {now}: the feed and the page show different tables"
        text = _entered(match, list(known.lines()))
        if _shown(text, text.now) != _shown(known.whole.log, known.view.moment):
            yield f"entry {known.last} at {now}: the record and the page show different tables"


def _untrue(match: Recorded, heard: Sequence[str], delay: int, now: datetime) -> Iterator[str]:
    for seq, line in enumerate(heard, 1):
        if line not in (match.grammar.print(match.log.entries[seq - 1]), f"table rewind {seq - 1}"):
            yield f"entry {seq} was heard as {line}"
        if datetime.fromisoformat(match.stored[seq - 1].at) + timedelta(seconds=delay) > now:
            yield f"entry {seq} was heard too early"


def _hidden(match: Recorded, known: Released, there: Sequence[Stored], delay: int) -> Iterator[str]:
    """Entries that were undone when their time came, and are said without being in force again."""
    log = known.whole.log
    times = [datetime.fromisoformat(row.at) for row in there]
    for seq, line in enumerate(known.lines(), 1):
        due = times[seq - 1] + timedelta(seconds=delay)
        then = sum(at <= due for at in times)
        if seq in log.in_force(log.moments[then]) or line == f"table rewind {seq - 1}":
            continue
        later = range(then, len(there) + 1)
        if not any(seq in log.in_force(log.moments[each]) for each in later):
            yield f"entry {seq}, undone before it was due, is said: {line}"


def _entered(match: Recorded, lines: Sequence[str]) -> Log:
    """The match that these lines make."""
    log = Log(match.log.game, match.log.table)
    grammar = Grammar(match.log.game, match.header.seats, match.header.options)
    for line in lines:
        entry: Entry = grammar.parse(line)
        grammar.hear(entry)
        log.push(entry)
    return log


def _shown(log: Log, moment: object) -> tuple[object, ...]:
    state = log.state_at(moment)  # type: ignore[arg-type]
    game = log.game
    return game.score(state).totals, game.to_act(state), game.public(state), game.outcome(state)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.leaks")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--entries", type=int, default=30)
    wanted = parser.parse_args()
    until, entries = time.monotonic() + wanted.seconds, 0
    for number in count():
        if time.monotonic() > until:
            break
        game = GAMES[list(GAMES)[number % len(GAMES)]]
        match = recorded(game, number, wanted.entries)
        entries += len(match.log)
        for fault in leaks(match, DELAYS[number % len(DELAYS)], Random(number)):
            print(f"{game.NAME}, match {number}: {fault}")
            return 1
    print(f"{number:,} matches, {entries:,} entries: nothing that the log does not say.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
