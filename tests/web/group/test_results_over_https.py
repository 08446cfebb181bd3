"""Results over real TLS, on the loopback: who is trusted, and how long an answer may take."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

pytest.importorskip("cryptography")

from referee.ledger import Ledger
from referee.outgoing.posting import connecting, posted
from referee.outgoing.refused import NotAccepted
from referee.outgoing.results import AddressTest, ResultSender
from referee.server.certificate import Certificate, certificate
from referee.store import Circles

OK = b"HTTP/1.1 204 No Content\r\n\r\n"
MOVED = b"HTTP/1.1 307 Temporary Redirect\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n"
SECONDS = 1.0


class TlsClub:
    """A program that answers each request with ``answer``, a byte every ``pause`` seconds."""

    def __init__(self, made: Certificate) -> None:
        self.answer, self.pause, self.heard = OK, 0.0, list[bytes]()
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(made.chain, made.key)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._tls, self._over = tls, threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        self.address = f"https://localhost:{self._listener.getsockname()[1]}/results"

    def _run(self) -> None:
        while not self._over.is_set():
            plain, _ = self._listener.accept()
            try:
                with self._tls.wrap_socket(plain, server_side=True) as client:
                    self._answered(client)
            except OSError:
                plain.close()  # it was cut, or did not trust us

    def _answered(self, client: ssl.SSLSocket) -> None:
        heard = b""
        while not heard.endswith(b"}"):  # of the message
            heard += client.recv(65536)
        self.heard.append(heard)
        if not self.pause:
            client.sendall(self.answer)
            return
        for letter in self.answer:
            if self._over.wait(self.pause):
                return
            client.send(bytes((letter,)))

    def closes(self) -> None:
        self._over.set()
        socket.create_connection(self._listener.getsockname()).close()
        self._thread.join()
        self._listener.close()


@pytest.fixture
def club(tmp_path: Path) -> Iterator[TlsClub]:
    club = TlsClub(certificate(tmp_path / "club", []))
    yield club
    club.closes()


def trusting(folder: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cadata=certificate(folder, []).authority)


@pytest.fixture
def trusted(tmp_path: Path, club: TlsClub) -> ssl.SSLContext:
    return trusting(tmp_path / "club")


def test_an_answer_is_accepted_from_who_is_trusted(club: TlsClub, trusted: ssl.SSLContext) -> None:
    posted(club.address, {"version": 1}, connecting(lambda ip: True, trusted))
    [request] = club.heard
    assert request.startswith(b"POST /results HTTP/1.1\r\nHost: localhost:")
    assert request.endswith(b'{"version": 1}')


def test_without_a_trusted_certificate_nothing_is_sent(club: TlsClub, tmp_path: Path) -> None:
    for tls in (None, trusting(tmp_path / "another")):
        with pytest.raises(NotAccepted, match="certificate"):
            posted(club.address, {"version": 1}, connecting(lambda ip: True, tls))
    assert club.heard == []


def test_the_certificate_has_to_be_that_of_the_name(
    club: TlsClub, trusted: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(club.address.split(":")[2].partition("/")[0])
    found = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", port))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kinds: found)
    with pytest.raises(NotAccepted, match="certificate"):
        posted(
            f"https://club.example:{port}/", {"version": 1}, connecting(lambda ip: True, trusted)
        )
    assert club.heard == []


def test_a_redirect_over_tls_is_refused(club: TlsClub, trusted: ssl.SSLContext) -> None:
    club.answer = MOVED % club.address.encode()
    with pytest.raises(NotAccepted, match="307"):
        posted(club.address, {"version": 1}, connecting(lambda ip: True, trusted))
    assert len(club.heard) == 1


@pytest.mark.parametrize("pause", [SECONDS * 3, SECONDS / 10])
def test_an_answer_that_takes_too_long_is_cut(
    club: TlsClub, trusted: ssl.SSLContext, pause: float
) -> None:
    """Silence, and an answer that comes byte by byte."""
    club.answer, club.pause = b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 90, pause
    began = time.monotonic()
    with pytest.raises(NotAccepted, match="silent"):
        posted(club.address, {"version": 1}, connecting(lambda ip: True, trusted, SECONDS))
    assert time.monotonic() - began < 3 * SECONDS


def test_a_wrong_certificate_counts_as_a_wrong_answer(
    app: Flask, club: TlsClub, trusted: ssl.SSLContext
) -> None:
    ledger: Ledger = app.extensions["ledger"]
    with ledger.store._transaction() as db:
        db.execute("INSERT INTO phones VALUES ('p', '')")
    circle = Circles(ledger.store).create("p")
    for tls, last in ((None, "certificate"), (trusted, "ok")):
        sender = ResultSender(ledger, connect=connecting(lambda ip: True, tls))
        sender.addresses.name(circle, club.address)
        sender.hear(AddressTest(circle))
        found = sender.addresses.of(circle)
        assert found is not None
        assert found.last == last
        assert bool(found.failing) is (last != "ok")
