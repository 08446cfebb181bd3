"""The players agree with the result, and answer a claim of the rest."""

from __future__ import annotations

import pytest
from chosen_games import head
from flask import Flask
from phones import Phone, one, soup
from reading_room import words

from referee.core.record import Header
from referee.games import GAMES
from referee.games.simulation import played
from referee.kit import shipped
from referee.ledger import Ledger


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


def dealt(phone: Phone, app: Flask, lines: str = "") -> Ledger:
    """A deal of a game with teams, in which the rest can be claimed."""
    game = next(one for one in shipped.games().values() if one.KEY == "whist")
    ledger: Ledger = app.extensions["ledger"]
    header = Header(game.KEY, ("A", "B", "C", "D"), {}, named={"kit": game.hash}, own=game)
    phone.match = ledger.open(header).match
    for seen, line in enumerate(["table deal leader=A turn=H5", *lines.split("; ")]):
        if line:
            ledger.declare(phone.match, line, seen, f"key-{seen:06}")
    return ledger


def works(phone: Phone) -> None:
    for path in ("", "/log", "/score", f"/e/{len(phone.log())}", "/menu", "/rest"):
        answer = phone.get(f"/t/{phone.match}{path}", follow_redirects=True)
        assert answer.status_code == 200, path


def test_the_rest_of_a_deal_is_asked_for_and_granted(phone: Phone, app: Flask) -> None:
    """By asking the other phones; what it would mean is said before anybody agrees."""
    ledger = dealt(phone, app)
    assert "rest" in phone.get(f"/t/{phone.match}/menu").text
    sent(phone, soup(phone.get(f"/t/{phone.match}/rest?seat=B")).select("form[method=post]")[-1])
    assert phone.log()[-1] == "B rest"
    works(phone)
    assert one(phone.page(), "a.joint")["href"].startswith(f"/t/{phone.match}/rest")
    page = soup(phone.get(f"/t/{phone.match}/rest"))
    assert [words(row) for row in page.select(".changes li")] == [
        "B・D 0トリック → 13トリック",
        "A・C まだ",
    ]
    sent(phone, one(page, "form[method=post]"))
    assert phone.log()[-1] == "A grant rest"
    works(phone)
    view = ledger.view(phone.match)
    assert view.game.public(view.state)["phase"] == "between"


def test_one_phone_that_is_passed_round_says_it_for_all(phone: Phone, app: Flask) -> None:
    dealt(phone, app)
    before = len(phone.log())
    forms = soup(phone.get(f"/t/{phone.match}/rest")).select("form[method=post]")
    assert len(forms) == 2
    sent(phone, forms[0])
    assert phone.log()[before:] == ["A rest", "B grant rest"]


def test_a_hand_that_wins_everything_needs_nobody(phone: Phone, app: Flask) -> None:
    second(phone, app, "B show HA HK")
    page = soup(phone.get(f"/t/{phone.match}/rest?seat=B"))
    sent(phone, one(page, "form[method=post]"))
    assert phone.log()[-1] == "B rest"
    works(phone)


def second(phone: Phone, app: Flask, lines: str) -> None:
    """The second deal of a game without teams, with two cards in each hand."""
    game = next(one for one in shipped.games().values() if one.KEY == "oh_hell")
    ledger: Ledger = app.extensions["ledger"]
    header = Header(game.KEY, ("A", "B", "C"), {}, named={"kit": game.hash}, own=game)
    phone.match = ledger.open(header).match
    before = 'table sheet leader=A A="0 0" B="0 0" C="0 1"; table deal leader=B turn=H5; '
    before += "B bid 2; C bid 0; A bid 1; "
    for seen, line in enumerate((before + lines).split("; ")):
        ledger.declare(phone.match, line, seen, f"key-{seen:06}")


def test_a_claim_that_is_refuted_is_not_offered(phone: Phone, app: Flask) -> None:
    dealt(phone, app, "A lay S5; B lay S7; C lay S6")
    page = soup(phone.get(f"/t/{phone.match}/rest?seat=A"))
    assert "♠7" in words(one(page, ".warn[role=alert]"))
    assert not page.select("form[method=post]")


def test_the_key_comes_with_the_second_half_of_the_deal(phone: Phone, app: Flask) -> None:
    second(phone, app, "B lay S4; C lay S2")
    assert not phone.page().select("a.joint")
    assert phone.get(f"/t/{phone.match}/rest?seat=nobody").status_code == 200
    second(phone, app, "B lay S4; C lay S2; A lay S3")
    assert words(one(phone.page(), ".bar .joint")) == "残り1を取る"


def test_a_phone_that_is_passed_round_agrees_for_all(phone: Phone, app: Flask) -> None:
    opened(phone, app, next(iter(GAMES)), 10_000)
    before = len(phone.log())
    page = soup(phone.get(f"/t/{phone.match}/agree"))
    assert page.select(".mine li")
    assert page.select(".mine a[href*=contest]")
    sent(phone, page.select("form[method=post]")[-1])
    assert phone.log()[before:] == ["A agree", "B agree", "C agree"]
    assert not soup(phone.get(f"/t/{phone.match}/agree")).select("form[method=post]")
    assert "3人中3人が確認" in phone.get(f"/t/{phone.match}/result").text
    assert "3人中3人が確認" in phone.get(f"/t/{phone.match}/card.svg").text
