"""ペアーズ大富豪 on the page: its entries in words, and house rules that only the page obeys."""

from __future__ import annotations

import pytest
from flask import Flask
from phones import one, text
from reading_room import Room

from referee.core.record import Grammar
from referee.games import pairs_daifugo
from referee.games.pairs_daifugo import PLAYS
from referee.screens import screen

WORDS = {
    "table deal leader=みどり子": ("リードはみどり子", "みどり子 leads"),
    "table deal": ("新しく配る", "new deal"),
    "みどり子 row 7 7 9": ("みどり子の下の段 7・7・9", "みどり子: bottom row 7, 7, 9"),
    "みどり子 lay 8": ("みどり子 8", "みどり子 8"),
    "みどり子 lay 8 8 8 using d e": ("みどり子 8・8・8", "みどり子 8, 8, 8"),
    "みどり子 turn b 7": ("みどり子のピラミッドの7を表に", "みどり子 turns up 7"),
    "みどり子 pass": ("みどり子 パス", "みどり子 passes"),
}
ROWS = """
table deal leader=A
A row 1 2 3 4
B row 5 5 6 6
C row 7 7 8 8
"""


@pytest.mark.parametrize("line", WORDS)
def test_every_kind_of_entry_in_words(app: Flask, line: str) -> None:
    entry = Grammar(pairs_daifugo, ["みどり子", "B"]).parse(line)
    for lang, words in zip(("ja", "en"), WORDS[line], strict=True):
        with app.test_request_context(headers={"Accept-Language": lang}):
            assert screen("pairs_daifugo").what(entry) == words


@pytest.mark.parametrize(
    ("lang", "words"), [("ja", "×2 ピラミッド 4段目の1・3枚目"), ("en", "×2 Pyramid row 4: 1, 3")]
)
def test_a_pass_is_corrected_to_a_pair_by_a_key_that_says_where_it_lies(
    room: Room, lang: str, words: str
) -> None:
    """There are too many plays for a key each; those that are not illegal are few."""
    room.phone.set_cookie("lang", lang)
    rows = "table deal leader=A\nA row 9 4 9 4\nB row 5 6 5 6\nC row 7 7 8 8\n"
    room.open("pairs_daifugo", "A B C", f"{rows}A lay 4 4 using h j\nB pass\n")
    page = room.get("correct/6?do=amend")
    keys = page.select(".picks .key")
    said = {key.get_text(" ", strip=True): key.get("href") for key in keys}
    [line] = [href for name, href in said.items() if words in name]
    assert "B+lay+5+5+using+g+i" in str(line)
    assert not [key for key in keys if "off" in key["class"]]
    said_below = page.select(".note.gap-s")[-1].get_text()
    assert {"ja": "反則のカードも選べます", "en": "Illegal cards"}[lang] not in said_below


def test_no_kind_of_entry_is_forgotten() -> None:
    grammar = Grammar(pairs_daifugo, ["みどり子", "B"])
    assert {type(grammar.parse(line)) for line in WORDS} == set(PLAYS)


@pytest.mark.parametrize(("setting", "offered"), [("suggest", True), ("off", False)])
def test_all_passes_at_once(room: Room, setting: str, offered: bool) -> None:
    """D11: a single 1 can't be beaten."""
    lines = f"{ROWS}A lay 1 using g\n"
    room.open("pairs_daifugo", "A B C", lines, auto_close_round=setting)
    page = room.get(f"/t/{room.match}")
    keys = [key["value"] for key in page.select(".key[value]") if "pass" in str(key["value"])]
    assert ("B pass\nC pass" in keys) is offered
    assert "B pass" in keys


def test_a_seat_that_may_not_pass_sees_it_on_the_key(room: Room) -> None:
    room.open("pairs_daifugo", "A B C", f"{ROWS}A lay 4 4 using j\nB pass\n")
    for seat, off in (("C", False), ("B", True)):
        page = room.get(f"/t/{room.match}?seat={seat}")
        key = one(page, f".key[value='{seat} pass']")
        assert ("off" in key["class"]) is off
        assert ("×" in key.text) is off


@pytest.mark.parametrize("setting", ["on", "off"])
def test_how_many_cards_a_hand_holds(room: Room, setting: str) -> None:
    """D28: on the plates of the others and beside the own pyramid."""
    room.open("pairs_daifugo", "A B C", ROWS, show_counts=setting)
    page = room.get(f"/t/{room.match}")
    assert len(page.select(".in-hand")) == (2 if setting == "on" else 0)
    assert ("手札 8" in text(page, ".held")) is (setting == "on")


def test_what_no_entry_shows_stands_in_the_rules_of_the_table(room: Room) -> None:
    """D1: how the cards were laid out."""
    page = room.open("pairs_daifugo", "A B", pyramid_build="chosen").get("rules")
    assert one(page, "#option-pyramid_build li.on")
    marks = [mark.get_text() for mark in page.select(".law .set.on")]
    assert any("この卓：見て、選んで並べる" in mark for mark in marks)
    assert len(page.select(".house dt")) == 1


def test_a_pair_of_one_card_each_from_hand_and_pyramid_can_be_entered(room: Room) -> None:
    """Where both cards could come from either; the key alone takes the pyramid's."""
    room.open("pairs_daifugo", "A B C", f"{ROWS}A lay 4 4 using j\nB pass\n")
    first = room.get(f"/t/{room.match}?seat=C")
    assert "C lay 7 7 using g h" in {key.get("value") for key in first.select(".key")}
    page = room.get(f"/t/{room.match}?seat=C&hand=7")
    lines = {str(key["value"]) for key in page.select("[name=line]")}
    assert {"C lay 7 7", "C lay 7 7 using g", "C lay 7 7 using h"} <= lines


@pytest.mark.parametrize("wins", ["2", "3"])
def test_the_table_says_how_many_wins_end_the_game(room: Room, wins: str) -> None:
    room.open("pairs_daifugo", "A B C", ROWS, wins_needed=wins)
    assert f"先に {wins}勝" in text(room.get(f"/t/{room.match}"), ".who .at")
