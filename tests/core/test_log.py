"""The log of corrections against a list that is made anew and replayed from its beginning."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_log import Plain, alike, forgets, same, same_past

from referee.core.corrections import Amend, Insert, Rewind, Rule, Strike, Together
from referee.core.game import Game
from referee.core.log import NO_CHANGE, Log
from referee.core.steps import Step, number_of, resolved
from referee.core.verdict import Illegal, Legal, Unprovable, Verdict
from referee.games import GAMES
from referee.games.families.must_not_follow import Deal, Lay, Show
from referee.games.simulation import WIDEST, played, table


def some_play(log: Log, rng: Random) -> Any:
    """Mostly something that may be played; sometimes anything that can be said at all."""
    state, seats = log.state, log.table.seats
    if rng.random() < 0.75:
        fitting = [
            play
            for play in log.game.candidates(state)
            if not isinstance(log.game.judge(state, play), Illegal)
        ]
        if fitting:
            return rng.choice(fitting)
    anything = rng.random()
    if anything < 0.2:
        return Deal(rng.choice([None, *seats]))
    if anything < 0.4:
        return Show(rng.choice(seats), tuple(rng.randint(1, 6) for _ in range(rng.randint(1, 4))))
    return Lay(rng.choice(seats), rng.randint(1, len(state.deck.cards) + 1))


def some_entry(log: Log, rng: Random) -> Any:
    number = rng.randint(0, len(log) + 1)
    what = rng.random()
    if what < 0.07:
        return Rewind(number)
    if what < 0.12:
        return Amend(number, some_play(log, rng))
    if what < 0.16:
        return Strike(number)
    if what < 0.20:
        return Insert(number, some_play(log, rng))
    if what < 0.23 and (now := log.steps()):
        same = Amend(rng.choice(now).seq, rng.choice(now).play)
        return rng.choice((same, Together((same, Amend(rng.choice(now).seq, same.play)))))
    if what < 0.27:
        return Rule(number)
    return some_play(log, rng)


TABLES = [
    (game, "ABC"[:seats])
    for game in GAMES.values()
    for seats in (1, 2, 3)
    if Lay in game.PLAYS and seats in game.SEATS
]


@given(st.sampled_from(TABLES), st.integers(0, 10**9), st.sampled_from((0, 0.1, 0.6)))
@settings(max_examples=60)
def test_whatever_the_table_corrects_the_log_says_what_a_plain_replay_says(
    at: tuple[Game, str], seed: int, forgetful: float
) -> None:
    game, seats = at
    rng = Random(seed)
    setting = table(game, seats, rounds="2", final_tie=rng.choice(("shared", "replay")))
    log, plain = Log(game, setting), Plain(game, setting)
    for _ in range(rng.randint(1, 60)):
        entry = some_entry(log, rng)
        considered = log.consider(entry)
        assert len(log) == len(plain.entries)
        verdict = log.push(entry)
        assert considered.verdict == verdict
        assert alike(considered.step, log.now.step)
        assert type(verdict) is plain.push(entry)
        if rng.random() < forgetful:
            forgets(log)
        same(log, plain)
    same_past(log, plain, rng)


@given(st.sampled_from(TABLES), st.integers(0, 10**9), st.data())
@settings(max_examples=30)
def test_rewinding_to_now_changes_nothing_and_amending_an_entry_to_itself_is_refused(
    at: tuple[Game, str], seed: int, data: Any
) -> None:
    game, seats = at
    log = played(game, seats, seed, lies=0.3, options={"rounds": "1"}, most=40)
    steps, state, findings = log.steps(), log.state, log.findings()
    number = data.draw(st.integers(1, len(log)))
    refused = log.push(Amend(number, log.entries[number - 1]))
    assert isinstance(refused, Illegal)
    assert [fact.fact for fact in refused.evidence] == [NO_CHANGE]
    log.push(Rewind(len(log)))
    log.push(Rewind(len(log) - 2))
    log.push(Rewind(len(log) - 1))
    assert seen(log.steps()) == seen(steps)
    assert log.state == state
    assert log.findings() == findings


def seen(steps: list[Step]) -> list[tuple[int, Any, Verdict]]:
    return [(step.seq, step.play, step.verdict) for step in steps]


def played_at(*lines: Any, seats: str = "ABC", **options: str) -> Log:
    log = Log(GAMES[WIDEST], table(GAMES[WIDEST], seats, **options))
    for entry in lines:
        log.push(entry)
    return log


def test_a_rewind_takes_back_the_corrections_made_since_and_another_brings_them_again() -> None:
    log = played_at(Deal("A"), Lay("A", 4), Lay("B", 6), Amend(3, Lay("B", 5)))
    assert log.push(Rewind(3)) == Legal("log.1", log.now.verdict.evidence)
    assert [step.play for step in log.steps()][-1] == Lay("B", 6)
    assert log.in_force() == {1, 2, 3, 5}
    log.push(Rewind(4))
    assert [step.play for step in log.steps()][-1] == Lay("B", 5)
    assert log.in_force() == {1, 2, 3, 4, 6}
    log.push(Rewind(0))
    assert log.steps() == []
    assert log.in_force() == {7}
    assert log.state == log.start


def test_an_illegal_entry_is_kept_and_changes_nothing() -> None:
    log = played_at(Deal("A"), Lay("A", 4))
    before = log.state
    assert isinstance(log.push(Lay("C", 5)), Illegal)
    assert log.state is before
    assert len(log.steps()) == 3


def test_a_card_played_out_of_turn_fits_when_the_missing_one_is_inserted() -> None:
    log = played_at(Deal("A"), Lay("A", 4), Lay("C", 5))
    assert isinstance(log.steps()[-1].verdict, Illegal)
    assert log.push(Insert(3, Lay("B", 6))) == Legal("log.2", log.now.verdict.evidence)
    assert [(step.seq, step.play) for step in log.steps()[1:]] == [
        (2, Lay("A", 4)),
        (4, Lay("B", 6)),
        (3, Lay("C", 5)),
    ]
    assert not any(isinstance(step.verdict, Illegal) for step in log.steps())


def test_two_cards_inserted_before_one_entry_stand_in_the_order_they_were_entered() -> None:
    log = played_at(Deal("A"), Lay("A", 4), Lay("A", 6))
    log.push(Insert(3, Lay("B", 6)))
    log.push(Insert(3, Lay("C", 5)))
    assert [step.seq for step in log.steps()] == [1, 2, 4, 5, 3]
    assert not any(isinstance(step.verdict, Illegal) for step in log.steps())


def test_an_illegal_card_is_not_inserted() -> None:
    log = played_at(Deal("A"), Lay("A", 4), Lay("B", 5))
    verdict = log.push(Insert(3, Lay("C", 5)))
    assert isinstance(verdict, Illegal)
    assert verdict.clause == "turn.1"
    assert [step.seq for step in log.steps()] == [1, 2, 3]


def test_an_amendment_may_make_the_entry_and_what_follows_illegal() -> None:
    log = played_at(Deal("A"), Lay("A", 4), Lay("B", 5))
    assert isinstance(log.push(Amend(1, Deal("B"))), Legal)
    verdicts = [type(step.verdict) for step in log.steps()]
    assert verdicts == [Legal, Illegal, Legal]


def test_what_an_amended_card_proves_counts_with_the_number_of_the_amended_entry() -> None:
    log = played_at(
        Deal("A"), Lay("A", 4), Lay("B", 5), Lay("C", 5), Lay("A", 6), Lay("B", 3), Lay("C", 4)
    )
    assert log.findings() == ()
    log.push(Amend(7, Lay("C", 2)))
    [finding] = log.findings()
    assert (finding.seat, finding.at, finding.proof) == ("C", 4, (7,))
    log.push(Strike(3))
    assert log.findings() == ()


def test_a_ruling_lets_an_illegal_card_stand_and_falls_with_its_amendment() -> None:
    log = played_at(Deal("A"), Lay("B", 4))
    assert isinstance(log.push(Rule(2)), Legal)
    assert log.steps()[-1].ruled == 3
    assert log.state.due == ("C", "A")
    log.push(Amend(2, Lay("C", 4)))
    assert log.steps()[-1].ruled is None
    assert log.state.due == ("A", "B", "C")


def test_a_ruling_without_effect_is_refused() -> None:
    log = played_at(Deal("A"), Lay("A", 11))
    assert log.push(Rule(2)).clause == "log.3"
    assert isinstance(log.now.verdict, Illegal)
    assert log.state.due == ("A", "B", "C")


def test_a_claim_that_the_table_let_stand_is_used_for_nothing() -> None:
    """C can't hold six cards of 1 and 2; that C later lays others is no finding."""
    log = played_at(Deal("A"), Lay("A", 1), Lay("B", 2), Lay("C", 2))
    assert isinstance(log.now.verdict, Illegal)
    assert log.now.verdict.clause == "follow.2"
    log.push(Rule(4))
    for entry in (Lay("A", 5), Lay("B", 6), Lay("C", 4)):
        assert isinstance(log.push(entry), Legal)
    assert log.findings() == ()


