"""The history on the screen: evenings, people, charts, files."""

from __future__ import annotations

import io
import re
import sqlite3
import xml.etree.ElementTree as ET
import zipfile
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep
from typing import NoReturn

import pytest
import years
from bs4 import BeautifulSoup, Tag
from flask import Flask, before_render_template, template_rendered
from flask.testing import FlaskClient
from parsed import parsed
from phones import text
from reading_room import Room, one, words
from werkzeug.test import TestResponse

from referee.app import create_app
from referee.games import GAMES
from referee.games.simulation import WIDEST
from referee.history.digest import digest
from referee.jukugo.decks import write_deck
from referee.jukugo.library import open_deck
from referee.rulings import book
from referee.store import Circles, People, Unavailable
from referee.store.past import Past
from referee.store.statistics import Digests
from referee.web.group import jobs

MATCHES = 40
RECORD = (
    f"referee: 1\ngame: {WIDEST}\nseats: A B\ndate: 2025-11-12\n\ntable deal leader=A\nA lay 4\n"
)


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """A phone whose circle has a past."""
    app = create_app(tmp_path_factory.mktemp("past"), TESTING=True)
    years.keep(app.extensions["ledger"].store, "", MATCHES, seed=2)
    client = app.test_client()
    client.get("/history")  # the first phone on this computer takes over what is there
    app.config["CIRCLE"] = Circles(app.extensions["ledger"].store).only()
    yield client
    app.extensions["ledger"].store.close()


def page(client: FlaskClient, path: str, status: int = 200) -> BeautifulSoup:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return parsed(answer.text)


def of(client: FlaskClient) -> Past:
    store = client.application.extensions["ledger"].store
    return Past(store, client.application.config["CIRCLE"])


def test_evenings_are_listed_with_their_matches(past: FlaskClient) -> None:
    shown = page(past, "/history")
    assert len(shown.select("h2.sec > a")) == len(shown.select("ul.rows")) == 3
    assert len(shown.select(".rows .row")) == 24
    newest = shown.select(".rows .row")[0]
    played = of(past).last(1)[0]
    assert newest["href"] == f"/t/{played.match}/score"
    for placing in played.placings:
        assert placing.name in words(newest)
    older = page(past, one(shown, ".btns.one-b a")["href"])
    assert len(older.select(".rows .row")) == MATCHES - 24
    assert not older.select(".hoshi")


def test_the_table_of_wins_has_the_last_ten(past: FlaskClient) -> None:
    table = one(page(past, "/history"), ".hoshi")
    won = [sum(p.won for p in match.placings) for match in of(past).last(10)]
    assert len(table.select(".ho.o")) == sum(won)
    assert [int(cell.text) for cell in table.select("tbody b")] == sorted(
        (int(cell.text) for cell in table.select("tbody b")), reverse=True
    )


def test_filters_narrow_the_list_and_stay_in_the_form(past: FlaskClient) -> None:
    shown = page(past, f"/history?game={WIDEST}&q=源五郎")
    for row in shown.select(".rows .row"):
        assert row.select_one(f".m-{WIDEST}")
        assert "源五郎" in words(row)
    assert one(shown, "select[name=game] option[selected]")["value"] == WIDEST
    assert one(shown, "input[name=q]")["value"] == "源五郎"
    assert shown.select("details[open]")
    assert "条件" in words(one(page(past, "/history?q=nobody"), ".void"))
    assert page(past, "/history?since=2099-01-01").select(".void")
    # what makes no sense is no filter
    assert not page(past, "/history?game=chess&since=soon&person=x&skip=-3").select("details[open]")
    assert page(past, "/history?until=9999-12-31&skip=99999").select("main")
    assert page(past, "/history?since=0001-01-01").select(".rows")
    for nobody in ("999", "-1", "9" * 23, "-" + "9" * 23):
        assert not page(past, f"/history?person={nobody}").select(".rows"), nobody


def test_somebody_else_sees_nothing_of_it(past: FlaskClient) -> None:
    stranger = past.application.test_client()
    assert "まだゲームがありません" in page(stranger, "/history").text
    assert "源五郎" not in page(stranger, "/history/people").text
    for path in ("person/1", "evening/1", "history.json.gz", "results.csv", "history.db"):
        assert stranger.get(f"/history/{path}").status_code == 403, path
    own = past.application.test_client()
    own.post("/new", data={"game": WIDEST, "name": ["X", "Y"], "leader": "X"})
    for path in ("/history/person/1", "/history/evening/1"):
        assert own.get(path).status_code == 404, path
    assert "源五郎" not in own.get("/history?q=源五郎").text.replace('value="源五郎"', "")
    assert "源五郎" not in own.get("/history/results.csv").text


