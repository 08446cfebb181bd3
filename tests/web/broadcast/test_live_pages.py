"""The live page of a table: who may see it, what it says, and what it never says."""

from __future__ import annotations

import json
import re
import secrets
from itertools import islice
from random import Random

import pytest
from chosen_games import head
from flask import Flask
from flask.testing import FlaskClient
from parsed import parsed
from phones import Phone, one, soup, text

from referee.core.game import Game
from referee.core.log import Log
from referee.core.record import Header, Record, read
from referee.games import GAMES, ON_CARDS
from referee.games.simulation import played, player, room_of, table
from referee.kit import shipped
from referee.ledger import Ledger
from referee.store.broadcasts import Broadcast, Broadcasts
from referee.web.broadcast import misses
from referee.web.broadcast.misses import MOST, Misses
from tools import pages

PLAYS = 14
CARD_GAMES = (*ON_CARDS.values(), *shipped.games().values())


def aired(phone: Phone, delay: int = 0) -> str:
    """The address of the live page of the phone's table, after it was switched on."""
    phone.post(f"/t/{phone.match}/broadcast", {"do": "begin", "delay": str(delay)})
    page = soup(phone.get(f"/t/{phone.match}/broadcast"))
    return str(one(page, "a[data-share]")["href"]).removeprefix("http://localhost")


@pytest.fixture
def onlooker(app: Flask) -> FlaskClient:
    client = app.test_client()
    client.environ_base |= {"REMOTE_ADDR": "192.168.1.9"}
    return client


def fed(answer_text: str) -> list[tuple[str, dict[str, object]]]:
    """The events of a feed: the id ("" without one), and what they say."""
    found = re.findall(r"(?:id: (\d+)\n)?data: (.*)\n\n", answer_text)
    return [(number, json.loads(said)) for number, said in found]


def test_it_is_off_until_the_host_switches_it_on(phone: Phone, onlooker: FlaskClient) -> None:
    phone.opens()
    assert not soup(phone.get(f"/t/{phone.match}/broadcast")).select("a[data-share]")
    address = aired(phone)
    answer = onlooker.get(address)
    assert answer.status_code == 200
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "Set-Cookie" not in answer.headers
    page = soup(answer)
    assert not page.select("#live a, #live button, #live form, #live input")
    assert phone.match not in answer.text


def test_the_secret_lets_nobody_near_the_table(phone: Phone, onlooker: FlaskClient) -> None:
    phone.opens()
    address = aired(phone)
    onlooker.get(address)
    assert onlooker.get(f"/t/{phone.match}").status_code == 403
    for path in ("", "/stream?look=page&lang=ja", "/events", "/record.txt"):
        assert onlooker.post(address + path, data={"line": "A lay 3"}).status_code == 405
    assert phone.log() == ["table deal leader=A"]
    assert soup(phone.get(f"/t/{phone.match}/join")).select(".seats li.mine, .seats") != []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("tongue", ["ja", "en"])
def test_every_game_can_be_watched(
    app: Flask, phone: Phone, onlooker: FlaskClient, game: str, tongue: str
) -> None:
    seats = ("あかね", "Ben", "シホ")[: min(3, GAMES[game].SEATS[-1])]
    ledger: Ledger = app.extensions["ledger"]
    match = ledger.open(head(game, seats)).match
    for entry in played(GAMES[game], seats, 5).entries[:PLAYS]:
        view = ledger.view(match)
        ledger.declare(match, view.grammar.print(entry), view.seq, secrets.token_hex(8))
    phone.match = match
    phone.get(f"/t/{match}")  # the first phone takes a table that no group has
    address = aired(phone)
    for query in ("", "overlay=score", "overlay=lower"):
        answer = onlooker.get(f"{address}?lang={tongue}&{query}")
        assert answer.status_code == 200
        page = soup(answer)
        assert one(page, "html")["lang"] == tongue
        assert page.select(".feed, .bug, .low")
        part = onlooker.get(str(one(page, "#live")["data-stream"])).text
        assert part.startswith("retry: ")
        assert "data: " in part
    record = read(onlooker.get(f"{address}/record.txt").data, GAMES)
    assert isinstance(record, Record)
    assert len(record.entries) == ledger.view(match).seq


