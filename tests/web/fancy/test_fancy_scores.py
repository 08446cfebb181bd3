"""Score, result card, record file."""

import pytest
from chosen_games import some_seats
from reading_room import Room, one, words

from referee.core.record import read
from referee.games import GAMES
from referee.games.simulation import WIDEST
from referee.screens import screen

DEAL = "table deal leader=A"


def fancy(room: Room, seed: int = 0, **options: str) -> Room:
    return room.open("fancy", "A B C", DEAL, **options).play_out(seed=seed)


def test_a_running_match_shows_what_is_certain(room: Room) -> None:
    page = room.revoke().get("score")
    assert one(page, "h1").text == "いまの得点"
    assert "終わったトリックまでの得点です。いまのトリックは入っていません。" in words(page)
    ranks = [words(row) for row in page.select(".standing li")]
    assert ranks[0] == "1 あかね 4"
    assert ranks[1:] == [f"2 {seat} 0" for seat in ("源五郎", "北大路", "みどり子", "ほしの")]
    assert not page.select(".standing .w")


@pytest.mark.parametrize("game", [name for name in GAMES if not screen(name).draws_tricks])
@pytest.mark.parametrize("most", [1, 2])
def test_no_game_without_tricks_to_score_speaks_of_them(room: Room, game: str, most: int) -> None:
    page = room.open(game, " ".join(some_seats(game, "ABC"))).play_out(most, seed=3).get("score")
    notes = [words(note) for note in page.select("main > .note, .void p")]
    assert not [each for each in notes if "トリック" in each]


def test_the_winner_alone_is_gold(room: Room) -> None:
    page = fancy(room).get("score")
    totals = room.view.state.totals
    winner = max(totals, key=lambda seat: totals[seat])
    assert one(page, "h1").text == f"{winner}の勝ち"
    assert words(one(page, ".standing .w")) == f"1 {winner} 勝ち {totals[winner]}"
    assert {words(row).split()[1] for row in page.select(".standing li")} == set(totals)


def test_fancy_shows_every_card_and_what_it_brought(room: Room) -> None:
    page = fancy(room, rounds="2").get("score")
    tables = page.select("table.tricks")
    assert len(tables) == 2
    shown = [int(words(cell)) for table in tables[::-1] for cell in table.select("tbody td b")]
    lines = room.view.game.score(room.view.state).lines
    by_seat = sorted(lines, key=lambda line: (line.deal, line.seat, line.trick))
    assert shown == [line.points for line in by_seat]
    cards = [words(card) for card in tables[1].select("tbody tr:first-child .pc")]
    entries = room.log.entries[1:25]
    laid = [entry for entry in entries if entry.seat == "A"]  # type: ignore[attr-defined]
    assert cards == [str(entry.rank) for entry in laid]  # type: ignore[attr-defined]
    sums = {words(row.th): int(words(one(row, ".sum"))) for row in tables[0].select("tbody tr")}
    assert sums == {
        seat: sum(line.points for line in lines if line.deal == 2 and line.seat == seat)
        for seat in "ABC"
    }


def test_perite_shows_the_winning_cards_and_the_bonus(room: Room) -> None:
    room.open(WIDEST, "A B C", DEAL, rounds="1").play_out(seed=0)
    rows = [words(row) for row in room.get("score").select(".won-t tbody tr")]
    assert rows == ["A 3 3 2 2 5", "B 3 3 3 3 +6 12", "C 1 1 4 4 5"]


def test_the_arithmetic_line_by_line(room: Room) -> None:
    page = fancy(room, rounds="1").get("score")
    sheet = room.view.game.score(room.view.state)
    shown = [int(words(points)) for points in page.select(".calc-l .n")]
    assert shown == [line.points for line in sheet.lines]
    row = page.select(".calc-l a")[0]
    assert "score." in words(row)
    entry = room.get(row["href"])
    assert one(entry, "h1").text.startswith(words(one(row, "b:first-child")))


