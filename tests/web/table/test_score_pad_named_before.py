"""A game that people name: a name that was played before brings its settings and people."""

from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup
from phones import Phone, one, soup

GAME = "score_pad"


def names(page: BeautifulSoup) -> list[str]:
    return [str(field["value"]) for field in page.select("input[name=name]")]


PLAYED = {"option.wins": "least", "option.target": "100"}


def typed_name(phone: Phone, called: str, **more: Any) -> Any:
    """What the form of a new table answers to this name and the fields ``more``."""
    page = soup(phone.get(f"/new?game={GAME}"))
    fields = {"name": names(page), "filled": one(page, "[name=filled]")["value"]}
    return phone.post("/new", {"game": GAME, "called": called} | fields | more)


@pytest.fixture
def skyjo(phone: Phone) -> Phone:
    """A phone that has played this game with A, B, C, and then another one with D and E."""
    phone.post("/new", {"game": GAME, "called": "Skyjo", "name": ["A", "B", "C"], **PLAYED})
    return phone.opens(GAME, ["D", "E"], called="UNO")


@pytest.mark.parametrize("do", ["write", ""])
def test_a_name_that_is_typed_brings_the_settings_and_people_of_last_time(
    skyjo: Phone, do: str
) -> None:
    answer = typed_name(skyjo, "ｓｋｙＪｏ", do=do)
    assert answer.status_code == 200
    page = soup(answer)
    assert names(page) == ["A", "B", "C"]
    assert one(page, "[name='option.target']")["value"] == "100"
    assert "前回と同じ" in one(page, "p.note[role=status]").text
    filled = {"name": names(page), "filled": one(page, "[name=filled]")["value"], **PLAYED}
    opened = skyjo.post("/new", {"game": GAME, "called": "Skyjo", **filled})
    assert opened.status_code == 303


def test_what_was_chosen_before_the_name_stays(skyjo: Phone) -> None:
    page = soup(typed_name(skyjo, "Skyjo", do="write", **{"option.target": "50"}))
    assert one(page, "[name='option.target']")["value"] == "50"
    assert names(page) == ["A", "B", "C"]
    page = soup(typed_name(skyjo, "Skyjo", do="write", name=["E", "F"]))
    assert names(page) == ["E", "F"]
    assert one(page, "[name='option.target']")["value"] == "100"


def test_a_form_is_filled_once(skyjo: Phone) -> None:
    """Who then wants other settings than last time gets them."""
    again = {"filled": "skyjo", "name": ["A", "B"]}
    assert typed_name(skyjo, "Skyjo", **again).status_code == 303


def test_a_new_name_opens_at_once(skyjo: Phone) -> None:
    assert typed_name(skyjo, "Catan").status_code == 303