def test_the_newest_entries_have_verdicts_and_reasons(phone: Phone, onlooker: FlaskClient) -> None:
    phone.opens(names=("A", "B", "C"))
    address = aired(phone)
    phone.lays("A lay 4")
    phone.lays("B lay 4", overrule="1")
    page = soup(onlooker.get(address))
    rows = page.select(".feed > li")
    assert len(rows) == 4
    assert rows[0].select(".mk.fix")
    assert rows[1].select(".mk.no")
    assert "了承で有効" in text(rows[1], "small")
    assert [cell.get_text(strip=True)[0] for cell in page.select(".tot4 li")] == ["A", "B", "C"]


def test_the_overlay_of_the_last_play_has_the_trick(phone: Phone, onlooker: FlaskClient) -> None:
    phone.opens(names=("A", "B", "C"))
    address = aired(phone)
    phone.lays("A lay 4")
    page = soup(onlooker.get(f"{address}?overlay=lower"))
    assert len(page.select(".tr .cd")) == 3
    assert len(page.select(".tr .card")) == 1
    assert text(page, ".tr .now + .one") == "B"
    assert "次はB" in text(page, ".low > p")


@pytest.mark.parametrize("game", CARD_GAMES, ids=lambda game: game.NAME)
def test_the_overlay_of_every_game_has_cards_and_who_is_due(
    app: Flask, onlooker: FlaskClient, game: Game
) -> None:
    ledger: Ledger = app.extensions["ledger"]
    seats = ("A", "B", "C", "D")[: min(4, game.SEATS[-1])]
    match = ledger.open(pages.with_file(game, Header(game.NAME, seats))).match
    Broadcasts(ledger.store).begin("s" * 22, Broadcast(match, "n", 0))
    log = Log(game, table(game, seats))
    for entry in islice(player(room_of(game))(log, Random(5), 0, 0), 40):
        log.push(entry)
        view = ledger.view(match)
        ledger.declare(match, view.grammar.print(entry), view.seq, secrets.token_hex(8))
        page = soup(onlooker.get(f"/live/{'s' * 22}?overlay=lower"))
        cards, due = page.select(".tr :is(.card, .kj, .nc)"), page.select(".tr .now")
        if len(cards) > 1 and due:
            break
    else:
        pytest.fail("no row of cards")
    cells = page.select(".tr .cd")
    [name] = {one(cell, ".one").get_text() for cell in cells if cell.select(".now")}
    # who has played may have to draw first, and the page names the next one already
    assert name in game.to_act(log.state) or f"次は{name}" in text(page, ".low > p")
    assert not page.select(".low a, .low button")


def test_the_overlay_keeps_a_trick_until_the_next_card(phone: Phone, onlooker: FlaskClient) -> None:
    phone.opens(names=("A", "B", "C"))
    address = aired(phone)
    phone.lays("A lay 4", "B lay 5", "C lay 3")
    page = soup(onlooker.get(f"{address}?overlay=lower"))
    cells = [one(cell, ".one").get_text() for cell in page.select(".tr .cd")]
    assert len(page.select(".tr .card")) == 3
    assert text(page, ".tr .card.win") == "3"
    assert cells == ["A", "B", "C", "C"]
    phone.lays("C lay 2")
    assert len(soup(onlooker.get(f"{address}?overlay=lower")).select(".tr .card")) == 1


def test_the_settings_say_how_many_look_on(app: Flask, phone: Phone) -> None:
    phone.opens()
    aired(phone)
    ledger: Ledger = app.extensions["ledger"]
    assert "いま見ている画面" not in phone.get(f"/t/{phone.match}/broadcast").text
    ledger.contacts.looks_on(phone.match, 3)
    assert "いま見ている画面：3" in phone.get(f"/t/{phone.match}/broadcast").text


def test_nothing_undone_lingers(phone: Phone, onlooker: FlaskClient) -> None:
    phone.opens(names=("A", "B", "C"))
    address = aired(phone)
    before = onlooker.get(address).text
    phone.lays("A lay 4")
    assert onlooker.get(address).text != before
    phone.undoes()
    assert soup(onlooker.get(address)).select_one("#live") == parsed(before).select_one("#live")


def test_a_refused_play_is_not_shown(phone: Phone, onlooker: FlaskClient) -> None:
    phone.opens(names=("A", "B", "C"))
    address = aired(phone)
    before = onlooker.get(f"{address}/events").text
    phone.lays("B lay 5")  # it is A's turn
    assert onlooker.get(f"{address}/events").text == before


