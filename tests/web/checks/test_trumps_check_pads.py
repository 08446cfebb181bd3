"""What the pads of Trumps' quick checks offer."""

from __future__ import annotations

from random import Random
from typing import Any

from asking import ask, offered
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from phones import one
from reading_room import words

from referee.core.log import Log
from referee.core.verdict import Illegal
from referee.games import GAMES
from referee.games import trumps as collecting
from referee.games.simulation import player, table


def test_a_full_field_passes_the_pad_on(app: Flask) -> None:
    """There is one 1, so it is no pair; and nothing can follow a covered card."""
    for a, b, at in (("1", "", "B"), ("6 6", "X", "C"), ("6", "", "A")):
        page = ask(app, "trumps", ask="places", n="3", A=a, B=b, at="B" if b else "A")
        assert words(one(page, ".given-r.on .name")) == at
    assert offered(page) == ["6"]


@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000), n=st.sampled_from([2, 3]))
def test_what_a_round_offers_is_what_a_match_allows(app: Flask, seed: int, n: int) -> None:
    game, seats = GAMES["trumps"], tuple("ABC"[:n])
    log = Log(game, table(game, seats, facedown_to_field="remove"))
    rng, compared = Random(seed), 0
    for play in player("trumps")(log, Random(seed), 0, 0):
        state = log.state
        laid: Any = state.played
        whole = state.step is collecting.TrumpsStage.PLAY and len(laid) + len(state.due) == n
        if whole and laid and (not compared or rng.random() < 0.2):
            order = [*(each.seat for each in laid), *state.due]
            named = dict(zip(order, seats, strict=True))
            fields = {
                named[each.seat]: "X" if each.down else " ".join(map(str, each.ranks))
                for each in laid
            }
            due = state.due[0]
            page = ask(app, "trumps", ask="places", n=str(n), at=named[due], **fields)
            for rank in map(int, state.deck.cards):
                verdict = game.judge(state, collecting.Lay(due, (rank,)))
                if not isinstance(verdict, Illegal):
                    assert str(rank) in offered(page)
                elif verdict.clause == "play.2":
                    assert str(rank) not in offered(page)
            if not isinstance(game.judge(state, collecting.Cover(due)), Illegal):
                assert "X" in offered(page)
            compared += 1
        log.push(play)
    assert compared
