"""What goes wrong is said in the person's language, and nothing is stored."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from parsed import parsed
from phones import Phone, one, soup, text
from werkzeug.test import EnvironBuilder, run_wsgi_app

from referee.app import create_app
from referee.core.record import Header
from referee.games import GAMES, ON_CARDS
from referee.games.families.must_not_follow import Show
from referee.games.simulation import WIDEST
from referee.http import errors
from referee.web.site import trust

KEY = "0123456789ab"
GOOD = {"line": "A lay 4", "seen": "1", "key": KEY}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"line": ""}, "何も送られて"),
        ({"line": "A lay " + "4" * 3000}, "何も送られて"),
        ({"line": "A lay 4\n" * 61}, "何も送られて"),
        ({"line": "A lay four"}, "カードの数字として読めません"),
        ({"line": "Z lay 4"}, "という席はありません"),
        ({"line": "A jump"}, "このゲームにありません"),
        ({"line": 'A lay "4'}, "閉じていません"),
        ({"line": "A lay 0"}, "カードの数字として読めません"),
        ({"line": "A lay", "rank": "4 5"}, "読めません"),
        ({"seen": "-1"}, "画面の情報が足り"),
        ({"seen": "last"}, "画面の情報が足り"),
        ({"seen": "１"}, "画面の情報が足り"),
        ({"key": ""}, "古くなりました"),
        ({"key": "a b"}, "古くなりました"),
        ({"key": "x" * 65}, "古くなりました"),
    ],
)
def test_an_unreadable_play_is_explained(
    phone: Phone, wrong: dict[str, str], sentence: str
) -> None:
    phone.opens()
    answer = phone.post(f"/t/{phone.match}/play", GOOD | wrong)
    assert answer.status_code == 400
    assert sentence in text(soup(answer), ".says")
    assert len(phone.log()) == 1


def test_htmx_gets_a_line_of_text_and_keeps_its_page(phone: Phone) -> None:
    phone.opens()
    phone.headers = {"HX-Request": "true"}
    answer = phone.post(f"/t/{phone.match}/play", GOOD | {"line": "Z lay 4"})
    assert answer.status_code == 400
    assert answer.headers["HX-Retarget"] == "#notice"
    assert "<html" not in answer.text


@pytest.mark.parametrize("seen", ["0", "2", "999999999"])
def test_a_table_seen_wrongly_is_a_clash(phone: Phone, seen: str) -> None:
    phone.opens()
    assert phone.post(f"/t/{phone.match}/play", GOOD | {"seen": seen}).status_code == 409
    assert len(phone.log()) == 1


@pytest.mark.parametrize("path", ["/t/nobody", "/t/nobody/show/A", "/nowhere", "/t/", "/static/no"])
def test_unknown_addresses_lead_home(phone: Phone, path: str) -> None:
    answer = phone.get(path)
    assert answer.status_code == 404
    assert one(soup(answer), "main a.go")["href"] == "/"


ADVICE = {
    "ja": "ください。$",
    "en": r"\b(?:[Gg]o|[Oo]pen|[Cc]hoose|[Ll]ook|[Ss]end|[Ww]ait)\b[^.]*\.$",
}


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("status", [400, 403, 404, 405, 409, 413, 421, 429, 500, 503])
@pytest.mark.parametrize("tongue", ADVICE)
def test_every_error_page_says_what_to_do(
    app: Flask, tongue: str, status: int, method: str
) -> None:
    with app.test_request_context(method=method, headers={"Cookie": f"lang={tongue}"}):
        answer = parsed(errors.page(status).get_data(as_text=True))
    title, advice = text(answer, "h1"), text(answer, ".says")
    assert re.search(ADVICE[tongue], advice)
    assert title not in advice  # not the same sentence twice
    tapped = status == 503 and method == "POST"
    assert tapped == any(again in advice for again in ("もう一度タップ", "tap again"))


@pytest.mark.parametrize("path", ["play", "undo"])
def test_unknown_matches_record_nothing(phone: Phone, path: str) -> None:
    assert phone.post(f"/t/nobody/{path}", GOOD).status_code == 404


def test_a_wrong_method_is_said_and_the_right_one_named(phone: Phone) -> None:
    answer = phone.opens().get(f"/t/{phone.match}/undo")
    assert answer.status_code == 405
    assert "POST" in answer.headers["Allow"]


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("application/x-www-form-urlencoded", {"line": "x" * 70_000}),
        ("multipart/form-data", {"line": "x" * 70_000}),
        ("multipart/form-data", {f"name{i}": "x" for i in range(300)}),
    ],
)
def test_too_much_is_refused(phone: Phone, kind: str, data: dict[str, str]) -> None:
    phone.opens()
    path = f"/t/{phone.match}/play"
    answer = phone.client.post(path, data=GOOD | data, content_type=kind)
    assert answer.status_code == 413
    assert "大きすぎます" in text(soup(answer), "h1")


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
    ],
)
def test_other_sites_change_nothing(phone: Phone, headers: dict[str, str]) -> None:
    phone.opens()
    answer = phone.post(f"/t/{phone.match}/play", GOOD, **headers)
    assert answer.status_code == 403
    assert len(phone.log()) == 1


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "same-origin"}, {"Origin": "http://localhost"}, {}]
)
def test_own_pages_may(phone: Phone, headers: dict[str, str]) -> None:
    phone.opens()
    assert phone.post(f"/t/{phone.match}/play", GOOD, **headers).status_code == 303


def test_errors_speak_english_too(phone: Phone) -> None:
    phone.opens()
    english = {"Accept-Language": "en-GB"}
    answer = phone.client.post(f"/t/{phone.match}/play", data=GOOD | {"line": ""}, headers=english)
    assert "Go back to the table" in text(soup(answer), ".says")


def test_a_fault_of_ours_is_a_plain_sentence_without_a_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    app = create_app(tmp_path)
    ledger = app.extensions["ledger"]
    match = ledger.open(Header(WIDEST, ("A",))).match
    monkeypatch.setattr(ledger, "view", lambda match: 1 // 0)
    answer = app.test_client().get(f"/t/{match}")
    ledger.store.close()
    assert answer.status_code == 500
    assert "Traceback" not in answer.text
    assert "ZeroDivisionError" not in answer.text
    assert text(soup(answer), "h1") == "エラーが発生しました"
    assert "ZeroDivisionError" in caplog.text
    assert match not in caplog.text


@pytest.mark.parametrize(
    ("path", "says", "table"),
    [
        ("/about", "ホームに戻って", False),
        ("/t/{}", "卓を開き直して", False),
        ("/t/{}/log", "卓を開き直して", True),
    ],
)
def test_a_fault_of_ours_leads_to_the_table_where_it_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, says: str, table: bool
) -> None:
    """Not to one that failed itself; elsewhere no table is spoken of."""
    app = create_app(tmp_path)
    ledger = app.extensions["ledger"]
    match = ledger.open(Header(WIDEST, ("A",))).match
    monkeypatch.setattr(ledger, "view", lambda match: 1 // 0)
    monkeypatch.setitem(app.view_functions, "about.about", lambda: 1 // 0)
    page = soup(app.test_client().get(path.format(match)))
    ledger.store.close()
    assert says in text(page, ".says")
    assert bool(page.select(f'.btns [href="/t/{match}"]')) == table


@pytest.mark.parametrize("name", ON_CARDS)
def test_no_hand_is_shown_where_the_game_has_none_to_show(tmp_path: Path, name: str) -> None:
    app, game = create_app(tmp_path), GAMES[name]
    client = app.test_client()
    seats = [chr(ord("A") + number) for number in range(game.SEATS[0])]
    table = client.post("/new", data={"game": name, "name": seats}).location.partition("?")[0]
    answer = client.get(f"{table}/show/A")
    app.extensions["ledger"].store.close()
    assert answer.status_code in ((200, 404) if Show in game.PLAYS else (404,))


@pytest.mark.parametrize("name", ["..", "a" * 70, "xn--", "[", "a:99999", "a b", "[v1.a]", "é"])
def test_a_server_name_that_can_be_none_is_reported(tmp_path: Path, name: str) -> None:
    app = create_app(tmp_path)
    for method, path in (
        *(("GET", "/"), ("GET", "/nowhere"), ("GET", "/static/css/app.css")),
        *(("GET", "/rules/common"), ("GET", f"/check/{WIDEST}"), ("POST", "/words")),
    ):
        environ = EnvironBuilder(path, method=method).get_environ()
        environ |= {"HTTP_HOST": name, "HTTP_ORIGIN": "http://elsewhere"}
        body, status, headers = run_wsgi_app(app, environ)  # the test client fails at such names
        assert status.startswith("400"), path
        assert "サーバー名" in b"".join(body).decode()
        assert "Content-Security-Policy" in headers
    app.extensions["ledger"].store.close()


def test_the_way_to_https_is_led_from_any_server_name(tmp_path: Path) -> None:
    app = create_app(tmp_path)
    environ = EnvironBuilder("/").get_environ() | {"HTTP_HOST": "[", "HTTP_COOKIE": "secure=1"}
    _body, status, headers = run_wsgi_app(trust.leading(app, 8322), environ)
    app.extensions["ledger"].store.close()
    assert status.startswith("307")
    assert headers["Location"] == "https://localhost:8322/"


@pytest.mark.parametrize(
    "query", ["q=x", f"game={WIDEST}", "game=", "person=1", "since=2025-01-01"]
)
def test_a_phone_without_a_group_may_filter_nothing(tmp_path: Path, query: str) -> None:
    app = create_app(tmp_path)
    answer = app.test_client().get(f"/history?{query}")
    app.extensions["ledger"].store.close()
    assert answer.status_code == 200
    assert "まだゲームがありません" in answer.text


def test_an_address_that_no_cookie_holds_is_not_remembered(app: Flask) -> None:
    answer = app.test_client().get(f"/circle?{'x' * 5000}", headers={"Accept": "text/html"})
    assert answer.status_code == 403
    assert "onward" not in answer.headers.get("Set-Cookie", "")


@pytest.mark.parametrize("name", ["If-Modified-Since", "If-Unmodified-Since", "If-Range"])
def test_a_date_that_no_calendar_has_is_ignored(app: Flask, name: str) -> None:
    headers = {name: f"Thu, 31 Dec {'9' * 11} 23:59:59 GMT", "Range": "bytes=0-3"}
    with app.test_client().get("/static/css/reading.css", headers=headers) as answer:
        assert answer.status_code in (200, 206)
