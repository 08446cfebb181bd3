"""An entry: verdict, clause, evidence, the table then, and what can be done."""

from urllib.parse import parse_qs, urlsplit

import pytest
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


def test_a_legal_card(room: Room) -> None:
    page = room.revoke().get("e/4")
    assert one(page, ".verdict > .mk").text == "○"
    assert one(page, "h1").text == "北大路 9"
    assert "記録 4 ラウンド 1・トリック 1" in words(one(page, ".verdict"))
    assert words(one(page, ".clause .id")) == "follow.1 補 P7 ルールを見る"
    assert one(page, ".clause a")["href"] == f"/t/{room.match}/rules#follow.1"
    assert evidence(page) == [("·", "このトリックに9は出ていません。")]
    assert [words(card) for card in page.select(".asit li")] == [
        "4 あかね",
        "7 源五郎",
        "9 北大路",
        "みどり子",
        "ほしの",
    ]
    assert one(page, ".asit .at").text == "9"
    assert actions(page) == [*PLAY[:3], "rewind", *PLAY[3:]]


def test_a_proven_revoke(room: Room) -> None:
    page = room.revoke().get("e/5")
    assert one(page, ".verdict > .mk.no").text == "×"
    assert "出したときは △ のちに記録10で反則が確定" in words(one(page, ".verdict"))
    assert [number for number, _ in evidence(page)] == ["3", "5", "10", "·"]
    assert one(page, ".asit .hit").text == "7"
    findings = ["rule", "rewind", "void"]
    assert actions(page) == [*findings, "adjust", *PLAY[:3], "rewind", "contest", "what-if"]


def test_a_revoke_that_the_table_lets_stand(room: Room) -> None:
    room.revoke().declare("table rule 5 stands")
    page = room.get("e/5")
    assert "卓の了承で有効な記録です。 記録 11" in words(page)
    assert "rule" not in actions(page)


def test_an_undone_entry_offers_the_way_back(room: Room) -> None:
    room.revoke().declare("table rewind 8")
    page = room.get("e/10")
    assert one(page, ".verdict")["class"] == ["verdict", "past"]
    assert one(page, ".fate a")["href"] == f"/t/{room.match}/e/11"
    assert actions(page) == ["rewind", "what-if"]
    assert actions(room.get("e/8")) == PLAY  # the table stands here
    assert actions(room.get("e/11")) == []


def test_a_struck_entry_says_by_what(room: Room) -> None:
    room.revoke().declare("table strike 10")
    page = room.get("e/10")
    assert "取り消し済みです。 記録 11" in words(one(page, ".fate"))
    assert actions(page) == ["rewind", "what-if"]


def test_a_correction_says_what_it_did(room: Room) -> None:
    room.revoke().declare("table amend 4 北大路 lay 10")
    page = room.get("e/11")
    assert one(page, ".verdict > .mk").text == "訂"
    assert words(one(page, "h1")) == "記録4を訂正：北大路 10"
    assert one(page, ".clause .id span").text == "log.2"
    assert actions(page) == []
    room.declare("ほしの lay 2")
    assert actions(room.get("e/11")) == ["rewind"]


def test_the_opinion_of_the_day_is_shown_where_it_differs(room: Room) -> None:
    room.revoke()
    assert "記録したときは" not in words(room.get("e/4"))
    with room.ledger.store._transaction() as db:
        db.execute(
            "UPDATE entries SET verdict = 'unprovable', rules = '0' WHERE match = ? AND seq = 4",
            (room.match,),
        )
    given = one(room.get("e/4"), ".fate")
    assert words(given).startswith(
        "記録したときは △ follow.1 ルールのバージョン 0 現在のルール（バージョン "
    )


def test_neighbours(room: Room) -> None:
    room.revoke()
    assert [link["href"][-2:] for link in room.get("e/2").select(".beside [rel]")] == ["/1", "/3"]
    assert [link["rel"] for link in room.get("e/1").select(".beside [rel]")] == [["next"]]
    assert [link["rel"] for link in room.get("e/10").select(".beside [rel]")] == [["prev"]]
    assert one(room.get("e/2"), ".top > a")["href"] == f"/t/{room.match}/log?deal=1#e2"


@pytest.mark.parametrize("number", ["0", "11", "-1", "x", "²", "9" * 5000])
def test_an_unknown_number(room: Room, number: str) -> None:
    room.revoke()
    for path in (f"e/{number}", f"correct/{number}?do=strike"):
        assert f"記録{number[:9]}はありません。" in words(one(room.get(path, 404), "main"))


def test_all_that_is_offered_works(room: Room) -> None:
    room.revoke()
    for do in ("amend", "strike", "insert", "rewind", "rule"):
        before = room.view.seq
        link = next(a for a in room.get("e/5").select(".acts-l a") if a["href"].endswith(f"={do}"))
        page = room.get(link["href"])
        if do in ("amend", "insert"):
            page = room.get(page.select(".picks a[href]")[3]["href"])
        answer = room.submit(page)
        assert answer.headers["Location"] == f"/t/{room.match}"
        assert room.view.seq == before + 1
        room.declare("table rewind 10")


def test_english(room: Room) -> None:
    page = room.revoke().get("e/5", **{"Accept-Language": "en"})
    assert one(page, "html")["lang"] == "en"
    assert "played by 源五郎" in words(one(page, ".evi"))
