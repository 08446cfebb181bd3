"""Quick checks of Trumps: the rules' own examples, and what a real match says."""

from __future__ import annotations

from random import Random

from asking import ask, heads, totals
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from phones import one
from reading_room import words

from referee.core.log import Log
from referee.games import GAMES, simulation


def test_t_g1_score_piles_of_the_source(app: Flask) -> None:
    piles = {"A": "9*5 8*3 7*2 6 5*2 3", "B": "10*6 9*3 8*2 6*3 5 1", "C": "10*3 7*4 6 5 4*4 3*2 2"}
    page = ask(app, "trumps", n="3", **piles)
    assert heads(page) == ["Cの勝ち"]
    assert totals(page) == {"A": "10", "B": "9", "C": "10"}
    assert "outcome.2" in words(one(page, ".answer .clause"))
    assert heads(ask(app, "trumps", lang="en", n="3", **piles)) == ["C wins"]


def test_t_g2_places_and_t_g9_refusals(app: Flask) -> None:
    for a, b, c, order in [("10", "9 9", "2 2", "C → B → A"), ("1", "9", "10 10", "C → B → A")]:
        page = ask(app, "trumps", ask="places", n="3", A=a, B=b, C=c)
        assert heads(page) == [f"{order}の順"]
    page = ask(app, "trumps", ask="places", n="3", A="6", B="X", C="X")  # T13: by seat
    assert heads(page) == ["A → B → Cの順"]
    for pile, clause in (("6", "play.2"), ("5 5 5", "play.1"), ("1 1", "deck.2")):
        page = ask(app, "trumps", 400, ask="places", n="3", A="6 6", B=pile, C="9")
        assert clause in words(one(page, "#fault-B"))


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000), n=st.sampled_from([2, 3]))
def test_a_check_says_of_a_round_what_a_match_says(app: Flask, seed: int, n: int) -> None:
    game, seats = GAMES["trumps"], tuple("ABC"[:n])
    log = Log(game, simulation.table(game, seats))
    asked = 0
    for play in simulation.player(game.NAME)(log, Random(seed), 0, 0):
        placed = log.state.ranking
        log.push(play)
        state = log.state
        if placed or len(state.ranking) < n or len(state.played) < n:
            continue
        named = dict(zip((laid.seat for laid in state.played), seats, strict=True))
        fields = {
            named[laid.seat]: "X" if laid.down else " ".join(map(str, laid.ranks))
            for laid in state.played
        }
        page = ask(app, "trumps", ask="places", n=str(n), **fields)
        assert heads(page) == [" → ".join(named[seat] for seat in state.ranking) + "の順"]
        asked += 1
    assert asked > 5
    piles = log.state.piles
    fields = {s: " ".join(f"{rank}*{n}" for rank, n in piles[s].items()) for s in seats}
    page = ask(app, "trumps", n=str(n), **fields)
    assert totals(page) == {s: str(points) for s, points in game.score(log.state).totals.items()}
    ended = game.outcome(log.state)
    assert ended is not None
    assert [words(one(w, "b")) for w in page.select(".answer .who-s.w")] == list(ended.winners)