def test_a_claim_that_was_impossible_when_the_table_let_it_stand_is_never_used() -> None:
    """With A's 10 instead of the 1 C could hold such cards; nobody has said that C does."""
    log = played_at(Deal("A"), Lay("A", 1), Lay("B", 9), Lay("C", 9), Rule(4), seats="ABCDE")
    log.push(Amend(2, Lay("A", 10)))
    assert isinstance(log.steps()[-1].verdict, Unprovable)
    for rank in (8, 7, 4, 3, 2, 1, 5):
        assert isinstance(log.push(Lay(log.game.to_act(log.state)[0], rank)), Legal)
    assert "C" in {step.play.seat for step in log.steps()[6:]}
    after = log.now
    assert log.findings() == ()
    log.push(Rewind(1))
    forgets(log)
    forgets(log)
    assert alike(log.moment(13).step, after.step)
    log.push(Rewind(13))
    assert log.findings() == ()


def test_a_legal_entry_may_be_ruled_and_keeps_its_verdict() -> None:
    log = played_at(Deal("A"), Lay("A", 4), Rule(2))
    assert isinstance(log.now.verdict, Legal)
    assert isinstance(log.steps()[-1].verdict, Legal)


@pytest.mark.parametrize("number", [0, 3, 99])
@pytest.mark.parametrize(
    "correction", [Strike, Rule, lambda n: Amend(n, Lay("A", 5)), lambda n: Insert(n, Lay("A", 5))]
)
def test_a_number_that_does_not_exist_is_illegal(correction: Any, number: int) -> None:
    log = played_at(Deal("A"), Lay("A", 4))
    verdict = log.push(correction(number))
    assert isinstance(verdict, Illegal)
    assert verdict.evidence[0].fact == "no_entry"
    assert len(log.steps()) == 2


