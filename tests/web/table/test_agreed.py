"""The players agree with the result, and answer a claim of the rest."""

from __future__ import annotations

import pytest
from chosen_games import head
from flask import Flask
from phones import Phone, soup

from referee.core.record import Header
from referee.games import GAMES
from referee.games.simulation import played
from referee.kit import shipped


def opened(phone: Phone, app: Flask, name: str, most: int) -> None:
    game, ledger = GAMES[name], app.extensions["ledger"]
    seats = ("A", "B", "C")[: max(2, game.SEATS[0])]
    phone.match = ledger.open(head(name, seats)).match
    for seen, entry in enumerate(played(game, seats, 3, most=most).entries):
        line = ledger.view(phone.match).grammar.print(entry)
        ledger.declare(phone.match, line, seen, f"key-{seen:06}")


def sent(phone: Phone, form: object) -> None:
    fields = {field["name"]: field["value"] for field in form.select("input[type=hidden]")}  # type: ignore[attr-defined]
    assert phone.post(f"/t/{phone.match}/play", fields).status_code in (200, 303)


@pytest.mark.parametrize("name", list(GAMES))
def test_each_player_agrees_with_the_result(phone: Phone, app: Flask, name: str) -> None:
    opened(phone, app, name, 10_000)
    before = len(phone.log())
    page = phone.get(f"/t/{phone.match}/agree")
    sent(phone, soup(page).select("form[method=post]")[0])
    assert phone.log()[before:] == ["A agree"]
    for path in ("", "/log", "/score", f"/e/{before + 1}", "/agree", "/menu"):
        answer = phone.get(f"/t/{phone.match}{path}", follow_redirects=True)
        assert answer.status_code == 200, path
    assert "人が確認" in phone.get(f"/t/{phone.match}/score").text


def test_the_rest_of_a_deal_is_claimed_and_granted(phone: Phone, app: Flask) -> None:
    game = next(one for one in shipped.games().values() if one.KEY == "whist")
    ledger = app.extensions["ledger"]
    header = Header(game.KEY, ("A", "B", "C", "D"), {}, named={"kit": game.hash}, own=game)
    phone.match = ledger.open(header).match
    ledger.declare(phone.match, "table deal leader=A turn=H5", 0, "key-000001")
    assert "rest" in phone.get(f"/t/{phone.match}/menu").text
    for expected in ("A rest", "B grant rest"):
        page = soup(phone.get(f"/t/{phone.match}/rest"))
        sent(phone, page.select("form[method=post]")[0])
        assert phone.log()[-1] == expected
        for path in ("", "/log", "/score", f"/e/{len(phone.log())}", "/menu"):
            answer = phone.get(f"/t/{phone.match}{path}", follow_redirects=True)
            assert answer.status_code == 200, path
    assert (
        ledger.view(phone.match).game.public(ledger.view(phone.match).state)["phase"] == "between"
    )
