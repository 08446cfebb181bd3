"""Looks whether onlookers of a table learn what its log does not say, or say later.

Random matches in which people err, undo, correct and object are recorded at random times and
followed with a delay. Whatever an onlooker has heard by then has to be in the log, old enough, and
not undone in the meantime; and what was heard, entered at another table, has to give the table that
the live page shows. ``python -m tools.leaks --matches 100000`` plays them in turns of all games;
``--first 100000`` goes on after them.
"""

from __future__ import annotations

import argparse
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from random import Random

from referee.core.corrections import Rewind
from referee.core.game import Game
from referee.core.log import Log
from referee.core.record import Grammar, Header
from referee.games import GAMES
from referee.games.simulation import table
from referee.kit import shipped
from referee.ledger import View
from referee.store import Stored
from referee.web.broadcast.released import released
from tools import laws, pages

ALL: tuple[Game, ...] = (*GAMES.values(), *shipped.games().values())
DELAYS = (30, 60, 300)
GAPS = (1, 4, 10, 40, 200)
"""Seconds between two entries."""
LOOKS = 8
"""How often the onlooker of a match looks."""
UNDONE = 0.15
"""The chance that an entry is undone, and of an undone one that this is undone in turn."""


class Recorded:
    """A match: its entries with their lines, the time of each, and what was in force after each."""

    def __init__(self, header: Header, log: Log, times: list[datetime]) -> None:
        self.header, self.log, self.times = header, log, times
        self.grammar = Grammar(log.game, header.seats, header.options)
        self.lines = [self.grammar.print(entry) for entry in log.entries]
        self.in_force = [log.in_force(moment) for moment in log.moments]
        self.stored = [
            Stored(seq, "", "", "", "", "", at.isoformat()) for seq, at in enumerate(times, 1)
        ]

    def view(self, seq: int) -> View:
        """The match as it stood after entry ``seq``; the log has no later ones."""
        log = Log(self.log.game, self.log.table)
        for number, entry in enumerate(self.log.entries[:seq], 1):
            log.push(entry, self.log.moment(number))
        return View("", self.header, log, self.grammar, seq, log.now)


class Retold:
    """Another table, at which somebody enters the lines that were heard."""

    def __init__(self, match: Recorded) -> None:
        self._match, self._lines = match, list[str]()
        self.log = Log(match.log.game, match.log.table)

    def enter(self, lines: Sequence[str]) -> None:
        """Make the table that of ``lines``: from the start, if they don't only go on."""
        if list(lines[: len(self._lines)]) != self._lines:
            self._lines, self.log = [], Log(self.log.game, self.log.table)
        grammar = self._match.grammar
        for line in lines[len(self._lines) :]:
            entry = grammar.parse(line)
            grammar.hear(entry)
            self.log.push(entry)
        self._lines = list(lines)


def recorded(game: Game, number: int, most: int) -> Recorded:
    """Match ``number`` of a game, with ``most`` entries or some more."""
    rng = Random(f"{game.NAME} {number}")
    header = laws.drawn(game, number)
    log = Log(game, table(game, header.seats, **header.options))
    while len(log) < most:
        log.push(pages.erring_entry(log, rng))
        while len(log) > 1 and rng.random() < UNDONE:
            log.push(Rewind(len(log) - 1))
    at, times = datetime(2026, 1, 1, tzinfo=UTC), list[datetime]()
    for _ in log.entries:
        at += timedelta(seconds=rng.choice(GAPS))
        times.append(at)
    return Recorded(pages.with_file(game, header), log, times)


def leaks(match: Recorded, delay: int, rng: Random) -> Iterator[str]:
    """What the onlooker of ``match`` has learned too early, or wrongly."""
    heard, late = list[str](), timedelta(seconds=delay)
    listener, reader = Retold(match), Retold(match)
    first = match.times[0]
    length = match.times[-1] - first + late
    for now in sorted(first + rng.random() * length for _ in range(LOOKS)):
        there = bisect_right(match.times, now)
        known = released(match.view(there), match.stored[:there], delay, now)
        for row in known.feed(len(heard)):
            if row.again:
                heard[row.number - 1] = row.line
            else:
                heard.append(row.line)
        text = list(known.lines())
        yield from _untrue(match, heard, late, now)
        yield from _hidden(match, text, there, late)
        listener.enter(heard)
        reader.enter(text)
        shown = _shown(known.whole.log, known.view)
        for told, log in (("feed", listener.log), ("record", reader.log)):
            if _shown(log, log) != shown:
                yield f"entry {known.last} at {now}: the {told} and the page show different tables"


def _untrue(match: Recorded, heard: Sequence[str], late: timedelta, now: datetime) -> Iterator[str]:
    for seq, line in enumerate(heard, 1):
        if line not in (match.lines[seq - 1], f"table rewind {seq - 1}"):
            yield f"entry {seq} was heard as {line}"
        if match.times[seq - 1] + late > now:
            yield f"entry {seq} was heard too early"


def _hidden(match: Recorded, text: Sequence[str], there: int, late: timedelta) -> Iterator[str]:
    """Entries that were undone when their time came, and are said without being in force again."""
    for seq, line in enumerate(text, 1):
        then = bisect_right(match.times, match.times[seq - 1] + late, hi=there)
        if line == f"table rewind {seq - 1}":
            continue
        if not any(seq in match.in_force[each] for each in range(then, there + 1)):
            yield f"entry {seq}, undone before it was due, is said: {line}"


def _shown(log: Log, at: Log | View) -> tuple[object, ...]:
    game, state = log.game, at.state
    return game.score(state).totals, game.to_act(state), game.public(state), game.outcome(state)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.leaks")
    parser.add_argument("--matches", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--entries", type=int, default=20)
    wanted = parser.parse_args()
    entries = faults = 0
    for number in range(wanted.first, wanted.first + wanted.matches):
        game = ALL[number % len(ALL)]
        match = recorded(game, number, wanted.entries)
        entries += len(match.times)
        for fault in leaks(match, DELAYS[number % len(DELAYS)], Random(number)):
            print(f"{game.NAME}, match {number}: {fault}", flush=True)
            faults += 1
    print(f"{wanted.matches:,} matches, {entries:,} entries: {faults} faults.")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
