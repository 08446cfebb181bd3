"""What an attacker gets: nothing. (Who may do what stands in test_access.)"""

from __future__ import annotations

import random
import secrets
from typing import Any

import pytest
from flask import Flask
from phones import AFAR, Phone, removable
from test_access import address, code, link, routes
from werkzeug.test import TestResponse

from referee.app import create_app
from referee.http.invites import CODE_LENGTH, LETTERS, WRONG_HERE, WRONG_IN_ALL

SEATS = ["あかね", "ほしの"]
PLAY, NEXT, OTHER = "あかね lay 4", "ほしの lay 2", "ほしの lay 1"
MALLORY = {"REMOTE_ADDR": "203.0.113.66"}
KEPT = ("matches", "entries", "members", "seatings", "people", "players", "house_rules", "decks")


@pytest.fixture
def host(phone: Phone) -> Phone:
    """The phone of a table with a play."""
    phone.opens(names=SEATS, leader="あかね").lays(PLAY)
    return phone


@pytest.fixture
def mallory(app: Flask) -> Phone:
    """Somebody from far away, who knows the address of the table."""
    client = app.test_client()
    client.environ_base |= MALLORY
    return Phone(client)


def kept(app: Flask) -> dict[str, list[Any]]:
    """All that must not change."""
    store = app.extensions["ledger"].store
    return {table: store._rows(f"SELECT * FROM {table}", ()) for table in KEPT}


def gets_nothing(mallory: Phone, match: str) -> None:
    for page in ("", "/log", "/score", "/join", "/live"):
        answer = mallory.get(f"/t/{match}{page}")
        assert answer.status_code == 403
        assert not any(seat in answer.text for seat in SEATS)


def test_guessed_links_open_nothing(app: Flask, host: Phone, mallory: Phone) -> None:
    before, own = kept(app), link(host).rpartition("/")[2]
    for number in range(300):
        guess = secrets.token_urlsafe(16)
        if number < len(own):  # and those that differ in one letter from a right one
            guess = own[:number] + ("a" if own[number] != "a" else "b") + own[number + 1 :]
        for door in ("j", "c"):
            answer = mallory.get(f"/{door}/{guess}")
            assert answer.status_code == 404, guess
            assert "Set-Cookie" not in answer.headers
    for trick in ("../secret.key", "%2e%2e/secret.key", "..%2fsecret.key", "referee.db"):
        for place in ("static", "bundle", "decks"):
            assert mallory.get(f"/{place}/{trick}").status_code in (403, 404)
    gets_nothing(mallory, host.match)
    assert kept(app) == before


def test_few_guessed_codes_are_answered(app: Flask, host: Phone) -> None:
    """With as many addresses as wanted; what is wrong in all is counted over all of them.

    After that the answer is the same for every code, and reveals nothing.
    """
    right, rng, looked_at = code(host), random.Random(8), 0
    for number in range(60):
        client = app.test_client()
        client.environ_base |= {"REMOTE_ADDR": f"203.0.113.{number}"}
        guess = "".join(rng.choices(LETTERS, k=CODE_LENGTH))
        looked_at += client.post("/join", data={"code": guess}).status_code == 404
    assert WRONG_HERE < looked_at == WRONG_IN_ALL
    late = app.test_client()
    late.environ_base |= MALLORY
    assert unsaid(late.post("/join", data={"code": right}))
    assert unsaid(late.post("/join", data={"code": "AAAAAA"}))


def test_two_servers_look_at_no_more_codes_than_one(app: Flask, host: Phone) -> None:
    other = create_app(app.config["DATA_DIR"])
    right, rng, looked_at = code(host), random.Random(8), 0
    for number in range(40):
        client = (app, other)[number % 2].test_client()
        client.environ_base |= {"REMOTE_ADDR": f"203.0.113.{number}"}
        guess = "".join(rng.choices(LETTERS, k=CODE_LENGTH))
        looked_at += client.post("/join", data={"code": guess}).status_code == 404
    assert looked_at == WRONG_IN_ALL
    for server in (app, other):
        assert unsaid(server.test_client().post("/join", data={"code": right}))
    other.extensions["ledger"].store.close()


def test_what_a_forwarded_address_claims_wins_no_further_guesses(app: Flask) -> None:
    client = app.test_client()
    client.environ_base |= MALLORY
    for number in range(WRONG_HERE + 1):
        forwarded = {"X-Forwarded-For": f"10.1.1.{number}", "Forwarded": f"for=10.1.1.{number}"}
        answer = client.post("/join", data={"code": "AAAAAA"}, headers=forwarded)
    assert unsaid(answer)


