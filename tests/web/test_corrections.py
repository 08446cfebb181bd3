"""Corrections: seen first, then made, once."""

import pytest
from chosen_games import some_seats
from plain_log import alike
from reading_room import Room, one, words

from referee.games import GAMES
from referee.games.simulation import played
from referee.web.review import alternatives


def test_three_taps_from_the_log_to_an_amended_card(room: Room) -> None:
    room.revoke()
    entry = room.get(one(room.get("log"), "#e3 a")["href"])
    key = next(key for key in entry.select(".picks a") if key.text.strip() == "2")
    room.submit(room.get(key["href"]))
    assert room.log.entries[-1] == room.view.grammar.parse("table amend 3 源五郎 lay 2")


@pytest.mark.parametrize("name", GAMES)
def test_every_entry_can_be_corrected_and_inserted_by_keys(room: Room, name: str) -> None:
    """Nobody has to write a line of the record, whatever was entered."""
    seats = some_seats(name, ("A", "B", "C"))
    log = played(GAMES[name], seats, 3, most=60)
    room.open(name, " ".join(seats))
    for entry in log.entries:
        room.declare(room.view.grammar.print(entry))
    view = room.view
    for step in view.log.steps():
        before = step.before.state if step.before else view.log.start
        picks = alternatives.instead(view, before, step.play)
        assert picks.of_cards or {group.field for group in picks.named} - {"seat"}, step.play
        assert alternatives.missing(view, before).of_cards, step.play


def test_the_keys_say_what_the_judge_says(room: Room) -> None:
    keys = room.revoke().get("correct/4?do=amend").select(".picks .key")
    assert [key["class"][1:] for key in keys] == [
        *([], [], []),
        ["off"],
        *([], []),
        ["off"],
        [],
        ["on"],
        [],
    ]
    assert one(room.get("correct/4?do=amend"), ".picks .on").get("href") is None


def test_another_seat_is_one_tap_more(room: Room) -> None:
    page = room.revoke().get("correct/4?do=amend")
    assert one(page, ".chip.on").text == "北大路"
    chip = next(chip for chip in page.select(".chip") if chip.text == "ほしの")
    keys = room.get(chip["href"]).select(".picks .key")
    assert {key["class"][1] for key in keys} == {"off"}  # not their turn, and still to be chosen
    page = room.get(keys[5]["href"])
    assert words(one(page, ".edit")).startswith("4 北大路 9 ほしの 6")


def test_what_is_missing_is_sought_from_the_seat_that_was_due(room: Room) -> None:
    page = room.revoke().get("correct/4?do=insert")
    assert one(page, ".chip.on").text == "北大路"
    assert len(page.select(".picks a[href]")) == 10
    assert one(page, ".chip.on")["aria-current"] == "true"


def test_a_deal_is_corrected_to_another_leader(room: Room) -> None:
    page = room.revoke().get("correct/1?do=amend")
    assert [words(key) for key in page.select(".picks .key")][:2] == ["あかね 記録済み", "源五郎"]
    page = room.get(page.select(".picks a[href]")[0]["href"])
    assert "以降の9件も、本来の手番の人の記録に付け替えます。" in words(one(page, ".along"))
    page = room.get(one(page, ".along a")["href"])
    assert "2 あかね 4" in words(one(page, ".warn"))


def test_the_preview_is_what_then_happens(room: Room) -> None:
    room.revoke()
    preview = room.ledger.preview(room.match, "table amend 3 源五郎 lay 2")
    page = room.get("correct/3?do=amend&line=源五郎 lay 2")
    before, after = ([words(card) for card in drawn.select("li")] for drawn in page.select(".asit"))
    assert before[:2] == ["4 あかね 勝ち", "7 源五郎 裏返し"]
    assert after[:2] == ["4 あかね", "2 源五郎 勝ち"]
    assert before[2:4] == ["9 北大路", "7 みどり子 裏返し"]
    assert after[2:] == ["9 北大路", "7 みどり子", "5 ほしの"]
    rows = [words(row) for row in page.select(".diff tbody tr")]
    assert rows == [
        "3 源五郎 7 ○ 2 ○",
        "5 みどり子 7 △ ○",
        "7 あかね 3 ○ ×",
        "トリック 1 あかね 4 源五郎 2",
        "あかねの合計 4点 0点",
        "源五郎の合計 0点 2点",
    ]
    room.submit(page)
    assert room.view.state == preview.after.state
    assert alike(room.view.moment.step, preview.after.moment.step)
    assert {s: t for s, t in room.view.state.totals.items() if t} == {"源五郎": 2}


