"""Corrections of every game's entries against a list that is made anew and replayed."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_log import Plain, alike, forgets, same, same_past

from referee.core.compare import compare
from referee.core.corrections import (
    Amend,
    Contest,
    Decide,
    Insert,
    Rewind,
    Rule,
    Strike,
    Together,
    Void,
    Vote,
)
from referee.core.game import Game
from referee.core.log import Log
from referee.core.record import Grammar
from referee.core.repair import taken_along
from referee.core.slips import slips
from referee.core.steps import PastMoment, depth
from referee.core.verdict import Illegal
from referee.games import GAMES
from referee.games.families.must_not_follow import Lay
from referee.games.simulation import WIDEST, played, table
from referee.rulings import book_of, sentences

TABLES = [
    (name, seats) for name in GAMES for seats in ("AB", "ABC") if len(seats) in GAMES[name].SEATS
]
MOST = 45


@cache
def script(name: str, seats: str, seed: int) -> list[Any]:
    return played(GAMES[name], seats, seed, lies=0.3, shows=0.05, most=MOST).entries


def some_play(log: Log, entries: list[Any], rng: Random) -> Any:
    """Something of the game as it was really played, or a slip of it."""
    play = rng.choice(entries)
    if rng.random() < 0.6:
        return play
    return rng.choice(slips(log.game, log.table, log.state, play) or [play])


def some_entry(log: Log, entries: list[Any], rng: Random) -> Any:
    number, seat = rng.randint(0, len(log) + 1), rng.choice(log.table.seats)
    contests = [i for i, e in enumerate(log.entries, 1) if isinstance(e, Contest)] or [number]
    match rng.randint(0, 10):
        case 0:
            return Rewind(number)
        case 1 | 2:
            return Amend(number, some_play(log, entries, rng))
        case 3:
            return Strike(number)
        case 4:
            return Insert(number, some_play(log, entries, rng))
        case 5:
            return Rule(number)
        case 6:
            return Void(number)
        case 7:
            return Contest(seat, number, rng.choice((None, some_play(log, entries, rng))))
        case 8:
            return Vote(seat, rng.choice(contests), rng.random() < 0.8)
        case 9:
            return Decide(rng.choice(contests), rng.random() < 0.6, rng.choice((None, "so")))
        case _:
            parts = [Amend, Insert]
            kinds = [rng.choice((Amend, Insert, Strike, Rule)) for _ in range(rng.randint(1, 3))]
            return Together(
                tuple(
                    kind(rng.randint(1, len(log) + 1), some_play(log, entries, rng))
                    if kind in parts
                    else kind(rng.randint(1, len(log) + 1))  # type: ignore[call-arg]
                    for kind in kinds
                )
            )


@given(
    st.sampled_from(TABLES),
    st.integers(0, 5),
    st.integers(0, 10**9),
    st.sampled_from((0, 0.1, 0.6)),
)
@settings(max_examples=120)
def test_in_every_game_the_log_says_what_a_plain_replay_says(
    at: tuple[str, str], seed: int, chance: int, forgetful: float
) -> None:
    game, rng = GAMES[at[0]], Random(chance)
    entries = script(*at, seed)
    setting = table(game, at[1], contest=rng.choice(("agree", "majority", "host")))
    log, plain = Log(game, setting), Plain(game, setting)
    grammar = Grammar(game, setting.seats)
    for play in entries[: rng.randint(1, MOST)]:
        while rng.random() < 0.25:
            push(log, plain, grammar, some_entry(log, entries, rng))
        push(log, plain, grammar, play)
        if rng.random() < forgetful:
            forgets(log)
    same(log, plain)
    same_past(log, plain, rng)


def push(log: Log, plain: Plain, grammar: Grammar, entry: Any) -> None:
    assert grammar.parse(grammar.print(entry)) == entry
    considered = log.consider(entry)
    verdict = log.push(entry)
    assert considered.verdict == verdict
    assert alike(considered.step, log.now.step)
    assert type(verdict) is plain.push(entry)
    assert log.state == plain.states[-1]


def honest(name: str, seats: str, seed: int = 2, most: int = MOST) -> list[Any]:
    return played(GAMES[name], seats, seed, most=most).entries


def pushed(game: Game, seats: str, entries: list[Any]) -> Log:
    log = Log(game, table(game, seats))
    for entry in entries:
        log.push(entry)
    return log


def as_a_phone_takes(game: Game, seats: str, entries: list[Any]) -> list[Any]:
    """``entries`` with each card entered for the seat that is due when it comes."""
    log = Log(game, table(game, seats))
    for entry in entries:
        if isinstance(log.consider(entry).verdict, Illegal):
            others = [
                other
                for other in slips(game, log.table, log.state, entry)
                if other.SUBJECT == "seat"
                and other.seat in game.to_act(log.state)[:1]
                and other.seat != entry.seat
                and not isinstance(log.consider(other).verdict, Illegal)
            ]
            if not others:
                break
            entry = others[0]
        log.push(entry)
    return log.entries


SHIFTED = [name for name, game in GAMES.items() if Lay in game.PLAYS]
"""Games in which everybody plays one card after the other, each the next seat's."""


