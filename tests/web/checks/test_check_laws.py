"""Laws of all quick checks: what a pad offers can be tapped, and real matches agree with it."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup
from examples import each
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from phones import one, soup
from reading_room import words

from referee.games import GAMES
from referee.kit import shipped
from referee.screens import screen

OF_FAMILIES = {"shedding": ("follow",), "draw_or_stop": ("draw", "stop")}
CHECKS = [
    *((game, check.name) for game in GAMES for check in screen(game).checks),
    *((n, ask) for n, game in shipped.games().items() for ask in OF_FAMILIES.get(game.FAMILY, ())),
]
PEOPLE = {"1", "2", "3", "4", "6", "11"}  # no more, to keep pages short

matches = settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])


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
        turns = page.select(".given-r .name")
        if data.draw(st.integers(0, 4)) == 0 and len(turns) > 1:
            page = soup(client.get(str(data.draw(st.sampled_from(turns))["href"])))
        keys = page.select(".keys .key")
        if not keys:
            break
        page = soup(client.get(str(data.draw(st.sampled_from(keys))["href"])))
        assert not page.select(".given-r .fault"), page.select_one(".given-c")


@pytest.mark.parametrize(("game", "sent"), each("check"))
def test_addresses_that_were_sent_are_as_valid_as_ever(
    app: Flask, game: str, sent: dict[str, str]
) -> None:
    """With every key of a question, as earlier versions wrote them."""
    answer = app.test_client().get(f"/check/{game}?{sent['address']}")
    assert answer.status_code == 200, answer.text
    page = soup(answer)
    assert words(page.select(".answer h2")[0]) == sent["head"]
    shared = parse_qs(urlsplit(str(one(page, "a[data-share]")["href"])).query)
    assert shared.items() <= parse_qs(sent["address"]).items()
