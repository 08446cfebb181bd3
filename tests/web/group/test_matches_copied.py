"""Matches to another installation and back, in links and QR codes: exactly once."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import years
from flask import Flask
from phones import AFAR, Phone, one, soup
from waiting import wait_for

from referee.app import create_app
from referee.history import pieces
from referee.http.machine import TAB
from referee.store import Circles
from referee.web.group import copying, files, intake
from referee.web.table.join import qr_code

Makes = Callable[..., Phone]
THERE = "http://192.168.1.5:8321"


@pytest.fixture
def makes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Makes]:
    """Installations by name, each with a phone; all read imports in this process."""
    monkeypatch.setattr(files, "Intake", intake.Here)
    apps: list[Flask] = []

    def make(name: str, **config: Any) -> Phone:
        (tmp_path / name).mkdir()
        apps.append(create_app(tmp_path / name, TESTING=True, **config))
        phone = Phone(apps[-1].test_client())
        phone.post("/copy/address", {"address": THERE})
        return phone

    yield make
    for app in apps:
        app.extensions["ledger"].store.close()


def link(phone: Phone, path: str) -> str:
    """The link that the page offers to open at the other installation."""
    found = soup(phone.get(path)).select('a.go[target="_blank"]')
    return str(found[0]["href"])


def takes(phone: Phone, links: str) -> str:
    """Open the links and confirm; returns the page after the import."""
    sent = str(one(soup(phone.post("/in/", {"pieces": links})), "[type=hidden]")["value"])
    assert phone.post("/in/", {"pieces": sent, "take": "1"}).status_code == 303
    wait_for(lambda: "Refresh" not in phone.get("/history/work").headers)
    return one(soup(phone.get("/history/work")), "main").get_text(" ", strip=True)


def history(phone: Phone) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress(phone.get("/history/history.json.gz").data))
    return found


def test_a_match_goes_to_a_group_in_codes_and_comes_back_grown(
    makes: Makes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "IN_A_CODE", 400)  # for a match of two cards
    tab, server = makes("tab", MACHINE=TAB).opens(names="AB"), makes("server").opens(names="CD")
    tab.lays("A lay 4", "B lay 7")
    here = f"/t/{tab.match}/copy"
    whole = link(tab, here)
    assert whole.startswith(f"{THERE}/in/#")
    content = pieces.gather([whole.partition("#")[2]]).content
    codes = [f"{THERE}/in/#{piece}" for piece in pieces.cut(content, copying.IN_A_CODE)]
    assert len(codes) == 2
    for number, code in enumerate(codes, 1):
        drawn = tab.get(f"{here}?code={number}").text
        assert str(qr_code(code, error="l")) in drawn
    first = server.post("/in/", {"pieces": codes[1]}).text
    assert "2枚のうち1枚" in first
    assert "残り：1" in first
    assert len(history(server)["matches"]) == 1  # nothing is taken in before all is there
    assert "新しいゲームは1件" in takes(server, "\n".join(reversed(codes)))
    assert "すでにここにあります" in takes(server, whole)
    server.match = tab.match
    assert server.undoes().status_code == 303
    assert "新しいゲームは1件" in takes(tab, link(server, here))
    assert tab.log() == server.log()
    assert [len(match["entries"]) for match in history(tab)["matches"]] == [len(tab.log())]


def test_all_codes_are_of_one_file_that_is_written_once(
    makes: Makes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "IN_A_CODE", 200)
    phone = makes("one").opens(names="AB")
    phone.lays("A lay 4")
    written: list[object] = []
    write = copying.exchange.write
    monkeypatch.setattr(
        copying.exchange, "write", lambda *of, **more: (written.append(of), write(*of, **more))[1]
    )
    here = f"/t/{phone.match}/copy"
    before = soup(phone.get(here))
    phone.lays("B lay 3")  # meanwhile the game goes on
    second = phone.get(here + str(one(before, ".btns a.go")["href"]))
    assert len(written) == 1
    whole = str(one(before, "a.go[target]")["href"]).partition("#")[2]
    codes = pieces.cut(pieces.gather([whole]).content, copying.IN_A_CODE)
    assert str(qr_code(f"{THERE}/in/#{codes[1]}", error="l")) in second.text
    assert whole not in phone.get(here).text  # another look is at what is played by then
    assert len(written) == 2


def test_a_whole_history_comes_to_a_phone_that_has_nothing(makes: Makes) -> None:
    server, tab = makes("server").opens(), makes("tab", MACHINE=TAB)
    store = server.client.application.extensions["ledger"].store
    years.keep(store, Circles(store).only(), 2, seed=3)
    for said in ("新しいゲームは3件", "すでにここにあります"):
        assert said in takes(tab, link(server, "/history/copy"))
    assert history(tab)["matches"] == history(server)["matches"]


def test_a_history_that_is_too_long_is_for_a_file(
    makes: Makes, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = makes("one").opens()
    monkeypatch.setattr(copying, "MOST_MATCHES", 0)
    page = soup(phone.get("/history/copy"))
    assert "ファイルでコピーしてください" in page.text
    assert not page.select(".qr, a[target]")
    assert page.select('a[href="/history/files"]')


def test_what_is_no_link_is_refused(makes: Makes) -> None:
    phone = makes("one").opens()
    for sent in ("", "hello", f"{THERE}/in/#0123456789ab.1.1.AAAA"):
        answer = phone.post("/in/", {"pieces": sent, "take": "1"})
        assert answer.status_code == 400
        assert "リンクを読み取れません" in answer.text
    [piece] = pieces.cut(b"no history", 100)
    assert phone.post("/in/", {"pieces": piece, "take": "1"}).status_code == 400
    assert len(history(phone)["matches"]) == 1


def test_a_stranger_takes_nothing_out_and_nothing_in(makes: Makes) -> None:
    phone, tab = makes("one").opens(), makes("tab", MACHINE=TAB).opens()
    stranger = Phone(phone.client.application.test_client())
    stranger.client.environ_base |= AFAR
    sent = {"pieces": link(tab, f"/t/{tab.match}/copy"), "take": "1"}
    assert stranger.post("/in/", sent).status_code == 403
    assert stranger.get("/history/copy").status_code == 403
    assert stranger.get(f"/t/{phone.match}/copy").status_code == 403
    stranger.opens()  # a group of its own, and a guest of the other
    assert stranger.get(f"/t/{phone.match}/copy").status_code in (403, 404)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        (" 192.168.1.5:8321 ", "http://192.168.1.5:8321"),
        ("[fd00::7]:8321", "http://[fd00::7]:8321"),
        ("fudami.example", "https://fudami.example"),
        ("https://Fudami.Example/t/abc?x#y", "https://fudami.example"),
        ("http://pi.local:8321/", "http://pi.local:8321"),
        ("", ""),
        ("javascript:alert(1)", ""),
        ("ftp://there", ""),
        ("http://a b", ""),
        ("there:99999", ""),
        (f"http://{'a' * 254}", ""),
    ],
)
def test_an_address_is_read_as_people_type_it(typed: str, read: str) -> None:
    assert copying.origin(typed) == read


def test_an_address_that_cannot_be_read_is_not_kept(makes: Makes) -> None:
    phone = makes("one").opens()
    assert phone.post("/copy/address", {"address": "javascript:alert(1)"}).status_code == 400
    assert link(phone, "/history/copy").startswith(THERE)


@pytest.mark.parametrize("kept", ["javascript:alert(1)", f"http://{'a' * 3000}"])
def test_a_cookie_that_is_no_address_is_not_used(makes: Makes, kept: str) -> None:
    phone = makes("one").opens()
    phone.client.set_cookie(copying.ADDRESS, kept)
    answer = phone.get(f"/t/{phone.match}/copy")
    assert answer.status_code == 200
    assert kept not in answer.text
