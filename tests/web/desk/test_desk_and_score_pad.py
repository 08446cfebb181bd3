"""A desk and the matches of its tables: results, the line on the match's page, calls, silence."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from desk_phones import DeskPhone, text_of
from phones import Phone, soup

from referee.contacts import SILENCE, Contacts

NAMES = ("A", "B", "C")
PAD = "score_pad"


@pytest.fixture
def desk(phone: Phone) -> DeskPhone:
    """A published round of one table."""
    desk = DeskPhone(phone).opens()
    desk.ticks(*NAMES)
    desk.proposes()
    desk.publishes()
    return desk


def plays(desk: DeskPhone, *lines: str) -> str:
    """Open the table of round 1 as a score pad and record the lines; the match."""
    data = {"game": PAD, "called": "UNO", "name": list(NAMES), "leader": "A"}
    answer = desk.phone.post("/new", data | {"desk": f"{desk.desk} 1 1"})
    assert answer.status_code == 303, answer.text
    desk.phone.match = answer.location.rpartition("/")[2].partition("?")[0]
    if lines:
        desk.phone.lays(*lines)
    return desk.phone.match


def points(desk: DeskPhone) -> dict[str, str]:
    return {name: points for _, name, points, *_ in desk.standing()}


def test_the_end_of_a_match_sends_its_places_and_a_correction_ranks_again(desk: DeskPhone) -> None:
    match = plays(desk, "table round A=12 B=0 C=7")
    assert points(desk) == {"A": "0", "B": "0", "C": "0"}
    assert desk.view.evening.published[0].tables[0].match == match
    desk.phone.lays("table end")
    assert points(desk) == {"A": "1", "C": "½", "B": "0"}
    seats = desk.view.evening.published[0].tables[0].people
    desk.phone.lays("table amend 1 table round A=1 B=30 C=30")
    assert points(desk) == {"B": "¾", "C": "¾", "A": "0"}
    assert desk.view.evening.published[0].tables[0].people == seats


def test_a_stopped_match_has_no_places_until_a_director_types_them(desk: DeskPhone) -> None:
    plays(desk, "table round A=12 B=0 C=7", "table stop")
    assert desk.view.evening.published[0].tables[0].open
    people = [desk.number(name) for name in NAMES]
    assert desk.types(1, "1", people).status_code == 303
    assert points(desk) == {"A": "1", "B": "½", "C": "0"}


def test_the_page_of_a_match_has_the_clock_and_calls_the_director(desk: DeskPhone) -> None:
    match = plays(desk, "table round A=12 B=0 C=7")
    desk.does("/clock", do="start")
    line = soup(desk.phone.get(f"/t/{match}")).select_one("#desk-line")
    assert line is not None
    assert line.select_one(".clock[data-runs]")
    form = line.select_one("form")
    assert form is not None
    fields = {str(i["name"]): str(i["value"]) for i in form.select("input,button")}
    answer = desk.phone.post(str(form["action"]), fields)
    assert answer.location == f"/t/{match}", "a call leads back to the table"
    assert desk.view.evening.calls[0].since
    desk.does("/rounds/1/1/call", do="come")
    for lang, says in (("ja", "ディレクターが行きます"), ("en", "A director")):
        desk.phone.client.set_cookie("lang", lang)
        page = soup(desk.phone.get(f"/t/{match}"))
        assert says in page.select_one("#desk-line").get_text()  # type: ignore[union-attr]
    part = desk.phone.client.get(f"/desk/{desk.desk}/rounds/1/1/line")
    assert int(part.headers["X-Seq"]) == desk.view.seq
    assert soup(part).select("#desk-line [role=status]")


def test_a_call_names_the_entry_in_question(desk: DeskPhone) -> None:
    match = plays(desk, "table round A=12 B=0 C=7")
    entry = soup(desk.phone.get(f"/t/{match}/e/1"))
    [link] = [str(a["href"]) for a in entry.select("a") if "seq=1" in str(a.get("href", ""))]
    form = soup(desk.phone.get(link)).select_one("form[action$=call]")
    assert form is not None
    fields = {str(i["name"]): str(i["value"]) for i in form.select("input,button")}
    assert desk.phone.post(str(form["action"]), fields).status_code == 303
    links = [str(a["href"]) for a in desk.get("/rounds/1").select(".calls a")]
    assert links == [f"/t/{match}/e/1"]


def test_other_matches_show_nothing_of_the_desk(desk: DeskPhone) -> None:
    desk.phone.opens(PAD, NAMES).lays("table round A=12 B=0 C=7")
    assert not soup(desk.phone.get(f"/t/{desk.phone.match}")).select("#desk-line")


def test_a_script_gets_the_part_that_changes(desk: DeskPhone) -> None:
    whole = desk.phone.get(f"/desk/{desk.desk}/rounds/1")
    headers = {"HX-Request": "true"}
    part = desk.phone.client.get(f"/desk/{desk.desk}/rounds/1", headers=headers)
    assert part.headers["X-Seq"] == whole.headers["X-Seq"] == str(desk.view.seq)
    assert not soup(part).select("script,link,nav.top")
    [main] = soup(part).select("main")
    assert [cell.get_text() for cell in main.select(".tno")] == ["1"]
    screen = desk.phone.client.get(f"/desk/{desk.desk}/screen", headers=headers)
    assert soup(screen).select("main.proj[data-turn]")


def test_a_table_whose_phones_are_silent_is_not_heard(desk: DeskPhone) -> None:
    match = plays(desk, "table round A=12 B=0 C=7")
    desk.phone.client.set_cookie("lang", "en")
    contacts = desk.desks.ledger.contacts
    assert "Not heard" not in text_of(desk.phone.get(f"/desk/{desk.desk}/rounds/1"))
    assert desk.phone.get(f"/t/{match}/live").status_code == 200
    contacts.heard(match, datetime.now(UTC) - SILENCE)
    assert "Not heard" in text_of(desk.phone.get(f"/desk/{desk.desk}/rounds/1"))
    assert desk.phone.get(f"/t/{match}/live").status_code == 200
    assert "Not heard" not in text_of(desk.phone.get(f"/desk/{desk.desk}/rounds/1"))


def test_a_table_with_an_open_stream_is_never_silent() -> None:
    contacts, then = Contacts(), datetime(2026, 11, 28, 19, 40, tzinfo=UTC)
    assert contacts.silent_since("m", then) is None, "another process may have heard of it"
    contacts.opened("m")
    contacts.heard("m", then)
    assert contacts.silent_since("m", then + timedelta(hours=1)) is None
    later = then + timedelta(hours=2)
    contacts.closed("m", later)
    assert contacts.silent_since("m", later + SILENCE / 2) is None
    assert contacts.silent_since("m", later + SILENCE) == later


def test_the_desk_of_a_past_evening_can_only_be_read(
    desk: DeskPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = plays(desk, "table round A=12 B=0 C=7", "table end")
    monkeypatch.setattr("referee.store.desks.EVENING", timedelta(seconds=-1))
    seq = desk.view.seq
    for path in ("", "/tables", "/rounds/1", "/rounds/1/1", "/standing", "/standing/0", "/screen"):
        assert not desk.get(path).select("main form button:not([disabled])"), path
    assert points(desk) == {"A": "1", "C": "½", "B": "0"}
    for path, fields in (("/came", {"name": "D"}), ("/propose", {}), ("/gone", {"person": 0})):
        answer = desk.post(path, fields)
        assert answer.status_code == 409, path
        assert "ゲーム会" in text_of(answer)
    assert desk.view.seq == seq
    earlier = soup(desk.phone.get("/desk"))
    assert [str(a["href"]) for a in earlier.select(".set-l a")] == [f"/desk/{desk.desk}"]
    assert not soup(desk.phone.get(f"/t/{match}")).select("#desk-line")
