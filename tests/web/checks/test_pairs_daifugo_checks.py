"""Quick checks of ペアーズ大富豪: the rules' own examples, and what a real match says."""

from __future__ import annotations

from random import Random
from urllib.parse import parse_qs, urlsplit

from asking import ask, heads
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from phones import one, soup

from referee.core.log import Log
from referee.core.verdict import Illegal
from referee.games import GAMES, simulation
from referee.games import pairs_daifugo as climbing


def test_d_g3_d_g7_d_g11_laying_on(app: Flask) -> None:
    def may(lies: str, lay: str, **fields: str) -> bool:
        page = ask(app, "pairs_daifugo", lies=lies, lay=lay, **fields)
        return heads(page) == ["出せます"]

    assert [may("8 8", lay) for lay in ("7 7", "8 8", "9 9")] == [False, False, True]
    assert may("8", "7")
    assert not may("6", "5", passed="yes")
    assert may("6*4", "7*4")
    assert not may("6*4", "5*4")
    assert may("6*4", "5*4", order="revolution")
    assert not may("8 8", "7 7", order="revolution")
    assert may("8 8", "7 7", order="revolution", pairs_back_in_revolution="toggle")
    ask(app, "pairs_daifugo", 400, lies="11", lay="1")


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000))
def test_a_check_says_of_a_climb_what_a_match_says(app: Flask, seed: int) -> None:
    game = GAMES["pairs_daifugo"]
    log = Log(game, simulation.table(game, ("A", "B", "C"), wins_needed="1"))
    for play in simulation.player(game.NAME)(log, Random(seed), 0, 0):
        state = log.state
        if isinstance(play, climbing.Lay) and state.trick and len(state.trick) == 1:
            top, rank = state.trick[-1], Random(seed + len(log)).randint(1, 10)
            play_asked = climbing.Lay(play.seat, (rank,) * top.size, ())
            verdict = game.judge(state, play_asked)
            before = state.reversed != (top.size >= climbing.REVOLUTION)
            fields = {"lies": f"{top.rank}*{top.size}", "lay": f"{rank}*{top.size}"}
            order = "revolution" if before else "usual"
            if verdict.clause == "follow.2":  # else the match knows more than the question says
                page = ask(app, "pairs_daifugo", order=order, **fields)
                said = ["出せません" if isinstance(verdict, Illegal) else "出せます"]
                assert heads(page) == said
        log.push(play)


def test_taps_that_follow_an_address_count_in_their_order(app: Flask) -> None:
    """Two taps of one page fill the next field, too; what is no tap changes nothing."""
    asked = {"lay": "5", "at": "lies", "lies": "8"}
    taps = ["+8", "-lay", "@lay", "+9", "+9", "@nowhere", "-nowhere", "", "?"]
    page = soup(app.test_client().get("/check/pairs_daifugo", query_string={**asked, "tap": taps}))
    assert heads(page) == ["出せます"]
    address = parse_qs(urlsplit(str(one(page, "a[data-share]")["href"])).query)
    assert address == {"ask": ["follow"], "lies": ["8 8"], "lay": ["9 9"]}
