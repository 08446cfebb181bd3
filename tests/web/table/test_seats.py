"""Seats that pass to somebody else, names that were wrong, people who sit in another order."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from phones import Phone, one, soup, text

from referee.core.record import Unreadable
from referee.games import GAMES
from referee.games.simulation import WIDEST, played
from referee.history import counting, exchange
from referee.history.records import Known, add, export, load, ready
from referee.rulings.report import report
from referee.store import Circles, NewEntry, People, Seats, Store
from referee.store.archive import Archive
from referee.store.past import Past
from referee.web.table.seats import finding_then, former

THREE = ("ケン", "ミオ", "ナオ")


@pytest.fixture
def table(phone: Phone) -> Phone:
    """A table at which two cards lie."""
    phone.opens(names=THREE, leader="ケン").lays("ケン lay 3", "ミオ lay 4")
    return phone


def store_of(phone: Phone) -> Store:
    store: Store = phone.client.application.extensions["ledger"].store
    return store


def goes_on(phone: Phone, until: str) -> int:
    """Play on until somebody has played; the number of this entry."""
    view = phone.client.application.extensions["ledger"].view
    for card in range(5, 11):
        [due, *_] = view(phone.match).to_act
        assert phone.lays(f"{due} lay {card}").status_code == 303
        if due == until:
            return len(phone.log())
    raise AssertionError(f"{until} was never due")


def header(phone: Phone) -> tuple[str, ...]:
    seats: tuple[str, ...] = (
        phone.client.application.extensions["ledger"].view(phone.match).header.seats
    )
    return seats


def people(phone: Phone) -> set[str]:
    store = store_of(phone)
    return {person.name for person in People(store).of(Circles(store).only())}


def asks(phone: Phone, place: int, do: str, name: str) -> dict[str, str]:
    """The fields of the page that asks before a seat is given to ``name``."""
    page = soup(phone.get(f"/t/{phone.match}/seats/{place}/{do}?name={name}"))
    return {str(field["name"]): str(field["value"]) for field in page.select("main [type=hidden]")}


def gives(phone: Phone, place: int, do: str, name: str) -> None:
    path = f"/t/{phone.match}/seats/{place}/{do}"
    for _ in range(2):  # the second tap is the same one
        answer = phone.post(path, asks(phone, place, do, name) or {"name": name, "seen": "3"})
        assert answer.status_code == 303, answer.text


def test_a_seat_passes_on_and_the_log_says_whose_each_entry_is(table: Phone) -> None:
    gives(table, 1, "from-here", "ユキ")
    assert header(table) == ("ユキ", "ミオ", "ナオ")
    last = goes_on(table, "ユキ")
    entries = soup(table.get(f"/t/{table.match}/log")).select(".ents li")
    said = {str(entry["id"]): entry.get_text() for entry in entries}
    assert "ケン" in said["e2"]
    assert "ユキ" not in said["e2"]
    assert "ユキ" in said[f"e{last}"]
    assert "ケン" not in said[f"e{last}"]
    assert "記録3までケン" in text(soup(table.get(f"/t/{table.match}/log")), "main")
    page = soup(table.get(f"/t/{table.match}/e/2"))
    assert "このときのユキの席はケンでした" in text(page, "main")
    assert "ケン" in text(page, "h1")
    assert "このときの" not in table.get(f"/t/{table.match}/e/{last}").text
    assert "記録3までケン" in text(soup(table.get(f"/t/{table.match}/score")), ".standing")
    assert people(table) == {"ユキ", *THREE}


def test_an_old_finding_names_who_had_the_seat_then(table: Phone) -> None:
    """Also its evidence; what the next player's cards have shown stands under the new name."""
    ledger = table.client.application.extensions["ledger"]
    named = set()
    for seed in range(6):
        match = table.opens(names=THREE, leader="ケン").match
        entries = played(GAMES[WIDEST], THREE, seed, 0.5).entries
        lines = [ledger.view(match).grammar.print(entry) for entry in entries[1:]]
        rows = [NewEntry(line, f"k{i}", "legal", "-", "-") for i, line in enumerate(lines)]
        ledger.store.append(match, 1, rows)
        for found in ledger.view(match).findings()[:1]:
            [seat] = [line.split()[0] for line in lines[found.at - 2 : found.at - 1]]
            Seats(ledger.store).replace(match, THREE.index(seat) + 1, found.at, "ユキ")
            page = soup(table.get(f"/t/{match}/e/{found.at}"))
            said = [row.get_text() for row in page.select(".evi li")]
            assert seat in " ".join(said)
            named |= {"ユキ" for row in said if "ユキ" in row}
            head = text(soup(table.get(f"/t/{match}/e/{found.at}")), "h1")
            assert (seat in head, "ユキ" in head) == (True, False)
            with table.client.application.test_request_context():
                accused = finding_then(former(ledger.view(match)), found)
                assert accused.seat == seat
            note = soup(table.get(f"/t/{match}/log")).select(".found li")[0].get_text()
            assert (seat in note, "ユキ" in note) == (True, False)
            answer = report(
                load(export(ledger.store, match).encode(), "ja", keep_illegal=True), "ja"
            )
            [judged] = [one for one in answer["findings"] if one["seq"] == found.at]
            assert (judged["seat"], judged["player"]) == ("ユキ", seat)
    assert named