@pytest.mark.parametrize("name", SHIFTED)
def test_a_card_entered_twice_is_struck_and_the_seats_after_it_move_back(name: str) -> None:
    game, entries = GAMES[name], honest(name, "ABC", most=14)
    log = pushed(
        game, "ABC", as_a_phone_takes(game, "ABC", [*entries[:2], entries[1], *entries[2:]])
    )
    wrong = len(log)
    log.push(taken_along(log, Strike(3)) or Strike(3))
    assert [s.play for s in log.steps()] == [*entries[:2], *entries[2 : wrong - 1]]
    assert all(s.depth > depth(s.before) for s in log.steps())


@pytest.mark.parametrize("name", SHIFTED)
def test_a_missing_card_is_inserted_and_the_seats_after_it_move_on(name: str) -> None:
    game, entries = GAMES[name], honest(name, "ABC", most=14)
    log = pushed(game, "ABC", as_a_phone_takes(game, "ABC", [*entries[:2], *entries[3:]]))
    wrong = len(log)
    log.push(taken_along(log, Insert(3, entries[2])))
    assert [s.play for s in log.steps()] == entries[: wrong + 1]


@pytest.mark.parametrize("name", SHIFTED)
def test_another_leader_takes_the_cards_along(name: str) -> None:
    game, entries = GAMES[name], honest(name, "ABC", most=14)
    dealt = entries[0]
    leader = next(seat for seat in "ABC" if seat != dealt.leader)
    log = pushed(game, "ABC", as_a_phone_takes(game, "ABC", [type(dealt)(leader), *entries[1:]]))
    wrong = len(log)
    log.push(taken_along(log, Amend(1, dealt)))
    assert [s.play for s in log.steps()] == entries[:wrong]


def test_nothing_is_taken_along_where_nothing_breaks() -> None:
    log = pushed(GAMES[WIDEST], "ABC", honest(WIDEST, "ABC", most=4))
    assert taken_along(log, Amend(4, log.entries[3])) is None
    assert taken_along(log, Strike(99)) is None


def test_a_contest_changes_nothing_before_the_table_has_decided() -> None:
    log = pushed(GAMES[WIDEST], "ABC", honest(WIDEST, "ABC", most=4))
    step, other = log.now.step, slips(log.game, log.table, log.state, log.entries[3])[-1]
    log.push(Contest("A", 4, other))
    log.push(Vote("B", 5, True))
    assert isinstance(log.push(Decide(5, True)), Illegal)  # C has not agreed
    assert log.now.step is step
    log.push(Vote("C", 5, True))
    log.push(Decide(5, True, "we all saw it"))
    assert log.steps()[-1].play == other
    assert isinstance(log.push(Vote("C", 5, False)), Illegal)
    log.push(Rewind(8))
    assert log.now.step is step


def test_a_contest_that_is_not_upheld_leaves_the_entry() -> None:
    log = pushed(GAMES[WIDEST], "ABC", honest(WIDEST, "ABC", most=4))
    log.push(Contest("A", 4))
    assert isinstance(log.push(Decide(5, False)), Illegal)  # nobody disagrees
    log.push(Vote("B", 5, False))
    step = log.now.step
    assert not isinstance(log.push(Decide(5, False, "seen by all")), Illegal)
    assert log.now.step is step


def test_the_same_contest_twice_by_one_seat_is_refused_while_it_is_open() -> None:
    log = pushed(GAMES[WIDEST], "ABC", honest(WIDEST, "ABC", most=4))
    log.push(Contest("A", 4))
    again = log.push(Contest("A", 4))
    assert isinstance(again, Illegal)
    [said] = sentences.evidence(again, log.now.step, book_of(log.game), "en")
    assert again.clause == "log.4"
    assert "objection 5" in said.text
    assert not isinstance(log.push(Contest("B", 4)), Illegal)  # another seat may
    log.push(Vote("B", 5, False))
    log.push(Decide(5, False))
    assert not isinstance(log.push(Contest("A", 4)), Illegal)  # the first one is answered


def test_ruling_on_what_was_legal_judges_nothing_again() -> None:
    log = pushed(GAMES[WIDEST], "ABC", honest(WIDEST, "ABC", most=30))
    before = log.now
    log.push(Rule(4))
    assert compare(log, before, log.now).verdicts == ()


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, game in GAMES.items()
        if "rounds" in game.OPTIONS and not game.HOOKS.whole_deals
    ],
)
def test_deals_that_stand_after_a_voided_one_stand_when_their_steps_are_made_again(
    name: str,
) -> None:
    log = played(GAMES[name], "ABC", 2, options={"rounds": "3"})
    log.push(Void(next(step.seq for step in log.steps() if step.state.deal == 2)))
    voided = log.now
    assert len(log) in {step.ruled for step in log.steps()}
    log.push(Rewind(len(log) - 1))
    log.push(Strike(log.steps()[-1].seq))
    forgets(log)
    log.push(Amend(log.steps()[-1].seq, log.steps()[-1].play))
    forgets(log)
    assert isinstance(log.moments[voided.chain.seq], PastMoment)
    assert alike(log.moment(voided.chain.seq).step, voided.step)
    log.push(Rewind(voided.chain.seq))
    assert alike(log.now.step, voided.step)
