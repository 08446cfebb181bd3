"""A quick check judges a claim of 熟語ライン as a match does."""

from __future__ import annotations

from random import Random
from typing import Any

from asking import ask
from flask import Flask
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from phones import one
from reading_room import words

from referee.core.log import Log
from referee.core.verdict import Illegal
from referee.games import GAMES
from referee.games import jukugo_line as lines
from referee.games.simulation import player, table
from referee.jukugo.decks import JOKER


def jukugo_question(state: Any, seat: str, flag: int) -> dict[str, str]:
    """The question that a match asks with a claim of ``seat``, in which the check calls it A."""
    rival = lines.other(state, seat)
    own, other = lines.column(state, seat, flag), lines.column(state, rival, flag)
    if len(other) == 3:
        pair = state.sides[flag - 1]
        mine, theirs = pair if seat == state.table.seats[0] else pair[::-1]
        first = "A" if mine.full < theirs.full else "B"
        return {"ask": "columns", "A": "".join(own), "B": "".join(other), "first": first}
    gone = "".join(card for card in state.laid if card not in (*own, *other))
    placed = "placed" if state.jokers[rival] else "left"
    query = {"ask": "claim", "own": "".join(own), "other": "".join(other), "gone": gone}
    return query | ({"joker": placed} if JOKER not in other else {})


@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000))
def test_a_claim_is_judged_as_in_a_match(app: Flask, seed: int) -> None:
    game = GAMES["jukugo_line"]
    log = Log(game, table(game, ("A", "B")))
    rng, compared = Random(seed), 0
    for play in player("jukugo_line")(log, Random(seed), 0, 0):
        state = log.state
        for flag in range(1, 10):
            if state.turn is None or rng.random() < 0.9:
                continue
            verdict = game.judge(state, lines.Claim(state.turn, flag))
            if verdict.clause in ("claim.4", "claim.5", "claim.6"):
                query = jukugo_question(state, state.turn, flag)
                head = words(one(ask(app, "jukugo_line", **query), ".answer h2"))
                assert (head in ("Aの勝ち", "フラッグを取れる")) == (
                    not isinstance(verdict, Illegal)
                )
                compared += 1
        log.push(play)
    assume(compared)  # some matches have no claim that cards decide