def test_history_knows_both_and_counts_each_entry_for_its_player(table: Phone) -> None:
    gives(table, 1, "from-here", "ユキ")
    goes_on(table, "ユキ")
    table.lays("table stop")
    store = store_of(table)
    counting.catch_up(store)
    past = Past(store, Circles(store).only())
    [match] = past.each()
    [seat] = [placing for placing in match.placings if placing.place == 1]
    assert (seat.name, seat.before) == ("ユキ", ("ケン",))
    plays = store._rows("SELECT plays FROM results WHERE place = 1")
    assert plays == [(1,)]
    for name in ("ケン", "ユキ"):
        [person] = [one for one in People(store).of(Circles(store).only()) if one.name == name]
        row = text(soup(table.get(f"/history?person={person.id}")), ".rows .row")
        assert "ケンからユキに交代" in row
    assert "ユキ" in table.get("/new").text


def test_the_phone_of_a_player_who_leaves_speaks_no_more_for_the_seat(
    app: Flask, table: Phone
) -> None:
    playing = table.match
    table.opens(names=["ゴウ", "ロク"], leader="ゴウ").match = playing
    guest = Phone(app.test_client(), table.match)
    link = one(soup(table.get(f"/t/{table.match}/join")), ".link input")["value"]
    guest.get(str(link).removeprefix("http://localhost"))
    guest.post(f"/t/{table.match}/sit", {"place": "1"})
    assert "ゴウ" in table.get(f"/t/{table.match}/seats/1").text
    assert "ゴウ" not in guest.get(f"/t/{table.match}/seats/1").text  # people of another circle
    gives(table, 1, "from-here", "ユキ")
    assert guest.lays("ナオ lay 5").status_code == 403
    guest.post(f"/t/{table.match}/sit", {"place": "1"})  # it is handed over, too
    assert guest.lays("ナオ lay 5").status_code == 303


def test_a_seat_given_back_at_once_was_never_given(table: Phone) -> None:
    gives(table, 1, "from-here", "ユキ")
    gives(table, 1, "from-here", "ケン")
    assert Seats(store_of(table)).former([table.match]) == []
    assert people(table) == {*THREE}


def test_two_players_of_one_seat_in_turn_are_both_kept(table: Phone) -> None:
    gives(table, 1, "from-here", "ユキ")
    table.lays("ナオ lay 5")
    gives(table, 1, "from-here", "レイ")
    former = Seats(store_of(table)).former([table.match])
    assert [(row.until, row.name) for row in former] == [(3, "ケン"), (4, "ユキ")]
    assert "ユキ" not in text(soup(table.get(f"/t/{table.match}/log")), "#e3")