def test_a_rewind_to_itself_or_the_future_is_illegal() -> None:
    log = played_at(Deal("A"), Rewind(2), Rewind(9))
    assert [type(moment.verdict) for moment in log.moments[2:]] == [Illegal, Illegal]
    assert len(log.steps()) == 1
    assert log.in_force() == {1, 2, 3}


def test_only_a_rewind_undoes_a_correction() -> None:
    log = played_at(Deal("A"), Lay("A", 4), Amend(2, Lay("A", 5)), Rewind(3))
    for number in (3, 4):
        verdict = log.push(Strike(number))
        assert (verdict.clause, verdict.evidence[0].fact) == ("log.2", "not_a_play")
        assert log.push(Rule(number)).clause == "log.3"


def test_an_undone_entry_is_no_aim_for_a_correction() -> None:
    log = played_at(Deal("A"), Lay("A", 4), Strike(2))
    assert log.push(Amend(2, Lay("A", 5))).evidence[0].fact == "not_in_force"
    log = played_at(Deal("A"), Lay("A", 4), Rewind(1))
    assert log.push(Rule(2)).evidence[0].fact == "not_in_force"


def test_no_ruling_where_the_house_rule_forbids_it() -> None:
    log = played_at(Deal("A"), Lay("B", 4), Rule(2), allow_override="off")
    assert isinstance(log.now.verdict, Illegal)
    assert log.now.verdict.clause == "log.3"
    assert log.state.due == ("A", "B", "C")


def test_evidence_speaks_of_entry_numbers_whatever_lies_between() -> None:
    log = played_at(Deal("A"), Lay("C", 6), Lay("A", 6), Rewind(3), Lay("B", 5), Lay("C", 6))
    step = log.steps()[-1]
    assert isinstance(step.verdict, Unprovable)
    [showing] = resolved(step.verdict.evidence, step)
    assert (showing.fact, showing.at) == ("showing", 3)
    assert number_of(step, 4) == 6


def test_evidence_is_found_across_a_thousand_refusals_at_once() -> None:
    log = played_at(Deal("A"), Lay("A", 4), *[Lay("C", 4)] * 1_000)
    last = log.now.step
    assert last is not None
    assert last.onto is not None
    assert (last.seq, last.onto.seq, number_of(last, 2)) == (1_002, 2, 2)


def test_a_step_that_is_taken_over_keeps_what_it_follows() -> None:
    log = played_at(Deal("A"), Lay("A", 4), Lay("C", 4), Lay("B", 5), Lay("C", 6))
    log.push(Amend(2, Lay("A", 4)))
    follows = {step.seq: step.onto and step.onto.seq for step in log.steps()}
    assert follows == {1: None, 2: 1, 3: 2, 4: 2, 5: 4}
