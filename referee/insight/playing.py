"""Simulates many matches of one game, each with its own seed, on several processors.

Every player sees its own hand and the table. Match ``number`` does not depend on the other matches,
so a report depends on its seed alone and not on the number of processes.
"""

from __future__ import annotations

import concurrent.futures
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple, TypeAlias

from referee.core.game import Game, Line, ScoreSheet, Table
from referee.core.generic import GameState, P, Play
from referee.core.log import Log
from referee.core.sheets import TableSheet, stopped
from referee.core.verdict import Outcome, Seat
from referee.core.written import whole
from referee.games import GAMES, simulation
from referee.games.simulation import ahead, player, room_of
from referee.kit.beside import loaded

PLAYERS = ("random", "ahead")
CHUNK = 25  # matches that a process plays before it reports
LONGEST = 5_000  # entries after which a match is cut short, if nothing else is said


class Plan(NamedTuple):
    """What is simulated. ``players``: one of ``PLAYERS`` for each seat.

    ``given``: points that each place in the first playing order gets as a bonus, to test whether
    the statistics find it. ``file``: the text of the game file if the game is none of ``GAMES``.
    """

    game: str
    seats: int
    players: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    seed: int = 0
    longest: int = LONGEST
    given: tuple[int, ...] = ()
    file: str = ""

    @property
    def rules(self) -> Game:
        """The game that is played."""
        return loaded(self.file) if self.file else GAMES[self.game]


class Result(NamedTuple):
    """The result of a match. Points, wins and losses are by place in the first playing order.

    ``leads``: how often another seat came to lead alone, None if points are counted only once.
    ``chances``: how often a seat had a choice, ``forced``: how often it had none. ``first``: index
    of the seat that began. ``over``: False if the match was cut short. ``shared``: several players
    or teams won.
    """

    number: int
    first: int
    plays: int
    points: tuple[int, ...]
    wins: tuple[float, ...]
    lost: tuple[bool, ...]
    leads: int | None
    chances: int
    forced: int
    over: bool
    shared: bool


class Batch(NamedTuple):
    """Matches, the clauses of their plays, scores and ends, and the house rules that were read."""

    results: tuple[Result, ...]
    clauses: Counter[str]
    asked: frozenset[str]


@dataclass(frozen=True, slots=True)
class Watched(Table):
    """A table that remembers which of its house rules were read."""

    asked: set[str] = field(default_factory=set, compare=False)

    def option(self, key: str) -> str:
        self.asked.add(key)
        return self.in_force[key]


class SimulatedMatch:
    """A match as players need it: only its present state."""

    def __init__(self, game: Game, table: Table, start: GameState) -> None:
        self.game, self.table, self.start, self.state = game, table, start, start


class Chooser:
    """Chooses for every seat as its player would, and counts when there is no choice."""

    def __init__(
        self, game: Game, players: Sequence[str], seats: Sequence[Seat], rng: Random
    ) -> None:
        """``players``: one of ``PLAYERS`` for each seat."""
        self.rng, self.chances, self.forced = rng, 0, 0
        worth = ahead(room_of(game))
        self.worth: dict[Seat, Callable[[GameState, Play], float] | None] = {
            seat: worth for seat, name in zip(seats, players, strict=True) if name == "ahead"
        }

    def __call__(self, state: GameState, plays: Sequence[P]) -> P:
        self.chances += 1
        if len(plays) == 1:
            self.forced += 1
            return plays[0]
        worth = self.worth and self.worth.get(getattr(plays[0], "seat", ""))
        if not worth:
            return plays[int(self.rng.random() * len(plays))]
        values = [worth(state, play) for play in plays]
        best = max(values)
        return self.rng.choice(
            [play for play, value in zip(plays, values, strict=True) if value == best]
        )


def table_of(plan: Plan) -> Watched:
    """The table of ``plan``, with the seats P1, P2 …"""
    game = plan.rules
    seats = tuple(f"P{i}" for i in range(1, plan.seats + 1))
    usual = simulation.table(game, seats, **dict(plan.options))
    return Watched(usual.seats, usual.chosen, usual.options, usual.kit)


def played(plan: Plan, numbers: Sequence[int]) -> Batch:
    """Play the matches with these numbers."""
    game, table = plan.rules, table_of(plan)
    start, clauses = game.setup(table), Counter[str]()
    results = tuple(_match(plan, game, table, start, number, clauses) for number in numbers)
    return Batch(results, clauses, frozenset(table.asked))


def _match(
    plan: Plan, game: Game, table: Table, start: GameState, number: int, clauses: Counter[str]
) -> Result:
    """Play match ``number``; counts the clauses of its plays, scores and end into ``clauses``."""
    rng = Random(f"{plan.seed} {number}")
    course = SimulatedMatch(game, table, start)
    chooser = Chooser(game, plan.players, table.seats, rng)
    entries = player(room_of(plan.rules))
    first: Seat | None = None
    count = 0
    for entry in entries(course, rng, 0, 0, chooser):
        clauses[game.judge(course.state, entry).clause] += 1
        course.state = game.apply(course.state, entry)
        count += 1
        if first is None:
            first = _starter(game, course.state)
        if count == plan.longest:
            break
    sheet, ended = game.score(course.state), game.outcome(course.state)
    clauses.update({line.clause for line in sheet.lines})
    if ended:
        clauses[ended.clause] += 1
    found = _result(table, sheet, ended, number, count, first or table.seats[0], plan.given)
    return found._replace(chances=chooser.chances, forced=chooser.forced)


