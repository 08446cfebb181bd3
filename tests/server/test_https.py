"""`referee serve --https`: a certificate that phones trust once, and the way to it."""

from __future__ import annotations

import http.client
import os
import signal
import ssl
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import SplitResult, urlsplit

import pytest
from click.testing import CliRunner
from cryptography import x509
from flask import Flask
from parsed import parsed
from sockets import ask
from waiting import PATIENCE

from referee.app import MARK, create_app
from referee.cli import main
from referee.server.certificate import Certificate, certificate
from referee.web.site.trust import Secure

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def leaf(made: Certificate) -> x509.Certificate:
    return x509.load_pem_x509_certificates(made.chain.read_bytes())[0]


def names(made: Certificate) -> set[str]:
    found = leaf(made).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in found}


def test_it_is_for_the_addresses_of_the_machine_and_its_local_names(tmp_path: Path) -> None:
    made = certificate(tmp_path, ["192.168.1.5", "fd00::7"])
    assert {"192.168.1.5", "fd00::7", "127.0.0.1", "localhost"} <= names(made)


def test_an_address_of_the_internet_is_left_out(tmp_path: Path) -> None:
    assert "203.0.113.5" not in names(certificate(tmp_path, ["203.0.113.5"]))


def test_the_authority_is_good_for_nothing_on_the_internet(tmp_path: Path) -> None:
    authority = x509.load_der_x509_certificate(certificate(tmp_path, []).authority)
    found = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert found.critical
    assert {str(name.value) for name in found.value.permitted_subtrees or ()} >= {
        "local",
        "192.168.0.0/16",
    }


def test_it_is_kept_until_an_address_or_the_time_asks_for_another(tmp_path: Path) -> None:
    first = certificate(tmp_path, ["192.168.1.5"], NOW)
    serial = leaf(first).serial_number
    assert leaf(certificate(tmp_path, ["192.168.1.5"], NOW)).serial_number == serial
    moved = certificate(tmp_path, ["10.0.0.2"], NOW)
    now = leaf(moved).serial_number
    assert now != serial
    later = certificate(tmp_path, ["10.0.0.2"], NOW + timedelta(days=380))
    assert leaf(later).serial_number != now
    assert later.authority == first.authority  # phones need not be asked again


def test_only_the_owner_may_read_the_keys(tmp_path: Path) -> None:
    certificate(tmp_path / "tls", [])
    keys = list((tmp_path / "tls").glob("*.key"))
    assert len(keys) == 2  # the authority's and the server's
    for key in keys:
        assert stat.S_IMODE(key.stat().st_mode) == 0o600


@pytest.fixture
def plain_port(tmp_path: Path) -> Iterator[int]:
    """`serve --https --pack` on the loopback, stopped as by Ctrl+C; gives the plain port."""
    (tmp_path / "in").mkdir()
    for name in ("sw.js", "index.html", "in/index.html", "app.bin.gz"):
        (tmp_path / name).write_text(name, "ascii")
    run = "from referee.cli import main; main()"
    command = [sys.executable, "-c", run, "serve", "--https", "--host", "127.0.0.1"]
    command += ["--port", "0", "--data", str(tmp_path / "made" / "by it")]
    command += ["--pack", str(tmp_path)]
    environ = {**os.environ, "LC_ALL": "en_GB.UTF-8"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ) as running:
        assert running.stdout is not None
        port = 0
        for line in running.stdout:
            if line.startswith("On this computer"):
                port = int(line.strip().rpartition(":")[2].strip("/"))
            if line.startswith("To stop"):
                break
        yield port
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=PATIENCE) == 0


def test_the_plain_address_leads_to_the_secure_one(plain_port: int) -> None:
    first, _ = ask(plain_port, "GET", "/t/abc?seat=1")
    assert first.getheader("location") == "/trust?next=%2Ft%2Fabc%3Fseat%3D1"
    explained, body = ask(plain_port, "GET", first.getheader("location") or "")
    assert explained.status == 200
    page = parsed(body.decode())
    secure = urlsplit(str(page.select("a.go")[0]["href"]))
    assert (secure.scheme, secure.path, secure.query) == ("https", "/t/abc", "seat=1")
    der = ask(plain_port, "GET", "/trust/fudami.crt")[1]
    trusting = ssl.create_default_context(cadata=der)
    connection = http.client.HTTPSConnection(
        "127.0.0.1", secure.port, context=trusting, timeout=PATIENCE
    )
    connection.request("GET", "/")
    answer = connection.getresponse()
    assert answer.status == 200
    cookie = (answer.getheader("set-cookie") or "").partition(";")[0]
    home = parsed(answer.read())
    _helps_without_network(connection)
    connection.close()
    _belongs_to_one_certificate(secure)
    [packed] = [str(a["href"]) for a in home.select("a") if a.text == "札見を持ち歩く"]
    _is_served(urlsplit(packed), trusting)
    led, _ = ask(plain_port, "GET", "/new", headers={"Cookie": cookie})
    assert led.getheader("location") == f"https://127.0.0.1:{secure.port}/new"
    assert ask(plain_port, "GET", "/", headers={"Cookie": "plain=1"})[0].status == 200