def test_a_person_with_charts_and_the_tables_under_them(past: FlaskClient) -> None:
    person = next(p for p in of(past).standings() if p.name == "源五郎")
    shown = page(past, f"/history/person/{person.person}")
    numbers = [words(cell) for cell in shown.select(".stats > a")]
    assert numbers[:2] == [f"{person.matches} ゲーム数", f"{person.won} 勝ち数"]
    assert len(shown.select("svg[role=img][aria-label]")) >= 3
    assert len(shown.select("details table")) >= 3
    rivals = {row.text.strip() for row in shown.select(".num tbody th a")}
    assert set(years.SIX) - {"源五郎"} <= rivals
    assert page(past, "/history/person/999", 404)


def test_a_number_of_one_has_no_plural_under_it(app: Flask) -> None:
    store = app.extensions["ledger"].store
    years.keep(store, "", 1, seed=2)
    client = app.test_client()
    client.set_cookie("lang", "en")
    client.get("/history")  # this phone takes over what is there
    found = set[str]()
    for person in Past(store, str(Circles(store).only())).standings():
        shown = page(client, f"/history/person/{person.person}")
        found.update(words(cell) for cell in shown.select(".stats > a")[:2])
    assert found == {"1 Game", "1 Win", "0 Wins"}


def test_what_is_remembered_of_a_person_is_shown_game_by_game(past: FlaskClient) -> None:
    counted = set[object]()
    for person in of(past).standings():
        shown = page(past, f"/history/person/{person.person}")
        times: Counter[str] = Counter()
        for game, _, count in of(past).career(person.person).led():
            times[game] += count
        for game in times:
            title = book(game).title.ja
            [head] = [
                h for h in shown.select("h2.sec:has(small)") if words(h.small) == f"{title} 数え方"
            ]
            table = head.find_next("table")
            assert isinstance(table, Tag)
            assert sum(int(row.text) for row in table.select("tbody td")) == times[game]
        feats = shown.select(".feats li")
        assert [words(feat.small) for feat in feats] == [
            book(game).title.ja for game, *_ in of(past).career(person.person).feats()
        ]
        assert all(words(feat) != words(feat.small) for feat in feats)
        counted |= times.keys()
    assert counted


@pytest.mark.parametrize("settled", ["table rule 5 stands", "table rewind 4", "table void 5"])
def test_a_revoke_that_was_settled_counts_as_one(room: Room, settled: str) -> None:
    room.revoke().declare(settled)
    revokes = {seat.place: seat.revokes for seat in digest(room.view.log, []).results}
    assert revokes == {1: 0, 2: 0, 3: 0, 4: 1, 5: 0}


def test_people_side_by_side(past: FlaskClient) -> None:
    shown = page(past, "/history/people")
    assert len(shown.select(".num tbody tr")) == 6
    cells = shown.select(".heat tbody td")
    assert len(cells) == 36
    shares = [int(re.match(r"\d+", cell.text.strip())[0]) for cell in cells if cell.text.strip()]  # type: ignore[index]
    assert len(shares) == 30


def test_an_evening(past: FlaskClient) -> None:
    session = of(past).sessions()[-1][0]
    shown = page(past, f"/history/evening/{session}")
    assert len(shown.select(".rows .row")) == 8
    rows = [[int(cell.text) for cell in row.select("td")] for row in shown.select(".num tbody tr")]
    matches = [match for match in of(past).last(MATCHES) if match.session == session]
    placings = [p for match in matches if match.over for p in match.placings]
    # wins, and losses in a column of their own where there are any
    assert sum(sum(ended) for _matches, *ended in rows) == sum(p.won + p.lost for p in placings)
    for link in shown.select(".btns a"):
        answer = past.get(link["href"])
        assert answer.status_code == 200
        assert "attachment" in answer.headers["Content-Disposition"]


def test_pages_keep_to_the_strict_policy(past: FlaskClient) -> None:
    match = of(past).last(1)[0].match
    for path in ("/history", "/history/people", "/history/person/1", f"/t/{match}/score"):
        shown = page(past, path)
        assert not shown.select("[style], style, script:not([src])"), path
        packed = past.get(path, headers={"Accept-Encoding": "gzip"}).data
        assert len(packed) < 12_000, path


