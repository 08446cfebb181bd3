"""Pages of groups with more of everything than a page shows: the rest is a link."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
import years
from flask import Flask
from flask.testing import FlaskClient

from referee.app import create_app
from referee.games import GAMES
from referee.history import counting
from referee.store import Circles, NewEntry, Store
from referee.store.archive import Archive, batches
from referee.web.group import circle, history, people

MATCHES = 60
OBJECTIONS = 60
LARGE = 60_000  # bytes, more than any of these pages has
PEOPLE = 20
MATCH = re.compile(r'href="/t/(match-[0-9]+)')
MORE = re.compile(r'<p class="btns one-b"><a class="btn" href="([^"]+skip=[^"]+)">')


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """A server with one group, all of whose matches are in one evening."""
    app = create_app(tmp_path_factory.mktemp("large"), TESTING=True)
    store: Store = app.extensions["ledger"].store
    began = years.stamp(years.START)
    played = [match._replace(session=began) for match in years.large(MATCHES, PEOPLE)]
    archive = Archive(store, "")
    years.settle(archive, played)
    for batch in batches(played, 100):
        archive.put(batch)
    yield app
    store.close()


@pytest.fixture(scope="module")
def phone(app: Flask) -> FlaskClient:
    """A phone of the group."""
    client = app.test_client()
    client.get("/")
    counting.catch_up(app.extensions["ledger"].store)
    return client


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "EACH", 7)
    monkeypatch.setattr(history, "STANDINGS", 6)
    monkeypatch.setattr(history, "DUELLISTS", 4)
    monkeypatch.setattr(circle, "HELD", 7)
    monkeypatch.setattr(people, "PEOPLE", 6)


def walked(phone: FlaskClient, path: str, found: re.Pattern[str]) -> list[list[str]]:
    """What is found on a page, and on those that follow it."""
    pages = []
    while path:
        answer = phone.get(path)
        assert answer.status_code == 200
        pages.append(list(dict.fromkeys(found.findall(answer.text))))
        after = MORE.search(answer.text)
        path = after[1].replace("&amp;", "&") if after else ""
    return pages


def test_every_match_of_an_evening_is_on_one_of_its_pages(app: Flask, phone: FlaskClient) -> None:
    store: Store = app.extensions["ledger"].store
    [session] = Circles(store).sessions(Circles(store).only())
    assert session.matches == MATCHES
    for path in (f"/history/evening/{session.id}", f"/session/{session.id}"):
        pages = walked(phone, path, MATCH)
        assert all(len(page) <= 7 for page in pages), path
        assert Counter(match for page in pages for match in page) == Counter(
            f"match-{n:06}" for n in range(MATCHES)
        )
    listed = phone.get("/history").text
    assert len(set(MATCH.findall(listed.partition('<h2 class="sec"><a ')[2]))) == 7
    assert f"{MATCHES}ゲーム" in listed


def test_everybody_is_on_one_page_of_people(phone: FlaskClient) -> None:
    standings = walked(phone, "/history/people", re.compile('<th scope="row"><a href="([^"]+)">'))
    assert [len(page) for page in standings] == [6, 6, 6, 2]
    assert len({path for page in standings for path in page}) == PEOPLE
    names = walked(phone, "/people", re.compile('href="(/people/[0-9]+)"'))
    assert [len(page) for page in names] == [6, 6, 6, 2]
    assert len({path for page in names for path in page}) == PEOPLE


@pytest.mark.parametrize("skip", ["-1", "x", "9" * 9, "9" * 30, "%F0%9F%83%81", "1.5"])
def test_a_page_behind_the_last_one_is_empty(phone: FlaskClient, skip: str) -> None:
    for path in ("/history", "/history/people", "/people", "/session/1", "/history/evening/1"):
        assert phone.get(f"{path}?skip={skip}").status_code == 200, path


def test_a_match_with_thousands_of_objections_has_pages_like_others(app: Flask) -> None:
    phone = app.test_client()
    form = {"game": next(iter(GAMES)), "name": ["A", "B", "C"], "leader": "A"}
    match = phone.post("/new", data=form).headers["Location"].split("/")[2]
    store: Store = app.extensions["ledger"].store
    lines = [f"{seat} lay {rank}" for seat, rank in zip("ABC", (1, 2, 3), strict=True)]
    while len(lines) < 3 * OBJECTIONS:
        number = len(lines) + 2
        lines += ["A contest 2", f"B vote {number} no", f"table decide {number} no"]
    lines += [
        f"{seat} contest {number} as A lay {rank}"
        for number in (2, 3)
        for seat in "ABC"
        for rank in (4, 5, 6)
    ]
    store.append(
        match, 1, [NewEntry(line, f"objection{n}", "", "", "") for n, line in enumerate(lines)]
    )
    contests = app.extensions["ledger"].view(match).log.contests()
    assert len(contests) > OBJECTIONS - 2
    listed = set()
    path = f"/t/{match}/e/2"
    while path:
        page = phone.get(path)
        listed |= set(re.findall(rf'<small><a href="/t/{match}/e/([0-9]+)"', page.text))
        after = MORE.search(page.text)
        path = after[1].replace("&amp;", "&") if after else ""
        assert len(page.data) < LARGE
    assert listed == {str(one.seq) for one in contests if one.contest.number == 2}
    for page in ("", "/menu", "/log", "/score", "/result", "/join"):
        assert len(phone.get(f"/t/{match}{page}").data) < LARGE, page


def test_a_search_for_words_looks_for_the_latest_matches_and_says_that_there_are_more(
    phone: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    word = years.SIX[0]
    everything = re.compile(r'<p class="lead">[^<]*<a[^>]*>([0-9]+)ゲーム(以上)?')
    [(all_of_them, more)] = everything.findall(phone.get(f"/history?q={word}").text)
    assert int(all_of_them) > 10
    assert not more
    monkeypatch.setattr(history, "FOUND", 10)
    page = phone.get(f"/history?q={word}").text
    assert everything.findall(page) == [("10", "以上")]
    assert len(MATCH.findall(page)) == 7
    assert everything.findall(phone.get("/history").text) == [(str(MATCHES), "")]
