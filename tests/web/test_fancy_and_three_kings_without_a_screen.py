"""A game that has rules and texts, but no screen, template or picture, has every page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from phones import Phone, one, soup, text
from reading_room import Room

from referee import rulings
from referee.core.verdict import word_of
from referee.games import GAMES, fancy, three_kings
from referee.rulings import book
from referee.screens import screen
from referee.screens.base import Screen

BARE = "bare"
SEATS = ("あかね", "Ben", "C")
LANGS = pytest.mark.parametrize("lang", ["ja", "en"])


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The rules and texts of Fancy under a name that nothing else in the program knows."""
    with bare(fancy, tmp_path, monkeypatch):
        yield BARE


@pytest.fixture
def bare_kings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with bare(three_kings, tmp_path, monkeypatch):
        yield BARE


@contextmanager
def bare(rules: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """``rules`` and their texts as a game of the name ``BARE``."""
    copied = ModuleType(BARE)
    vars(copied).update(vars(rules), NAME=BARE)
    folder, packaged = tmp_path / "books", files("referee.games")
    folder.mkdir()
    for name in GAMES:
        (folder / name).symlink_to(str(packaged / name))
    (folder / BARE).symlink_to(str(packaged / str(rules.NAME)))
    monkeypatch.setattr(
        rulings, "files", lambda package: folder if package == "referee.games" else files(package)
    )
    monkeypatch.setitem(GAMES, BARE, copied)  # type: ignore[arg-type]
    yield
    book.cache_clear()
    screen.cache_clear()


def test_its_screen_is_the_plain_one(game: str) -> None:
    assert type(screen(game)) is Screen
    assert type(screen("fancy")) is not Screen


@LANGS
@pytest.mark.parametrize("most", [0, 1, 10, 10_000])
def test_every_page_answers(room: Room, game: str, most: int, lang: str) -> None:
    room.open(game, " ".join(SEATS), rounds="1").play_out(most, seed=2)
    pages = ["", "?seat=Ben", "log", "score", "result", "rules", "record.txt"]
    pages += ["/", "/new", f"/new?game={game}", "/rules", f"/rules/{game}", "/check", "/history"]
    pages += [f"e/{seq}" for seq in range(1, min(room.view.seq, 12) + 1)]
    pages += [f"correct/{seq}?do=amend" for seq in range(1, min(room.view.seq, 3) + 1)]
    if room.view.outcome:
        pages.append("card.svg")
    for page in pages:
        address = room.address(page) if page else f"/t/{room.match}"
        if page.startswith("?"):
            address = f"/t/{room.match}{page}"
        found = room.get(address, **{"Accept-Language": lang})
        assert "</" not in found.get_text(), page


@LANGS
def test_a_whole_match_is_played_by_tapping_its_keys(phone: Phone, game: str, lang: str) -> None:
    phone.headers["Accept-Language"] = lang
    phone.opens(game, SEATS, leader="Ben", rounds="2")
    ledger, chance = phone.client.application.extensions["ledger"], Random(3)
    looks = {"legal": ["key"], "unprovable": ["key", "dot"], "illegal": ["key", "off"]}
    while not ledger.view(phone.match).outcome:
        view = ledger.view(phone.match)
        keys = phone.page().select("#play button[name=line]")
        judged = [
            word_of(view.game.judge(view.state, view.grammar.parse(str(key["value"]))))
            for key in keys
        ]
        assert [key["class"] for key in keys] == [looks[verdict] for verdict in judged]
        assert judged == sorted(judged, key=list(looks).index)
        best = judged.count(judged[0])
        assert phone.lays(str(chance.choice(keys[:best])["value"])).status_code == 303
    assert view.state.deal == 2
    places = [place.get_text() for place in phone.page().select(".ranking small")]
    assert len(places) == len(SEATS)
    assert places[0] == "1"


def test_too_many_candidates_are_typed_too(phone: Phone, bare_kings: str) -> None:
    phone.opens(bare_kings, ("A", "B"))
    phone.match = phone.match.partition("?")[0]  # its address says who begins
    assert not phone.page().select("#play button.key")
    assert str(one(phone.page(), "#play [name=rest]")["placeholder"]).startswith("deal ")
    assert phone.lays("table", rest="deal dealer=B tableau=3,4,5,9").status_code == 303
    assert phone.log() == ["table deal dealer=B tableau=3,4,5,9"]
    keys = phone.page().select("#play button[name=line]")
    assert "A capture 9 with 4 5" in [key["value"] for key in keys]


def test_what_is_no_candidate_is_typed(phone: Phone, game: str) -> None:
    phone.opens(game, SEATS, leader="Ben", rounds="1")
    form = one(phone.page(), "form.number")
    line = str(one(form, "button")["value"])
    assert phone.lays(line, rest="show 1 2 2 3 3 3 4 4").status_code == 303
    assert phone.log()[-1] == "Ben show 1 2 2 3 3 3 4 4"
    assert text(phone.page(), ".strip b") == "Ben 手札を公開 1・2・2・3・3・3・4・4"
    refused = soup(phone.lays("Ben lay 5"))  # the hand that was shown holds none
    assert text(refused, ".strip.refused b") == "Ben 5"


def test_the_board_shows_what_is_public_and_the_seat_of_the_pad_can_be_chosen(
    phone: Phone, game: str
) -> None:
    phone.opens(game, SEATS, leader="Ben", rounds="1")
    phone.lays("Ben lay 7")
    assert "Ben 7" in text(phone.page(), "dl.publics")
    link = next(a for a in phone.page().select(".publics a.tag") if a.get_text() == "あかね")
    assert "あかね" in str(phone.page("?seat=あかね").select_one("#play button")["value"])
    assert phone.get(str(link["href"])).status_code == 200
