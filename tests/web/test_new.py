"""Opening a table, with plain forms."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from bs4 import BeautifulSoup
from chosen_games import NEEDS_MOST
from phones import FIVE, Phone, one, soup, text

from referee.games import GAMES
from referee.games.simulation import WIDEST
from referee.http import forms

FEW, *_, MANY = GAMES[NEEDS_MOST].SEATS


def names(page: BeautifulSoup) -> list[str]:
    return [str(field["value"]) for field in page.select("input[name=name]")]


def pressed(phone: Phone, do: str, **data: Any) -> BeautifulSoup:
    answer = phone.post("/new", {"game": WIDEST, "do": do} | data)
    assert answer.status_code == 200
    return soup(answer)


def test_a_table_opens_and_deals_to_the_chosen_leader(phone: Phone) -> None:
    phone.opens(names=["あかね", "ほしの", "シホ"], leader="ほしの")
    assert phone.log() == ["table deal leader=ほしの"]
    assert text(phone.page(), ".who h1") == "ほしのの手番"


def test_without_a_leader_a_lot_is_drawn(phone: Phone) -> None:
    phone.opens(leader="")
    assert phone.log()[0].removeprefix("table deal leader=") in FIVE


def test_the_record_knows_the_day_on_which_it_was_played(phone: Phone) -> None:
    days = {date.today()}
    phone.opens(names=["A", "B", "C"])
    record = phone.get(f"/t/{phone.match}/record.txt").get_data(as_text=True)
    days.add(date.today())  # at midnight it may be either
    assert any(f"date: {day.isoformat()}\n" in record for day in days)


def test_the_form_begins_with_those_who_played_last(phone: Phone) -> None:
    phone.opens(NEEDS_MOST, ["C", "A", "B"])
    page = soup(phone.get("/new"))
    assert names(page) == ["C", "A", "B"]
    assert one(page, "[name=game]")["value"] == NEEDS_MOST


def test_known_people_are_chips_that_put_them_in_and_out(phone: Phone) -> None:
    phone.opens(names=["A", "B"]).opens(names=["C"], leader="C")
    page = soup(phone.get("/new"))
    assert one(page, ".chip[value='in B']").get_text() == "B"
    assert names(pressed(phone, "in B", name=["C"])) == ["C", "B"]
    assert names(pressed(phone, "out C", name=["C", "B"])) == ["B"]


def test_an_earlier_line_up_comes_back_with_one_tap(phone: Phone) -> None:
    phone.opens(names=["B", "A"], leader="B")
    match = phone.match
    phone.opens(names=["C"], leader="C")
    page = soup(phone.get("/new"))
    assert one(page, ".groups button")["value"] == f"group {match}"
    assert names(pressed(phone, f"group {match}", name=["C"])) == ["B", "A"]


def test_buttons_reorder_the_seats(phone: Phone) -> None:
    assert names(pressed(phone, "down 0", name=["A", "B", "C"])) == ["B", "A", "C"]
    assert names(pressed(phone, "up 2", name=["A", "B", "C"])) == ["A", "C", "B"]
    assert names(pressed(phone, "up 9", name=["A", "B"])) == ["A", "B"]


def test_a_typed_name_is_added_by_its_button_and_by_start(phone: Phone) -> None:
    assert names(pressed(phone, "write", name=["A"], typed=" B ")) == ["A", "B"]
    phone.post("/new", {"game": WIDEST, "name": ["A"], "typed": "B", "leader": "A"})
    assert names(soup(phone.get("/new"))) == ["A", "B"]


@pytest.mark.parametrize("typed", ["C D", "C、D", "C，D", " C　D ", "C, D", "C/D"])
def test_names_typed_in_one_go_become_several_people(phone: Phone, typed: str) -> None:
    assert names(pressed(phone, "write", name=["A B"], typed=typed)) == ["A B", "C", "D"]


@pytest.mark.parametrize("do", ["up 1", "down 0", "out A"])
def test_the_buttons_of_a_seat_leave_what_is_typed(phone: Phone, do: str) -> None:
    page = pressed(phone, do, name=["A", "B"], typed=" C")
    assert one(page, "#typed")["value"] == " C"
    assert "C" not in names(page)


def test_htmx_gets_the_form_alone(phone: Phone) -> None:
    phone.headers = {"HX-Request": "true"}
    answer = phone.post("/new", {"game": WIDEST, "do": f"game {NEEDS_MOST}"})
    assert answer.text.lstrip().startswith("<form")
    assert "HX-Request" in answer.headers["Vary"]


def test_htmx_is_sent_to_the_new_table_as_a_page(phone: Phone) -> None:
    phone.headers = {"HX-Request": "true"}
    answer = phone.post("/new", {"game": WIDEST, "name": ["A"]})
    assert answer.status_code == 200
    assert phone.client.get(answer.headers["HX-Redirect"]).status_code == 200


def test_house_rules_that_leave_a_choice_are_offered_and_kept(phone: Phone) -> None:
    page = soup(phone.get(f"/new?game={WIDEST}"))
    offered = {str(field["name"]) for field in page.select("[name^='option.']")}
    assert {"option.rounds", "option.lead", "option.final_tie"} <= offered
    assert "option.direction" not in offered
    phone.opens(rounds="2", no_winner="last_player", final_tie="shared")
    header = phone.client.application.extensions["ledger"].view(phone.match).header
    assert header.options == {"rounds": "2", "no_winner": "last_player"}


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("  北大路　 ロマネスク ", "北大路 ロマネスク"),
        ("Ａｎｎ", "Ann"),
        ('the "Fox"', "the ”Fox”"),
        ("A\u202eB\u200b\x07", "AB"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("a=b", "a=b"),
        ("#1", "#1"),
        ("' onmouseover='x", "' onmouseover='x"),
        ("%(name)s {0} {{ x }}", "%(name)s {0} {{ x }}"),
    ],
)
def test_a_strange_name_is_cleaned_or_shown_as_text(phone: Phone, name: str, shown: str) -> None:
    phone.opens(names=[name, "B"], leader="B")
    page = phone.page()
    plates = [plate.get_text() for plate in page.select(".tag .nm")]
    assert plates == [shown, "B"]
    assert not page.select("#table script, [onmouseover]")
    phone.lays("B lay 2")
    line = str(phone.page().select_one("#k3")["value"])  # type: ignore[index]
    assert phone.lays(line).status_code == 303


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"name": ["A", "A "]}, "2人います"),
        ({"name": ["A", "table"]}, "名前に使えません"),
        ({"name": ["A", "x" * 41]}, "40文字まで"),
        ({"game": NEEDS_MOST, "name": ["A"]}, f"{FEW}人から{MANY}人まで"),
        ({"name": []}, "いまは0人"),
        ({"name": ["", "   "]}, "いまは0人"),
        *(
            ({"name": ["A", unseen]}, "見える文字のない名前")
            for unseen in ("\u200b", "\u3164", "\u2800", "\ufe0f", "\u034f", "\u115f \ufe0f")
        ),
        ({"name": ["A", "A\ufe0f"]}, "2人います"),
        ({"name": ["アキ", "\u3164アキ\u034f"]}, "2人います"),
    ],
)
def test_what_cannot_be_opened_is_said_and_the_rest_stays(
    phone: Phone, data: dict[str, Any], sentence: str
) -> None:
    answer = phone.post("/new", {"game": WIDEST, "option.rounds": "3"} | data)
    assert answer.status_code == 400
    page = soup(answer)
    assert sentence in text(page, ".warn")
    assert one(page, "[name='option.rounds'] [selected]")["value"] == "3"
    assert phone.client.application.extensions["ledger"].store.matches() == []


@pytest.mark.parametrize(
    "data", [{"game": "chess"}, {"game": ""}, {"option.lead": "me"}, {"do": "group nowhere"}]
)
def test_what_the_form_never_says_is_refused(phone: Phone, data: dict[str, str]) -> None:
    answer = phone.post("/new", {"game": WIDEST, "name": ["A"]} | data)
    assert answer.status_code in (400, 404)


@pytest.mark.parametrize(("count", "cards"), [(6, 78), (12, 300), (100, 20100)])
def test_large_tables_show_how_many_cards_they_need(phone: Phone, count: int, cards: int) -> None:
    people = [f"P{i}" for i in range(count)]
    page = pressed(phone, "write", name=people)
    assert f"カードは{cards}枚" in page.get_text()
    phone.opens(names=people, leader="P3")
    shown = phone.page()
    assert len(shown.select(".seat")) == count
    assert len(shown.select(".keys .key")) == 2 * count


def test_a_hundred_and_one_are_too_many(phone: Phone) -> None:
    people = [f"P{i}" for i in range(101)]
    assert phone.post("/new", {"game": WIDEST, "name": people}).status_code == 400


def test_thousands_of_names_are_not_looked_at_one_by_one(phone: Phone) -> None:
    many = [str(n) for n in range(5_000)]
    answer = phone.post("/new", {"game": WIDEST, "name": [*many, "0"]})
    assert answer.status_code == 400
    assert text(soup(answer), "#fault").endswith("名前は200人までです。")
    assert names(soup(answer)) == many[: forms.MOST_NAMES]


def test_what_cannot_begin_says_why_beside_the_button(phone: Phone) -> None:
    page = soup(phone.get(f"/new?game={NEEDS_MOST}&name=A"))
    button = one(page, ".foot .btn.go")
    assert button.has_attr("data-shut")
    assert "いまは1人です" in text(page, f"#{button['aria-describedby']}")
    ready = soup(phone.get(f"/new?game={NEEDS_MOST}&name=A&name=B&name=C"))
    assert not one(ready, ".foot .btn.go").has_attr("data-shut")


def test_a_refused_form_scrolls_to_its_fault(phone: Phone) -> None:
    answer = phone.post("/new", {"game": NEEDS_MOST, "name": ["A"], "leader": ""})
    assert answer.status_code == 400
    assert one(soup(answer), "[role=alert][autofocus]")


def test_a_named_game_keeps_the_last_players(phone: Phone) -> None:
    phone.opens(names=["C", "A", "B"], leader="C")
    page = soup(phone.get(f"/new?game={NEEDS_MOST}"))
    assert names(page) == ["C", "A", "B"]
    assert one(page, "[name=game]")["value"] == NEEDS_MOST


def test_a_tile_of_the_start_page_leads_straight_to_the_names(phone: Phone) -> None:
    """The grid of all games came again, and the names lay below it."""
    page = soup(phone.get(f"/new?game={NEEDS_MOST}"))
    assert not one(page, "details.chosen").has_attr("open")
    assert text(page, "details.chosen summary b")
    assert one(page, "#typed").has_attr("autofocus")
    assert one(soup(phone.get("/new")), "details.chosen").has_attr("open")  # nothing is chosen yet
    phone.opens(NEEDS_MOST, FIVE[:FEW])
    again = soup(phone.get("/new"))  # the players of the last game are in their seats
    assert not one(again, "details.chosen").has_attr("open")
    assert not one(again, "#typed").has_attr("autofocus")


def test_the_button_that_cannot_open_the_table_knows_what_is_missing(phone: Phone) -> None:
    start = one(soup(phone.get(f"/new?game={NEEDS_MOST}")), ".foot .btn")
    assert start["data-shut"] == "#typed"
    assert start["aria-describedby"] == "missing"
