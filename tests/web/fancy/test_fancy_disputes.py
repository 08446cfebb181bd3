"""Contests, contradictions, what-if, corrections together, and records under other rules."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup
from reading_room import Room, one, words

from referee.games.simulation import WIDEST

FANCY = "table deal leader=A\nA lay 5\nB lay 6\nC lay 7\nA lay 3"


def press(room: Room, page: BeautifulSoup, value: str, status: int = 303, **more: str) -> str:
    """Press the button ``value`` of ``page``; returns where it leads."""
    button = next(b for b in page.select("button[name]") if b.get("value") == value)
    form = button.find_parent("form")
    fields = {field["name"]: field.get("value", "") for field in form.select("input[name]")}
    answer = room.post(form["action"], status, **{**fields, button["name"]: value, **more})
    return str(answer.headers.get("Location", ""))


def contested(room: Room) -> BeautifulSoup:
    """C says that entry 3 was really an 8."""
    room.open("fancy", "A B C", FANCY)
    address = press(room, room.get("contest/3?seat=C"), "C contest 3 as B lay 8")
    assert address.endswith("/e/6#votes")
    return room.get("e/6")


def test_both_versions_are_kept_until_the_table_decides(room: Room) -> None:
    page = contested(room)
    first = one(page, ".decide").find("button")  # what Enter in the text field would press
    assert first is not None
    assert first.has_attr("disabled")
    assert words(one(page, ".versions")) == "元の記録 3 B 6 Cの主張 B 8 ○"
    assert [b.has_attr("disabled") for b in page.select(".decide [name=line]")] == [True, True]
    assert room.view.step(3).play.rank == 6
    press(room, page, "A vote 6 yes")
    press(room, room.get("e/3"), "B vote 6 yes")
    to = press(room, room.get("e/3"), "table decide 6 yes", reason=' "見た" と皆が言う ')
    assert room.view.step(3).play.rank == 8
    assert room.view.grammar.print(room.log.entries[-1]) == (
        'table decide 6 yes because "”見た” と皆が言う"'
    )
    assert to == f"/t/{room.match}"
    assert "異議6を認めました" in words(one(room.get(to), ".strip"))
    assert "”見た” と皆が言う" in words(room.get("e/9"))
    assert "異議6を認めました" in words(room.get("score"))


def test_an_objection_on_the_table_leads_to_its_votes(room: Room) -> None:
    contested(room)
    link = one(room.get(f"/t/{room.match}"), ".strip a.undo")
    assert (link["href"], words(link)) == (f"/t/{room.match}/e/6#votes", "投票する")
    press(room, room.get("e/6"), "A vote 6 no")
    assert one(room.get(f"/t/{room.match}"), ".strip a.undo")["href"] == link["href"]
    press(room, room.get("e/6"), "table decide 6 no")
    assert not room.get(f"/t/{room.match}").select(".strip a")


def test_the_votes_follow_the_other_phones_and_then_the_table(room: Room) -> None:
    asked = str(one(contested(room), ".contest")["hx-get"])
    room.declare("A vote 6 yes")
    answer = room.get(asked, **{"HX-Request": "true"})
    assert [words(key) for key in answer.select("[aria-pressed]")] == ["賛成", "賛成"]
    room.declare("B vote 6 no")
    room.declare("table decide 6 no")
    done = room.phone.get(asked, headers={"HX-Request": "true"})
    assert done.headers["HX-Redirect"] == f"/t/{room.match}"


def test_with_all_votes_one_button_is_left(room: Room) -> None:
    contested(room)
    room.declare("A vote 6 yes")
    room.declare("B vote 6 yes")
    [button] = room.get("e/6").select(".decide [name=line]")
    assert (button["value"], words(button)) == ("table decide 6 yes", "異議を認める")
    room.declare("A vote 6 no")
    [button] = room.get("e/6").select(".decide [name=line]")
    assert (button["value"], words(button)) == ("table decide 6 no", "元のまま")


def test_one_seat_that_disagrees_keeps_the_entry(room: Room) -> None:
    page = contested(room)
    press(room, page, "B vote 6 no")
    press(room, room.get("e/6"), "table decide 6 no")
    assert room.view.step(3).play.rank == 6
    assert not room.get("e/6").select(".votes")
    refusal = room.soup(room.post("contest", 409, line="A vote 6 yes", key="another-key"), 409)
    assert "異議6は、もう決まっています。" in words(refusal)


def test_votes_do_not_wait_for_a_table_that_plays_on(room: Room) -> None:
    page = contested(room)
    room.declare("B lay 4")
    press(room, page, "A vote 6 yes")
    assert room.view.seq == 8


def test_a_vote_tapped_twice_is_one(room: Room) -> None:
    page = contested(room)
    press(room, page, "A vote 6 yes")
    press(room, page, "A vote 6 yes")
    address = press(room, room.get("e/6"), "A vote 6 yes")  # on the page that already shows it
    assert address.endswith("/e/6#votes")
    assert room.view.seq == 7
    press(room, room.get("e/6"), "A vote 6 no")
    assert room.view.seq == 8


@pytest.mark.parametrize(
    "line",
    ["", "A lay 5", "table strike 3", "A contest", 'table decide 6 yes because "', "x" * 9000],
)
def test_only_what_belongs_to_a_contest_is_read_there(room: Room, line: str) -> None:
    contested(room)
    room.post("contest", 400, line=line, key="another-key")
    assert room.view.seq == 6


def test_a_decision_is_found_and_becomes_a_rule_of_the_house(room: Room) -> None:
    press(room, contested(room), "B vote 6 no")
    press(room, room.get("e/6"), "table decide 6 no", reason="8 は出ていない")
    assert "8 は出ていない" in words(room.get("/decisions?q=8 は"))
    assert "見つかりません" in words(room.get("/decisions?q=なにもない"))
    press(room, room.get("/decisions"), "1")
    agreed = one(room.get("/new?game=fancy&name=A&name=B&name=C"), "[name=agreed]")
    form = {"game": "fancy", "name": ["A", "B", "C"], "leader": "A", "agreed": agreed["value"]}
    opened = room.phone.post("/new", data=form).headers["Location"]
    assert "note: 8 は出ていない" in room.phone.get(f"{opened}/record.txt").text
    assert "8 は出ていない" in words(room.get(f"{opened}/rules"))
    press(room, room.get("/decisions"), "0")
    assert not room.get("/new?game=fancy&name=A&name=B&name=C").select("[name=agreed]")


def test_what_contradicts_earlier_entries_names_them_nearest_first(room: Room) -> None:
    room.open("fancy", "A B C", "table deal leader=A\nA lay 2\nB lay 9\nC lay 10\nA lay 2\nB lay 8")
    page = room.soup(
        room.post("play", 200, line="C lay 2", seen=str(room.view.seq), key="another-key")
    )
    [link] = [a for a in page.select(".refused a") if "suspects" in a["href"]]
    page = room.get(link["href"])
    assert [words(row) for row in page.select(".ents .nr")] == ["5", "2"]
    assert room.view.seq == 6
    assert "いまは出せます" in words(room.get("suspects?line=C lay 7"))


def test_a_card_that_a_shown_hand_does_not_hold_points_to_the_hand(room: Room) -> None:
    room.open("fancy", "A B C", "table deal leader=A\nA show 1 2 3 4 5 6 7 8")
    page = room.get("suspects?line=A lay 9")
    assert [words(row) for row in page.select(".ents .nr")] == ["2"]


@pytest.mark.parametrize("query", ["", "?line=", "?line=table strike 2", "?line=A lay x"])
def test_what_is_no_play_has_no_suspects(room: Room, query: str) -> None:
    room.open("fancy", "A B C", FANCY).get(f"suspects{query}", 400)


def test_what_if_goes_by_the_table_as_it_was_put_right(room: Room) -> None:
    room.open("fancy", "A B C", "table deal leader=A\nA lay 7\nB lay 3\nC lay 5")
    room.declare("table amend 2 A lay 9")
    assert one(room.get("what-if/3?line=B lay 7"), ".verdict .mk").text == "○"
    assert one(room.get("what-if/3?line=B lay 9"), ".verdict .mk").text == "△"


def test_what_if_judges_on_a_copy(room: Room) -> None:
    room.revoke()
    before = room.view.state
    page = room.get("what-if/5?line=みどり子 lay 6")
    assert one(page, ".verdict .mk").text == "○"
    assert words(one(page, ".verdict a")) == "follow.1"
    assert len(page.select(".picks a")) == 10
    page = room.get("what-if/5?line=源五郎 lay 6")
    assert one(page, ".verdict .mk.no").text == "×"
    assert room.view.seq == 10
    assert room.view.state == before
    for wrong in ("table strike 2", "nobody lay 2", "9" * 3000):
        room.get(f"what-if/5?line={wrong}", 400)
    room.declare("table strike 5")
    room.get("what-if/5?line=みどり子 lay 6")  # the entry as it was recorded then
    room.get("what-if/11", 404)


def test_what_no_longer_stands_is_corrected_in_the_same_go(room: Room) -> None:
    room.revoke()
    page = room.get("correct/3?do=amend&line=源五郎 lay 2")
    page = room.get(one(page, ".warn a[href*='with=']")["href"])
    assert "ほかの訂正1件と一緒に。" in words(page)
    key = next(a for a in page.select(".picks a[href]"))
    page = room.get(key["href"])
    line = one(page, "[name=line]")["value"]
    assert line.startswith("table together amend 3 源五郎 lay 2 ; amend 7 ")
    room.submit(page)
    assert room.view.seq == 11
    room.ledger.undo(room.match, 11, "undo-all-of-it")
    assert room.view.step(3).play.rank == 7


def test_a_play_too_many_takes_the_seats_after_it_along(room: Room) -> None:
    room.open("fancy", "A B C", "table deal leader=A\nA lay 10\nB lay 10\nC lay 7\nC lay 3")
    page = room.get("correct/3?do=strike")
    assert "以降の1件も、本来の手番の人の記録に付け替えます。" in words(one(page, ".along"))
    assert one(page, "[name=along]")["value"] == "1"
    room.submit(page)
    plays = [room.view.grammar.print(step.play) for step in room.log.steps()]
    assert plays == ["table deal leader=A", "A lay 10", "B lay 7", "C lay 3"]


def test_another_phone_that_plays_on_loses_nothing_by_a_correction(room: Room) -> None:
    room.open("fancy", "A B C", "table deal leader=A\nA lay 10\nB lay 10\nC lay 7\nC lay 3")
    page = room.get("correct/3?do=strike")
    room.declare("A lay 9")
    page = room.soup(room.submit(page, 409), 409)
    assert "以降の2件も" in words(one(page, ".along"))
    room.submit(page)
    assert room.view.grammar.print(room.log.steps()[-1].play) == "C lay 9"


def test_the_choice_about_a_revoke_is_kept_in_the_result(room: Room) -> None:
    room.revoke()
    page = room.get("e/5")
    hrefs = [a["href"] for a in page.select(".acts-l")[0].select("a")]
    asked = [(urlsplit(h).path[-2:], parse_qs(urlsplit(h).query)["do"]) for h in hrefs]
    assert asked == [("/5", ["rule"]), ("/4", ["rewind"]), ("/5", ["void"])]
    results = "有効にしました", "前まで戻しました", "無効にしました"
    for href, result in zip(hrefs, results, strict=True):
        seq = room.view.seq
        room.submit(room.get(href))
        assert result in words(room.get("score"))
        room.declare(f"table rewind {seq}")


def test_the_house_rule_about_revokes_comes_first(room: Room) -> None:
    lines = room.revoke().phone.get(room.address("record.txt")).text.split("\n\n")[1]
    room.open(WIDEST, "あかね 源五郎 北大路 みどり子 ほしの", lines, revoke_policy="void_deal")
    assert "do=void" in room.get("e/5").select(".acts-l")[0].select("a")[0]["href"]


def rewrite(room: Room, seq: int, line: str) -> None:
    """Entry ``seq`` becomes one that rules of another day wrote."""
    with room.ledger.store._transaction() as db:
        db.execute(
            "UPDATE entries SET line = ?, rules = '0' WHERE match = ? AND seq = ?",
            (line, room.match, seq),
        )
    room.ledger._matches.clear()


@pytest.mark.parametrize("line", ["B sing 6", "B lay", "nobody lay 6", "B lay 1x", "C lay 6"])
def test_a_record_that_no_longer_replays_can_be_read_and_rewound(room: Room, line: str) -> None:
    room.open("fancy", "A B C", FANCY)
    rewrite(room, 3, line)
    for path in (
        "",
        "log",
        "score",
        "result",
        "rules",
        "record.txt",
        *(f"e/{n}" for n in range(1, 6)),
    ):
        answer = room.phone.get(room.address(path).rstrip("/"))
        assert answer.status_code == 200, path
    assert line in room.phone.get(room.address("record.txt")).text
    assert "記録 3 から先は" in words(one(room.get("log"), "main > .warn"))
    page = room.get("e/3")
    assert "現在のルールでは再現できません" in words(one(page, ".warn"))
    page = room.get(one(page, ".warn a")["href"])
    room.submit(page)
    room.declare("B lay 8")
    assert [room.view.grammar.print(step.play) for step in room.log.steps()][-1] == "B lay 8"