def test_english_pages_say_everything_in_english(past: FlaskClient) -> None:
    past.set_cookie("lang", "en")
    try:
        page(past, "/history")
        # where words are played, kanji are the cards
        plain = [name for name, game in GAMES.items() if "words" not in game.HOOKS.equipment]
        match = next(m.match for m in of(past).last(MATCHES) if m.game in plain)
        paths = ("/history", "/history/people", "/history/person/2", "/history/files")
        for path in (*paths, "/history/evening/1", f"/t/{match}/score", f"/t/{match}/card.svg"):
            text = past.get(path).text
            for name in (*years.SIX, "北大路ロマ…", *"札見之印"):
                text = text.replace(name, "")
            soup = parsed(text)
            for word in soup.select("b[lang=ja]"):  # 熟語 that were laid
                word.decompose()
            shown = soup.get_text()
            assert not re.search(r"[\u3040-\u30fa\u30fc-\u30ff\u4e00-\u9fff]", shown), path
    finally:
        past.delete_cookie("lang")


def test_the_page_of_a_match_leads_on(past: FlaskClient) -> None:
    match = of(past).last(1)[0].match
    shown = page(past, f"/t/{match}/score")
    links = {a["href"].split("?")[0] for a in shown.select("main a")}
    assert {f"/t/{match}/log", f"/t/{match}/replay", f"/t/{match}/result", "/new"} <= links
    for name, kind in (("result.csv", "text/csv"), ("match.json", "application/json")):
        answer = past.get(f"/t/{match}/{name}")
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].startswith(kind)
    play = past.get(f"/t/{match}/bgstats.json").json
    assert play is not None
    assert play["sourcePlayId"] == match


def test_a_match_left_open_can_be_continued(past: FlaskClient) -> None:
    match = next(match.match for match in of(past).each() if not match.over)
    shown = page(past, f"/t/{match}/score")
    assert f"/t/{match}" in {a["href"] for a in shown.select("main a")}
    assert past.get(f"/t/{match}").status_code == 200


def test_the_course_of_the_score_ends_with_the_result(past: FlaskClient) -> None:
    drawn = 0
    for match in {match.game: match for match in of(past).last(40) if match.over}.values():
        shown = page(past, f"/t/{match.match}/score")
        if not shown.select("svg.ch path.ln"):
            continue
        drawn += 1
        last = shown.select("details .num tbody tr")[-1]
        names = [cell.text for cell in shown.select("details .num thead th")[1:]]
        totals = dict(zip(names, (int(cell.text) for cell in last.select("td")), strict=True))
        assert totals == {p.name: p.points for p in match.placings}
        assert len(shown.select("svg.ch path.ln")) == 2 * len(names)
    assert drawn


def test_the_picture_is_well_formed_whatever_people_are_called(room: Room) -> None:
    room.open(
        WIDEST, "<b>&amp;' 北大路ロマネスク三世閣下", date="2025-11-12", rounds="1"
    ).play_out()
    answer = room.phone.get(room.address("card.svg"))
    assert answer.content_type.startswith("image/svg+xml")
    texts = [text.text for text in ET.fromstring(answer.text).iter() if text.tag.endswith("text")]
    assert "<b>&amp;'" in texts
    assert "style" not in answer.text
    fresh = room.open(WIDEST, "A B")
    assert fresh.phone.get(fresh.address("card.svg")).status_code == 404


def test_without_a_past_the_pages_invite(app: Flask) -> None:
    client = app.test_client()
    for path in ("/history", "/history/people"):
        assert "/new" in {a["href"] for a in page(client, path).select("main a")}
    client.post("/new", data={"game": WIDEST, "name": ["A", "B"], "leader": "A"})
    assert page(client, "/history/people").select(".void")
    person = People(app.extensions["ledger"].store).of(
        Circles(app.extensions["ledger"].store).only()
    )[0]
    assert page(client, f"/history/person/{person.id}").select(".void")


def finished(phone: FlaskClient) -> str:
    """The page of the work when it is over."""
    start = monotonic()
    while "Refresh" in (shown := phone.get("/history/work")).headers:
        assert "<progress" in shown.text
        assert monotonic() - start < 600  # the process that reads lets others go first
        sleep(0.05)
    return shown.text


