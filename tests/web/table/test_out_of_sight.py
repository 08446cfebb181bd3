"""Matches out of sight: no list has them, no statistics count them, nothing of them is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import years
from flask import Flask
from phones import Phone, one, soup, text

from referee.app import create_app
from referee.history import counting, exchange, exports
from referee.store import Circles, Hidden, People, Store
from referee.store.archive import Archive
from referee.store.past import Past

MATCHES = 8


@pytest.fixture
def past(tmp_path: Path) -> Iterator[Phone]:
    """A phone of a circle with a past; ``match`` is the newest one."""
    app = create_app(tmp_path, TESTING=True)
    years.keep(app.extensions["ledger"].store, "", MATCHES, seed=2)
    phone = Phone(app.test_client())
    phone.get("/history")  # the first phone on this computer takes over what is there
    phone.match = Circles(store_of(phone)).matches(circle_of(phone), 1)[0].id
    yield phone
    app.extensions["ledger"].store.close()


def store_of(phone: Phone) -> Store:
    store: Store = phone.client.application.extensions["ledger"].store
    return store


def circle_of(phone: Phone) -> str:
    return Circles(store_of(phone)).only()


def counted(phone: Phone) -> tuple[Any, ...]:
    """All that the statistics of the circle say."""
    store, circle = store_of(phone), circle_of(phone)
    counting.catch_up(store)
    past, people = Past(store, circle), People(store).of(circle)
    return (
        list(past.each()),
        past.standings(),
        sorted(past.duels()),
        [
            (sorted(career.led()), career.feats(), career.ratings(50, 50))
            for career in (past.career(one.id) for one in people)
        ],
        people,
    )


def hide(phone: Phone) -> None:
    page = soup(phone.get(f"/t/{phone.match}/hide"))
    answer = phone.post(str(one(page, "main form")["action"]), {})
    assert (answer.status_code, answer.location) == (303, "/")


def test_a_hidden_match_leaves_every_list_and_comes_back_whole(past: Phone) -> None:
    before = counted(past)
    lists = ("/", "/history", "/circle", past.get("/history").text.split('"/history/evening/')[1])
    lists = (*lists[:3], f"/history/evening/{lists[3].partition(chr(34))[0]}")
    assert f"/t/{past.match}/" in past.get("/").text
    hide(past)
    for path in lists:
        assert past.match not in past.get(path).text, path
    for path in ("/", "/history"):
        link = one(soup(past.get(path)), "a[href='/history/hidden']")
        assert link.get_text() == "一覧から外したゲーム 1"
    after = counted(past)
    assert [match.match for match in after[0]] == [
        match.match for match in before[0] if match.match != past.match
    ]
    for person in after[4]:
        [same] = [other for other in before[4] if other.id == person.id]
        sat = any(match == past.match for match, _ in People(store_of(past)).matches(person.id))
        assert person.matches == same.matches - sat
    shown = soup(past.get("/history/hidden"))
    assert one(shown, ".away a")["href"] == f"/t/{past.match}/score"
    form = one(shown, ".away form")
    answer = past.post(str(form["action"]), {"next": "hidden"})
    assert answer.location == "/history/hidden"
    assert counted(past) == before
    assert not soup(past.get("/")).select("a[href='/history/hidden']")


def test_the_table_of_a_hidden_match_stays_and_says_so(past: Phone) -> None:
    hide(past)
    for path in ("", "/log", "/score", "/result.csv", "/bgstats.json", "/match.json"):
        assert past.get(f"/t/{past.match}{path}").status_code == 200, path
    sheet = soup(past.get(f"/t/{past.match}/menu"))
    assert not sheet.select("a[href$='/hide']")
    assert "一覧から外してあります" in text(sheet, "main")
    answer = past.post(str(one(sheet, "form[action$='/show']")["action"]), {})
    assert answer.location == f"/t/{past.match}/menu"
    assert not Hidden(store_of(past)).has(past.match)


def test_hiding_a_running_table_takes_no_entry(phone: Phone) -> None:
    phone.opens().lays("A lay 3")
    hide(phone)
    assert phone.match not in phone.get("/").text
    assert phone.match not in phone.get("/settings").text
    phone.lays("B lay 4")
    assert phone.log()[-1] == "B lay 4"


def test_the_next_table_is_not_set_up_like_a_hidden_one(phone: Phone) -> None:
    phone.opens(names=["あ", "い"], leader="あ")
    seen = phone.match
    phone.opens(names=["X", "Y"], leader="X")
    hide(phone)
    phone.match = seen
    assert [str(field["value"]) for field in soup(phone.get("/new")).select("[name=name]")] == [
        "あ",
        "い",
    ]


def test_only_the_phone_that_answers_for_a_table_may_hide_it(app: Flask, phone: Phone) -> None:
    phone.opens()
    guest = Phone(app.test_client(), phone.match)
    invited = one(soup(phone.get(f"/t/{phone.match}/join")), ".link input")["value"]
    guest.get(str(invited).removeprefix("http://localhost"))
    guest.post(f"/t/{phone.match}/sit", {"place": "2"})
    assert not soup(guest.get(f"/t/{phone.match}/menu")).select("a[href$='/hide']")
    assert guest.post(f"/t/{phone.match}/hide", {}).status_code == 403
    assert not Hidden(store_of(phone)).has(phone.match)


def test_the_file_of_a_history_has_hidden_matches_and_says_so(past: Phone, tmp_path: Path) -> None:
    hide(past)
    store, circle = store_of(past), circle_of(past)
    counting.catch_up(store)
    file = "".join(exchange.write(Archive(store, circle), Past(store, circle), ""))
    assert file.count('"hidden":true') == 1
    other = Store(tmp_path / "other.db")
    try:
        assert exchange.take_in(Archive(other, ""), exchange.read(file.encode())) == MATCHES
        assert [row.id for row in Hidden(other).of("")] == [past.match]
        counting.catch_up(other)
        assert len(list(Past(other, "").each())) == MATCHES - 1
    finally:
        other.close()
    assert exports.as_csv(Past(store, circle).each(), "").count(past.match) == 0
    assert "1ゲーム" in text(soup(past.get("/history/files")), "main .acts-l + .note")


@pytest.mark.file("one of the downloads is a copy of the file")
def test_a_download_does_not_look_as_if_it_unfolded(past: Phone) -> None:
    page = soup(past.get("/history/files"))
    downloads = page.select(".acts-l a[href]")
    assert len(downloads) == 6, downloads
    assert not [link for link in downloads if link.select(".i-down, .i-next")]
    assert not [link for link in downloads if link.find_parent("details")]