def test_a_tie_says_how_it_was_decided(room: Room) -> None:
    page = fancy(room, 4, rounds="1").get("score")
    table = room.get(f"/t/{room.match}")
    assert one(page, "h1").text == one(table, "h1").text == "A・Cの同点優勝"
    assert one(table, "title").text.startswith("A・Cの同点優勝")
    assert [words(step) for step in page.select(".trail li")] == [
        "A・Cが21点で並びました。",
        "A・Cの同点優勝。",
    ]
    assert any(link["href"].endswith("/rules#tie.1") for link in page.select(".sec a"))
    assert len(page.select(".standing .w")) == 2
    card = room.get("result")
    assert [words(name) for name in card.select(".names > span")] == ["A", "C"]
    assert "A・Cの同点優勝。" in words(one(card, ".rank"))


def test_the_first_in_seat_order_stands_alone(room: Room) -> None:
    page = fancy(room, 4, rounds="1", final_tie="first_in_seat").get("score")
    assert one(page, "h1").text == one(room.get(f"/t/{room.match}"), "h1").text == "Aの勝ち"
    assert [words(row) for row in page.select(".standing li")] == [
        "1 A 勝ち 21",
        "2 C 21",
        "3 B 18",
    ]


def test_rulings_and_findings_are_listed(room: Room) -> None:
    room.revoke().declare("ほしの lay 2")
    room.declare("北大路 lay 1", overrule=True)
    page = room.get("score")
    rulings, found = page.select(".rulings")
    assert "北大路 1 記録 12" in words(rulings)
    assert "のちに記録10で反則が確定 この卓のハウスルール：そのつど卓で決める" in words(found)
    room.declare("table rule 5 stands")
    assert "卓の了承で有効にしました" in words(room.get("score").select(".rulings")[1])


def test_before_the_first_trick(room: Room) -> None:
    page = room.open(WIDEST, "A B").get("score")
    assert "まだ得点がありません" in words(one(page, ".void"))
    assert not page.select("table, .rulings")


def test_the_result_waits_for_the_end(room: Room) -> None:
    page = room.revoke().get("result")
    assert "まだ決着していません" in words(page)
    assert not page.select(".scroll")


def test_the_result_card(room: Room) -> None:
    page = fancy(room, date="2025-11-12").get("result")
    totals = room.view.state.totals
    order = sorted(totals, key=lambda seat: -totals[seat])
    assert [words(rank).split()[:2] for rank in page.select(".rank > li:not(.more)")] == [
        ["1", order[0]],
        ["2", order[1]],
        ["3", order[2]],
    ]
    assert "2025年11月12日" in words(one(page, ".about"))
    assert words(one(page, ".names")) == order[0]
    assert one(page, ".seal")["aria-label"] == "札見之印"
    again = one(page, "a.again")["href"]
    assert again == f"/new?like={room.match}"
    assert room.get(again)


def test_a_date_in_other_words_and_tongues(room: Room) -> None:
    fancy(room, date="2025-11-12")
    assert "12 November 2025" in words(room.get("result", **{"Accept-Language": "en"}))
    assert "2025年11月12日" in words(room.get("score"))
    fancy(room, date="冬至のころ")
    assert "冬至のころ" in words(room.get("result"))


def test_a_hundred_people_fit_the_card(room: Room) -> None:
    seats = " ".join(f"s{i}" for i in range(100))
    room.open(WIDEST, seats, "table deal leader=s0", rounds="1")
    page = room.get("score")
    assert len(page.select(".standing li")) == 100


def test_the_record_can_be_read_again(room: Room) -> None:
    room.revoke().declare("table rewind 9")
    answer = room.phone.get(room.address("record.txt"))
    assert answer.content_type == "text/plain; charset=utf-8"
    name = f"attachment; filename={WIDEST}-{room.match[:8]}.txt"
    assert answer.headers["Content-Disposition"] == name
    record = read(answer.data, GAMES)
    assert record.header == room.view.header
    assert [written.entry for written in record.entries] == room.log.entries


@pytest.mark.parametrize("page", ["score", "result", "record.txt"])
def test_an_unknown_match(room: Room, page: str) -> None:
    room.get(f"/t/nobody/{page}", 404)
