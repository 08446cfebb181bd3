"""What the pads of Fancy's and ペリテ's quick checks offer."""

from __future__ import annotations

from random import Random

import pytest
from asking import ask, offered
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from phones import one
from reading_room import words

from referee.core.log import Log
from referee.core.verdict import Illegal
from referee.games import GAMES
from referee.games.families.must_not_follow import Lay
from referee.games.simulation import player, table

matches = settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("options", [{}, {"lead": "left_of_leader", "no_winner": "last_player"}])
@pytest.mark.parametrize("n", [3, 4])
def test_numbers_whose_copies_are_all_seen_are_not_offered(
    app: Flask, n: int, options: dict[str, str]
) -> None:
    page = ask(app, "perite", ask="trick", n=str(n), cards="2 2", **options)
    assert offered(page) == [str(rank) for rank in range(1, 2 * n + 1) if rank != 2]
    free = words(one(page, ".answer .verdict p")).partition("：")[2].split("・")
    assert free == offered(page)
    page = ask(app, "perite", n=str(n), cards="1 3", **options)
    assert "1" not in offered(page)
    assert "3" in offered(page)  # for a hand that holds nothing else
    assert "3" not in words(one(page, ".answer .verdict p")).partition("：")[2].split("・")


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
            page = ask(app, name, n="4", cards=" ".join(trick))
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
