"""What games of must-not-follow share: deals, the first lead, the end, rulings of the table."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from table_talk import check, head

from referee.core.game import Game, options
from referee.core.log import Log
from referee.core.verdict import Illegal, Legal, Outcome
from referee.games import GAMES
from referee.games.families.must_not_follow import Deal, Lay, Show
from referee.games.simulation import WIDEST, played, player, table

EACH = pytest.mark.parametrize("game", [game for game in GAMES.values() if Lay in game.PLAYS])


def deals(log: Log) -> list[tuple[Any, Any]]:
    """The states before each deal, and after it."""
    return [
        (step.before.state if step.before else log.start, step.state)
        for step in log.steps()
        if isinstance(step.play, Deal)
    ]


@EACH
@pytest.mark.parametrize("rounds", ["players", *map(str, range(1, 11))])
def test_a_match_has_as_many_deals_as_agreed(game: Game, rounds: str) -> None:
    log = played(
        game, "ABC", seed=int(rounds) if rounds != "players" else 0, options={"rounds": rounds}
    )
    assert len(deals(log)) == (3 if rounds == "players" else int(rounds))
    assert game.outcome(log.state)
    assert isinstance(game.judge(log.state, Deal("A")), Illegal)


@EACH
def test_the_first_lead_moves_one_seat_to_the_left(game: Game) -> None:
    log = played(game, "ABC", seed=1, options={"rounds": "6"})
    starters = "".join(after.starter for _, after in deals(log))
    assert starters in "ABCABCABC"
    second = deals(log)[1][0]
    assert game.public(second)["leader"] == starters[1]
    for seat in "ABC":
        verdict = game.judge(second, Deal(seat))
        assert isinstance(verdict, Legal if seat == starters[1] else Illegal)
        assert verdict.clause == "starter.1"
    assert isinstance(game.judge(second, Deal()), Legal)


@EACH
def test_the_table_picks_who_leads(game: Game) -> None:
    log = played(game, "ABC", seed=2, options={"rounds": "2", "round_starter": "pick"})
    second = deals(log)[1][0]
    assert game.public(second)["leader"] is None
    assert all(isinstance(game.judge(second, Deal(seat)), Legal) for seat in "ABC")
    refused = game.judge(second, Deal())
    assert isinstance(refused, Illegal)
    assert refused.clause == "starter.1"
    assert [play.leader for play in game.candidates(second)] == ["A", "B", "C"]


@EACH
def test_the_lowest_total_leads_and_of_tied_seats_the_nearest_to_the_left(game: Game) -> None:
    seen = set()
    for seed in range(40):
        house = {"rounds": "4", "round_starter": "lowest_total"}
        log = played(game, "ABCD"[: 3 + seed % 2], seed=seed, options=house)
        for before, after in deals(log)[1:]:
            lowest = min(before.totals.values())
            low = [seat for seat in log.table.seats if before.totals[seat] == lowest]
            order = log.table.from_left_of(before.starter)
            assert after.starter == next(seat for seat in order if seat in low)
            seen.add(len(low))
            assert isinstance(game.judge(before, Deal()), Legal)
    assert seen >= {1, 2}


@EACH
def test_the_table_names_the_first_leader(game: Game) -> None:
    """X9: anybody, but somebody."""
    start = game.setup(table(game, "ABC"))
    for seat in "ABC":
        assert isinstance(game.judge(start, Deal(seat)), Legal)
    missing = game.judge(start, Deal())
    assert isinstance(missing, Illegal)
    assert missing.clause == "deal.3"
    assert game.public(start)["leader"] is None


def tied_match(game: Game, **house: str) -> tuple[Log, tuple[str, ...]]:
    """A match whose first deals end in a tie for the first place, and the tied seats."""
    for seed in range(500):
        log = played(game, "ABC", seed=seed, options={"rounds": "1"})
        ended = game.outcome(log.state)
        assert ended
        if len(ended.winners) == 2:
            again = Log(game, table(game, "ABC", rounds="1", **house))
            for entry in log.entries:
                again.push(entry)
            return again, ended.winners
    raise AssertionError("no tie among 500 matches")


@EACH
def test_a_final_tie_is_a_shared_win(game: Game) -> None:
    """X2."""
    log, tied = tied_match(game)
    ended = game.outcome(log.state)
    assert ended == Outcome("tie.1", tied, ended.evidence if ended else ())


@EACH
def test_a_final_tie_goes_to_the_first_in_seat_order(game: Game) -> None:
    log, tied = tied_match(game, final_tie="first_in_seat")
    ended = game.outcome(log.state)
    assert ended
    assert (ended.clause, ended.winners) == ("tie.1", tied[:1])


@EACH
def test_a_final_tie_is_played_off_among_the_tied(game: Game) -> None:
    log, tied = tied_match(game, final_tie="replay")
    assert game.outcome(log.state) is None
    assert game.to_act(log.state) == ()
    rng = Random(7)
    before = len(log)
    for entry in player(game.NAME)(log, rng, 0, 0):
        assert game.outcome(log.state) is None
        log.push(entry)
    assert len(log) > before + 1
    ended = game.outcome(log.state)
    assert ended
    totals = game.score(log.state).totals
    assert ended.clause == "outcome.1"
    assert ended.winners == (max(tied, key=lambda seat: totals[seat]),)
    last = ended.evidence[-1]
    assert (last.fact, last.values["tied"]) == ("most_of_tied", tied)


@EACH
def test_the_highest_total_wins(game: Game) -> None:
    for seed in range(10):
        log = played(game, "ABCD", seed=seed)
        ended, totals = game.outcome(log.state), game.score(log.state).totals
        assert ended
        best = max(totals.values())
        assert ended.winners == tuple(seat for seat in "ABCD" if totals[seat] == best)
        assert ended.clause == ("outcome.1" if len(ended.winners) == 1 else "tie.1")


@EACH
def test_what_was_proven_in_an_earlier_deal_stays_proven(game: Game) -> None:
    log = played(game, "ABCD", seed=2, lies=0.7, options={"rounds": "3"})
    last_deal = max(step.seq for step in log.steps() if isinstance(step.play, Deal))
    end = next(step for step in log.steps() if step.seq == last_deal - 1)
    earlier = log.findings(log.moments[end.seq])
    assert earlier
    assert log.findings()[: len(earlier)] == earlier
    places = [finding.at for finding in log.findings()]
    assert places == sorted(places)


@EACH
def test_the_table_lets_plays_stand_where_the_effect_is_clear(game: Game) -> None:
    """X4: a card out of turn, a repeat that counting forbids, a leader against the rotation."""
    log = Log(game, table(game, "ABC"))
    assert game.let_stand(log.state, Lay("A", 3)) is None
    assert game.let_stand(log.state, Deal()) is None
    log.push(Deal("A"))
    state = log.state
    assert game.let_stand(state, Lay("C", 3)).due == ("A", "B")
    assert game.let_stand(state, Lay("A", 99)) is None
    assert game.let_stand(state, Deal("B")) is None
    assert game.let_stand(state, Show("A", (1,))) is None
    state = game.apply(state, Lay("A", 1))
    assert game.let_stand(state, Lay("A", 3)) is None
    assert game.let_stand(state, Lay("B", 1)) is None
    assert game.let_stand(state, Lay("C", 3)).due == ("B",)
    state = game.apply(game.setup(log.table), Deal("A"))
    state = game.apply(state, Lay("A", 2))
    assert isinstance(game.judge(state, Lay("B", 2)), Illegal)
    stands = game.let_stand(state, Lay("B", 2))
    assert stands.due == ("C",)
    assert stands.hands.claims == ()


@EACH
def test_a_leader_against_the_rotation_may_be_let_stand(game: Game) -> None:
    log = played(game, "ABC", seed=1, options={"rounds": "2"})
    second = deals(log)[1][0]
    wrong = next(s for s in "ABC" if isinstance(game.judge(second, Deal(s)), Illegal))
    assert game.let_stand(second, Deal(wrong)).due[0] == wrong
    assert game.let_stand(log.state, Deal("A")) is None


def test_a_hand_that_was_shown_limits_what_the_table_can_let_stand() -> None:
    check(
        head(WIDEST, "A B C")
        + "A show 2 3 4 5 6 6 # legal hand.3\nA lay 1 # illegal hand.3\n"
        + "table rule 3 stands # illegal log.3\nA lay 6 # legal follow.1\n"
    )


@EACH
def test_cards_are_conserved(game: Game) -> None:
    """What was laid and what is held add up to what was dealt, and to no more than exists."""
    for seed in range(6):
        log = played(game, "ABCD", seed, lies=0.2, shows=0.03, options={"rounds": "2"})
        size = 8
        laid = dict.fromkeys("ABCD", 0)
        for step in log.steps():
            hands = step.state.hands
            if step.play.SUBJECT == "table":
                laid = dict.fromkeys("ABCD", 0)
            elif hasattr(step.play, "rank"):
                laid[step.play.seat] += 1
            for seat in "ABCD":
                held = hands.hidden[seat] + sum(hands.shown.get(seat, ()))
                assert held + laid[seat] == size
            assert all(
                0 <= here <= copies
                for here, copies in zip(hands.located, hands.deck.copies, strict=True)
            )
            seen = sum(laid.values()) + sum(map(sum, hands.shown.values()))
            assert sum(hands.located) == seen


@EACH
def test_all_that_is_laid_was_offered(game: Game) -> None:
    for seed in range(6):
        log = played(game, "ABCD", seed, options={"rounds": "2"})
        for step in log.steps():
            before = step.before.state if step.before else log.start
            assert step.play in list(options(game, before))
