"""The form of a new table offers the house rules with which the group has played a game before."""

from __future__ import annotations

from typing import Any

from bs4 import BeautifulSoup
from phones import Phone, one, soup
from reading_room import words

from referee.kit import shipped

DAIFUGO = next(name for name, game in shipped.games().items() if game.KEY == "daifugo")
OURS = {"eight": "off", "seven": "on"}


def opened(phone: Phone, **options: str) -> None:
    data: dict[str, Any] = {"game": DAIFUGO, "name": ["A", "B", "C"]}
    assert phone.post("/new", data | {f"option.{k}": v for k, v in options.items()}).location


def pressed(phone: Phone, do: str, **options: str) -> BeautifulSoup:
    data: dict[str, Any] = {"game": DAIFUGO, "name": ["A", "B", "C"], "do": do}
    return soup(phone.post("/new", data | {f"option.{k}": v for k, v in options.items()}))


def chosen(page: BeautifulSoup) -> dict[str, str]:
    fields = page.select("#house-rules input[checked], #house-rules option[selected]")
    found = {}
    for field in fields:
        owner = field if field.name == "input" else field.find_parent("select")
        assert owner is not None
        found[str(owner["name"]).removeprefix("option.")] = str(field["value"])
    return {key: value for key, value in found.items() if key in OURS}


def test_nothing_is_offered_before_a_group_has_changed_rules(phone: Phone) -> None:
    opened(phone)
    assert not soup(phone.get(f"/new?game={DAIFUGO}")).select("[value=ours]")


def test_one_tap_brings_the_rules_of_the_group_and_one_the_standard(phone: Phone) -> None:
    opened(phone, **OURS)
    opened(phone)  # once with the standard rules: those of the group are not forgotten
    page = soup(phone.get(f"/new?game={DAIFUGO}"))
    assert chosen(page) == {"eight": "on", "seven": "off"}
    assert "8切り：なし、7渡し：枚数だけ次の人に渡す" in words(one(page, "#new"))
    page = pressed(phone, "ours")
    assert chosen(page) == OURS
    assert one(page, "[value=ours]")["aria-pressed"] == "true"
    page = pressed(phone, "standard", **OURS)
    assert chosen(page) == {"eight": "on", "seven": "off"}
    assert one(page, "[value=standard]")["aria-pressed"] == "true"


def test_the_rules_are_those_of_the_group_and_of_the_game(phone: Phone) -> None:
    opened(phone, **OURS)
    other = next(name for name, game in shipped.games().items() if game.KEY == "president")
    assert not soup(phone.get(f"/new?game={other}")).select("[value=ours]")
    stranger = Phone(phone.client.application.test_client())
    assert not soup(stranger.get(f"/new?game={DAIFUGO}")).select("[value=ours]")
    assert chosen(pressed(stranger, "ours")) == {"eight": "on", "seven": "off"}