def recorded(log: Log, number: int) -> Result | None:
    """A match that people have played, like a simulated one; None unless it was decided.

    It is not known what they could have chosen: ``chances`` is 0.
    """
    ended = log.game.outcome(log.state)
    steps = list(log.steps())
    if ended is None or stopped(ended) or any(isinstance(s.play, TableSheet) for s in steps):
        return None
    first = next(filter(None, (_starter(log.game, step.state) for step in steps)), None)
    sheet, first = log.game.score(log.state), first or log.table.seats[0]
    return _result(log.table, sheet, ended, number, len(steps), first)


def _starter(game: Game, state: GameState) -> Seat | None:
    """Who begins the first deal; None while cards still decide it."""
    starter = game.HOOKS.starter
    return starter(state) if starter else next(iter(game.to_act(state)), None)


def _result(
    table: Table,
    sheet: ScoreSheet,
    ended: Outcome | None,
    number: int,
    count: int,
    first: Seat,
    bonus: Sequence[int] = (),
) -> Result:
    """The result of a match after ``count`` plays; ``bonus``: see ``Plan.given``.

    What the players could choose is not known here: ``chances`` is 0.
    """
    order = table.starting(first)
    given = dict(zip(order, bonus or (0,) * len(order), strict=True))
    points = {seat: whole(sheet.totals[seat]) + given[seat] for seat in order}
    winners = ended.winners if ended else ()
    if any(given.values()):
        best = (min if sheet.fewest else max)(points.values())
        winners = tuple(seat for seat in order if points[seat] == best)
    losers = ended.losers if ended else ()
    return Result(
        number=number,
        first=table.seats.index(first),
        plays=count,
        points=tuple(points[seat] for seat in order),
        wins=tuple(1 / len(winners) if seat in winners else 0.0 for seat in order),
        lost=tuple(seat in losers for seat in order),
        leads=_leads(table.seats, sheet.lines, sheet.fewest),
        chances=0,
        forced=0,
        over=ended is not None,
        shared=len(winners) > 1 and not (ended and ended.team and winners == ended.winners),
    )


def _leads(seats: Sequence[Seat], lines: Sequence[Line], fewest: bool) -> int | None:
    """How often another seat came to have the most points alone, trick by trick or deal by deal.

    Partners, whose points are always equal, count as one. None if points are counted only once.
    """
    totals, course = dict.fromkeys(seats, 0), list[tuple[int, ...]]()
    before: tuple[int, int | None] | None = None
    for line in lines:
        if before != (line.deal, line.trick):
            if before:
                course.append(tuple(totals.values()))
            before = line.deal, line.trick
        totals[line.seat] += whole(line.points)
    if not course:
        return None
    course.append(tuple(totals.values()))
    sides = list(dict.fromkeys(zip(*course, strict=True)))
    leader: int | None = None
    changes, best_of = 0, min if fewest else max
    for standing in zip(*sides, strict=True):
        best = best_of(standing)
        if standing.count(best) == 1 and standing.index(best) != leader:
            changes += leader is not None
            leader = standing.index(best)
    return changes


def simulate(
    plan: Plan, games: int, jobs: int, progress: Callable[[int], None] = lambda done: None
) -> Batch:
    """Play ``games`` matches in ``jobs`` processes.

    ``progress``: called with the number of finished matches after each batch.
    """
    chunks = [range(i, min(i + CHUNK, games)) for i in range(0, games, CHUNK)]
    results: list[Result] = []
    clauses, asked = Counter[str](), set[str]()
    with pool(jobs) as batches:
        for batch in batches(plan, chunks):
            results += batch.results
            clauses += batch.clauses
            asked |= batch.asked
            progress(len(results))
    return Batch(tuple(results), clauses, frozenset(asked))


Batches: TypeAlias = Callable[[Plan, Sequence[Sequence[int]]], Iterator[Batch]]


@contextmanager
def pool(jobs: int) -> Iterator[Batches]:
    """Plays chunks of matches in order, here or in ``jobs`` processes."""
    if jobs <= 1:
        yield lambda plan, chunks: (played(plan, chunk) for chunk in chunks)
        return
    # its first use imports multiprocessing, which a browser tab does not have
    processes = concurrent.futures.ProcessPoolExecutor(jobs)
    try:
        yield lambda plan, chunks: processes.map(played, [plan] * len(chunks), chunks)
    finally:
        processes.shutdown(cancel_futures=True)


def columns(seats: int) -> tuple[str, ...]:
    """The names of the columns of ``rows``."""
    places = [f"{name}_{i}" for i in range(1, seats + 1) for name in ("points", "wins", "lost")]
    return ("match", "first_seat", "plays", "over", "lead_changes", "choices", "forced", *places)


def rows(results: Iterable[Result]) -> Iterator[list[object]]:
    """A row for each match, with the values of ``columns``."""
    for number, first, plays, points, wins, lost, leads, chances, forced, over, _shared in results:
        changes = "" if leads is None else leads
        row: list[object] = [number, first + 1, plays, int(over), changes, chances, forced]
        for scored, share, last in zip(points, wins, lost, strict=True):
            row += (scored, round(share, 6), int(last))
        yield row