def test_a_history_moves_house_through_the_page(past: FlaskClient, app: Flask) -> None:
    source = past.get("/history/history.json.gz").data
    phone = app.test_client()
    answer = phone.post("/history/import", data={"file": (io.BytesIO(source), "all.json.gz")})
    assert answer.status_code == 303
    assert f"{MATCHES}件" in finished(phone)
    assert phone.get("/history/history.json.gz").data == source
    assert phone.get("/history/results.csv").data == past.get("/history/results.csv").data
    assert phone.get("/history/records.zip").data == past.get("/history/records.zip").data
    for path in ("/history", "/history/people"):
        assert texts(page(phone, path)) == texts(page(past, path))


def texts(shown: BeautifulSoup) -> str:
    """What the page says; ids of people differ from one installation to the next."""
    return re.sub(r"\s+", " ", one(shown, "main").get_text())


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("all.json", b"{}"),
        ("half.json", b'{"format": "referee-history", "version": "\\ud800"}'),
        ("all.json.gz", b"\x1f\x8bnothing"),
        ("one.txt", b"dear diary"),
        ("", b""),
    ],
)
def test_files_that_can_not_be_read_are_refused_in_a_sentence(
    app: Flask, name: str, content: bytes
) -> None:
    phone = app.test_client()
    answer = phone.post("/history/import", data={"file": (io.BytesIO(content), name or "empty")})
    assert answer.status_code == 400
    assert parsed(answer.text).select("[role=alert] span")


def test_a_page_that_says_the_work_goes_on_asks_again(past: FlaskClient, app: Flask) -> None:
    source = past.get("/history/history.json.gz").data
    phone = app.test_client()
    phone.post("/history/import", data={"file": (io.BytesIO(source), "all.json.gz")})
    finished(phone)
    [work] = app.extensions[jobs.KEY].values()

    def end(*_: object, **__: object) -> None:
        work.over = True

    for template_signal in (before_render_template, template_rendered):
        work.over = False
        with template_signal.connected_to(end, app):
            shown = phone.get("/history/work")
        assert ("<progress" in shown.text) == ("Refresh" in shown.headers)
        assert work.over


def test_what_one_circle_takes_in_hides_nothing_of_another(past: FlaskClient, app: Flask) -> None:
    phones = app.test_client(), app.test_client()
    for number, phone in enumerate(phones):
        files = [
            (io.BytesIO(RECORD.encode()), "a.txt"),
            (io.BytesIO(b"dear diary"), f"{number}.txt"),
        ]
        assert phone.post("/history/import", data={"file": files}).status_code == 303
        finished(phone)
    for number, phone in enumerate(phones):
        assert f"{number}.txt" in phone.get("/history/work").text