def test_a_mistyped_name_was_always_another(table: Phone) -> None:
    gives(table, 2, "always", "ミヲ")
    assert header(table) == ("ケン", "ミヲ", "ナオ")
    assert table.log()[2] == "ミヲ lay 4"
    assert people(table) == {"ケン", "ミヲ", "ナオ"}  # nobody is called ミオ
    assert Seats(store_of(table)).former([table.match]) == []


def test_two_people_who_sat_the_other_way_round_change_names(table: Phone) -> None:
    asked = soup(table.get(f"/t/{table.match}/seats/1/always?name=ミオ"))
    assert "ケンとミオを入れ替えますか" in text(asked, "h1")
    table.post(f"/t/{table.match}/seats/1/always", {"name": "ミオ", "seen": "3"})
    assert header(table) == ("ミオ", "ケン", "ナオ")
    assert table.log()[1:] == ["ミオ lay 3", "ケン lay 4"]
    table.lays("ナオ lay 5")


@pytest.mark.parametrize("written", ["ナオ", "ナオ\ufe0f", "\u3164ナオ"])
def test_a_name_that_sits_there_is_refused_from_here_on(table: Phone, written: str) -> None:
    fields = {"name": written, "seen": "3"}
    answer = table.post(f"/t/{table.match}/seats/1/from-here", fields)
    assert answer.status_code == 409
    assert "ナオは、すでにこの卓にいます" in text(soup(answer), "main [role=alert]")
    for name in ("table", "", "あ" * 41, "\u2800"):
        answer = table.post(f"/t/{table.match}/seats/1/always", {"name": name, "seen": "3"})
        assert answer.status_code == 400, name
    assert header(table) == THREE


def moves(phone: Phone, place: int, way: str) -> str:
    """Ask for another order, and take it if it is offered; what the page says."""
    page = soup(phone.get(f"/t/{phone.match}/order/{place}/{way}"))
    form = page.select_one("main form[action*='/order/']")
    if form:
        fields = {str(f["name"]): str(f["value"]) for f in form.select("[type=hidden]")}
        for _ in range(2):  # the second tap is the same one
            assert phone.post(str(form["action"]), fields).status_code == 303
    return text(page, "main")


def test_before_the_first_play_seats_change_places_and_phones_with_them(
    app: Flask, phone: Phone
) -> None:
    phone.opens(names=THREE, leader="ケン")
    phone.post(f"/t/{phone.match}/sit", {"place": "1"})
    assert "ミオ・ケン・ナオ" in moves(phone, 1, "down")
    assert header(phone) == ("ミオ", "ケン", "ナオ")
    assert text(soup(phone.get(f"/t/{phone.match}/join")), ".mine .nm") == "ケン"
    phone.lays("ケン lay 3", "ナオ lay 4", "ミオ lay 5")
    assert phone.log()[1:] == ["ケン lay 3", "ナオ lay 4", "ミオ lay 5"]
    counting.catch_up(store_of(phone))
    [match] = Past(store_of(phone), Circles(store_of(phone)).only()).each()
    assert {p.place: p.name for p in match.placings} == {1: "ミオ", 2: "ケン", 3: "ナオ"}


def test_an_order_that_would_change_a_verdict_is_refused(table: Phone) -> None:
    said = moves(table, 2, "down")
    assert "記録3の判定が変わります" in said
    assert "ミオとナオの名前を入れ替える" in said
    assert header(table) == THREE


def test_the_order_may_change_where_only_sheets_are_known(phone: Phone) -> None:
    data = {"game": WIDEST, "name": list(THREE), "leader": "ケン", "scores": "1"}
    phone.match = phone.post("/new", data).location.split("/")[2]
    phone.lays('table sheet leader=ケン ケン="3 3" ミオ="4 4" ナオ="5 5"')
    moves(phone, 1, "up")
    assert header(phone) == ("ナオ", "ミオ", "ケン")
    assert len(phone.log()) == 1
    answer = phone.get(f"/t/{phone.match}/seats/1/sometimes?name=X")
    assert answer.status_code == 404


