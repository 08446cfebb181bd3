"""The log: every entry readable, whatever has become of it."""

from time import thread_time

from reading_room import Room, one, words

from referee.games.simulation import WIDEST


def test_newest_first_with_words_and_marks(room: Room) -> None:
    page = room.revoke().get("log")
    rows = page.select(".ents > li")
    assert [int(words(one(row, ".nr"))) for row in rows] == list(range(10, 0, -1))
    assert words(one(rows[0], ".say")).startswith("みどり子 6")
    assert words(one(rows[9], ".say")) == "配る リードはあかね"
    assert [one(row, ".mk").text for row in rows] == list("○○○○○×○○○○")


def test_every_row_opens_its_entry(room: Room) -> None:
    links = room.revoke().get("log").select(".ents a")
    assert links
    for link in links:
        number = words(one(link, ".nr"))
        assert f"記録 {number}" in words(one(room.get(link["href"]), ".verdict"))


def test_runs_of_a_trick_are_headed_and_a_finished_one_names_its_winner(room: Room) -> None:
    heads = [words(head) for head in room.revoke().get("log").select("h2.sec")]
    assert heads == ["ラウンド 1・トリック 2", "ラウンド 1・トリック 1 あかね 4", "ラウンド 1"]


def test_a_finding_stands_on_top_and_at_its_entry(room: Room) -> None:
    page = room.revoke().get("log")
    found = one(page, ".found a")
    assert found["href"] == f"/t/{room.match}/e/5"
    assert "のちに記録10で反則が確定" in words(found)
    assert "のちに記録10で反則が確定" in words(one(page, "#e5"))


def test_an_undone_entry_is_struck_and_readable(room: Room) -> None:
    room.revoke().declare("table rewind 9")
    row = one(room.get("log"), "#e10")
    assert row["class"] == ["past"]
    assert words(one(row, "del")) == "みどり子 6"
    assert "戻したので無効" in words(row)
    assert "記録9まで戻りました" in words(one(room.get("log"), "#e11"))


def test_an_amended_entry_shows_both_cards(room: Room) -> None:
    room.revoke().declare("table amend 4 北大路 lay 10")
    page = room.get("log")
    assert words(one(page, "#e4 del")) == "北大路 9"
    assert words(one(page, "#e4")).endswith("北大路 10 記録11で訂正 ○")
    assert words(one(page, "#e11 .say")) == "記録4を訂正：北大路 10"
    assert one(page, "#e11 .mk").text == "訂"


def test_struck_inserted_and_ruled(room: Room) -> None:
    room.open("fancy", "A B C", "table deal leader=A\nA lay 5\nB lay 6\nC lay 7")
    room.declare("table strike 3")
    room.declare("table insert 4 B lay 1")
    room.declare("C lay 9", overrule=True)
    page = room.get("log")
    assert "取り消し済み（記録 5）" in words(one(page, "#e3.past"))
    assert "記録4の前に追加：B 1" in words(one(page, "#e6"))
    assert "卓の了承で有効（記録 8）" in words(one(page, "#e7"))
    assert "記録7を卓の了承で有効にしました" in words(one(page, "#e8"))


def test_deals_are_pages(room: Room) -> None:
    room.open("fancy", "A B C", "table deal leader=A", rounds="2").play_out()
    assert room.view.state.deal == 2
    page = room.get("log")
    assert one(page, ".toc .on").text == "ラウンド 2"
    newest, oldest = (int(words(row)) for row in page.select(".ents .nr")[::24])
    assert (newest, oldest) == (50, 26)
    first = room.get(page.select(".toc a")[1]["href"])
    assert {words(row) for row in first.select(".ents .nr")} == {str(n) for n in range(1, 26)}
    room.get("log?deal=3", 404)
    assert one(room.get("log?deal=x"), ".toc .on").text == "ラウンド 2"


def test_many_entries_come_page_by_page_and_fast(room: Room) -> None:
    seats = " ".join(f"s{i}" for i in range(30))
    room.open(WIDEST, seats, "table deal leader=s0").play_out(500)
    room.get("log")
    started = thread_time()
    page = room.get("log")
    assert thread_time() - started < 1
    numbers = [int(words(row)) for row in page.select(".ents .nr")]
    assert numbers == list(range(501, 351, -1))
    older = room.get(one(page, ".one-b a")["href"])
    assert words(older.select_one(".ents .nr")) == "351"


def test_an_empty_log(room: Room) -> None:
    page = room.open("fancy", "A B C").get("log")
    assert "まだ記録がありません" in words(one(page, ".void"))
    assert one(page, "a.btn")["href"] == f"/t/{room.match}"


def test_hostile_names_are_text(room: Room) -> None:
    name = "<script>alert(1)</script>"
    room.open("fancy", f"{name} B C")
    room.declare(f"table deal leader={name}")
    room.declare(f"{name} lay 5")
    for path in ("log", "e/1", "e/2", "correct/2?do=amend", "correct/2?do=strike", "score"):
        page = room.get(path)
        assert all(script.get("src") for script in page.select("script"))
        assert name in page.get_text()


def test_an_unknown_match(room: Room) -> None:
    assert "見つかりません" in words(one(room.get("/t/nobody/log", 404), "main"))