def _helps_without_network(connection: http.client.HTTPSConnection) -> None:
    """What a phone loads in advance comes from the secure address, with the mark of this program:
    the worker, the page that it shows without network, and the one that takes unsent entries.
    """
    for path, said in (("/sw.js", MARK[0]), ("/offline", "rescue.js"), ("/take", "take.js")):
        connection.request("GET", path)
        answer = connection.getresponse()
        assert (answer.status, answer.getheader(MARK[0])) == (200, MARK[1]), path
        assert said.lower() in answer.read().decode().lower(), path


def _belongs_to_one_certificate(secure: SplitResult) -> None:
    """A phone that trusts another server's authority gets no answer, so no page of it is stored."""
    with TemporaryDirectory() as folder:
        other = ssl.create_default_context(cadata=certificate(Path(folder), []).authority)
    connection = http.client.HTTPSConnection("127.0.0.1", secure.port, context=other)
    with closing(connection), pytest.raises(ssl.SSLCertVerificationError):
        connection.request("GET", "/")


def _is_served(packed: SplitResult, trusting: ssl.SSLContext) -> None:
    """The packed app is at this address, with what browsers want of it."""
    assert (packed.scheme, packed.path) == ("https", "")
    connection = http.client.HTTPSConnection(
        "127.0.0.1", packed.port, context=trusting, timeout=PATIENCE
    )
    for path, kind, said in (
        ("/", "text/html; charset=utf-8", b"index.html"),
        ("/in/", "text/html; charset=utf-8", b"in/index.html"),
        ("/sw.js", "text/javascript", b"sw.js"),
        ("/app.bin.gz", "application/gzip", b"app.bin.gz"),
        ("/made/", None, b""),
        ("/../serve", None, b""),
    ):
        connection.request("GET", path)
        answer = connection.getresponse()
        assert (answer.getheader("content-type"), answer.read()) == (kind, said)
        assert answer.status == (200 if kind else 404)
        assert answer.getheader("cache-control") == "no-cache"
        assert answer.getheader("content-encoding") is None  # the service worker unpacks
    connection.request("POST", "/sw.js", b"x")
    assert connection.getresponse().status == 404
    connection.close()


def test_the_packed_app_is_offered_where_a_browser_would_run_it(tmp_path: Path) -> None:
    app = create_app(tmp_path, TESTING=True)
    client = app.test_client()
    offer = "札見を持ち歩く"
    assert offer not in client.get("/", base_url="https://192.168.1.5:8322").text
    app.config["PACKED"] = 8323
    for base, led in (
        ("https://192.168.1.5:8322", "https://192.168.1.5:8323"),
        ("http://localhost:8321", "http://localhost:8323"),
        ("https://[fd00::7]:8322", "https://[fd00::7]:8323"),
    ):
        assert f'href="{led}">{offer}' in client.get("/", base_url=base).text
    assert offer not in client.get("/", base_url="http://192.168.1.5:8321").text
    app.config["PACKED"] = "https://tab.example"
    assert 'href="https://tab.example"' in client.get("/", base_url="http://192.168.1.5:8321").text
    app.extensions["ledger"].store.close()


@pytest.mark.parametrize("options", [[], ["--public"]])
def test_what_is_no_packed_app_is_refused_before_anything_starts(
    tmp_path: Path, options: list[str]
) -> None:
    if options:
        (tmp_path / "sw.js").touch()
    said = CliRunner().invoke(main, ["serve", "--pack", str(tmp_path), *options])
    assert said.exit_code == 2
    assert "--pack wants a folder" in said.output


def test_settings_say_what_https_would_add(tmp_path: Path) -> None:
    app = create_app(tmp_path, TESTING=True)
    client = app.test_client()
    lan = "http://192.168.1.5:8321"
    assert "referee serve --https" in client.get("/settings", base_url=lan).text
    for base in ("http://localhost:8321", "https://192.168.1.5:8322"):
        assert "HTTPS" not in client.get("/settings", base_url=base).text
    assert client.get("/trust").status_code == 404
    _with_certificate(app, tmp_path)
    assert "/trust?next=" in client.get("/settings", base_url=lan).text
    page = parsed(client.get("/trust", base_url=lan).text)
    assert page.select(".print")[0].text == app.config["SECURE"].fingerprint
    assert str(page.select("img.qr")[0]["src"]).startswith("data:image/svg+xml")
    app.extensions["ledger"].store.close()


def _with_certificate(app: Flask, folder: Path) -> None:
    made = certificate(folder / "tls", ["192.168.1.5"])
    app.config["SECURE"] = Secure(8322, made.authority, made.fingerprint)
