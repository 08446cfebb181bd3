"""A circle: nobody notices how it begins; other phones open it; its evenings and its people."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from phones import Phone, one, removable, soup, text

from referee.games.simulation import WIDEST
from referee.ledger import Ledger
from referee.ledger.forgetting import forget
from referee.store import Circles, NewEntry, People, Store


@pytest.fixture
def other(app: Flask) -> Phone:
    return Phone(app.test_client())


def link(phone: Phone) -> str:
    url = str(one(soup(phone.get("/circle")), ".link input")["value"])
    return url.removeprefix("http://localhost")


def person(phone: Phone, name: str) -> str:
    """The page of somebody."""
    rows = soup(phone.get("/people")).select(".row")
    [found] = [str(row["href"]) for row in rows if text(row, "b") == name]
    return found


def shown(phone: Phone) -> list[str]:
    return [str(name.get_text()) for name in phone.page().select(".tag .nm")]


def test_a_circle_begins_with_the_first_table_and_asks_nothing(app: Flask, phone: Phone) -> None:
    assert phone.get("/circle").status_code == 403
    assert "Set-Cookie" not in phone.get("/").headers
    phone.opens()
    assert phone.get("/circle").status_code == 200
    phone.opens()
    assert len(Circles(app.extensions["ledger"].store).all()) == 1


def test_another_phone_opens_the_circle_by_its_link(phone: Phone, other: Phone) -> None:
    phone.opens(names=["あかね", "ほしの"], leader="あかね")
    answer = other.get(link(phone))
    assert (answer.status_code, answer.location) == (303, "/circle")
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert f"/t/{phone.match}" in other.get("/").text
    assert other.get(f"/t/{phone.match}").status_code == 200
    assert "あかね" in other.get("/new").text


def test_a_link_never_changes_the_circle_that_a_phone_uses(phone: Phone, other: Phone) -> None:
    phone.opens(names=["あかね"], leader="あかね")
    other.opens(names=["X"], leader="X")
    other.get(link(phone))
    assert "あかね" not in other.get("/people").text
    choice = one(soup(other.get("/circle")), ".opts [name=circle]")
    assert other.post("/circle/use", {"circle": str(choice["value"])}).status_code == 303
    assert "あかね" in other.get("/people").text
    assert other.post("/circle/use", {"circle": "elsewhere"}).status_code == 404


def test_a_circle_can_be_named(phone: Phone) -> None:
    phone.opens().post("/circle/name", {"name": "  水曜ボドゲ会 "})
    assert text(soup(phone.get("/circle")), "h1") == "水曜ボドゲ会"
    assert "水曜ボドゲ会" in phone.get("/").text
    assert phone.post("/circle/name", {"name": "x" * 41}).status_code == 400


def test_a_phone_can_be_taken_out_of_the_circle(phone: Phone, other: Phone) -> None:
    old = link(phone.opens())
    other.get(old)
    theirs = removable(soup(phone.get("/circle")))[1]
    assert phone.post("/circle/phones", {"phone": theirs}).status_code == 303
    assert other.get(f"/t/{phone.match}").status_code == 403
    assert other.get("/circle").status_code == 403
    assert other.get(old).status_code == 404  # it may have kept the link


def test_the_last_phone_stays(phone: Phone, app: Flask) -> None:
    phone.opens()
    circles = Circles(app.extensions["ledger"].store)
    [member] = circles.members(circles.only())
    answer = phone.post("/circle/phones", {"phone": member.phone})
    assert answer.status_code == 409
    assert text(soup(answer), "h1") == "受け付けませんでした"  # no other phone was faster
    assert "先に、ほかのスマホを入れてください" in text(soup(answer), ".says")
    assert phone.get("/circle").status_code == 200


def test_an_evening_has_a_place_and_a_note(phone: Phone) -> None:
    phone.opens().opens()
    row = one(soup(phone.get("/circle")), "a[href^='/session/']")
    assert "2ゲーム" in row.get_text()
    path = str(row["href"])
    phone.post(path, {"place": "みどり子の家", "note": "はじめての人が二人"})
    page = soup(phone.get(path))
    assert one(page, "[name=place]")["value"] == "みどり子の家"
    assert one(page, "[name=note]").get_text() == "はじめての人が二人"
    assert len(page.select(".rows .row")) == 2
    assert "みどり子の家" in phone.get("/circle").text
    assert phone.post(path, {"note": "x" * 401}).status_code == 400
    phone.post(path, {"note": "雨"})  # fields that are not sent stay
    page = soup(phone.get(path))
    assert (one(page, "[name=place]")["value"], one(page, "[name=note]").get_text()) == (
        "みどり子の家",
        "雨",
    )


def test_a_note_is_kept_as_it_was_written(phone: Phone) -> None:
    path = str(one(soup(phone.opens().get("/circle")), "a[href^='/session/']")["href"])
    phone.post(path, {"note": "  一戦目！（笑）①\r\n\r\n  二戦目 👨\u200d👩\x07\x00\r\n"})
    note = "一戦目！（笑）①\n\n  二戦目 👨\u200d👩"
    assert one(soup(phone.get(path)), "#note").get_text() == note
    for shown in ("/history", path.replace("/session/", "/history/evening/")):
        assert one(soup(phone.get(shown)), ".note.lines").get_text() == note


@pytest.mark.parametrize(("field", "most"), [("place", 40), ("note", 400)])
def test_what_is_too_long_for_an_evening_comes_back(phone: Phone, field: str, most: int) -> None:
    path = str(one(soup(phone.opens().get("/circle")), "a[href^='/session/']")["href"])
    typed = {"place": "みどり子の家", "note": "雨\n"} | {field: "字" * (most + 1)}
    answer = phone.post(path, typed)
    assert answer.status_code == 400
    page = soup(answer)
    assert f"{most}文字まで" in text(page, "main [role=alert]")
    assert one(page, "#place")["value"] == typed["place"]
    assert one(page, "#note").get_text() == typed["note"]
    assert "みどり子の家" not in phone.get("/circle").text


def test_a_new_name_is_shown_in_old_matches_and_the_log_keeps_the_old_one(
    app: Flask, phone: Phone
) -> None:
    phone.opens(names=["A", "B C"], leader="B C").lays('"B C" lay 4')
    match = phone.match
    phone.post(f"{person(phone, 'B C')}/name", {"name": "びー し"})
    assert shown(phone) == ["A", "びー し"]
    store = app.extensions["ledger"].store
    assert [row.line for row in store.read(match)] == ['table deal leader="B C"', '"B C" lay 4']
    record = phone.get(f"/t/{match}/record.txt").text
    assert 'seats: A "びー し"\n' in record
    assert '"びー し" lay 4\n' in record
    phone.lays("A lay 2", 'table amend 2 "びー し" lay 3')
    assert [row.line for row in store.read(match, 2)] == [
        "A lay 2",
        'table amend 2 "B C" lay 3',
    ]
    phone.post(f"{person(phone, 'びー し')}/name", {"name": "B C"})
    assert shown(phone) == ["A", "B C"]


def test_an_old_name_is_free_for_somebody_else(phone: Phone) -> None:
    phone.opens(names=["Ken", "B"], leader="B")
    phone.post(f"{person(phone, 'Ken')}/name", {"name": "Ken T"})
    first = phone.match
    phone.opens(names=["Ken", "Ken T"], leader="Ken")
    assert shown(phone) == ["Ken", "Ken T"]
    phone.match = first
    assert shown(phone) == ["Ken T", "B"]


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("B", 409),
        ("B\ufe0f", 409),
        ("\u3164B", 409),
        ("A\ufe0f", 303),
        ("", 400),
        ("table", 400),
        ("x" * 41, 400),
        ("A2", 303),
        ("👨\u200d👩\u200d👧", 303),
    ],
)
def test_a_name_is_one_persons(phone: Phone, name: str, status: int) -> None:
    phone.opens(names=["A", "B"])
    assert phone.post(f"{person(phone, 'A')}/name", {"name": name}).status_code == status


def test_two_names_of_one_person_are_merged(app: Flask, phone: Phone) -> None:
    phone.opens(names=["北大路", "B"], leader="B")
    first = phone.match
    phone.opens(names=["北大路ロマネスク", "B"], leader="B")
    short, long = person(phone, "北大路"), person(phone, "北大路ロマネスク")
    into = {"into": long.rpartition("/")[2]}
    assert not one(soup(phone.get(short)), "#into option:first-child")[
        "value"
    ]  # nobody is chosen beforehand
    unsure = phone.post(f"{short}/merge", into)
    assert unsure.status_code == 400
    assert one(soup(unsure), "#into [selected]")["value"] == into["into"]
    assert phone.post(f"{short}/merge", into | {"sure": "1"}).status_code == 303
    assert phone.get(short).status_code == 404
    assert "2ゲーム" in phone.get(long).text
    phone.match = first
    assert shown(phone) == ["北大路ロマネスク", "B"]


def test_players_of_one_table_are_never_one_person(phone: Phone) -> None:
    phone.opens(names=["A", "B"])
    into = person(phone, "B").rpartition("/")[2]
    for wish, status in ((into, 409), ("no", 400), ("", 400), ("999", 404)):
        answer = phone.post(f"{person(phone, 'A')}/merge", {"into": wish, "sure": "1"})
        assert answer.status_code == status
    refused = soup(phone.post(f"{person(phone, 'A')}/merge", {"into": into, "sure": "1"}))
    assert "同じ卓" in text(refused, "main [role=alert]")
    assert text(refused, "h1") == "A"  # on the page where it was asked


def test_a_name_that_can_not_be_is_refused_where_it_was_typed(phone: Phone) -> None:
    phone.opens(names=["A", "B"])
    for name, status in (("B", 409), ("table", 400), ("", 400)):
        answer = phone.post(f"{person(phone, 'A')}/name", {"name": name})
        assert answer.status_code == status
        assert one(soup(answer), "#name")["value"] == name
        assert text(soup(answer), "main [role=alert]")


def test_a_person_who_pauses_is_not_offered_until_they_play_again(phone: Phone) -> None:
    phone.opens(names=["A", "B"]).opens(names=["C"], leader="C")
    phone.post(f"{person(phone, 'B')}/retire", {"retired": "1"})
    assert not soup(phone.get("/new")).select(".chip[value='in B']")
    assert "休んでいる人" in phone.get("/people").text
    phone.opens(names=["B", "C"], leader="C")
    assert "休んでいる人" not in phone.get("/people").text


def test_a_deleted_name_is_nowhere_and_the_games_stay(
    app: Flask, phone: Phone, tmp_path: Path
) -> None:
    phone.opens(names=["源五郎丸", "B", "だれか"], leader="B")
    phone.lays("B lay 4", "だれか lay 7", "源五郎丸 lay 9")
    phone.lays("table amend 4 源五郎丸 lay 3")
    before = [entry.replace("源五郎丸", "?") for entry in phone.log()]
    page = person(phone, "源五郎丸")
    assert phone.post(f"{page}/forget", {}).status_code == 400
    assert phone.post(f"{page}/forget", {"sure": "1"}).status_code == 303
    assert shown(phone) == ["だれか 2", "B", "だれか"]
    assert [entry.replace('"だれか 2"', "?") for entry in phone.log()] == before
    assert phone.undoes().status_code == 303
    for path in ("/", "/new", "/people", "/circle", "/session/1", f"/t/{phone.match}/record.txt"):
        assert "源五郎丸" not in phone.get(path).text
    for suffix in ("log", "score", "e/4"):
        assert "源五郎丸" not in phone.get(f"/t/{phone.match}/{suffix}").text
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("referee.db*"))
    assert "源五郎丸".encode() not in kept
    assert phone.get(page).status_code == 404
    assert len(People(app.extensions["ledger"].store).of("")) == 0


def test_a_deleted_person_is_not_offered_for_a_new_table(phone: Phone) -> None:
    match = phone.opens(names=["A"]).opens(names=["源五郎丸", "A", "B"]).match
    phone.opens(names=["源五郎丸"], leader="")
    phone.post(f"{person(phone, '源五郎丸')}/forget", {"sure": "1"})
    again = soup(phone.get(f"/new?like={match}"))
    assert [field["value"] for field in again.select("input[name=name]")] == ["A", "B"]
    page = soup(phone.get("/new"))
    assert not page.select("input[name=name]")
    assert [chip.get_text(strip=True) for chip in page.select(".groups .chip")] == ["A・B", "A"]
    do = page.select(".groups .chip")[0]["value"]
    page = soup(phone.post("/new", {"game": WIDEST, "do": do}))
    assert [field["value"] for field in page.select("input[name=name]")] == ["A", "B"]
    assert "だれか" not in page.text


def test_a_deleted_name_stays_away_when_the_app_starts_again(
    app: Flask, phone: Phone, tmp_path: Path
) -> None:
    phone.opens(names=["源五郎丸", "B"], leader="源五郎丸").lays("源五郎丸 lay 4")
    phone.post(f"{person(phone, '源五郎丸')}/name", {"name": "源"})
    phone.client.set_cookie("lang", "en")
    phone.post(f"{person(phone, '源')}/forget", {"sure": "1"})
    again = Store(tmp_path / "referee.db")
    view = Ledger(again).view(phone.match)
    assert view.header.seats == ("someone", "B")
    assert [view.grammar.print(entry) for entry in view.log.entries][1] == "someone lay 4"
    again.close()


def test_a_deleted_name_goes_from_what_the_table_said_too(app: Flask, phone: Phone) -> None:
    phone.opens(names=["源五郎丸", "B"], leader="B").lays("B lay 4")
    ledger = app.extensions["ledger"]
    why = 'table decide 3 no because "源五郎丸 saw it"'
    for line in ("源五郎丸 contest 2", "源五郎丸 vote 3 no", "B vote 3 no", why):
        assert ledger.declare(phone.match, line, ledger.view(phone.match).seq, f"key {line}").seq
    phone.post(f"/t/{phone.match}/e/6/keep", {})
    assert "源五郎丸 saw it" in phone.get(f"/new?game={WIDEST}&name=A&name=B").text
    phone.post(f"{person(phone, '源五郎丸')}/forget", {"sure": "1"})
    for path in ("/decisions", f"/new?game={WIDEST}&name=A&name=B", f"/t/{phone.match}/record.txt"):
        page = phone.get(path).text
        assert "源五郎丸" not in page
        assert "だれか saw it" in page


@pytest.mark.file
def test_a_deleted_name_in_notes_places_and_the_groups_name_is_listed_and_cleaned(
    app: Flask, phone: Phone, tmp_path: Path
) -> None:
    phone.opens(names=["A", "B"], leader="A")
    other, store = phone.match, app.extensions["ledger"].store
    header = f"referee: 1\ngame: {WIDEST}\nseats: A B\ndate: 2026-11-21\nnote: 源五郎丸の家で"
    with store.engine.transaction() as db:
        db.execute("UPDATE matches SET header = ? WHERE id = ?", (header, other))
    phone.opens(names=["源五郎丸", "B"], leader="B").lays("B lay 4")
    [circle] = Circles(store).all()
    Circles(store).call(circle.id, "源五郎丸の会")
    [evening] = Circles(store).sessions(circle.id)
    Circles(store).describe(circle.id, evening.id, "源五郎丸宅", "源五郎丸が遅刻")
    answer = phone.post(f"{person(phone, '源五郎丸')}/forget", {"sure": "1"})
    assert answer.status_code == 200
    listed = [text.get_text() for text in soup(answer).select("li b")]
    assert listed == ["源五郎丸の会", "源五郎丸宅", "源五郎丸が遅刻", "源五郎丸の家で"]

    assert phone.post("/people/clean", {"name": "源五郎丸"}).status_code == 303
    assert Circles(store).get(circle.id).name == "だれかの会"
    [evening] = Circles(store).sessions(circle.id)
    assert (evening.place, evening.note) == ("だれか宅", "だれかが遅刻")
    assert "note: だれかの家で" in phone.get(f"/t/{other}/record.txt").text
    for path in ("/", "/people", "/circle", f"/session/{evening.id}", f"/t/{other}/log"):
        assert "源五郎丸" not in phone.get(path).text
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("referee.db*"))
    assert "源五郎丸".encode() not in kept


def test_a_name_that_is_no_name_cleans_nothing(phone: Phone) -> None:
    phone.opens(names=["A", "B"], leader="A")
    assert phone.post("/people/clean", {"name": ""}).status_code == 400


def test_a_deleted_name_takes_no_part_of_other_words_along(app: Flask, phone: Phone) -> None:
    phone.opens(names=["A", "1", "健"], leader="A").lays("A lay 3")
    store, ledger = app.extensions["ledger"].store, app.extensions["ledger"]
    with store._transaction() as db:
        db.execute(
            "UPDATE matches SET header = ? WHERE id = ?",
            (
                f"referee: 1\ngame: {WIDEST}\nseats: A 1 健\ndate: 2026-11-21\n"
                "note: At Anna's, 1 of 21",
                phone.match,
            ),
        )
    why = 'table decide 3 no because "All saw it, A is 21, 健は見た"'
    for line in ("A contest 2", "A vote 3 no", "1 vote 3 no", "健 vote 3 no", why):
        assert ledger.declare(phone.match, line, ledger.view(phone.match).seq, f"key {line}").seq
    phone.post(f"/t/{phone.match}/e/7/keep", {})
    phone.client.set_cookie("lang", "en")
    for name in ("A", "1", "健"):
        assert phone.post(f"{person(phone, name)}/forget", {"sure": "1"}).status_code == 303
    record = phone.get(f"/t/{phone.match}/record.txt").text
    assert "date: 2026-11-21" in record
    assert "note: At Anna's, someone 2 of 21" in record
    said = "All saw it, someone is 21, someone 3は見た"
    assert said in record
    assert said in soup(phone.get(f"/new?game={WIDEST}&name=B&name=C")).get_text()


def test_a_deleted_name_goes_from_lines_that_no_longer_read(app: Flask, phone: Phone) -> None:
    phone.opens(names=["源五郎丸", "B"], leader="B")
    store, ledger = app.extensions["ledger"].store, app.extensions["ledger"]
    store.append(phone.match, 1, [NewEntry("源五郎丸 juggle 4", "k", "legal", "x", "0")])
    [circle] = Circles(store).all()
    [gone] = [p for p in People(store).of(circle.id) if p.name == "源五郎丸"]
    forget(ledger.store, circle.id, gone.id, "だれか")
    assert [entry.line for entry in store.read(phone.match, 1)] == ["だれか juggle 4"]


@pytest.mark.parametrize("number", ["0", "999999999", "9" * 40])
def test_nobody_and_no_evening_has_a_number_like_that(phone: Phone, number: str) -> None:
    phone.opens()
    evening = f"/history/evening/{number}"
    for path in (
        f"/people/{number}",
        f"/session/{number}",
        f"/history/person/{number}",
        evening,
        f"{evening}/results.csv",
        f"{evening}/history.json",
        f"{evening}/records.zip",
    ):
        assert phone.get(path).status_code == 404
