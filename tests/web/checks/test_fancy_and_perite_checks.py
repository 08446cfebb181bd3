"""Quick checks of Fancy and ペリテ: the rules' own examples, and what a real match says."""

from __future__ import annotations

from collections import Counter
from random import Random
from urllib.parse import parse_qs, urlsplit

from asking import ask, heads, totals
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from phones import one, soup
from reading_room import words

from referee.core.log import Log
from referee.games import GAMES, simulation
from referee.games.families import must_not_follow as family


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


def test_the_address_holds_the_whole_question(app: Flask) -> None:
    """What is sent around is what was asked; every key says the same and one word more."""
    fields = {"ask": "wins", "n": "3", "A": "6 6", "B": "1/2", "C": "5"}
    page = ask(app, "perite", **fields)
    address = one(page, "a[data-share]")["href"]
    assert parse_qs(urlsplit(address).query) == {key: [value] for key, value in fields.items()}
    again = soup(app.test_client().get(address))
    assert words(one(again, ".answer")) == words(one(page, ".answer"))
    for key in page.select(".keys a"):
        more = parse_qs(urlsplit(key["href"]).query)
        assert more["B"][0].startswith("1/2 ")
        assert more["A"] == ["6 6"]


def test_full_width_digits_are_digits(app: Flask) -> None:
    assert totals(ask(app, "perite", n="3", cards="５、６ ４")) == {"C": "4"}


def test_more_cards_than_anybody_types_are_a_fault_of_the_field(app: Flask) -> None:
    page = ask(app, "fancy", 400, n="3", cards="9*9999 " * 200)
    assert words(one(page, "#fault-cards"))
    assert not heads(page)
