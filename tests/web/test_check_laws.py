"""Laws of all quick checks: what a pad offers can be tapped, and real matches agree with it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup
from flask import Flask
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from phones import one, soup
from reading_room import words

from referee.core.log import Log
from referee.core.verdict import Illegal
from referee.games import GAMES
from referee.games import jukugo_line as lines
from referee.games import trumps as collecting
from referee.games.families.must_not_follow import Lay
from referee.games.simulation import player, table
from referee.jukugo.decks import JOKER
from referee.screens import screen

CHECKS = [(game, check.name) for game in GAMES for check in screen(game).checks]
PEOPLE = {"1", "2", "3", "4", "6", "11"}  # no more, to keep pages short

matches = settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])


def asked(app: Flask, game: str, **query: str) -> BeautifulSoup:
    answer = app.test_client().get(f"/check/{game}", query_string=query)
    assert answer.status_code == 200, answer.text
    return soup(answer)


def offered(page: BeautifulSoup) -> list[str]:
    return [str(key["data-tap"])[1:] for key in page.select(".keys .key")]


def chosen(draw: Callable[[st.SearchStrategy[str]], str], page: BeautifulSoup) -> dict[str, str]:
    """A value of every setting that the page has."""
    query = {}
    for select in page.select("form.settle select"):
        values = [str(o.get("value") or words(o)) for o in select.select("option")]
        few = [value for value in values if select["name"] != "n" or value in PEOPLE]
        query[str(select["name"])] = draw(st.sampled_from(few or values))
    return query


@pytest.mark.parametrize(("game", "name"), CHECKS, ids=lambda value: value)
@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_whatever_a_pad_offers_can_be_tapped(
    app: Flask, game: str, name: str, data: st.DataObject
) -> None:
    """No field is at fault, tap by tap; a setting may be, such as a pass where nothing lies."""
    client = app.test_client()
    page = soup(client.get(f"/check/{game}?ask={name}"))
    query = {"ask": name, **chosen(data.draw, page)}
    page = soup(client.get(f"/check/{game}", query_string=query))
    for _tap in range(data.draw(st.integers(1, 12))):
        turns = page.select(".told-r .name")
        if data.draw(st.integers(0, 4)) == 0 and len(turns) > 1:
            page = soup(client.get(str(data.draw(st.sampled_from(turns))["href"])))
        keys = page.select(".keys .key")
        if not keys:
            break
        page = soup(client.get(str(data.draw(st.sampled_from(keys))["href"])))
        assert not page.select(".told-r .fault"), page.select_one(".told-c")


@pytest.mark.parametrize("options", [{}, {"lead": "left_of_leader", "no_winner": "last_player"}])
@pytest.mark.parametrize("n", [3, 4])
def test_numbers_whose_copies_are_all_seen_are_not_offered(
    app: Flask, n: int, options: dict[str, str]
) -> None:
    page = asked(app, "perite", ask="trick", n=str(n), cards="2 2", **options)
    assert offered(page) == [str(rank) for rank in range(1, 2 * n + 1) if rank != 2]
    free = words(one(page, ".answer .verdict p")).partition("：")[2].split("・")
    assert free == offered(page)
    page = asked(app, "perite", n=str(n), cards="1 3", **options)
    assert "1" not in offered(page)
    assert "3" in offered(page)  # for a hand that holds nothing else
    assert "3" not in words(one(page, ".answer .verdict p")).partition("：")[2].split("・")


def test_a_full_field_passes_the_pad_on(app: Flask) -> None:
    """There is one 1, so it is no pair; and nothing can follow a covered card."""
    for a, b, at in (("1", "", "B"), ("6 6", "X", "C"), ("6", "", "A")):
        page = asked(app, "trumps", ask="places", n="3", A=a, B=b, at="B" if b else "A")
        assert words(one(page, ".told-r.on .name")) == at
    assert offered(page) == ["6"]


def test_sets_that_were_typed_and_sets_that_were_tapped_are_one_pile(app: Flask) -> None:
    page = asked(app, "three_kings", ask="totals", n="2", A="4+8=Q 5 6", at="A")
    assert offered(page) == ["A", "J"]
    page = asked(app, "three_kings", ask="totals", n="2", A="4+8=Q 5 6 J")
    points = [words(each) for each in page.select(".answer .pt")]
    assert points == ["46", "0", "46", "0"]


@matches
@given(seed=st.integers(0, 10_000), name=st.sampled_from(["fancy", "perite"]))
def test_what_a_trick_offers_is_what_a_match_allows(app: Flask, seed: int, name: str) -> None:
    """A match knows more: the cards of earlier tricks, and how many a hand holds."""
    game, seats = GAMES[name], ("A", "B", "C", "D")
    log = Log(game, table(game, seats, rounds="1"))
    rng, compared = Random(seed), 0
    for play in player(name)(log, Random(seed), 0, 0):
        state = log.state
        trick = [str(card.rank) for card in state.trick]
        if trick and len(trick) + len(state.due) == 4 and rng.random() < 0.5:
            page = asked(app, name, n="4", cards=" ".join(trick))
            free = words(one(page, ".answer .verdict p")).partition("：")[2].split("・")
            for rank in map(str, state.deck.cards):
                verdict = game.judge(state, Lay(state.due[0], int(rank)))
                seen = verdict.clause == "deck.2"
                assert rank in offered(page) or isinstance(verdict, Illegal)
                assert (rank in free) == (verdict.clause == "follow.1") or seen
                assert (rank in offered(page)) != seen or state.number > 1
            compared += 1
        log.push(play)
    assert compared


@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000), n=st.sampled_from([2, 3]))
def test_what_a_round_offers_is_what_a_match_allows(app: Flask, seed: int, n: int) -> None:
    game, seats = GAMES["trumps"], tuple("ABC"[:n])
    log = Log(game, table(game, seats, facedown_to_field="remove"))
    rng, compared = Random(seed), 0
    for play in player("trumps")(log, Random(seed), 0, 0):
        state = log.state
        laid: Any = state.played
        whole = state.step is collecting.Step.PLAY and len(laid) + len(state.due) == n
        if whole and laid and (not compared or rng.random() < 0.2):
            order = [*(each.seat for each in laid), *state.due]
            named = dict(zip(order, seats, strict=True))
            told = {
                named[each.seat]: "X" if each.down else " ".join(map(str, each.ranks))
                for each in laid
            }
            due = state.due[0]
            page = asked(app, "trumps", ask="places", n=str(n), at=named[due], **told)
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
                head = words(one(asked(app, "jukugo_line", **query), ".answer h2"))
                assert (head in ("Aの勝ち", "フラッグを取れる")) == (
                    not isinstance(verdict, Illegal)
                )
                compared += 1
        log.push(play)
    assume(compared)  # some matches have no claim that cards decide


def test_addresses_that_were_sent_are_as_valid_as_ever(app: Flask) -> None:
    """One with every key of each question, as earlier versions wrote them."""
    for path, head in (
        ("fancy?ask=trick&n=3&cards=5+2+4", "Bが最小"),
        (
            "perite?ask=trick&n=4&lead=left_of_leader&no_winner=last_player&cards=2+2+3+3",
            "Dの勝ち",
        ),
        ("perite?ask=wins&n=2&at=B&A=1%2F2+2&B=3+3", "Bの勝ち"),
        ("trumps?ask=piles&n=2&tie_chain=lexicographic&A=9*3&B=8", "Aの勝ち"),
        ("trumps?ask=places&n=2&A=6&B=X", "A → Bの順"),
        ("pairs_daifugo?ask=follow&order=revolution&lies=6*4&lay=5*4", "出せます"),
        ("three_kings?ask=sets&n=2&hand=6&tableau=5+J", "6で5とJを取る"),
        ("three_kings?ask=totals&n=2&declarer=A&A=4+8+Q", "勝利条件 1：Aの勝ち"),
        ("three_kings?ask=used_up&n=2&three-A=yes&A=4%2B8%3DQ", "勝利条件 2：Aの勝ち"),
        ("jukugo_line?ask=columns&first=B&A=日+本+人&B=学+一+生", "Aの勝ち"),
        ("jukugo_line?ask=word&word=日+本", "「日本」は熟語"),
    ):
        answer = app.test_client().get(f"/check/{path}")
        assert answer.status_code == 200, answer.text
        page = soup(answer)
        assert words(page.select(".answer h2")[0]) == head
        shared = parse_qs(urlsplit(str(one(page, "a[data-share]")["href"])).query)
        assert shared.items() <= parse_qs(urlsplit(path).query).items()