def unsaid(answer: TestResponse) -> bool:
    """Whether an answer to a code does not depend on it."""
    return answer.headers.get("Location", "").startswith("/wait?sign=")


@pytest.mark.parametrize(
    "forged",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},  # another service on a neighbouring name
        {"Origin": "https://evil.example"},
        {"Origin": "http://localhost.evil.example"},
        {"Origin": "null"},
    ],
    ids=lambda headers: " ".join(headers.values()),
)
def test_other_sites_change_nothing_with_the_cookie_of_the_host(
    app: Flask, host: Phone, forged: dict[str, str]
) -> None:
    """Every route that changes something, in the browser of a person who may use it."""
    before = kept(app)
    tried = 0
    for route, method in routes(app):
        if method == "GET":
            continue
        path = address(app, route, match=host.match, seat="あかね", person="1", session="1")
        data = {"line": NEXT, "seen": "2", "key": secrets.token_urlsafe(9), "sure": "1"}
        answer = host.client.open(path, method=method, data=data, headers=forged)
        assert answer.status_code == 403, (method, path)
        assert "Set-Cookie" not in answer.headers
        tried += 1
    assert tried > 20
    assert kept(app) == before


def test_an_image_or_a_link_on_another_site_changes_nothing(app: Flask, host: Phone) -> None:
    before = kept(app)
    for route, method in routes(app):
        if method == "GET":
            path = address(app, route, match=host.match, seat="あかね", person="1", session="1")
            if path.startswith("/history/") and "number" in route.arguments:
                continue
            host.client.get(path, headers={"Sec-Fetch-Site": "cross-site"}).close()
    assert kept(app) == before


def test_a_replayed_play_is_the_first_answer_where_it_is_allowed_and_nothing_elsewhere(
    app: Flask, host: Phone, mallory: Phone
) -> None:
    heard = {"line": NEXT, "seen": "2", "key": "overheard-key"}
    path = f"/t/{host.match}/play"
    assert host.post(path, heard).status_code == 303
    before = kept(app)
    assert mallory.post(path, heard).status_code == 403
    assert mallory.post(path, heard | {"line": OTHER}).status_code == 403
    assert host.post(path, heard).status_code == 303
    assert host.post(path, heard | {"line": OTHER}).status_code == 409
    assert kept(app) == before
    # at an own table the same key is another one, and the overheard table is not touched
    mallory.opens(names=["X", "Y"], leader="X")
    own = {"line": "X lay 4", "seen": "1", "key": "overheard-key"}
    assert mallory.post(f"/t/{mallory.match}/play", own).status_code == 303
    assert host.log()[-1] == NEXT


def test_a_stolen_cookie_is_worthless_once_its_phone_is_removed(
    app: Flask, host: Phone, mallory: Phone
) -> None:
    guest = app.test_client()
    guest.environ_base |= AFAR
    guest.get(link(host))
    stolen = guest.get_cookie("phone")
    assert stolen is not None
    mallory.client.set_cookie("phone", stolen.value)
    assert mallory.get(f"/t/{host.match}").status_code == 200
    page = host.page("/join")
    [named] = removable(page)
    assert stolen.value not in named
    host.post(f"/t/{host.match}/expel", {"phone": named})
    before = kept(app)
    gets_nothing(mallory, host.match)
    sent = {"line": NEXT, "seen": "2", "key": secrets.token_urlsafe(9)}
    for path in ("play", "undo", "sit", "renew", "expel"):
        assert mallory.post(f"/t/{host.match}/{path}", sent).status_code == 403
    assert kept(app) == before


def test_a_cookie_of_another_installation_is_nobody(app: Flask, host: Phone, tmp_path: Any) -> None:
    known = host.client.get_cookie("phone")
    assert known is not None
    client = app.test_client()
    client.environ_base |= MALLORY
    for value in (known.value[:-1], known.value + "a", known.value.swapcase(), "", "a" * 4000):
        client.set_cookie("phone", value)
        gets_nothing(Phone(client), host.match)


def test_a_hash_from_a_copy_of_the_database_is_no_cookie(app: Flask, host: Phone) -> None:
    store = app.extensions["ledger"].store
    client = app.test_client()
    client.environ_base |= MALLORY
    [(hashed,)] = store._rows("SELECT id FROM phones", ())
    for value in (hashed, hashed[:22]):
        client.set_cookie("phone", value)
        gets_nothing(Phone(client), host.match)
    link(host)
    for nonce, hashed in store._rows("SELECT nonce, hash FROM invites", ()):
        for text in (nonce, hashed, hashed[:22]):
            assert client.get(f"/j/{text}").status_code == 404
