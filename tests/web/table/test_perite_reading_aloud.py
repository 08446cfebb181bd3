"""What a phone reads aloud: the setting, and the sentences in the page of a phone that has it."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from chosen_games import head, some_seats
from parsed import parsed
from phones import FIVE, Phone, one, soup

from referee.games import GAMES
from referee.games.simulation import played
from referee.http.voice import SentenceKind

LONG = "Old Tom Bombadil of the Forest"


def reads(phone: Phone, *kinds: str, tongue: str = "ja", **fields: str) -> Phone:
    """``phone`` with the setting, in which ``kinds`` are on."""
    phone.client.set_cookie("lang", tongue)
    answer = phone.post("/settings/voice", {"on": "1", "kind": list(kinds), "rate": "", **fields})
    assert answer.status_code == 303
    return phone


def aloud(phone: Phone) -> list[str]:
    """The kind and text of each sentence; ``*``: the next card ends it."""
    lines = one(phone.page(), "#aloud").select("[data-kind]")
    mark = ["*", ""]
    return [f"{line['data-kind']}{mark['data-lasts' in line.attrs]} {line.text}" for line in lines]


def page_of(phone: Phone, path: str) -> BeautifulSoup:
    answer = phone.get(path)
    assert answer.status_code == 200
    return soup(answer)


def test_a_phone_that_does_not_read_aloud_has_nothing_of_it(phone: Phone) -> None:
    phone.opens("perite", ("A", "B", "C"))
    answer = phone.lays("A lay 6")
    assert "aloud" not in answer.text
    phone.headers = {}
    page = phone.page()
    assert not page.select("#aloud,.voice-on,[src*='voice'],[href*='voice.css']")


def test_its_sentences_are_those_of_the_kinds_that_are_on(phone: Phone) -> None:
    phone.opens("perite", (LONG, "B", "C"), LONG)
    lines = (f'"{LONG}" lay 2', "B lay 5", "C lay 4")
    reads(phone, "trick", "turn", tongue="en")
    heard = []
    for line in lines:
        phone.lays(line)
        heard += aloud(phone)
    assert heard == [
        "turn* B to play",
        "turn* C to play",
        f"trick {LONG} takes the trick with 2, 2 points",
        f"turn* {LONG} to play",
    ]
    reads(phone, "points")
    assert aloud(phone) == []


def test_a_refusal_is_read_with_its_reason_and_a_whole_name(phone: Phone) -> None:
    reads(phone, "refused", "turn").opens("perite", (LONG, "B", "C"), LONG)
    answer = phone.lays(f'"{LONG}" lay 2', "B lay 4", f'"{LONG}" lay 5')
    [line] = one(parsed(answer.text), "#aloud").select("[data-kind]")
    assert line["data-kind"] == "refused"
    assert line.text.startswith(f"反則、{LONG} 5。")
    assert len(line.text) > len(f"反則、{LONG} 5。") + 5


def test_an_undo_is_told_so_that_nothing_older_goes_on(phone: Phone) -> None:
    reads(phone, "turn").opens("perite", ("A", "B", "C"))
    phone.lays("A lay 6")
    assert one(phone.page(), "#aloud")["data-changed"] == "0"
    phone.undoes()
    at = one(phone.page(), "#aloud")
    assert at["data-changed"] == at["data-at"]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_says_points_at_its_end(phone: Phone, game: str) -> None:
    """Of a whole match; the last entry has ended it."""
    reads(phone, *SentenceKind)
    ledger, seats = phone.client.application.extensions["ledger"], some_seats(game, FIVE)
    phone.match = ledger.open(head(game, seats)).match
    for seq, entry in enumerate(played(GAMES[game], seats, 3).entries):
        line = ledger.view(phone.match).grammar.print(entry)
        assert ledger.declare(phone.match, line, seq, f"key-{seq:06}").seq, line
    [said] = [line for line in aloud(phone) if line.startswith("points ")]
    assert said.count("。") >= 1
    assert all(seat in said for seat in seats)


def test_the_setting_is_kept_and_shown(phone: Phone) -> None:
    page = page_of(phone, "/settings/voice")
    checked = [field["value"] for field in page.select("[name=kind][checked]")]
    assert checked == ["foul", "refused", "trick", "points", "clock"]
    assert not page.select("[name=on][checked]")
    reads(phone, "trick", rate="fast")
    page = page_of(phone, "/settings/voice")
    assert [field["value"] for field in page.select("[checked]")] == ["1", "trick", "fast"]
    assert "オン" in one(page_of(phone, "/settings"), "a[href*=voice]").text
    phone.post("/settings/voice", {"kind": ["trick"], "rate": "fast"})
    page = page_of(phone, "/settings/voice")
    assert [field["value"] for field in page.select("[checked]")] == ["trick", "fast"]
    assert "オフ" in one(page_of(phone, "/settings"), "a[href*=voice]").text


@pytest.mark.parametrize("form", [{"kind": "song"}, {"rate": "600"}])
def test_what_the_page_does_not_offer_is_refused(phone: Phone, form: dict[str, str]) -> None:
    answer = phone.post("/settings/voice", form)
    assert answer.status_code == 400
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("cookie", ["", "on", "-", "on-song-turn", "x" * 300])
def test_a_cookie_of_something_else_harms_nothing(phone: Phone, cookie: str) -> None:
    phone.client.set_cookie("voice", cookie)
    phone.opens("perite", ("A", "B", "C"))
    phone.lays("A lay 6")
    assert phone.page()