def test_everything_is_given_while_nothing_can_be_written(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = app.test_client()
    match = sends(phone, RECORD).location.removesuffix("/score")
    before = {
        path: phone.get(path).data
        for path in (f"{match}/match.json", f"{match}/result.csv", f"{match}/bgstats.json")
    }
    Digests(app.extensions["ledger"].store).forget()
    exports = ("history.json.gz", "results.csv", "records.zip", "history.db")

    def full(*_: object) -> NoReturn:
        raise Unavailable("database or disk is full")

    monkeypatch.setattr(Digests, "write", full)
    for path, content in before.items():
        assert phone.get(path).data == content
    for name in (f"{match}/record.txt", *(f"/history/{name}" for name in exports)):
        with phone.get(name) as answer:  # or the database made for it would stay on the disk
            assert answer.status_code == 200


def test_a_history_of_another_circle_here_says_whose_it_is(app: Flask) -> None:
    first, second = app.test_client(), app.test_client()
    sends(first, RECORD)
    source = first.get("/history/history.json.gz").data
    data = {"file": (io.BytesIO(source), "all.json.gz")}
    assert second.post("/history/import", data=data).status_code == 303
    assert "別のサークルのものです" in finished(second)
    assert not parsed(second.get("/people").text).select("main .row")


def test_all_records_come_back_from_their_archive(past: FlaskClient, app: Flask) -> None:
    source = past.get("/history/records.zip").data
    phone = app.test_client()
    for fresh in (MATCHES, 0):  # the second time they are here already
        answer = phone.post("/history/import", data={"file": (io.BytesIO(source), "all.zip")})
        assert answer.location == "/history/work"
        assert f"新しいゲームは{fresh}件" in finished(phone)
    assert len(zipfile.ZipFile(io.BytesIO(phone.get("/history/records.zip").data)).namelist()) == (
        MATCHES
    )


def test_several_records_at_once_and_one_of_them_is_none(app: Flask) -> None:
    phone = app.test_client()
    lie = RECORD + "A lay 4\n"  # not A's turn
    sources = {"one.txt": RECORD, "two.txt": RECORD.replace("11-12", "11-13"), "three.txt": lie}
    files = [(io.BytesIO(text.encode()), name) for name, text in sources.items()]
    files.append((io.BytesIO(b"dear diary"), "four.txt"))
    assert phone.post("/history/import", data={"file": files}).status_code == 303
    page = parsed(finished(phone))
    assert "新しいゲームは2件" in page.get_text()
    alert = one(page, "main [role=alert]").get_text(" ", strip=True)
    assert "2個" in alert
    assert "three.txt" in alert
    assert "8行目" in alert
    assert "four.txt" in alert
    assert "two.txt" not in alert
    again = one(page, "main a.btn[href*=files]")["href"]
    assert parsed(phone.get(str(again)).text).select("[name=keep_illegal]")
    kept = {"file": [(io.BytesIO(lie.encode()), "three.txt")], "keep_illegal": "1"}
    assert "/t/" in phone.post("/history/import", data=kept).location


def hurt(kind: int) -> bytes:
    """An archive whose compressed data are none."""
    whole = bytearray(archive(("one.txt", RECORD.encode() * 30), kind=kind))
    whole[44:80] = b"\xff" * 36
    return bytes(whole)


def archive(*files: tuple[str, bytes], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", kind) as made:
        for name, content in files:
            made.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"PK nothing", "壊れている"),
        (archive(("one.txt", RECORD.encode()))[:-9], "壊れている"),
        (hurt(zipfile.ZIP_LZMA), "大きすぎます"),  # it wants a dictionary of 4 GB
        (hurt(zipfile.ZIP_BZIP2), "壊れている"),
        (archive(("picture.png", b"x")), "記録（.txt）がありません"),
        (archive(("one.txt", bytes(5_000_000))), "大きすぎます"),
        (archive(*((f"{i}.txt", bytes(3_000_000)) for i in range(9))), "大きすぎます"),
    ],
    ids=["no archive", "cut off", "LZMA", "bzip2", "no record", "a bomb", "a bomb of several"],
)
def test_archives_that_can_not_be_read_are_refused_in_a_sentence(
    app: Flask, content: bytes, fault: str
) -> None:
    phone = app.test_client()
    answer = phone.post("/history/import", data={"file": (io.BytesIO(content), "all.zip")})
    assert answer.status_code == 400
    says = one(parsed(answer.text), "main [role=alert] span").get_text()
    assert fault in says
    assert "何も取り込んでいません" in says


def test_an_archive_that_grows_more_than_records_do_is_not_unpacked(app: Flask) -> None:
    data = {"file": (io.BytesIO(archive(("one.txt", bytes(5_000_000)))), "all.zip")}
    answer = app.test_client().post("/history/import", data=data)
    assert answer.status_code == 400
    assert "大きすぎます" in answer.text


def test_one_record_is_taken_in_too(app: Flask) -> None:
    record = f"referee: 1\ngame: {WIDEST}\nseats: A B\ndate: 2025-11-12\n\ntable deal leader=A\n"
    phone = app.test_client()
    data = {"file": (io.BytesIO(record.encode()), "one.txt")}
    answer = phone.post("/history/import", data=data)
    assert answer.status_code == 303
    assert "A" in page(phone, answer.location).text


def test_a_day_of_another_year_says_so(app: Flask) -> None:
    phone = app.test_client()
    sends(phone, RECORD.replace("2025", "2001"))
    for path in ("/", "/people", "/circle", "/history"):
        assert "2001年11月12日" in page(phone, path).get_text(), path


def sends(phone: FlaskClient, record: str, **fields: str) -> TestResponse:
    data = {"file": (io.BytesIO(record.encode()), "one.txt")} | fields
    return phone.post("/history/import", data=data)


def test_a_file_that_is_larger_than_any_form_is_taken_in(app: Flask) -> None:
    long = RECORD + f"# {'x' * 1_000}\n" * 300
    assert sends(app.test_client(), long).status_code == 303


