"""The estimate of a winner's chance against deals whose chances are known."""

from __future__ import annotations

from itertools import permutations
from math import sqrt
from random import Random

import pytest
from chosen_games import having, some_seats

from referee.core.cards import size
from referee.core.game import Game
from referee.core.log import Log
from referee.core.verdict import Illegal
from referee.games import GAMES
from referee.games.simulation import WIDEST, played, player, resuming, room_of, table
from referee.insight import chances
from referee.insight.chances import AGAIN, LEAST, dealt_again, is_known, turning_point
from referee.insight.playing import SimulatedMatch
from referee.insight.review import finished, review
from referee.kit import shipped

FILES = {game.KEY: game for game in shipped.games().values()}
EVERY: dict[str, Game] = {**GAMES, **FILES}
RESUMING = [name for name, game in EVERY.items() if resuming(room_of(game))]


def a_match(game: Game, seed: int, most: int = 250) -> Log:
    seats = some_seats(game.NAME, "ABC") if game.NAME in GAMES else "ABCDEF"[: game.SEATS[-1]]
    log = Log(game, table(game, tuple(seats)))
    for entry in player(room_of(game))(log, Random(seed), 0, 0):
        if len(log) == most:
            break
        log.push(entry)
    return log


@pytest.mark.parametrize("name", RESUMING)
def test_the_rest_is_played_by_the_rules_and_with_the_hidden_cards(name: str) -> None:
    game = EVERY[name]
    going_on = resuming(room_of(game))
    assert going_on
    log = a_match(game, seed=7)
    for step in log.steps():
        known, rng = game.HOOKS.knowledge(step.state), Random(step.seq)
        over = not game.to_act(step.state)
        if over or not step.took_effect or not known or game.HOOKS.exchanging(step.state):
            continue
        course = SimulatedMatch(game, log.table, step.state)
        for entry in going_on(course, rng, 0, 0, hidden=dealt_again(known, rng)):
            assert not isinstance(game.judge(course.state, entry), Illegal), (step.seq, entry)
            course.state = game.apply(course.state, entry)
            if not game.to_act(course.state):
                break
        assert not game.to_act(course.state)


@pytest.mark.parametrize("name", [name for name in RESUMING if name in having("knowledge")])
def test_cards_that_everybody_knows_stay_where_they_are(name: str) -> None:
    for step in a_match(GAMES[name], seed=3, most=60).steps():
        known = GAMES[name].HOOKS.knowledge(step.state)
        if not known:
            continue
        hidden = dealt_again(known, Random(step.seq))
        [placement] = known.placements[:1]
        for place in placement.places:
            held = {"hand": hidden.hands, "pyramid": hidden.pyramids}.get(place.kind, {})
            if place.seat is not None:
                assert len(held[place.seat]) == size(place.known) + place.hidden


def test_the_same_deal_has_the_same_turning_point() -> None:
    found = []
    for _ in range(2):
        log = played(GAMES[WIDEST], "ABC", 5)
        one = turning_point(review(log, finished(log)[0]))
        assert one
        found.append((one.read.seq, one.winners, one.before, one.after, one.tries))
    assert found[0] == found[1]
    assert abs(found[0][3] - found[0][2]) >= LEAST


def test_at_the_end_the_chance_of_the_winner_is_certain() -> None:
    log = played(GAMES[WIDEST], "ABC", 5)
    for deal in finished(log):
        course = chances._PlayedOn(review(log, deal))
        if course.winners:
            assert course.chance(course.reads[-1], 20, "end") == 1


def test_the_last_trick_agrees_with_counting_every_distribution() -> None:
    """With one card in each hand nobody has a choice: every distribution can be played."""
    log = a_match(FILES["whist"], seed=4, most=53)
    course = chances._PlayedOn(review(log, 1))
    read = course.reads[-5]
    known = read.knowledge
    assert known
    [placement] = known.placements
    cards = known.deck.listed(placement.unseen)
    seats = [place.seat for place in placement.places if place.kind == "hand"]
    assert len(cards) == len(seats) == 4
    ways, won = 0, 0.0
    for hands in permutations(cards):
        holds = dict(zip(seats, hands, strict=True))
        state = read.step.state
        while log.game.to_act(state):
            seat = log.game.to_act(state)[0]
            [play] = {
                each
                for each in log.game.candidates(state)
                if getattr(each, "seat", "") == seat and getattr(each, "card", "") == holds[seat]
            }
            state = log.game.apply(state, play)
        ways += 1
        won += sum(course.shares(state)[seat] for seat in course.winners)
    exact = won / ways
    estimate = course.chance(read, 600, "counted")
    assert abs(estimate - exact) <= 4 * sqrt(max(exact * (1 - exact), 0.01) / 600)


@pytest.mark.parametrize("name", [name for name, game in EVERY.items() if name not in RESUMING])
def test_without_a_player_that_can_go_on_nothing_is_said(name: str) -> None:
    log = a_match(EVERY[name], 2, most=10_000)
    if deals := finished(log):
        found = review(log, deals[-1])
        assert is_known(found)
        assert turning_point(found) is None


def test_how_often_the_rest_is_played_bounds_the_time() -> None:
    plays = 0
    log = a_match(FILES["spades"], seed=1)
    course = chances._PlayedOn(review(log, finished(log)[-1]))
    apply = course.goes_on

    def counted(state: object) -> bool:
        nonlocal plays
        plays += 1
        return apply(state)  # type: ignore[arg-type]

    course.goes_on = counted  # type: ignore[method-assign]
    chances._turning_point(course)
    assert 0 < plays < 3 * chances.PLAYS + 2 * AGAIN * len(course.reads)
