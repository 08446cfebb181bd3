"""Quick checks: the rules' own examples as questions, and answers that a real match gives, too."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup, Tag
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from phones import one, soup
from reading_room import words

from referee import paths
from referee.core.log import Log
from referee.core.verdict import Illegal, Unprovable
from referee.games import GAMES, simulation
from referee.games import pairs_daifugo as climbing
from referee.games import three_kings as fishing
from referee.games.families import must_not_follow as family
from referee.screens import screen


def ask(app: Flask, game: str, status: int = 200, lang: str = "ja", **told: str) -> BeautifulSoup:
    headers = {"Accept-Language": lang}
    answer = app.test_client().get(f"/check/{game}", query_string=told, headers=headers)
    assert answer.status_code == status, answer.text
    return soup(answer)


def heads(page: BeautifulSoup) -> list[str]:
    return [words(head) for head in page.select(".answer h2")]


def totals(page: BeautifulSoup | Tag) -> dict[str, str]:
    return {words(one(s, "b")): words(one(s, ".pt")) for s in page.select(".who-s")}


def test_every_game_has_its_questions(app: Flask) -> None:
    page = soup(app.test_client().get("/check"))
    asked = {game: screen(game).checks for game in GAMES if screen(game).checks}
    assert asked
    assert [a["href"] for a in page.select(".rows a")] == [f"/check/{game}" for game in asked]
    for game, questions in asked.items():
        for question in questions:
            assert not heads(ask(app, game, ask=question.name))
    ask(app, "fancy", 404, ask="nothing")
    ask(app, "nothing", 404)


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
    for told, clause in (("6", "play.2"), ("5 5 5", "play.1"), ("1 1", "deck.2")):
        page = ask(app, "trumps", 400, ask="places", n="3", A="6 6", B=told, C="9")
        assert clause in words(one(page, "#fault-B"))


def test_f_g1_and_f_g2_tricks_of_fancy(app: Flask) -> None:
    page = ask(app, "fancy", n="5", cards="5 2 4 5 9")
    assert totals(page) == {"A": "1", "B": "2", "C": "2", "D": "0", "E": "4"}
    assert "次のリードはB" in words(one(page, ".answer"))
    stuck = ask(app, "fancy", n="4", cards="10*4")  # possible late in a deal
    assert totals(stuck) == {"A": "10", "B": "0", "C": "0", "D": "0"}


def test_p_g1_p_g2_p_g9(app: Flask) -> None:
    page = ask(app, "perite", n="5", cards="4 7 9 7 7")
    assert heads(page) == ["Aの勝ち"]
    assert totals(page) == {"A": "4"}
    page = ask(app, "perite", ask="wins", n="5", A="3 3", B="1/3 5", C="7 7", D="6 4", E="3 10")
    assert totals(page) == {"A": "16", "B": "8", "C": "24", "D": "10", "E": "13"}
    page = ask(app, "perite", ask="wins", n="4", A="1/4 8", B="8 8", C="", D="")
    assert totals(page) == {"A": "9", "B": "24", "C": "0", "D": "0"}
    void = {"n": "4", "cards": "2 2 3 3"}
    assert heads(ask(app, "perite", **void)) == ["勝者なし"]
    assert heads(ask(app, "perite", **void, no_winner="last_player")) == ["Dの勝ち"]
    big = ask(app, "perite", ask="wins", n="100", **{"1": "1/3", "2": "200 200"})
    assert totals(big)["1"] == "98"
    assert totals(big)["2"] == "600"


def test_k_g1_sets_and_k_g2_three_methods(app: Flask) -> None:
    page = ask(app, "three_kings", hand="6", tableau="5 J 2 4")
    assert heads(page) == ["6で5とJを取る", "6で2と4を取る", "6を捨てる"]
    assert [words(mark) for mark in page.select(".answer .verdict > .mk")] == ["○", "○", "×"]
    assert heads(ask(app, "three_kings", hand="5", tableau="6 10"))[:1] == ["5を捨てる"]
    told = {"A": "4 8 Q A 5 6", "B": "5+6=J 3+3=6 2+10=Q"}
    page = ask(app, "three_kings", ask="totals", declarer="A", **told)
    assert heads(page) == ["勝利条件 1：Aの勝ち", "勝利条件 2：Bの勝ち", "勝利条件 3：Aの勝ち"]
    points = [words(each) for each in page.select(".answer .pt")]
    assert points == ["51", "58", "21", "58"]
    ask(app, "three_kings", 400, ask="totals", A="5 6 10")


def test_d_g3_d_g7_d_g11_laying_on(app: Flask) -> None:
    def may(lies: str, lay: str, **told: str) -> bool:
        page = ask(app, "pairs_daifugo", lies=lies, lay=lay, **told)
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


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000), name=st.sampled_from(["fancy", "perite"]))
def test_a_check_says_of_a_trick_what_a_match_says(app: Flask, seed: int, name: str) -> None:
    game, seats = GAMES[name], ("A", "B", "C", "D")
    log = Log(game, simulation.table(game, seats, rounds="1"))
    for play in simulation.player(game.NAME)(log, Random(seed), 0, 0):
        log.push(play)
    asked = 0
    for trick in family.tricks(log.state):
        if len(trick.cards) < len(seats):
            continue  # somebody had left the deal
        named = dict(zip((card.seat for card in trick.cards), seats, strict=True))
        page = ask(app, name, n="4", cards=" ".join(str(card.rank) for card in trick.cards))
        lines = [each for each in game.score(log.state).lines if each.trick == trick.number]
        points = Counter[str]()
        for each in lines:
            if each.clause != "score.2" or name == "fancy":  # the bonus needs two tricks
                points[named[each.seat]] += each.points
        assert totals(page) == {seat: str(points[seat]) for seat in points}
        asked += 1
    assert asked


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
            told = {"lies": f"{top.rank}*{top.size}", "lay": f"{rank}*{top.size}"}
            order = "revolution" if before else "usual"
            if verdict.clause == "follow.2":  # else the match knows more than the question says
                page = ask(app, "pairs_daifugo", order=order, **told)
                said = ["出せません" if isinstance(verdict, Illegal) else "出せます"]
                assert heads(page) == said
        log.push(play)


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
        told = {
            named[laid.seat]: "X" if laid.down else " ".join(map(str, laid.ranks))
            for laid in state.played
        }
        page = ask(app, "trumps", ask="places", n=str(n), **told)
        assert heads(page) == [" → ".join(named[seat] for seat in state.ranking) + "の順"]
        asked += 1
    assert asked > 5
    piles = log.state.piles
    told = {s: " ".join(f"{rank}*{n}" for rank, n in piles[s].items()) for s in seats}
    page = ask(app, "trumps", n=str(n), **told)
    assert totals(page) == {s: str(points) for s, points in game.score(log.state).totals.items()}
    ended = game.outcome(log.state)
    assert ended is not None
    assert [words(one(w, "b")) for w in page.select(".answer .who-s.w")] == list(ended.winners)


def says_as_much(app: Flask, state: Any, play: fishing.Capture | fishing.Discard) -> None:
    """The check knows less than the match, so it may leave open what the match can tell."""
    if not 0 < len(state.tableau) < 13:
        return
    told = {"hand": play.rank, "tableau": " ".join(state.tableau)}
    page = ask(app, "three_kings", n=str(len(state.table.seats)), **told)
    found = dict(zip(heads(page), page.select(".answer .verdict > .mk"), strict=True))
    if isinstance(play, fishing.Capture):
        pairs = fishing.sets_with(state.tableau, play.rank)
        [pair] = [pair for pair in pairs if {*pair} == {*play.pair}]
        assert words(found[f"{play.rank}で{'と'.join(pair)}を取る"]) == "○"
    else:
        said = words(found[f"{play.rank}を捨てる"])
        assert said in ("△" if isinstance(fishing.judge(state, play), Unprovable) else "○△")


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10_000),
    method=st.sampled_from("23"),
    end=st.sampled_from(["three_kings", "all_cards"]),
    n=st.sampled_from([2, 3]),
)
def test_a_check_says_of_sets_what_a_match_says(
    app: Flask, seed: int, method: str, end: str, n: int
) -> None:
    game, seats = GAMES["three_kings"], tuple("ABC"[:n])
    log = Log(game, simulation.table(game, seats, method=method, end=end))
    for play in simulation.player(game.NAME)(log, Random(seed), 0, 0):
        if len(log) % 3 == 0 and isinstance(play, fishing.Capture | fishing.Discard):
            says_as_much(app, log.state, play)
        log.push(play)
    told = dict.fromkeys(seats, "")
    for taken in log.state.sets:
        told[taken.seat] += " " + "+".join(sorted(taken.cards, key=fishing.VALUE.__getitem__)[:2])
        told[taken.seat] += "=" + max(taken.cards, key=fishing.VALUE.__getitem__)
    holders = [bonus.seat for bonus in log.state.bonuses]
    if end == "all_cards":
        told |= {"ask": "used_up"} | {f"three-{s}": "yes" for s in holders}
    else:
        told |= {"ask": "totals", "declarer": holders[0] if holders else "-"}
    page = ask(app, "three_kings", n=str(n), **told)
    if not log.state.sets:
        assert not heads(page)
        return
    part = page.select(".answer article")[int(method) - (2 if end == "all_cards" else 1)]
    points = game.score(log.state).totals
    assert totals(part) == {s: str(p).replace("-", "−") for s, p in points.items()}
    ended = game.outcome(log.state)
    assert ended is not None
    assert [words(one(w, "b")) for w in part.select(".who-s.w")] == list(ended.winners)


def test_nobody_is_accused_for_cards_that_need_not_be_there(app: Flask) -> None:
    """Every other card unseen would make a set, yet the queen may be all that the hand holds."""
    page = ask(app, "three_kings", hand="Q", tableau="K K K K K Q Q Q A 2 3 4")
    assert heads(page)[-1] == "Qを捨てる"
    assert words(page.select(".answer .verdict > .mk")[-1]) == "△"


def test_k31_all_cards_used(app: Flask) -> None:
    told = {"ask": "used_up", "n": "3", "A": "4 8 Q", "B": "2 3 5", "C": "A A 2"}
    page = ask(app, "three_kings", **told, **{"three-B": "yes", "three-C": "yes"})
    assert heads(page) == ["勝利条件 2：Bの勝ち", "勝利条件 3：Cの勝ち"]
    points = [words(each) for each in page.select(".answer .pt")]
    assert points == ["24", "25", "19", "24", "−5", "−11"]
    page = ask(app, "three_kings", **told, **{"three-B": "yes"}, all_cards_bonus="none")
    assert heads(page) == ["勝利条件 2：Aの勝ち", "勝利条件 3：Cの勝ち"]
    everybody = {f"three-{seat}": "yes" for seat in "ABC"}  # seven kings are two holders at most
    page = ask(app, "three_kings", 400, **told, **everybody)
    assert words(one(page, ".settle .fault"))


def test_the_address_holds_the_whole_question(app: Flask) -> None:
    """What is sent around is what was asked; every key says the same and one word more."""
    told = {"ask": "wins", "n": "3", "A": "6 6", "B": "1/2", "C": "5"}
    page = ask(app, "perite", **told)
    address = one(page, "a[data-share]")["href"]
    assert parse_qs(urlsplit(address).query) == {key: [value] for key, value in told.items()}
    again = soup(app.test_client().get(address))
    assert words(one(again, ".answer")) == words(one(page, ".answer"))
    for key in page.select(".keys a"):
        more = parse_qs(urlsplit(key["href"]).query)
        assert more["B"][0].startswith("1/2 ")
        assert more["A"] == ["6 6"]


def test_taps_that_follow_an_address_count_in_their_order(app: Flask) -> None:
    """Two taps of one page fill the next field, too; what is no tap changes nothing."""
    asked = {"lay": "5", "at": "lies", "lies": "8"}
    taps = ["+8", "-lay", "@lay", "+9", "+9", "@nowhere", "-nowhere", "", "?"]
    page = soup(app.test_client().get("/check/pairs_daifugo", query_string={**asked, "tap": taps}))
    assert heads(page) == ["出せます"]
    address = parse_qs(urlsplit(str(one(page, "a[data-share]")["href"])).query)
    assert address == {"ask": ["follow"], "lies": ["8 8"], "lay": ["9 9"]}
    page = soup(
        app.test_client().get(
            "/check/three_kings", query_string={"hand": "6", "at": "hand", "tap": ["+5", "+J"]}
        )
    )
    assert heads(page)[0] == "6で5とJを取る"


@pytest.mark.parametrize(
    ("game", "told", "where"),
    [
        ("trumps", {"A": "10*11"}, "#fault-A"),
        ("trumps", {"n": "2", "B": "10"}, "#fault-B"),
        ("trumps", {"A": "九"}, "#fault-A"),
        ("trumps", {"n": "9"}, ".fault"),
        ("trumps", {"tie_chain": "<b>"}, ".fault"),
        ("fancy", {"n": "3", "cards": "1 2 3 4"}, "#fault-cards"),
        ("fancy", {"n": "3", "cards": "9*9999 " * 200}, "#fault-cards"),
        ("perite", {"ask": "wins", "n": "2", "A": "1"}, "#fault-A"),
        ("three_kings", {"hand": "5", "tableau": "5*4"}, "#fault-tableau"),
        ("three_kings", {"ask": "totals", "A": "K 1 1"}, "#fault-A"),
        ("pairs_daifugo", {"lies": "7 8", "lay": "1"}, "#fault-lies"),
    ],
)
def test_wrong_input_is_said_at_its_field(
    app: Flask, game: str, told: dict[str, str], where: str
) -> None:
    page = ask(app, game, 400, lang="en", **told)
    assert words(one(page, where))
    assert not heads(page)
    assert page.select("form.settle input")


def test_full_width_digits_are_digits(app: Flask) -> None:
    assert totals(ask(app, "perite", n="3", cards="５、６ ４")) == {"C": "4"}


@pytest.mark.file
def test_nothing_is_stored(app: Flask, tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / paths.DATABASE)
    before = list(database.iterdump())
    ask(app, "trumps", A="9*5")
    ask(app, "fancy", 400, cards="1 1")
    assert list(database.iterdump()) == before
    database.close()
