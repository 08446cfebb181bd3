"""Situations that are described for quick checks: judged as at the table, in random matches."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from referee.core.game import COMMON_OPTIONS, Table
from referee.core.log import Log
from referee.core.situation import ImpossibleSituation
from referee.core.verdict import Illegal, Legal
from referee.kit import shipped
from referee.kit.families.draw_or_stop import player as row_player
from referee.kit.families.draw_or_stop import situation as rows
from referee.kit.families.draw_or_stop.game import DrawOrStopGame
from referee.kit.families.draw_or_stop.plays import Hit, Stay
from referee.kit.families.draw_or_stop.state import TURN
from referee.kit.families.shedding import player, situation
from referee.kit.families.shedding.evidence import locked_suits
from referee.kit.families.shedding.game import SheddingGame
from referee.kit.families.shedding.plays import Lay
from referee.kit.families.shedding.state import PLAY, State
from referee.kit.variants import tables

SHEDDING = [game for game in shipped.games().values() if isinstance(game, SheddingGame)]
ROWS = [game for game in shipped.games().values() if isinstance(game, DrawOrStopGame)]
MOST = 150  # entries of a match
OF_HANDS = ("deck.", "hand.")  # the description knows nothing of what has been seen before


def described(state: State) -> situation.TopDescribed:
    top = state.trick.top
    return situation.TopDescribed(
        lies=top.cards if top else (),
        turned_deal=state.round.turned > 0,
        turned_trick=state.trick.turned > 0,
        suits=locked_suits(state),
        rank=state.trick.rank_at > 0,
    )


@pytest.mark.parametrize("game", SHEDDING, ids=lambda game: game.KEY)
def test_the_top_of_a_trick_is_judged_as_at_the_table(game: SheddingGame) -> None:
    found = {Legal: 0, Illegal: 0}
    for number, table in enumerate(islice(tables(game), 4)):
        log, rng = Log(game, table), Random(number)
        for entry in player.entries(log, rng, 0, 0):
            if len(log) == MOST:
                break
            log.push(entry)
            state = log.state
            if state.phase != PLAY or state.due or not state.turn or not state.trick.plays:
                continue
            try:
                asked = situation.situation(game, table, described(state))
            except ImpossibleSituation:
                pytest.fail(f"{described(state)}")
            if not asked.state.trick.plays:
                continue  # led, these cards would clear the trick; here they beat others
            cards = [play for play in game.candidates(state) if isinstance(play, Lay)]
            for play in rng.sample(cards, min(12, len(cards))):
                real = game.judge(state, play)
                if isinstance(real, Illegal) and real.clause.startswith(OF_HANDS):
                    continue
                told = game.judge(asked.state, Lay(asked.seat, play.cards, play.combo))
                same_row = real.clause == told.clause or real.clause.startswith("combo.")
                assert type(real) is type(told), (described(state), play)
                assert same_row, (real.clause, told.clause)
                found[Legal if isinstance(real, Legal) else Illegal] += 1
    assert found[Legal] > 20
    assert found[Illegal] > 20


def table_of(game: SheddingGame | DrawOrStopGame, seats: str, **chosen: str) -> Table:
    return Table(tuple(seats), chosen, {**COMMON_OPTIONS, **game.OPTIONS})


def named(key: str) -> SheddingGame:
    return next(game for game in SHEDDING if key == game.KEY)


def test_what_is_in_force_is_what_the_description_says() -> None:
    """Not what the cards on top bring about: a jack lies there and the order is as usual."""
    game = named("daifugo")
    top = situation.TopDescribed(lies=("SJ",))
    asked = situation.situation(game, table_of(game, "ABC"), top)
    assert isinstance(game.judge(asked.state, Lay("B", ("SQ",))), Legal)
    asked = situation.situation(game, table_of(game, "ABC"), top._replace(turned_trick=True))
    assert game.judge(asked.state, Lay("B", ("SQ",))).clause == "follow.2"


def test_who_has_passed_and_who_goes_out() -> None:
    game = named("daifugo")
    top = situation.TopDescribed(lies=("S9",), passed=True)
    asked = situation.situation(game, table_of(game, "ABC"), top)
    assert game.judge(asked.state, Lay(asked.seat, ("S10",))).clause == "pass.2"
    asked = situation.situation(game, table_of(game, "ABC"), top._replace(passed=False, held=1))
    assert game.apply(asked.state, Lay("B", ("S2",))).round.fouls == ("B",)


def test_cards_that_cannot_lie_there() -> None:
    game = named("daifugo")
    with pytest.raises(ImpossibleSituation) as fault:
        situation.situation(game, table_of(game, "ABC"), situation.TopDescribed(lies=("S9", "H8")))
    assert fault.value.field == "lies"
    assert fault.value.verdict.clause == "combo.1"


@pytest.mark.parametrize("game", ROWS, ids=lambda game: game.KEY)
def test_open_rows_are_judged_as_at_the_table(game: DrawOrStopGame) -> None:
    many = 0
    for number, table in enumerate(islice(tables(game), 4)):
        log, rng = Log(game, table), Random(number)
        for entry in row_player.entries(log, rng, 0, 0):
            if len(log) == MOST:
                break
            log.push(entry)
            state = log.state
            if state.phase != TURN or state.due or state.deal > 1:
                continue
            seat = state.order[0]
            at = table.seats.index(seat)
            turned = (*table.seats[at:], *table.seats[:at])
            lying = dict(zip(table.seats, state.round.rows, strict=True))
            told = rows.situation(
                game,
                table_of(game, "".join(turned)),
                {each: [shown.card for shown in lying[each]] for each in turned},
            )
            for play in (*(Hit(seat, str(card)) for card in state.deck.cards), Stay(seat)):
                real = game.judge(state, play)
                if isinstance(real, Illegal) and real.clause.startswith(rows.CARDS):
                    continue
                assert real.clause == game.judge(told, play).clause
                many += 1
    assert many > 200


def test_a_card_too_many_in_a_row() -> None:
    game = ROWS[0]
    with pytest.raises(ImpossibleSituation) as fault:
        rows.situation(game, table_of(game, "ABC"), {"A": ["1"], "C": ["1"]})
    assert (fault.value.field, fault.value.verdict.clause) == ("C", "deck.2")
