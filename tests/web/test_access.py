"""Who may see and enter what: every route has its rule, and nobody else gets anything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from phones import AFAR, Phone, one, removable, soup, text
from werkzeug.routing import Rule as Route

from referee.app import create_app
from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.http.admission import RULES, Admission
from referee.http.invites import WRONG_HERE, WRONG_IN_ALL

GOOD = {"line": "A lay 4", "seen": "1", "key": "0123456789ab"}
FAKE = {"match": "x" * 22, "secret": "x" * 22, "game": WIDEST, "filename": "css/app.css"}


@pytest.fixture
def other(app: Flask) -> Phone:
    """A phone from elsewhere that belongs to another circle."""
    client = app.test_client()
    client.environ_base |= AFAR
    return Phone(client).opens(names=["X", "Y"], leader="X")


def routes(app: Flask) -> Iterator[tuple[Route, str]]:
    for route in app.url_map.iter_rules():
        for method in sorted((route.methods or set()) - {"HEAD", "OPTIONS"}):
            yield route, method


def address(app: Flask, route: Route, **known: str) -> str:
    values = FAKE | known
    plain = {name: values.get(name, "1") for name in route.arguments}
    with app.test_request_context():
        return str(app.url_for(str(route.endpoint), **plain)) if plain else str(route.rule)


def link(phone: Phone, page: str = "") -> str:
    """The link of the invitation that a page shows."""
    path = page or f"/t/{phone.match}/join"
    url = str(one(soup(phone.get(path)), ".link input")["value"])
    return url.removeprefix("http://localhost")


def code(phone: Phone) -> str:
    return text(soup(phone.get(f"/t/{phone.match}/join")), ".code")


def test_every_route_has_a_rule_and_every_rule_a_route(app: Flask) -> None:
    endpoints = {str(route.endpoint): route for route, _ in routes(app)}
    for endpoint, route in endpoints.items():
        assert endpoint in RULES or "match" in route.arguments, f"{endpoint} has no rule"
    assert RULES.keys() <= endpoints.keys()
    at_table = {
        name for name, rule in RULES.items() if rule not in (Admission.PUBLIC, Admission.CIRCLE)
    }
    assert all("match" in endpoints[name].arguments for name in at_table)


def test_a_route_without_a_rule_is_shut(tmp_path: Path) -> None:
    app = create_app(tmp_path, TESTING=True)
    app.add_url_rule("/open", "open", lambda: "inside")
    assert app.test_client().get("/open").status_code == 404
    app.extensions["ledger"].store.close()


def test_a_stranger_gets_nothing_from_any_route_of_a_table(app: Flask, guest: Phone) -> None:
    host = Phone(app.test_client()).opens()
    held = host.log()
    for route, method in routes(app):
        if "match" not in route.arguments:
            continue
        path = address(app, route, match=host.match, number="1", seat="A")
        answer = guest.client.open(path, method=method, data=GOOD)
        assert answer.status_code == 403, (method, path)
        assert not re.search(r"\bA lay|\bB\b", answer.text), path
    assert host.log() == held


def test_a_stranger_gets_nothing_of_any_circle(app: Flask, guest: Phone) -> None:
    host = Phone(app.test_client()).opens(names=["あかね", "ほしの"], leader="あかね")
    for route, method in routes(app):
        if RULES.get(str(route.endpoint)) is not Admission.CIRCLE:
            continue
        path = address(app, route)
        answer = guest.client.open(path, method=method, data={"name": "Z", "sure": "1"})
        assert answer.status_code == 403, (method, path)
    for path in ("/", "/new", "/join"):
        assert "あかね" not in guest.get(path).text
        assert host.match not in guest.get(path).text


def test_circles_on_one_server_never_see_each_other(app: Flask, other: Phone) -> None:
    """Every route, asked by a phone that has a circle of its own."""
    host = Phone(app.test_client()).opens(names=["あかね", "ほしの"], leader="あかね")
    person = str(re.search(r"/people/(\d+)", host.get("/people").text)[1])  # type: ignore[index]
    session = str(re.search(r"/session/(\d+)", host.get("/circle").text)[1])  # type: ignore[index]
    circle = app.extensions["ledger"].store._rows(
        "SELECT circle FROM matches WHERE id = ?", (host.match,)
    )[0][0]
    wish = GOOD | {"circle": circle, "name": "Z", "into": person, "sure": "1", "place": "here"}
    own = ("/circle", "/people", f"/session/{session}")
    before = [host.get(path).text for path in own]
    for route, method in routes(app):
        known = {"match": host.match, "person": person, "session": session, "number": "1"}
        path = address(app, route, **known, seat="あかね")
        if str(route.endpoint) in ("static", "circle.dismiss"):
            continue
        with other.client.open(path, method=method, data=wish) as answer:
            assert "あかね" not in answer.get_data().decode(errors="replace"), (method, path)
            if {"match", "person", "session"} & route.arguments:
                assert answer.status_code in (403, 404), (method, path)
    host.lays("あかね lay 4")
    said = ("ほしの contest 2", "あかね vote 3 no", 'table decide 3 no because "見た"')
    for number, line in enumerate(said):
        answer = host.post(f"/t/{host.match}/contest", {"line": line, "key": f"contested-{number}"})
        assert answer.status_code == 303
    host.post(f"/t/{host.match}/e/5/keep", {})
    for path in ("/decisions", f"/new?game={WIDEST}"):
        assert "見た" in host.get(path).text
        assert "見た" not in other.get(path).text
    answer = other.post("/new", {"game": WIDEST, "name": "Z", "do": f"group {host.match}"})
    assert answer.status_code == 404
    assert [host.get(path).text for path in own] == before


def test_a_stranger_reads_how_to_come_in_in_both_languages(phone: Phone, guest: Phone) -> None:
    phone.opens()
    page = soup(guest.get(f"/t/{phone.match}"))
    assert text(page, "h1") == "招待が必要です"
    assert one(page, "main a.go")["href"] == "/join"
    guest.client.set_cookie("lang", "en")
    page = soup(guest.get(f"/t/{phone.match}"))
    assert text(page, "h1") == "An invitation is needed"


def test_a_link_becomes_a_cookie_and_vanishes_from_the_address(phone: Phone, guest: Phone) -> None:
    path = link(phone.opens())
    answer = guest.get(path)
    assert (answer.status_code, answer.location) == (303, f"/t/{phone.match}/join")
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    cookie = answer.headers["Set-Cookie"]
    assert re.match(r"phone=[\w-]{22};", cookie)
    assert all(part in cookie for part in ("HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="))
    assert path.rpartition("/")[2] not in cookie
    assert guest.get(f"/t/{phone.match}").status_code == 200
    assert "Set-Cookie" not in guest.get(f"/t/{phone.match}").headers


def test_under_https_the_cookie_is_bound_to_its_host(phone: Phone, app: Flask) -> None:
    path = link(phone.opens())
    client = app.test_client()
    answer = client.get(path, base_url="https://localhost")
    assert answer.headers["Set-Cookie"].startswith("__Host-phone=")
    assert "Secure" in answer.headers["Set-Cookie"]
    table = f"/t/{phone.match}"
    assert client.get(table, base_url="https://localhost").status_code == 200
    # a cookie that somebody could have slipped in over plain http counts for nothing there
    token = re.match(r"__Host-phone=([\w-]+)", answer.headers["Set-Cookie"])
    other = app.test_client()
    other.set_cookie("phone", token[1] if token else "", domain="localhost")
    assert other.get(table, base_url="https://localhost").status_code == 403


def test_a_phone_that_goes_on_at_the_secure_address_stays_the_same(
    phone: Phone, app: Flask
) -> None:
    phone.opens()
    phone.client.environ_base |= AFAR  # not a browser that adopts what it sees
    path = f"/t/{phone.match}"
    known = phone.client.get_cookie("phone")
    assert known is not None
    cookie = {"Cookie": f"phone={known.value}"}
    secured = app.test_client(use_cookies=False)
    asked = {"base_url": "https://localhost", "headers": cookie, "environ_base": AFAR}
    assert secured.get(path, **asked).status_code == 403
    app.config["SECURE"] = object()
    answer = secured.get(path, **asked)
    assert answer.status_code == 200
    cookies = answer.headers.getlist("Set-Cookie")
    assert any(cookie.startswith(f"__Host-phone={known.value};") for cookie in cookies)


def test_a_cookie_that_was_not_given_here_is_replaced(phone: Phone, guest: Phone) -> None:
    path = link(phone.opens())
    guest.client.set_cookie("phone", "a" * 22, domain="localhost")
    answer = guest.get(path)
    assert "Set-Cookie" in answer.headers
    assert "phone=aaaa" not in answer.headers["Set-Cookie"]


@pytest.mark.file
def test_secrets_are_stored_as_hashes_alone(phone: Phone, guest: Phone, tmp_path: Path) -> None:
    secret = link(phone.opens()).rpartition("/")[2]
    typed = code(phone).replace("–", "")
    circle = link(phone, "/circle").rpartition("/")[2]
    guest.get(f"/j/{secret}")
    token = guest.client.get_cookie("phone")
    assert token is not None
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("referee.db*"))
    for text_ in (secret, typed, circle, token.value):
        assert text_.encode() not in kept
    assert (tmp_path / "secret.key").stat().st_mode & 0o777 == 0o600


def test_an_invitation_is_worthless_after_it_was_made_anew(phone: Phone, guest: Phone) -> None:
    old, old_code = link(phone.opens()), code(phone)
    assert phone.post(f"/t/{phone.match}/renew", {}).status_code == 303
    assert guest.get(old).status_code == 404
    assert guest.post("/join", {"code": old_code}).status_code == 404
    assert guest.get(f"/t/{phone.match}").status_code == 403
    assert link(phone) != old
    assert guest.get(link(phone)).status_code == 303


def test_a_phone_that_was_removed_gets_nothing_and_its_link_is_dead(
    phone: Phone, guest: Phone
) -> None:
    old = link(phone.opens())
    guest.get(old)
    there = phone.match
    further, further_code = link(phone.opens()), code(phone)
    phone.match = there
    page = soup(phone.get(f"/t/{phone.match}/join"))
    [named] = removable(page)
    phone.post(f"/t/{phone.match}/expel", {"phone": named})
    assert guest.get(f"/t/{phone.match}").status_code == 403
    assert guest.post(f"/t/{phone.match}/play", GOOD).status_code == 403
    assert guest.get(old).status_code == guest.get(further).status_code == 404
    assert guest.post("/join", {"code": further_code}).status_code == 404


def test_a_phone_taken_out_of_the_circle_comes_to_none_of_its_tables(
    phone: Phone, other: Phone, guest: Phone
) -> None:
    elsewhere = link(other)
    noted, noted_code = link(phone.opens()), code(phone)
    guest.get(link(phone, "/circle"))
    page = soup(phone.get("/circle"))
    named = removable(page)[1]
    phone.post("/circle/phones", {"phone": named})
    assert guest.get(noted).status_code == 404
    assert guest.post("/join", {"code": noted_code}).status_code == 404
    assert guest.get(link(phone)).status_code == 303  # made anew
    assert guest.get(elsewhere).status_code == 303  # of another circle


@pytest.mark.parametrize("kind", ["table", "circle"])
def test_an_invitation_runs_out(phone: Phone, guest: Phone, app: Flask, kind: str) -> None:
    phone.opens()
    path = link(phone) if kind == "table" else link(phone, "/circle")
    with app.extensions["ledger"].store._transaction() as db:
        db.execute("UPDATE invites SET until = '2024-01-01T00:00:00.000+00:00'")
    assert guest.get(path).status_code == 404


def test_a_link_of_a_circle_opens_no_table_by_the_other_door(phone: Phone, guest: Phone) -> None:
    table, circle = link(phone.opens()), link(phone, "/circle")
    assert guest.get(table.replace("/j/", "/c/")).status_code == 404
    assert guest.get(circle.replace("/c/", "/j/")).status_code == 404


def test_guessing_codes_ends_soon(phone: Phone, app: Flask) -> None:
    right = code(phone.opens())

    def guess(host: int, typed: str) -> int:
        client = app.test_client()
        client.environ_base |= {"REMOTE_ADDR": f"10.0.0.{host}"}
        answer = client.post("/join", data={"code": typed})
        unsaid = re.fullmatch(r"/wait\?sign=\d{4}", answer.headers.get("Location", ""))
        return 0 if unsaid else answer.status_code

    assert [guess(1, "AAAAAA") for _ in range(WRONG_HERE + 1)] == [404] * WRONG_HERE + [0]
    assert guess(1, right) == 0
    assert guess(2, right) == 303
    others = WRONG_IN_ALL - WRONG_HERE
    assert [guess(3 + i, "AAAAAA") for i in range(others + 1)] == [404] * others + [0]
    assert guess(99, right) == 0


def test_a_code_lets_in_while_somebody_guesses_and_guesses_learn_nothing(
    phone: Phone, app: Flask
) -> None:
    right = code(phone.opens())
    stranger, guest = app.test_client(), app.test_client()
    for _ in range(WRONG_IN_ALL * 2):
        stranger.post("/join", data={"code": "AAAAAA"})
    stored = rows(app)
    wrong = app.test_client().post("/join", data={"code": "AAAAAA"})
    assert rows(app) == stored
    came = guest.post("/join", data={"code": right})
    for answer in (wrong, came):
        assert answer.status_code == 303
        assert answer.headers["Set-Cookie"].startswith("phone=")
        assert [*answer.headers.keys()] == [*wrong.headers.keys()]
    sign = came.headers["Location"].partition("sign=")[2]
    waiting = guest.get(came.headers["Location"])
    assert sign in waiting.text
    other = app.test_client().get(came.headers["Location"])
    assert other.text == waiting.text, "another phone learns no more"
    door = soup(phone.get(f"/t/{phone.match}/door"))
    assert [one(form, ".sign").text for form in door.select("form")] == [sign]
    named = str(one(door, "[name=phone]")["value"])
    phone.post(f"/t/{phone.match}/door", {"phone": named, "do": "in"})
    assert guest.get(came.headers["Location"]).headers["Location"] == f"/t/{phone.match}/join"
    assert guest.get(f"/t/{phone.match}").status_code == 200
    assert app.test_client().get(came.headers["Location"]).status_code == 200
    assert app.test_client().get("/wait?sign=x").headers["Location"] == "/join"


def rows(app: Flask) -> list[int]:
    """How many phones and seatings are stored."""
    ask = app.extensions["ledger"].store._rows
    return [ask(f"SELECT count(*) FROM {table}")[0][0] for table in ("phones", "seatings")]


def test_a_right_code_alone_opens_nothing(phone: Phone, guest: Phone) -> None:
    answer = guest.post("/join", {"code": code(phone.opens()).lower()})
    assert answer.location == f"/wait/{phone.match}"
    assert guest.get(f"/t/{phone.match}").status_code == 403
    assert guest.post(f"/t/{phone.match}/sit", {"place": "1"}).status_code == 403
    assert guest.post(f"/t/{phone.match}/play", GOOD).status_code == 403
    named = guest.get(f"/wait/{phone.match}")
    assert named.status_code == 200
    assert phone.match not in re.sub(r"/wait/\S+", "", named.text)


@pytest.mark.parametrize("path", ["sit", "renew", "expel", "door"])
@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://evil.example"}]
)
def test_other_sites_let_nobody_in(phone: Phone, path: str, headers: dict[str, str]) -> None:
    before = link(phone.opens())
    answer = phone.post(f"/t/{phone.match}/{path}", {"place": "1", "do": "in"}, **headers)
    assert answer.status_code == 403
    assert link(phone) == before


def test_matches_of_before_go_to_a_browser_on_this_computer_alone(
    app: Flask, phone: Phone, guest: Phone
) -> None:
    ledger = app.extensions["ledger"]
    match = ledger.open(Header(WIDEST, ("あかね", "B"))).match
    foreign = [
        (guest.client, {}),
        (app.test_client(), {"Host": "fudami.example"}),
        (app.test_client(), {"X-Forwarded-For": "203.0.113.7"}),
        (app.test_client(), {"Sec-Fetch-Dest": "image"}),
    ]
    for client, headers in foreign:
        assert "あかね" not in client.get("/", headers=headers).text
        assert client.get(f"/t/{match}", headers=headers).status_code == 403
    assert "あかね" in phone.get("/").text
    assert phone.get(f"/t/{match}").status_code == 200
    assert Phone(app.test_client()).get(f"/t/{match}").status_code == 403


def test_a_guest_makes_and_drops_no_rule_of_the_house(
    app: Flask, phone: Phone, guest: Phone
) -> None:
    phone.opens(names=["A", "B"]).lays("A lay 4")
    said = ("B contest 2", "A vote 3 no", 'table decide 3 no because "見た"')
    for number, line in enumerate(said):
        phone.post(f"/t/{phone.match}/contest", {"line": line, "key": f"contested-{number}"})
    guest.get(link(phone))
    guest.post(f"/t/{phone.match}/sit", {"place": "2"})
    keep, rules = f"/t/{phone.match}/e/5/keep", f"/new?game={WIDEST}"
    assert guest.post(keep, {}).status_code == 403
    assert "見た" not in phone.get(rules).text
    assert soup(phone.get(f"/t/{phone.match}/e/5")).select("[action$='/e/5/keep']")
    assert not soup(guest.get(f"/t/{phone.match}/e/5")).select("[action$='/e/5/keep']")
    phone.post(keep, {})
    assert guest.post(keep, {"keep": "0"}).status_code == 403
    assert "見た" in phone.get(rules).text
