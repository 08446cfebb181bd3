"""Negative points have a minus sign, not a hyphen, wherever people read them."""

from __future__ import annotations

import re

import pytest
from kept import past
from phones import Phone, soup

from referee.history import exports
from referee.kit import shipped
from referee.kit.load import load

HYPHEN = re.compile(r"(?<![\w−-])-\d+")
STOP = {"seen": "1", "key": "a-key-of-a-form"}
SHEET = 'table sheet leader=A A="0 1" B="0 0" C="0 0" D="0 0"'


def opened(phone: Phone, name: str) -> Phone:
    """A table of a game file of four, with the first player A."""
    game = load((shipped.FOLDER / f"{name}.toml").read_bytes())
    store = phone.client.application.extensions["ledger"].store
    store.game_files.register((game.hash, game.KEY, game.text), "")
    phone.opens(game.NAME, ["A", "B", "C", "D"])
    phone.match = phone.match.partition("?")[0]  # the page asks for the turn-up
    return phone


def read(phone: Phone, path: str) -> str:
    """The words of a page and its labels, without addresses and values of fields."""
    page = soup(phone.get(path))
    labels = [str(one["aria-label"]) for one in page.select("[aria-label]")]
    return "\n".join([page.get_text("\n"), *labels])


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_points_below_zero_have_a_minus_sign(phone: Phone, lang: str) -> None:
    phone.client.set_cookie("lang", lang)
    opened(phone, "magi").lays(SHEET)
    table = f"/t/{phone.match}"
    shown = [f"{table}/sheet", f"{table}/score", f"{table}/e/1", f"{table}/stop"]
    for path in shown:
        said = read(phone, path)
        assert "−10" in said, path
        assert not HYPHEN.search(said), (path, HYPHEN.findall(said))
    phone.post(f"{table}/stop", STOP)
    past(phone)
    for path in [f"{table}/result", f"{table}/card.svg", "/history"]:
        said = read(phone, path)
        assert "−10" in said, path
        assert not HYPHEN.search(said), (path, HYPHEN.findall(said))


def test_exports_keep_the_hyphen(phone: Phone) -> None:
    opened(phone, "magi").lays(SHEET)
    phone.post(f"/t/{phone.match}/stop", STOP)
    assert {str(row["points"]) for row in exports.rows(past(phone).each(), "")} >= {"-10"}


def test_points_that_are_typed_on_a_sheet_have_a_minus_sign(phone: Phone) -> None:
    opened(phone, "hearts")
    said = read(phone, f"/t/{phone.match}/sheet?sheet=-5;7;3;21&at=3")
    assert "−5" in said
    assert not HYPHEN.search(said), HYPHEN.findall(said)
