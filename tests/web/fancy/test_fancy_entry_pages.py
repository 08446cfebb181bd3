"""Pages of entries of Fancy: declarations, overruled and illegal cards."""

from urllib.parse import parse_qs, urlsplit

from bs4 import BeautifulSoup
from reading_room import Room, one, words

PLAY = ["amend", "strike", "insert", "void", "contest", "what-if"]


def actions(page: BeautifulSoup) -> list[str]:
    """What can be done, by the verb of a correction or by the name of the page."""
    links = [urlsplit(link["href"]) for link in page.select(".acts-l a")]
    return [parse_qs(link.query).get("do", [link.path.split("/")[3]])[0] for link in links]


def evidence(page: BeautifulSoup) -> list[tuple[str, str]]:
    rows = page.select(".evi li")
    return [(words(one(row, ".no-l")), words(row.select(":scope > span")[-1])) for row in rows]


def test_a_declaration_links_to_what_it_answers(room: Room) -> None:
    page = room.open("fancy", "A B C", "table deal leader=A\nA lay 10\nB lay 10").get("e/3")
    assert one(page, ".verdict > .mk").text == "△"
    assert evidence(page) == [
        ("2", "このトリックに10が出ています（A）。"),
        ("·", "Bは「手札に1–9は1枚もない」と申告しました。"),
        ("·", "Bはもう出ている10を出したので、このトリックを棄権し、0点です。"),
    ]
    assert one(page, ".evi a")["href"] == f"/t/{room.match}/e/2"


def test_an_overruled_card(room: Room) -> None:
    room.open("fancy", "A B C", "table deal leader=A").declare("B lay 9", overrule=True)
    page = room.get("e/2")
    assert one(page, ".verdict > .mk").text == "×"
    assert one(page, ".clause .id span").text == "turn.1"
    assert words(one(page, ".fate")) == "卓の了承で有効な記録です。 記録 3"
    assert actions(page) == [*PLAY[:3], "rewind", *PLAY[3:]]
    assert actions(room.get("e/3")) == []


def test_an_illegal_card_in_force_can_be_let_stand(room: Room) -> None:
    room.open("fancy", "A B C", "table deal leader=A\nA lay 5\nB lay 6\nC lay 7")
    room.declare("table amend 3 C lay 6")
    page = room.get("e/3")
    assert one(page, ".verdict > .mk").text == "×"
    assert "最初の記録は B 6 記録5で訂正しました" in words(one(page, ".fate"))
    assert [words(card) for card in page.select(".asit li")] == ["5 A", "6 C 無効なカード", "B"]
    assert "rule" in actions(page)
    assert "rule" not in actions(room.get("e/2"))


def test_where_the_table_allows_no_rulings_none_is_offered(room: Room) -> None:
    room.open("fancy", "A B C", "table deal leader=A\nA lay 5\nB lay 6", allow_override="off")
    room.declare("table amend 3 C lay 6")
    assert "rule" not in actions(room.get("e/3"))
