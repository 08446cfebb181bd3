"""What a phone has to load: the first page, and the answer to a play."""

from __future__ import annotations

import gzip
import statistics
import zlib
from pathlib import Path
from random import Random

import pytest
from as_imported import BASE
from chosen_games import head
from flask import Flask
from flask.testing import FlaskClient
from parsed import parsed
from phones import FIVE, Phone, soup

from referee.games import GAMES
from referee.games.simulation import played
from referee.http.assets import parts_of
from referee.http.delta import NOTHING, joined

GZIP = {"Accept-Encoding": "gzip"}
small = pytest.mark.skipif(BASE, reason="only a wheel has small files then")


@pytest.fixture(autouse=True)
def _the_same_ids_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages with other ids are up to ten bytes heavier or lighter."""
    monkeypatch.setattr("secrets.token_bytes", Random(5).randbytes)


def weight(client: FlaskClient, path: str) -> tuple[int, str]:
    """Bytes of the body on the wire, and its text."""
    with client.get(path, headers=GZIP) as answer:
        assert answer.status_code == 200
        wire = answer.get_data()
    if answer.headers.get("Content-Encoding") != "gzip":
        return len(wire), wire.decode()
    return len(wire), gzip.decompress(wire).decode()


def seats(name: str) -> tuple[str, ...]:
    """Three players, or as many as the game takes."""
    return FIVE[: min(3, GAMES[name].SEATS[-1])]


@small
@pytest.mark.parametrize("tongue", ["ja", "en"])
@pytest.mark.parametrize("name", GAMES)
def test_the_first_load_of_a_table_is_light(app: Flask, name: str, tongue: str) -> None:
    phone = at_table(app, name, tongue)
    scripts, everything = first_load(phone, f"/t/{phone.match}")
    assert scripts <= 18_000
    assert everything <= 27_500  # of 36 kB


@small
@pytest.mark.parametrize("tongue", ["ja", "en"])
@pytest.mark.parametrize("path", ["/", "/new"])
def test_the_first_load_of_home_is_light(app: Flask, path: str, tongue: str) -> None:
    scripts, everything = first_load(at_table(app, next(iter(GAMES)), tongue), path)
    assert scripts <= 18_000
    assert everything <= 36_000


@small
@pytest.mark.parametrize("tongue", ["ja", "en"])
@pytest.mark.parametrize("name", [name for name in GAMES if GAMES[name].HOOKS.sheet])
def test_the_first_load_of_scores_alone_is_light(app: Flask, name: str, tongue: str) -> None:
    """Both pages: the sheet of the match, and the pad on which a deal is entered."""
    phone = at_table(app, name, tongue)
    for query in ("", "?sheet=;"):
        scripts, everything = first_load(phone, f"/t/{phone.match}/sheet{query}")
        assert scripts <= 18_000
        assert everything <= 32_400  # of 36 kB


def at_table(app: Flask, name: str, tongue: str) -> Phone:
    match = app.extensions["ledger"].open(head(name, seats(name))).match
    phone = Phone(app.test_client(), match)
    phone.client.set_cookie("lang", tongue)
    return phone


def first_load(phone: Phone, path: str) -> tuple[int, int]:
    """Bytes on the wire of the scripts, and of all that a phone loads for the page at ``path``."""
    page, html = weight(phone.client, path)
    loaded = "script[src], link:is([rel=stylesheet], [rel=icon], [rel=manifest])"
    files = [str(tag.get("src") or tag.get("href")) for tag in parsed(html).select(loaded)]
    assert len(files) + 2 <= 6  # with the page and the stream
    weights = {path: weight(phone.client, path)[0] for path in files}
    scripts = sum(size for path, size in weights.items() if ".js" in path)
    return scripts, page + sum(weights.values())


@pytest.mark.parametrize("tongue", ["ja", "en"])
@pytest.mark.parametrize("name", GAMES)
def test_the_answer_to_a_play_is_light(app: Flask, name: str, tongue: str) -> None:
    """At the 95th percentile of all answers in whole matches, those to deals among them."""
    sizes, seed = list[int](), 5
    while len(sizes) < 100:
        sizes += answers(app, name, tongue, seed)
        seed += 1
    assert statistics.quantiles(sizes, n=20)[18] <= 540


def answers(app: Flask, name: str, tongue: str, seed: int) -> list[int]:
    """The bytes of each answer in a match.

    A page that holds the fragment before reads the next one from what is new in it.
    """
    ledger = app.extensions["ledger"]
    view = ledger.open(head(name, seats(name)))
    phone = Phone(app.test_client(), view.match, htmx=True)
    phone.client.set_cookie("lang", tongue)
    log = played(view.game, seats(name), seed, most=200)
    answer = phone.get(f"/t/{phone.match}")
    fragment, key = answer.get_data(), answer.headers["X-Key"]
    held, sizes = joined(NOTHING, fragment.split(b"\n")), list[int]()
    for entry in log.entries:
        line, seen = view.grammar.print(entry), ledger.view(phone.match).seq
        form = {"line": line, "seen": seen, "key": f"key-{seen:06}"}
        answer = phone.post(f"/t/{phone.match}/play", form, **{"X-Has": key}, **GZIP)
        assert answer.headers["X-Builds-On"] == key
        sizes.append(len(answer.get_data()))
        fragment, key = inflated(b"\n".join(held), answer.get_data()), answer.headers["X-Key"]
        held = joined(held, fragment.split(b"\n"))
        assert f'name="key" value="{key}"'.encode() in fragment
        assert ledger.view(phone.match).seq == seen + 1
    assert fragment.count(b'id="table"') == 1
    return sizes


def inflated(held: bytes, answer: bytes) -> bytes:
    """As the page does it: the held text as a stored block before the answer."""
    head = bytes([0]) + len(held).to_bytes(2, "little") + (len(held) ^ 0xFFFF).to_bytes(2, "little")
    return zlib.decompress(head + held + answer, wbits=-15)[len(held) :]


def test_a_page_that_holds_an_unknown_fragment_gets_all_of_it(app: Flask) -> None:
    phone = Phone(app.test_client()).opens()
    asked = {"HX-Request": "true", "X-Has": "unknown"}
    answer = phone.client.get(f"/t/{phone.match}", headers=asked)
    assert "X-Builds-On" not in answer.headers
    assert soup(answer).select("#table")


def test_answers_are_compressed_for_browsers_that_accept_it(app: Flask) -> None:
    client = app.test_client()
    plain, squeezed = client.get("/"), client.get("/", headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    assert squeezed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(squeezed.get_data()) == plain.get_data()
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert int(squeezed.headers["Content-Length"]) == len(squeezed.get_data())


def test_bundles_hold_all_their_parts_and_are_kept(app: Flask) -> None:
    client = app.test_client()
    for name, parts in parts_of(Path(str(app.static_folder))).items():
        answer = client.get(f"/bundle/{name}")
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert len(answer.get_data()) > 1000 * len(parts)
    assert client.get("/bundle/other.js").status_code == 404


def test_a_static_file_that_the_phone_has_is_not_sent_again(app: Flask) -> None:
    client = app.test_client()
    path = "/static/css/reading.css"
    with client.get(path, headers=GZIP) as first:
        assert first.headers["Content-Encoding"] == "gzip"
        etag = first.headers["ETag"]
    with client.get(path, headers=GZIP | {"If-None-Match": etag}) as again:
        assert (again.status_code, again.get_data()) == (304, b"")
