"""The score pad in the browser's eyes: opening, rounds, coming and going, corrections, the end."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from phones import Phone, one, soup

from referee.history import counting, exchange
from referee.store import Circles, Store
from referee.store.archive import Archive
from referee.store.past import Past

GAME = "score_pad"
WALK = ("", "/score", "/log", "/menu", "/players", "/adjust", "/seats", "/replay")


def opened(phone: Phone, names: str = "ABC", **options: str) -> Phone:
    return phone.opens(GAME, tuple(names), **options)


def every_page_answers(phone: Phone, *more: str) -> None:
    for path in (*WALK, *more, *(f"/e/{n}" for n in range(1, len(phone.log()) + 1))):
        answer = phone.get(f"/t/{phone.match}{path}", follow_redirects=True)
        assert answer.status_code == 200, path


def comes(phone: Phone, **fields: str) -> int:
    page = soup(phone.get(f"/t/{phone.match}/players"))
    hidden = {field["name"]: field["value"] for field in page.select("form input[type=hidden]")}
    return int(phone.post(f"/t/{phone.match}/players", {**hidden, **fields}).status_code)


def test_a_match_with_people_who_come_and_go(phone: Phone) -> None:
    opened(phone)
    phone.lays("table round A=12 B=0 C=7.5")
    assert comes(phone, do="join", name="E F", points="", **{"with": "-2.5"}) == 303
    assert comes(phone, do="join", name="D", points="－３") == 303
    page = soup(phone.get(f"/t/{phone.match}/players"))
    lines = [str(key["value"]) for key in page.select("button[name=line]")]
    assert 'table leave "E F"' in lines
    assert "table end" in lines
    phone.lays("table leave B")
    phone.lays('table round A=1 C=2 "E F"=3 D=4')
    every_page_answers(phone)
    assert phone.log()[1:3] == ['table join "E F" with -2.5', "table join D with -3"]
    table = one(soup(phone.get(f"/t/{phone.match}/score")), ".by-round")
    rows = [[cell.get_text(strip=True) for cell in row.select("th, td")] for row in table("tr")]
    assert rows == [
        ["", "A", "B", "C", "E F", "D"],
        ["合計", "13首位", "0休", "9.5−3.5", "0.5−12.5", "1−12"],
        ["2", "1", "休", "2", "3", "4"],
        ["1", "12", "0", "7.5", "休", "休"],
    ]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"do": "join", "name": ""}, "名前を入れて"),
        ({"do": "join", "name": "A"}, "A"),
        ({"do": "join", "name": "E", "points": "many"}, "many"),
        ({"do": "set", "target": "x", "rounds": ""}, "x"),
        ({"do": "set", "target": "", "rounds": "1000"}, "1000"),
        ({"do": "set", "target": "5", "rounds": ""}, "5"),
        ({"do": "set", "target": "", "rounds": ""}, "変わった"),
    ],
)
def test_what_cannot_be_is_said_and_what_was_typed_stays(
    phone: Phone, fields: dict[str, str], said: str
) -> None:
    opened(phone)
    phone.lays("table round A=12 B=0 C=7")
    page = soup(phone.get(f"/t/{phone.match}/players"))
    hidden = {field["name"]: field["value"] for field in page.select("form input[type=hidden]")}
    answer = phone.post(f"/t/{phone.match}/players", {**hidden, **fields})
    assert answer.status_code in (400, 409)
    assert said in one(soup(answer), ".warn[role=alert]").text
    for key, text in fields.items():
        if key != "do":
            assert one(soup(answer), f"#{key}")["value"] == text
    assert len(phone.log()) == 1


def test_the_end_is_changed_and_then_reached(phone: Phone) -> None:
    opened(phone)
    assert comes(phone, do="set", target="30", rounds="") == 303
    assert phone.log() == ["table set target=30"]
    phone.lays("table round A=12 B=0 C=31")
    assert comes(phone, do="set", target="", rounds="") == 409
    assert "Cの勝ち" in phone.get(f"/t/{phone.match}/score").text
    every_page_answers(phone, "/agree", "/result", "/card.svg")


def test_a_number_of_a_round_is_put_right(phone: Phone) -> None:
    opened(phone)
    phone.lays("table round A=12 B=0 C=7")
    page = soup(phone.get(f"/t/{phone.match}/score"))
    to = one(page, ".by-round tbody a")["href"]
    fields = soup(phone.get(str(to))).select("input[name^=p]")
    assert [field["value"] for field in fields] == ["12", "0", "7"]
    wrong = phone.get(f"{to}?p0=12&p1=x&p2=7")
    assert wrong.status_code == 400
    assert "x" in one(soup(wrong), ".warn[role=alert]").text
    assert phone.get(f"{to}?p0=12&p1=0&p2=7").status_code == 400
    preview = phone.get(f"{to}?p0=12&p1=－0.5&p2=7", follow_redirects=True)
    form = one(soup(preview), "form[method=post]")
    hidden = {field["name"]: field["value"] for field in form.select("input")}
    phone.post(str(form["action"]), hidden)
    assert phone.log()[-1] == "table amend 1 table round A=12 B=-0.5 C=7"
    assert phone.get(f"/t/{phone.match}/correct/1", follow_redirects=True).status_code == 200


def test_a_wrong_sum_is_said_before_it_is_recorded(phone: Phone) -> None:
    opened(phone, sum="0")
    strip = one(phone.page("?v=12.5,-3,&at=1"), ".pad > .strip")
    assert strip.p.get_text() == "ラウンド 1　あと1人、残り −9.5"
    page = phone.page("?v=12.5,-3,5&at=2")
    strip = one(page, ".pad > .strip")
    assert "足すと14.5です" in strip.p.get_text()
    assert not page.select(".npad [name=line]")
    fields = {field["name"]: field["value"] for field in strip.select("input, button")}
    assert strip.button.get_text() == "卓の了承で記録"
    phone.lays(fields.pop("line"), overrule=fields["overrule"])
    assert phone.log() == ["table round A=12.5 B=-3 C=5", "table rule 1 stands"]
    page = phone.page("?v=12,-3,-9&at=2")
    assert one(page, ".npad [name=line]")["value"] == "table round A=12 B=-3 C=-9"


def test_more_than_five_have_their_last_rounds_in_columns(phone: Phone) -> None:
    opened(phone, "ABCDEF")
    for first in (1, 2, 3):
        phone.lays(f"table round A={first} B=0 C=0 D=0 E=0 F=0")
    assert comes(phone, do="join", name="G", points="0") == 303
    rows = one(phone.page(), ".spl")("tr")
    cells = [[cell.get_text() for cell in row.select(".c")] for row in rows]
    assert [cells[0], cells[1], cells[-1]] == [["2", "3"], ["2", "3"], ["休", "休"]]
    assert "first" in rows[1]["class"]


@pytest.mark.parametrize("wins", ["places", "together"])
def test_games_without_points_have_all_pages(phone: Phone, wins: str) -> None:
    opened(phone, wins=wins)
    assert comes(phone, do="join", name="D") == 303
    every_page_answers(phone)
    phone.lays("table places A=1 B=2 C=2 D=4" if wins == "places" else "table lost points=2.5")
    every_page_answers(phone, "/agree", "/result", "/card.svg")


def test_who_has_joined_is_a_person_of_the_history(
    phone: Phone, app: Flask, tmp_path: Path
) -> None:
    opened(phone)
    for line in ("table join D", "table join E", "table strike 1", "table join F with 3"):
        phone.lays(line)
    phone.lays("table round A=1 B=2 C=3 E=4 F=50.25", "table end")
    store = app.extensions["ledger"].store
    before = counting.uncounted(store, phone.match)
    assert counting.catch_up(store) == 0
    circle = Circles(store).of_match(phone.match)
    [found] = Past(store, circle).last(1)
    names = [(one.name, one.rank, str(one.points)) for one in found.placings]
    assert names == [("F", 1, "53.25"), ("E", 2, "4"), ("C", 3, "3"), ("B", 4, "2"), ("A", 5, "1")]
    assert [one.name for one in before.placings] == [one.name for one in found.placings]
    assert all(one.person for one in found.placings)
    pieces = exchange.write(Archive(store, circle), Past(store, circle), "")
    away = Store(tmp_path / "away.db")
    exchange.take_in(Archive(away, ""), exchange.read("".join(pieces).encode()))
    counting.catch_up(away)
    [again] = Past(away, "").last(1)
    assert [(one.name, one.points) for one in again.placings] == [
        (one.name, one.points) for one in found.placings
    ]
    away.close()


def test_each_name_is_a_game_of_its_own(phone: Phone, app: Flask) -> None:
    for called in ("uno", "Skyjo", "ＵＮＯ"):
        phone.opens(GAME, ("A", "B"), called=called)
        phone.lays("table round A=1 B=2.5", "table end")
    store = app.extensions["ledger"].store
    counting.catch_up(store)
    past = Past(store, Circles(store).of_match(phone.match))
    assert [match.game for match in past.last(3)] == [
        "score_pad:uno",
        "score_pad:skyjo",
        "score_pad:uno",
    ]
    [person] = [one.person for one in past.last(1)[0].placings if one.name == "B"]
    assert person is not None
    lines = {line.game: (line.matches, str(line.points)) for line in past.career(person).lines()}
    assert lines == {"score_pad:uno": (2, "5"), "score_pad:skyjo": (1, "2.5")}
    text = phone.get("/history").text
    assert text.count("UNO") >= 2
    assert "Skyjo" in text
    for path in (f"/history/person/{person}", "/history/people", "/", "/new", "/history/year/2026"):
        assert phone.get(path, follow_redirects=True).status_code in (200, 404), path
    told = phone.get(f"/t/{phone.match}/bgstats.json").json
    assert told is not None
    assert told["game"]["name"] == "UNO"
    assert told["game"]["sourceGameId"] == "score_pad:uno"
    assert phone.get("/history/history.db").status_code == 200


def test_with_six_people_the_rounds_stand_for_the_ranking(phone: Phone) -> None:
    opened(phone, "ABCDEF", wins="least", target="66")
    phone.lays("table round A=33 B=-5 C=7.5 D=0 E=70 F=1", 'table adjust E=-10 because "late"')
    page = soup(phone.get(f"/t/{phone.match}/score"))
    assert not page.select(".standing")
    total = one(page, ".by-round.many .total")
    said = [cell.get_text(" ", strip=True) for cell in total.select("td")]
    assert said == ["33 +38", "−5 勝ち", "7.5 +12.5", "0 +5", "60 +65", "1 +6"]


@pytest.mark.parametrize(
    ("options", "filled"),
    [
        ({"target": "100"}, ["50", "0", "8"]),
        ({"start": "501", "target": "0", "wins": "least"}, ["0", "1", "0"]),
        ({"rounds": "3"}, []),
    ],
)
def test_the_line_below_a_row_fills_up_to_the_target(
    phone: Phone, options: dict[str, str], filled: list[str]
) -> None:
    opened(phone, **options)
    phone.lays("table round A=50 B=-5 C=7.5")
    assert [bar["value"] for bar in phone.page().select(".way progress")] == filled