def test_the_first_entry_that_no_longer_stands(room: Room) -> None:
    page = room.revoke().get("correct/3?do=amend&line=源五郎 lay 2")
    warning = words(one(page, ".warn"))
    assert warning.startswith("× 記録 7 あかね 3 ここから先が合わなくなります。")
    assert "記録7から後ろも消えません。" in warning


def test_rewinding_and_coming_back(room: Room) -> None:
    room.revoke()
    page = room.get("correct/6?do=rewind")
    assert "記録 7–10 有効 無効" in words(one(page, ".diff"))
    room.submit(page)
    assert room.view.state.number == 2
    page = room.get("correct/10?do=rewind")
    assert "記録 7–10 無効 有効" in words(one(page, ".diff"))
    room.submit(page)
    assert room.view.state == room.log.moment(10).step.state


def test_letting_a_revoke_stand_changes_no_verdict(room: Room) -> None:
    room.revoke()
    page = room.get("correct/5?do=rule")
    assert [words(head) for head in page.select("h2")] == [
        "場は変わりません ラウンド 1・トリック 1"
    ]
    room.submit(page)
    assert room.view.step(5).ruled == 11


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("correct/11?do=strike", "記録11は、カードを出した記録でも配った記録でもありません。"),
        ("correct/11?do=amend", "記録11は、カードを出した記録でも配った記録でもありません。"),
        ("correct/10?do=amend", "記録10は、いま無効です。"),
        ("correct/10?do=insert", "記録10は、いま無効です。"),
        (
            "correct/3?do=insert&line=源五郎 lay 11",
            "このデッキの数字は1から10まで。11はありません。",
        ),
    ],
)
def test_a_correction_that_cannot_be_is_explained(room: Room, path: str, why: str) -> None:
    room.revoke().declare("table rewind 9")
    page = room.get(path)
    assert why in words(one(page, ".warn"))
    assert not page.select("button.go")


def test_a_refused_correction_is_not_recorded(room: Room) -> None:
    room.revoke()
    fields = {"line": "table strike 99", "seen": "10", "key": "a-fresh-key"}
    page = room.soup(room.post("correct", 200, **fields))
    assert "記録99はありません。" in words(one(page, ".warn"))
    assert room.view.seq == 10


def test_somebody_else_was_faster(room: Room) -> None:
    room.revoke()
    page = room.get("correct/4?do=amend&line=北大路 lay 10")
    room.declare("ほしの lay 2")
    page = room.soup(room.submit(page, 409), 409)
    assert "ほかのスマホが先に記録しました" in words(one(page, ".warn[role=alert]"))
    assert one(page, "[name=seen]")["value"] == "11"
    assert room.view.seq == 11
    room.submit(page)
    assert room.view.seq == 12


def test_a_double_tap_is_one_correction(room: Room) -> None:
    page = room.revoke().get("correct/4?do=amend&line=北大路 lay 10")
    room.submit(page)
    room.submit(page)
    assert room.view.seq == 11


def test_every_preview_has_its_own_key(room: Room) -> None:
    room.revoke()
    keys = {one(room.get("correct/4?do=strike"), "[name=key]")["value"] for _ in range(5)}
    assert len(keys) == 5


@pytest.mark.parametrize(
    "wrong",
    [
        {"line": ""},
        {"line": "ほしの lay 2"},
        {"line": "table strike 4\ntable strike 5"},
        {"line": "table strike four"},
        {"line": "table amend 4 nobody lay 2"},
        {"seen": ""},
        {"seen": "ten"},
        {"seen": "9" * 5000},
        {"key": ""},
        {"key": "a b"},
    ],
)
def test_what_is_no_correction_is_unreadable(room: Room, wrong: dict[str, str]) -> None:
    room.revoke()
    fields = {"line": "table strike 4", "seen": "10", "key": "a-fresh-key", **wrong}
    page = room.soup(room.post("correct", 400, **fields), 400)
    assert "読み取れません" in words(one(page, "h1"))
    assert room.view.seq == 10


def test_words_that_cannot_be_read_can_be_mended(room: Room) -> None:
    page = room.revoke().get("correct/4?do=amend&line=北大路 lay <b>x", 400)
    assert "「<b>x」はカードの数字として読めません。" in words(one(page, ".warn[role=alert]"))
    assert one(page, "#line")["value"] == "北大路 lay <b>x"


@pytest.mark.parametrize("query", ["do=explode", "do=amend&line=" + "9*9999 " * 300])
def test_other_wishes_are_unreadable(room: Room, query: str) -> None:
    room.revoke().get(f"correct/4?{query}", 400)


def test_a_correction_needs_a_form(room: Room) -> None:
    room.revoke().get("correct", 405)
    room.post("correct/4", 405)