def test_a_record_says_who_had_a_seat_that_was_handed_on(table: Phone, tmp_path: Path) -> None:
    """The new player was accused of what the former one had declared."""
    gives(table, 1, "from-here", "ユキ")
    table.lays("ナオ lay 5")
    gives(table, 1, "from-here", "レイ K")
    store, sent = store_of(table), table.get(f"/t/{table.match}/record.txt").text
    assert sent == export(store, table.match)
    assert sent.split("\n")[2:5] == [
        'seats: "レイ K" ミオ ナオ',
        'until: 3 "レイ K" ケン',
        'until: 4 "レイ K" ユキ',
    ]
    rows = report(load(sent.encode(), "ja"), "ja")["entries"]
    assert [row.get("player") for row in rows] == [None, "ケン", None, None]
    other = Store(tmp_path / "other.db")
    try:
        match = add(other, load(sent.encode(), "ja"))
        assert export(other, match) == sent
        assert [row[1:] for row in Seats(other).former([match])] == [
            row[1:] for row in Seats(store).former([table.match])
        ]
        assert Known(other, "").take_in(ready(load(sent.encode(), "ja"))) == (match, False)
    finally:
        other.close()


def test_a_player_who_comes_back_did_not_play_in_between(table: Phone) -> None:
    gives(table, 1, "from-here", "ユキ")
    table.lays("ナオ lay 5")
    gives(table, 1, "from-here", "ケン")
    former = Seats(store_of(table)).former([table.match])
    assert [(row.until, row.name) for row in former] == [(3, "ケン"), (4, "ユキ")]
    assert "ケン" in text(soup(table.get(f"/t/{table.match}/e/2")), "h1")
    sent = export(store_of(table), table.match)
    assert "until: 3 ケン ケン\nuntil: 4 ケン ユキ\n" in sent


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("until: 3", "read_until"),
        ("until: 0 A B", "read_until"),
        ("until: 9999999 A B", "read_until"),
        ("until: 3 A B C", "read_until"),
        ("until: 3 X B", "read_seat"),
        ("until: 3 A table", "read_seat_name"),
        ("until: 3 A C\nuntil: 3 A D", "read_repeated"),
    ],
)
def test_a_line_about_a_former_player_that_cannot_be_read_is_refused(line: str, fault: str) -> None:
    source = f"referee: 1\ngame: {WIDEST}\nseats: A B\n{line}\n\n"
    with pytest.raises(Unreadable) as found:
        load(source.encode(), "en")
    assert (found.value.fact, found.value.line) == (fault, 4 + line.count("\n"))


def test_a_history_with_seats_that_passed_on_is_moved_whole(table: Phone, tmp_path: Path) -> None:
    gives(table, 1, "from-here", "ユキ")
    table.lays("ナオ lay 5")
    store = store_of(table)
    circle = Circles(store).only()
    counting.catch_up(store)
    file = "".join(exchange.write(Archive(store, circle), Past(store, circle), ""))
    other = Store(tmp_path / "other.db")
    try:
        exchange.take_in(Archive(other, ""), exchange.read(file.encode()))
        assert Seats(other).former([table.match]) == Seats(store).former([table.match])
        assert People(other).names(table.match) == {"ケン": "ユキ"}
    finally:
        other.close()


def test_a_deleted_name_is_in_no_row_whatever_seats_it_had(table: Phone) -> None:
    gives(table, 1, "from-here", "ユキ")
    table.lays("ナオ lay 5", 'table stop because "ケン left"')
    gives(table, 2, "always", "ナオ")  # and these two change places
    store = store_of(table)
    for name in ("ケン", "ナオ"):
        [person] = [p for p in People(store).of(Circles(store).only()) if p.name == name]
        answer = table.post(f"/people/{person.id}/forget", {"sure": "1"})
        assert answer.status_code == 303, answer.text
        rows = [
            row
            for query in (
                "SELECT header FROM matches",
                "SELECT line FROM entries",
                "SELECT seat FROM players",
                "SELECT name FROM people",
            )
            for row in store._rows(query)
        ]
        assert name not in str(rows).replace("left", "")
    assert table.get(f"/t/{table.match}/log").status_code == 200
    assert "記録3までだれか" in table.get(f"/t/{table.match}/score").text
