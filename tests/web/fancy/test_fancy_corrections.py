"""Corrections in Fancy: a shown hand, and a card that changes nothing else."""

from reading_room import Room, words


def test_a_shown_hand_is_corrected_card_by_card(room: Room) -> None:
    room.open("fancy", "A B C", "table deal leader=A\nA show 1 2 3 4 5 6 7 8")
    for page in (room.get("e/2"), room.get("correct/2?do=amend")):
        rows = page.select(".cards-p")
        likely = [row for row in rows if not row.select(".off")]
        assert [row["aria-label"] for row in likely] == [f"{n}　正しいカード" for n in range(1, 9)]
        assert rows[:8] == likely, "rows of illegal cards come last"
        [nine] = (key for key in likely[7].select("a") if key.get_text(strip=True) == "9")
    room.submit(room.get(nine["href"]))
    assert room.view.state.hands.shown["A"][8] == 1


def test_nothing_else_changes(room: Room) -> None:
    room.open("fancy", "A B C", "table deal leader=A\nA lay 5\nB lay 6")
    page = room.get("correct/3?do=amend&line=B lay 7")
    assert [words(row) for row in page.select(".diff tbody tr")] == ["3 B 6 ○ 7 ○"]
    assert "得点と、以降の記録の判定は変わりません。" in words(page)
    assert not page.select(".warn")