def test_any_other_secret_is_answered_alike(phone: Phone, onlooker: FlaskClient) -> None:
    phone.opens()
    address = aired(phone)
    phone.post(f"/t/{phone.match}/broadcast", {"do": "end"})
    answers = {
        onlooker.get(f"/live/{secret}{path}").data
        for secret in (address.rpartition("/")[2], "x", phone.match, "あ", "0" * 500)
        for path in ("", "/stream?look=page&lang=ja", "/events", "/record.txt", "?overlay=score")
    }
    assert len(answers) == 1
    assert onlooker.get(address).status_code == 404


def test_a_new_address_ends_the_old_one(phone: Phone, onlooker: FlaskClient) -> None:
    phone.opens()
    first = aired(phone, 30)
    phone.post(f"/t/{phone.match}/broadcast", {"do": "renew"})
    page = soup(phone.get(f"/t/{phone.match}/broadcast"))
    second = str(one(page, "a[data-share]")["href"]).removeprefix("http://localhost")
    assert first != second
    assert onlooker.get(first).status_code == 404
    assert onlooker.get(second).status_code == 200
    assert text(page, ".opt.on") == "30秒遅れ"


def test_who_only_watches_cannot_switch(app: Flask, phone: Phone, guest: Phone) -> None:
    phone.opens()
    link = str(one(soup(phone.get(f"/t/{phone.match}/join")), "input[readonly]")["value"])
    guest.get(link.removeprefix("http://localhost"))
    guest.match = phone.match
    assert guest.post(f"/t/{phone.match}/broadcast", {"do": "begin"}).status_code == 403
    page = guest.get(f"/t/{phone.match}/broadcast")
    assert page.status_code == 200
    assert not soup(page).select("main form")


@pytest.mark.parametrize("form", [{}, {"do": "x"}, {"do": "begin", "delay": "7"}, {"do": "renew"}])
def test_a_damaged_form_changes_nothing(phone: Phone, form: dict[str, str]) -> None:
    phone.opens()
    assert phone.post(f"/t/{phone.match}/broadcast", form).status_code == 400
    assert not soup(phone.get(f"/t/{phone.match}/broadcast")).select("a[data-share]")


@pytest.mark.parametrize("query", ["overlay=x", "overlay="])
def test_a_look_that_does_not_exist(phone: Phone, onlooker: FlaskClient, query: str) -> None:
    phone.opens()
    assert onlooker.get(f"{aired(phone)}?{query}").status_code == 404


def test_an_address_that_guesses_has_to_wait(
    phone: Phone, onlooker: FlaskClient, app: Flask
) -> None:
    phone.opens()
    address = aired(phone)
    now = [0.0]
    app.extensions["misses"] = Misses(lambda: now[0])
    for _ in range(3 * MOST):
        onlooker.get("/live/the-same-every-time")
    assert onlooker.get(address).status_code == 200
    for number in range(MOST):
        onlooker.get(f"/live/{number}")
    assert onlooker.get(address).status_code == 404
    assert app.test_client().get(address).status_code == 200  # from another address
    now[0] = misses.WINDOW_SECONDS
    assert onlooker.get(address).status_code == 200


def test_the_feed_has_the_lines_of_the_record_and_goes_on_where_it_was(
    phone: Phone, onlooker: FlaskClient
) -> None:
    phone.opens(names=("A", "B", "C"))
    address = aired(phone)
    phone.lays("A lay 4")
    phone.lays("B lay 4", overrule="1")
    events = fed(onlooker.get(f"{address}/events").text)
    assert [number for number, _ in events] == ["1", "2", "3", "4"]
    assert [said["line"] for _, said in events] == phone.log()
    assert events[2][1]["verdict"] == "illegal"
    assert events[2][1]["clause"] == "follow.2"
    rest = onlooker.get(f"{address}/events", headers={"Last-Event-ID": "2"}).text
    assert fed(rest) == events[2:]
    assert fed(onlooker.get(f"{address}/events", headers={"Last-Event-ID": "4"}).text) == []
    for damaged in ("x", "-1", "9" * 40, "٣"):
        again = onlooker.get(f"{address}/events", headers=[("Last-Event-ID", damaged)])
        assert fed(again.text) == events


def test_a_picture_that_is_there_is_not_sent_again(phone: Phone, onlooker: FlaskClient) -> None:
    phone.opens()
    address = aired(phone)
    first = onlooker.get(f"{address}/stream?look=score&lang=en").text
    [version] = re.findall(r"^id: (.*)$", first, re.MULTILINE)
    told = {"Last-Event-ID": version}
    assert "data" not in onlooker.get(f"{address}/stream?look=score&lang=en", headers=told).text
    phone.lays("A lay 1")
    assert "data" in onlooker.get(f"{address}/stream?look=score&lang=en", headers=told).text
