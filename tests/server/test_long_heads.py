"""A stranger's address and headers: refused before any work if they are long, and never dear."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from sockets import ask, running
from waiting import PATIENCE

from referee.server import bridge, connection, refusals

HTML = {"Accept": "text/html"}


def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [environ["PATH_INFO"].encode("latin-1")]


@pytest.fixture
def port() -> Iterator[int]:
    with running(bridge.Bridge(app)) as port:
        yield port


def test_an_address_of_eight_thousand_bytes_is_answered_and_a_longer_one_refused(port: int) -> None:
    longest = "/" + "a" * (bridge.MOST_ADDRESS - 1)
    assert ask(port, "GET", longest)[1].decode() == longest
    for address in (longest + "a", "/?" + "a" * bridge.MOST_ADDRESS, "/%41" * 3_000):
        response, text = ask(port, "GET", address)
        assert (response.status, text.decode()) == (414, refusals.LONG_ADDRESS)


def test_the_page_for_a_long_address_leads_to_the_start_page(port: int) -> None:
    response, text = ask(port, "GET", "/a" * bridge.MOST_ADDRESS, headers=HTML)
    assert response.status == 414
    assert '<a href="/">' in text.decode()  # the same address again would be as long
    japanese, english = refusals.LONG_ADDRESS.splitlines()
    assert f'<p>{japanese}</p><p lang="en">{english}</p>' in text.decode()


@pytest.mark.parametrize(
    "headers",
    [
        {f"A{n}": "" for n in range(bridge.MOST_HEADERS)},  # and Host
        {"Cookie": "a" * bridge.MOST_HEADER},
    ],
    ids=["many", "long"],
)
def test_headers_have_a_number_and_a_length(port: int, headers: dict[str, str]) -> None:
    response, text = ask(port, "GET", "/", headers=headers)
    assert (response.status, text.decode()) == (431, refusals.LONG_HEAD)


def test_requests_that_nobody_waits_for_do_not_queue_up(port: int) -> None:
    """A packet of 250 kB holds 14,000 of them: each would be kept and answered."""
    if not hasattr(connection.Protocol, "on_message_begin"):
        pytest.skip("h11 reads one request at a time")
    answers = b""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as stranger:
        stranger.sendall(b"GET / HTTP/1.1\r\n\r\n" * 10_000)
        with suppress(ConnectionResetError):  # some of its bytes were not read
            while more := stranger.recv(65536):
                answers += more
    assert answers.count(b"HTTP/1.1 200 OK") <= connection.MOST_WAITING + 1
    assert ask(port, "GET", "/")[0].status == 200


def test_little_of_a_body_is_held_before_it_is_counted(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    take = connection.Connection.data_received

    def watched(self: connection.Connection, data: bytes) -> None:
        sizes.append(len(data))
        take(self, data)

    monkeypatch.setattr(connection.Connection, "data_received", watched)
    assert ask(port, "POST", "/", b"x" * 500_000)[0].status == 200
    assert max(sizes) <= connection.READ
    assert sum(sizes) > 500_000


def test_a_few_requests_in_one_packet_are_answered_in_turn(port: int) -> None:
    few = b"".join(b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\n" % n for n in range(5))
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as phone:
        phone.sendall(few)
        got = b""
        while not got.endswith(b"/4"):
            got += phone.recv(65536)
    assert [got.index(b"\r\n\r\n/%d" % n) for n in range(5)] == sorted(
        got.index(b"\r\n\r\n/%d" % n) for n in range(5)
    )


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/history/history.json.gz", True),
        ("/below/history/evening/3/results.csv", True),
        ("/history/history", False),
        ("/t/history.db", False),
        ("/", False),
    ],
)
def test_files_that_are_written_are_known_by_their_path(path: str, *, found: bool) -> None:
    assert bridge._is_export(path) is found
