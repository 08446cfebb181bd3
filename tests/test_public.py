"""`referee serve --public`, alone and behind the proxies that docs/deploy.md shows."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import proxies
import pytest
from click.testing import CliRunner
from flask import Flask
from sockets import ask
from werkzeug.datastructures import FileStorage
from werkzeug.test import encode_multipart

from referee.app import create_app
from referee.cli import main
from referee.core.record import Header
from referee.games.simulation import WIDEST

HERE = "127.0.0.1"  # "127.0" alone may be milliseconds
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
TABLE = urlencode([("game", WIDEST), ("name", "あかね"), ("name", "B"), ("leader", "B")]).encode()


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    app = create_app(tmp_path, TESTING=True, PUBLIC=True)
    yield app
    app.extensions["ledger"].store.close()


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def front(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[proxies.Front]:
    if not proxies.program(request.param):
        pytest.skip(f"{request.param} is not installed")
    with proxies.front(request.param, tmp_path_factory.mktemp(request.param)) as running:
        yield running


def test_nothing_is_answered_that_did_not_come_over_https(app: Flask) -> None:
    client = app.test_client()
    refused = client.get("/")
    assert refused.status_code == 421
    assert "X-Forwarded-Proto" in refused.text
    assert client.post("/new", headers={"X-Forwarded-Proto": "http"}).status_code == 421
    led = client.get("/t/a?seat=1", headers={"X-Forwarded-Proto": "http"})
    assert (led.status_code, led.location) == (308, "https://localhost/t/a?seat=1")
    answer = client.get("/", base_url="https://fudami.example")
    assert answer.status_code == 200
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"
    assert client.get("/healthz").status_code == 200


def test_on_a_local_network_no_header_makes_browsers_insist_on_https(tmp_path: Path) -> None:
    app = create_app(tmp_path, TESTING=True)
    answer = app.test_client().get("/", base_url="https://192.168.1.5:8322")
    assert "Strict-Transport-Security" not in answer.headers
    app.extensions["ledger"].store.close()


def test_no_browser_adopts_what_nobody_has_adopted(app: Flask) -> None:
    match = app.extensions["ledger"].open(Header(WIDEST, ("あかね", "B"))).match
    client = app.test_client()
    for host in ("localhost", "127.0.0.1"):
        assert "あかね" not in client.get("/", base_url=f"https://{host}").text
        assert client.get(f"/t/{match}", base_url=f"https://{host}").status_code == 403
        copy = client.get("/history/backup.db", base_url=f"https://{host}")
        assert copy.status_code == 404


def test_only_the_word_of_the_proxy_counts(tmp_path: Path) -> None:
    headers = {"X-Forwarded-Proto": "https", "Host": "fudami.example"}
    with proxies.app(tmp_path, "--proxy", "192.0.2.1") as port:
        assert ask(port, "GET", "/", headers=headers)[0].status == 421
        assert ask(port, "GET", "/healthz")[0].status == 200


def test_a_network_may_be_named_by_an_address_in_it(tmp_path: Path) -> None:
    headers = {"X-Forwarded-Proto": "https", "Host": "fudami.example"}
    with proxies.app(tmp_path, "--proxy", "192.0.2.1, 127.0.0.9/8") as port:
        assert ask(port, "GET", "/", headers=headers)[0].status == 200


@pytest.mark.parametrize("text", ["abc", "*", "10.0.0.1,", "10.0.0.300", "proxy.example"])
def test_a_proxy_is_an_address_or_a_network(text: str) -> None:
    result = CliRunner().invoke(main, ["serve", "--public", "--proxy", text])
    assert result.exit_code == 2
    assert "127.0.0.1,172.18.0.0/16" in result.output


def test_a_plain_address_leads_to_the_secure_one(front: proxies.Front) -> None:
    answer, _ = ask(front.plain, "GET", "/t/a?seat=1", headers={"Host": "localhost"})
    assert answer.status == 308
    to = urlsplit(answer.getheader("Location") or "")  # Caddy takes it that the port is 443
    assert (to.scheme, to.hostname, to.path, to.query) == ("https", "localhost", "/t/a", "seat=1")


def opened(front: proxies.Front) -> tuple[str, str]:
    """A new table: its address, and the cookie of its phone."""
    own = {"Origin": f"https://localhost:{front.secure}"}
    answer, _ = front.ask("POST", "/new", TABLE, FORM | own)
    assert answer.status == 303
    return answer.getheader("Location") or "", (answer.getheader("Set-Cookie") or "")


def test_cookies_and_redirects_pass(front: proxies.Front) -> None:
    table, cookie = opened(front)
    assert table.startswith("/t/")
    assert cookie.startswith("__Host-phone=")
    assert all(part in cookie for part in ("Secure", "HttpOnly", "Path=/", "SameSite=Lax"))
    page, body = front.ask("GET", table, headers={"Cookie": cookie.partition(";")[0]})
    assert page.status == 200
    assert "あかね" in body.decode()
    assert page.getheader("Strict-Transport-Security") == "max-age=31536000; includeSubDomains"
    assert page.getheader("Server") in (None, "nginx", "Caddy")
    assert front.ask("GET", table)[0].status == 403
    invited, body = front.ask("GET", f"{table}/join", headers={"Cookie": cookie.partition(";")[0]})
    assert invited.status == 200
    assert f'value="https://localhost:{front.secure}/j/' in body.decode()


def test_pages_of_other_sites_change_nothing(front: proxies.Front) -> None:
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert front.ask("POST", "/new", TABLE, FORM | headers)[0].status == 403


def test_a_play_is_heard_at_once(front: proxies.Front) -> None:
    """A proxy that held events back until its buffer is full would do so for hours of pings: the
    connection gives up long before."""
    table, cookie = opened(front)
    known = {"Cookie": cookie.partition(";")[0]}
    with closing(front.connect()) as connection:
        connection.request("GET", f"{table}/live", headers=known | {"Accept": "text/event-stream"})
        stream = connection.getresponse()
        assert stream.status == 200
        assert heard(stream) == 1
        play = urlencode({"line": "B lay 4", "seen": "1", "key": "0123456789ab"}).encode()
        assert front.ask("POST", f"{table}/play", play, FORM | known)[0].status == 303
        assert heard(stream) == 2


def heard(stream: object) -> int:
    """The next number of a stream."""
    while True:
        line = stream.readline()  # type: ignore[attr-defined]
        assert line, "the stream is over"
        if line.startswith(b"data: "):
            return int(line[6:])


def test_wrong_codes_are_counted_by_the_address_that_the_proxy_saw(front: proxies.Front) -> None:
    body = urlencode({"code": "AAAAAA"}).encode()
    answers = [
        front.ask("POST", "/join", body, FORM | {"X-Forwarded-For": f"203.0.113.{number}"})[0]
        for number in range(6)
    ]
    # the sixth answer is the same for every code
    assert [answer.status for answer in answers] == [404] * 5 + [303]


def test_too_much_is_refused_and_health_is_not_for_the_internet(front: proxies.Front) -> None:
    assert front.ask("GET", "/healthz")[0].status == 404
    with closing(front.connect()) as connection:
        connection.putrequest("POST", "/new")
        connection.putheader("Content-Length", str(2 * 1024 * 1024))
        connection.endheaders()
        with suppress(OSError):  # it stops listening as soon as it has refused
            connection.send(b"x" * (2 * 1024 * 1024))
        assert connection.getresponse().status == 413


def test_long_addresses_and_headers_end_at_the_front(front: proxies.Front) -> None:
    before = len(proxies.lines(front.log))
    for path, headers in (
        ("/history/" * 7_000, {}),
        ("/?" + "a" * 60_000, {}),
        ("/", {"Cookie": "a" * 60_000}),
    ):
        with suppress(OSError):  # it stops listening as soon as it has refused
            assert front.ask("GET", path, headers=headers)[0].status in (400, 414, 431)
    assert front.ask("GET", "/")[0].status == 200
    assert len(proxies.lines(front.log)) == before + 1


def test_a_history_may_be_larger_than_anything_else(front: proxies.Front) -> None:
    _, cookie = opened(front)
    record = f"referee: 1\ngame: {WIDEST}\nseats: A B\n\ntable deal leader=A\n" + "# .\n" * 500_000
    boundary, body = encode_multipart({"file": FileStorage(io.BytesIO(record.encode()), "one.txt")})
    known = {"Cookie": cookie.partition(";")[0], "Origin": f"https://localhost:{front.secure}"}
    kind = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    answer, _ = front.ask("POST", "/history/import", body, known | kind)
    assert answer.status == 303
    assert front.ask("GET", answer.getheader("Location") or "", headers=known)[0].status == 200


def test_the_log_names_nobody(front: proxies.Front) -> None:
    table, cookie = opened(front)
    known = {"Cookie": cookie.partition(";")[0]}
    front.ask("GET", f"{table}/join", headers=known)
    log = front.log.read_text()
    logged = proxies.lines(front.log)
    assert {"method": "POST", "route": "/new", "status": 303}.items() <= logged[-2].items()
    assert logged[-1]["route"] == "/t/<match>/join"
    for secret in (table.rpartition("/")[2], known["Cookie"].partition("=")[2], "あかね", HERE):
        assert secret not in log
    assert json.dumps("あかね") not in log