def test_hundreds_of_records_are_taken_in_at_once(app: Flask) -> None:
    phone = app.test_client()
    files = [(io.BytesIO(RECORD.encode()), f"{i}.txt") for i in range(300)]
    assert phone.post("/history/import", data={"file": files}).status_code == 303
    assert "新しいゲームは1件" in finished(phone)


def test_a_deck_alone_is_refused_and_a_record_asked_for(app: Flask) -> None:
    data = {"file": (io.BytesIO(write_deck(open_deck()).encode()), "ours.csv")}
    answer = app.test_client().post("/history/import", data=data)
    assert answer.status_code == 400
    alert = text(parsed(answer.text), "main [role=alert]")
    assert alert.startswith("CSV（デッキ）だけでは取り込めません。")


def test_a_match_that_is_here_already_is_shown_and_not_doubled(app: Flask) -> None:
    phone = app.test_client()
    first = sends(phone, RECORD).location
    own = phone.get(first.replace("score", "record.txt")).text
    assert sends(phone, own).location == first
    assert sends(phone, RECORD.replace("\n", "\r\n")).location == first
    assert sends(phone, RECORD.replace("A lay 4", "A lay 3")).location != first
    assert sends(app.test_client(), RECORD).location != first  # another circle


def test_a_record_that_does_not_replay_says_where_and_is_taken_as_it_is_where_that_is_wished(
    app: Flask,
) -> None:
    phone = app.test_client()
    wrong = RECORD + "A lay 77\n" * 9
    shown = parsed(sends(phone, wrong).text)
    alert = text(shown, "main [role=alert]")
    assert alert.startswith("8行目：A lay 77: ")
    assert alert.endswith("ほか6件何も取り込んでいません。")
    kept = sends(phone, wrong, **{str(one(shown, "input[type=checkbox]")["name"]): "1"})
    assert kept.status_code == 303
    unread = parsed(sends(phone, RECORD + "A dances\n").text)
    assert text(unread, "main [role=alert]").startswith("8行目：")
    assert not unread.select("input[type=checkbox]")


def test_a_file_that_can_not_be_made_leaves_nothing_behind(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = app.test_client()
    sends(phone, RECORD)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = set(tmp_path.iterdir())

    def full(path: Path, *_: object) -> Generator[None, None, None]:
        path.write_bytes(b"half")
        raise OSError("full")
        yield

    monkeypatch.setattr("referee.history.exports.as_database", full)
    with pytest.raises(OSError, match="full"):
        phone.get("/history/history.db")
    assert not [path for path in set(tmp_path.iterdir()) - before if path.is_dir()]


def test_a_database_that_takes_long_is_begun_before_it_is_complete(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = app.test_client()
    sends(phone, RECORD)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("referee.web.group.files.AT_ONCE", 0)
    before = set(tmp_path.iterdir())
    with phone.get("/history/history.db", buffered=False) as answer:
        pieces = iter(answer.response)
        assert (next(pieces), answer.content_length) == (b"S", None)
        assert answer.headers["X-Accel-Buffering"] == "no"
        whole = b"S" + b"".join(pieces)
    with closing(sqlite3.connect(":memory:")) as db:
        db.deserialize(whole)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("SELECT count(*) FROM entries").fetchone()[0] > 0
    with phone.get("/history/history.db", buffered=False) as answer:
        assert next(iter(answer.response)) == b"S"
        assert [*set(tmp_path.iterdir()) - before]
    assert not [*set(tmp_path.iterdir()) - before]  # the client left


@pytest.mark.file
def test_the_backup_is_for_the_person_at_the_computer(app: Flask, tmp_path: Path) -> None:
    with app.test_client().get("/history/backup.db") as here:
        assert here.status_code == 200
        assert here.data.startswith(b"SQLite format 3")
    away = {"REMOTE_ADDR": "192.168.0.7"}
    assert app.test_client().get("/history/backup.db", environ_base=away).status_code == 404
    listed = app.test_client().get("/history/files", environ_base=away)
    assert "backup.db" not in listed.text


@pytest.mark.parametrize("language", ["ja", "en"])
def test_every_row_of_a_match_names_its_game(past: FlaskClient, language: str) -> None:
    """Game files share one crest, and a crest alone says little."""
    titles = tuple(book(name).title.in_(language) for name in GAMES)
    past.set_cookie("lang", language)
    rows = page(past, "/history").select("ul.rows a.row")
    past.delete_cookie("lang")
    assert rows
    for row in rows:
        about = row.select("small")[0].get_text()
        assert about.startswith(titles), about
        assert "・ " not in about
