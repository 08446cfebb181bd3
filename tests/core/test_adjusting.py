"""Points that the table adjusts by agreement, and players who agree with the result."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest

from referee.core import adjusting
from referee.core.adjusting import Adjust
from referee.core.agreeing import result
from referee.core.corrections import Agree, Contest, Rewind, Strike, Void
from referee.core.ending import best
from referee.core.game import Game
from referee.core.log import Log
from referee.core.record import Grammar, Unreadable
from referee.core.sheets import Stop
from referee.core.verdict import Illegal, Legal, Seat
from referee.core.written import Points
from referee.games import GAMES
from referee.games.simulation import played, player, room_of, table
from referee.kit import shipped

ALL: dict[str, Game] = {**GAMES, **{game.KEY: game for game in shipped.games().values()}}
BY_POINTS = [name for name, game in ALL.items() if adjusting.possible(game, table(game, "ABCD"))]
BY_WINS = [name for name in ALL if name not in BY_POINTS]
SEED = 4
BY_TOTALS = ("totals", "places", "leader")


def seats_of(game: Game) -> str:
    return "ABCD"[: max(min(game.SEATS), min(4, max(game.SEATS)))]


def match(name: str, seed: int, most: int = 10_000, **options: str) -> Log:
    game = ALL[name]
    if name in GAMES:
        return played(game, seats_of(game), seed, most=most, options=options)
    log = Log(game, table(game, seats_of(game), **options))
    for play in islice(player(room_of(game))(log, Random(seed), 0, 0), most):
        log.push(play)
    return log


def some(rng: Random, log: Log) -> Adjust:
    """Points for one seat, or for one seat of each of several teams."""
    teams = log.game.HOOKS.teams(log.state) or tuple((seat,) for seat in log.table.seats)
    chosen = rng.sample(teams, rng.randint(1, len(teams)))
    named = {rng.choice(team): rng.choice([-30, -2, -1, 1, 3, 40]) for team in chosen}
    return Adjust(tuple((seat, named[seat]) for seat in log.table.seats if seat in named), "so")


def given(log: Log, plays: list[Adjust]) -> dict[Seat, Points]:
    teams = log.game.HOOKS.teams(log.state)
    sums: dict[Seat, Points] = dict.fromkeys(log.seats_at(log.state), 0)
    for play in plays:
        for seat, more in adjusting.by_seat(play, teams).items():
            sums[seat] += more
    return sums


def points(log: Log) -> dict[Seat, Points]:
    return dict(log.game.score(log.state).totals)


def test_points_are_adjusted_where_points_decide() -> None:
    assert set(BY_WINS) | set(BY_POINTS) == set(ALL)
    assert {name for name in GAMES if name in BY_WINS} == {
        name for name, game in GAMES.items() if game.HOOKS.adjusted is None
    }
    assert BY_WINS
    assert all(key in BY_POINTS for key in ALL if key not in GAMES)


@pytest.mark.parametrize("name", BY_WINS)
def test_where_wins_or_flags_decide_there_is_nothing_to_adjust(name: str) -> None:
    log = Log(ALL[name], table(ALL[name], seats_of(ALL[name])))
    verdict = log.push(Adjust((("A", 5),), "so"))
    assert isinstance(verdict, Illegal)
    assert verdict.clause == "adjust.1"


@pytest.mark.parametrize("name", BY_POINTS)
@pytest.mark.parametrize("seed", range(SEED))
def test_adjustments_change_totals_and_nothing_else_of_the_table(name: str, seed: int) -> None:
    """At random moments of a match: who is due and what lies on the table stays as it is."""
    whole, rng = match(name, seed), Random(seed)
    log, plays = Log(whole.game, whole.table), list[Adjust]()
    for entry in whole.entries:
        if rng.random() < 0.05:
            before, due, seen = points(log), log.game.to_act(log.state), public(log)
            ended = log.game.outcome(log.state) is not None
            plays.append(some(rng, log))
            assert isinstance(log.push(plays[-1]), Legal)
            more = given(log, plays[-1:])
            assert points(log) == {seat: before[seat] + more[seat] for seat in before}
            assert (log.game.to_act(log.state), public(log)) == (due, seen)
            assert (log.game.outcome(log.state) is not None) == ended
        if isinstance(log.consider(entry).verdict, Illegal):
            break  # the total decided who leads, or the end came at another deal
        log.push(entry)
    sums, lines = given(log, plays), dict.fromkeys(log.seats_at(log.state), 0)
    for line in log.game.score(log.state).lines:
        lines[line.seat] += line.points
    assert points(log) == {seat: lines[seat] + sums[seat] for seat in lines}


def public(log: Log) -> dict[str, object]:
    """What everybody sees, without totals and places; ``leader`` can change with them between
    deals.
    """
    seen = log.game.public(log.state)
    return {key: value for key, value in seen.items() if key not in BY_TOTALS}


@pytest.mark.parametrize("name", BY_POINTS)
@pytest.mark.parametrize("tie", ["shared", "replay", "first_in_seat"])
def test_after_the_end_the_result_is_decided_again(name: str, tie: str) -> None:
    log = match(name, 1, final_tie=tie)
    game, ended = log.game, log.game.outcome(log.state)
    assert ended
    if ended.losers:  # who was the first to reach the limit has lost
        log.push(Adjust(((ended.losers[0], -100),), "so"))
        assert game.outcome(log.state) == ended
        return
    fewest = game.score(log.state).fewest
    seats = log.present_at(log.state)
    teams = {seat: team for team in game.HOOKS.teams(log.state) for seat in team}
    for seat in seats:
        log.push(Adjust(((seat, -500 if fewest else 500),), "so"))
        ended = game.outcome(log.state)
        assert ended
        first = best(points(log), seats, fewest=fewest)
        sides = {teams.get(each, (each,)) for each in first}
        if len(sides) == 1:
            assert ended.winners == first
            continue
        assert (ended.clause == "tie.1") == (len(ended.winners) > 1 or tie == "first_in_seat")
        assert set(ended.winners) <= set(first)


@pytest.mark.parametrize("name", BY_POINTS)
def test_after_a_stop_only_the_totals_change(name: str) -> None:
    log = match(name, 2, most=6)
    log.push(Stop())
    ended, before = log.game.outcome(log.state), points(log)
    assert isinstance(log.push(Adjust((("A", 7),), "so")), Legal)
    assert log.game.outcome(log.state) == ended
    assert points(log)["A"] == before["A"] + 7


@pytest.mark.parametrize("name", BY_POINTS)
def test_a_voided_deal_leaves_its_adjustments(name: str) -> None:
    log = match(name, 3, most=3)
    deal = next(step.seq for step in log.steps() if step.state.deal)
    assert log.push(Adjust((("A", 7),), "so"))
    at = len(log)
    refused = log.push(Void(at))
    assert isinstance(refused, Illegal)
    assert refused.clause == "log.6"
    assert isinstance(log.push(Void(deal)), Legal)
    assert points(log)["A"] == 7
    assert log.state.deal == 0
    assert isinstance(log.push(Strike(at)), Legal)
    assert points(log)["A"] == 0


@pytest.mark.parametrize("name", [name for name in BY_POINTS if name not in GAMES])
def test_a_team_has_one_total(name: str) -> None:
    game = ALL[name]
    log = Log(game, table(game, seats_of(game)))
    for team in game.HOOKS.teams(log.state):
        verdict = log.push(Adjust(tuple((seat, 1) for seat in team), "so"))
        assert isinstance(verdict, Illegal)
        assert verdict.clause == "adjust.2"
        log.push(Adjust(((team[-1], 3),), "so"))
        assert all(points(log)[seat] == 3 for seat in team)


def entry(text: str) -> Any:
    game = ALL[BY_POINTS[0]]
    return Grammar(game, ("A", "B C", "because")).parse(text)


def test_an_adjustment_is_written_in_seat_order() -> None:
    grammar = Grammar(ALL[BY_POINTS[0]], ("A", "B C", "because"))
    line = 'table adjust "B C"=-3 because=9999999 A=５ because "counted twice, entry 4"'
    assert grammar.print(grammar.parse(line)) == (
        'table adjust A=5 "B C"=-3 because=9999999 because "counted twice, entry 4"'
    )


@pytest.mark.parametrize(
    "rest",
    [
        'A=0 because "so"',
        'A=-0 because "so"',
        'A=+1 because "so"',
        'A=1.0 because "so"',
        'A=007 because "so"',
        'A=1,000 because "so"',
        'A=12345678 because "so"',
        'A because "so"',
        'A= because "so"',
        'A=1 A=2 because "so"',
        'D=1 because "so"',
        'because "so"',
        "A=1",
        "A=1 because",
        "A=1 because so",
        'A=1 because ""',
        'A=1 because "  "',
        f'A=1 because "{"x" * 201}"',
        'A=1 because "so" so',
        'A=1 because "so" B=2',
    ],
)
def test_an_adjustment_that_cannot_be_read(rest: str) -> None:
    with pytest.raises(Unreadable):
        entry(f"table adjust {rest}")


def test_a_reason_has_up_to_200_characters() -> None:
    assert entry(f'table adjust A=1 because "{"x" * 200}"').reason == "x" * 200


def agreeing(log: Log) -> set[Seat]:
    return log.agreeing_with(result(log.game, log.state))


@pytest.mark.parametrize("name", BY_POINTS)
def test_an_agreement_is_for_the_result_as_it_is(name: str) -> None:
    log = match(name, 1)
    assert isinstance(log.push(Agree("A")), Legal)
    assert isinstance(log.push(Agree("A")), Illegal)
    log.push(Adjust((("B", 1),), "so"))
    changed = len(log)
    assert agreeing(log) == set()
    assert isinstance(log.push(Agree("A")), Legal)
    assert agreeing(log) == {"A"}
    log.push(Strike(changed))
    assert agreeing(log) == {"A"}  # the result is again what it was at first
    assert isinstance(log.push(Strike(changed - 2)), Illegal)  # an agreement is no play
    log.push(Contest("A", 1))
    assert agreeing(log) == {"A"}
    log.push(Rewind(changed - 3))
    assert agreeing(log) == set()


@pytest.mark.parametrize("name", [name for name, game in ALL.items() if game.HOOKS.cards])
def test_nobody_agrees_before_the_end(name: str) -> None:
    log = match(name, 1, most=3)
    verdict = log.push(Agree("A"))
    assert isinstance(verdict, Illegal)
    assert verdict.clause == "agree.1"
    log.push(Stop())
    assert isinstance(log.push(Agree("A")), Legal)
