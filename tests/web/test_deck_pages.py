"""Registering a deck: the sheet, pasting, checking, files, printing."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from bs4 import BeautifulSoup
from reading_room import Room, one, words
from werkzeug.test import TestResponse

from referee.jukugo import library
from referee.jukugo.decks import write_deck
from referee.store import Circles
from referee.web.library import deck_form

OPEN = library.open_deck()
KANJI = "".join(card.kanji for card in OPEN.cards)
FILE = write_deck(OPEN)


def fields(page: BeautifulSoup) -> dict[str, Any]:
    """What the sheet on ``page`` would send."""
    found = {each["name"]: each["value"] for each in page.select("#sheet input[name][value]")}
    for each in page.select("#sheet select"):
        chosen = each.select_one("[selected]")
        found[each["name"]] = chosen.text if chosen else ""
    return found


def full(**changed: str) -> dict[str, Any]:
    """A sheet with every card of the open deck."""
    written: dict[str, Any] = {"name": "ours", "instead": ""}
    for card in OPEN.cards:
        written[deck_form.field_name("k", card.place)] = card.kanji
        written[deck_form.field_name("v", card.place)] = str(card.value)
    return {**written, **changed}


def press(room: Room, do: str, data: dict[str, Any], status: int = 200) -> BeautifulSoup:
    return room.soup(room.phone.post("/decks/new", data={**data, "do": do}), status)


def register(room: Room, **changed: str) -> TestResponse:
    answer = room.phone.post("/decks/new", data={**full(**changed), "do": "save"})
    assert answer.status_code == 303, answer.text
    return answer


def faults(page: BeautifulSoup) -> list[str]:
    return [words(fault) for fault in page.select(".warn li")]


def test_fifty_two_kanji_pasted_checked_and_registered(room: Room) -> None:
    page = press(room, "pour", {"name": "家の上級編", "text": f" {KANJI[:26]}\n{KANJI[26:]}々々"})
    assert words(one(page, ".written")) == "52"
    sent = fields(page)
    assert (sent["k-S1"], sent["v-S1"]) == ("中", "1")
    assert (sent["k-C13"], sent["v-C13"]) == ("大", "1")
    assert len(page.select(".offered")) == 52
    answer = room.phone.post("/decks/new", data={**sent, "do": "save"})
    page = room.get(answer.headers["Location"])
    assert words(one(page, "h1")) == "家の上級編"
    assert len(page.select(".spread u")) == 52
    assert "家の上級編" in words(room.get("/decks"))


@pytest.mark.parametrize("text", [KANJI + "字", "no kanji", FILE.replace(",1,", ",x,", 1), "<a,>"])
def test_a_text_with_a_fault_comes_back_to_be_mended(room: Room, text: str) -> None:
    page = press(room, "pour", full(text=text), 400)
    assert len(faults(page)) == 1
    assert one(page, "details[open] #text").get_text() == text
    assert not one(press(room, "pour", full(text=KANJI)), "#text").get_text()


def test_values_that_nobody_has_seen_are_shown_before_they_count(room: Room) -> None:
    page = press(room, "save", full(**{"v-S1": ""}))
    assert "学年から" in words(one(page, "[role=status]"))
    assert one(page, ".offered input")["name"] == "k-S1"
    assert room.ledger.store.shelf.decks() == []


def test_a_digit_after_a_kanji_is_its_value(room: Room) -> None:
    sent = fields(press(room, "pour", {"text": "日１ 本5音　3意"}))
    assert [sent[f"v-S{rank}"] for rank in (1, 2, 3, 4)] == ["1", "5", "3", "3"]


def test_a_kanji_of_no_year_gets_no_value(room: Room) -> None:
    page = press(room, "check", full(**{"k-S1": "鬱", "v-S1": ""}), 400)
    assert faults(page) == ["♠Aの鬱に点がありません。"]
    assert one(page, ".wrong input")["aria-invalid"] == "true"
    assert one(page, ".warn a")["href"] == "#k-S1"
    assert fields(page)["k-S1"] == "鬱"


WRONG: list[tuple[dict[str, str], str]] = [
    ({"k-H2": "中"}, "中が♠Aと♥2にあります。"),
    ({"k-H2": ""}, "あと1字足りません：♥2"),
    ({"k-H2": "々"}, "♥2：「々」はジョーカーです。ここには書きません。"),
    ({"k-H2": "文字"}, "♥2：「文字」は漢字1字ではありません。"),
    ({"k-H2": "<b>"}, "♥2：「<b>」は漢字1字ではありません。"),
    ({"v-H2": "6"}, "♥2の文の点は1から5です。"),
    ({"v-H2": "六"}, "♥2の文の点は1から5です。"),
    ({"name": ""}, "デッキに名前を付けてください。"),
    ({"name": "長" * 25}, "デッキの名前は24文字までです。"),
]


def test_what_is_wrong_is_said_and_nothing_lost(room: Room) -> None:
    for changed, fault in WRONG:
        for do in ("check", "save"):
            page = press(room, do, full(**changed), 400)
            assert faults(page) == [fault]
            assert fields(page)["k-D7"] == "本"
    assert room.ledger.store.shelf.decks() == []


def test_an_empty_sheet(room: Room) -> None:
    page = press(room, "save", {}, 400)
    assert "あと52字足りません：♠A・♠2・♠3・♠4・♠5・♠6…" in faults(page)
    assert faults(press(room, "nonsense", {})) == []


def test_a_full_sheet_is_praised(room: Room) -> None:
    page = press(room, "check", full())
    assert "52枚そろいました" in words(one(page, "[role=status]"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
def test_a_file(room: Room, encoding: str) -> None:
    content = BytesIO(FILE.replace("\n", "\r\n").encode(encoding))
    page = press(room, "file", {"name": "x", "file": (content, "deck.csv")})
    assert {k: v for k, v in fields(page).items() if k[:2] in ("k-", "v-")} == {
        k: v for k, v in full().items() if k[:2] in ("k-", "v-")
    }


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            FILE.replace("意,S,2,2", "意,S,2,9"),
            "3行目：意の点「9」は1から5までの数ではありません。",
        ),
        (FILE.replace("意,S", "中,S"), "3行目：中が2枚あります（2行目にも）。"),
        (FILE + "鬱,S,1,1", "54行目：Sの1が2枚あります：中と鬱。"),
        (KANJI + "鬱", "53字あります。デッキは52字です。"),
        ("hello", "漢字が見つかりません。52字を続けて、またはCSVを貼ってください。"),
        ("", "漢字が見つかりません。52字を続けて、またはCSVを貼ってください。"),
    ],
)
def test_a_text_that_can_not_be_poured_in(room: Room, text: str, fault: str) -> None:
    page = press(room, "pour", full(text=text), 400)
    assert faults(page)[0].startswith(fault)
    assert fields(page)["k-D7"] == "本"


def test_a_file_that_is_no_text(room: Room) -> None:
    page = press(room, "file", {"file": (BytesIO(b"\x89PNG\xff\xfe\x00"), "x.png")}, 400)
    assert faults(page) == ["ファイルを読み取れません。UTF-8のCSVにしてください。"]


def test_export_and_import_again(room: Room) -> None:
    path = register(room).headers["Location"]
    answer = room.phone.get(f"{path}.csv")
    assert answer.text == FILE
    assert answer.headers["Content-Disposition"] == f"attachment; filename={OPEN.id}"


def test_a_correction_takes_the_name_and_the_old_deck_stays(room: Room) -> None:
    old = register(room).headers["Location"]
    page = room.get(f"{old}/edit")
    sent = fields(page) | {"v-S1": "5", "do": "save"}
    new = room.phone.post("/decks/new", data=sent).headers["Location"]
    assert new != old
    store = room.ledger.store
    assert [deck.name for deck in store.shelf.decks(Circles(store).only())] == ["ours"]
    assert words(one(room.get(new), "h1")) == "ours"
    assert "一覧にはありません" in words(one(room.get(old), ".lead"))


def test_a_name_that_is_taken(room: Room) -> None:
    register(room)
    page = press(room, "save", full(**{"v-S1": "5"}), 400)
    assert "すでにあります" in faults(page)[0]


def test_put_away(room: Room) -> None:
    path = register(room).headers["Location"]
    room.post(f"{path}/away", 303)
    assert "ours" not in words(room.get("/decks"))
    assert room.phone.get(f"{path}.csv").status_code == 200


def test_a_copy_of_the_open_deck_is_a_new_one(room: Room) -> None:
    sent = fields(room.get("/decks/open/edit"))
    assert (sent["name"], sent["instead"], sent["k-S1"]) == ("", "", "中")


@pytest.mark.parametrize("back", [False, True])
def test_the_print(room: Room, back: bool) -> None:
    page = room.get("/decks/open/print" + ("?back=1" if back else ""))
    sheets = page.select(".sheet-a4")
    assert len(sheets) == (12 if back else 6)
    assert len(page.select(".face")) == 54
    assert len(page.select(".joker")) == 2
    assert len(page.select("svg.back")) == (54 if back else 0)
    assert all(len(each.select(".cut i")) == 16 for each in sheets)
    face = page.select_one(".face[aria-label='合 ♠3 3']")
    assert len(face.select(".ix")) == 2  # one for each end
    assert len(face.select(".obi svg")) == 3


@pytest.mark.parametrize("page", ["deck-000000000000", "nowhere", "x.csv", ".csv", "deck-0/print"])
def test_no_such_deck(room: Room, page: str) -> None:
    room.get(f"/decks/{page}", 404)


def test_htmx_gets_the_sheet_alone(room: Room) -> None:
    answer = room.phone.post(
        "/decks/new", data={**full(), "do": "check"}, headers={"HX-Request": "true"}
    )
    assert answer.text.lstrip().startswith("<form")
    assert "HX-Request" in answer.headers["Vary"]
