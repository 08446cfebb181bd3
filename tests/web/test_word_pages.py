"""Looking words up, and agreeing on them; what the app is made of."""

from __future__ import annotations

import pytest
from reading_room import Room, one, words

from referee.games.simulation import WIDEST
from referee.web.site.about import LICENCES


@pytest.mark.parametrize(
    ("question", "marks", "heading"),
    [
        ("日本", ["○"], ["標準の辞書では"]),
        ("生口", ["×"], ["標準の辞書には入らない"]),
        ("牛面", ["×"], ["この辞書にはない"]),
        ("日本　人々 日本", ["○", "○"], ["標準の辞書では", "標準の辞書では"]),
    ],
)
def test_a_word(room: Room, question: str, marks: list[str], heading: list[str]) -> None:
    page = room.get(f"/words?q={question}")
    assert [words(mark) for mark in page.select(".verdict > .mk")] == marks
    assert [words(text) for text in page.select(".verdict .at")] == heading


def test_what_the_list_says(room: Room) -> None:
    page = room.get("/words?q=東京")
    assert "とうきょう" in words(one(page, ".verdict"))
    assert words(one(page, ".says")) == "Tokyo"
    names, values = (page.select(f".facts {part}")[:4] for part in ("dt", "dd"))
    assert [(words(a), words(b)) for a, b in zip(names, values, strict=True)] == [
        ("厳格", "使えない"),
        ("標準", "使える"),
        ("寛大", "使える"),
        ("2つの辞書が要るとき", "使える"),
    ]
    assert not page.select(".facts .mk")  # beside these names a ring looks like a button to choose
    assert "人名・地名・ものの名前" in words(one(page, ".facts"))
    assert "JMdict" in words(one(page, ".sources"))  # as its licence asks of every such page


def test_three_kanji_that_are_no_word(room: Room) -> None:
    page = room.get("/words?q=日本音")
    links = [link["href"] for link in page.select(".word .note a")]
    assert [room.get(link).select_one("h1.form").text for link in links] == ["日本", "本音"]


@pytest.mark.parametrize("question", ["がっこう", "ガッコウ", "ｶﾞｯｺｳ"])
def test_a_reading(room: Room, question: str) -> None:
    page = room.get(f"/words?q={question}")
    assert "学校" in [words(form) for form in page.select(".rows .form")]
    assert f"「{question}」" in words(page.select("h2")[-1])


def test_nothing_found(room: Room) -> None:
    for question in [
        "々人",
        "日",
        "abc",
        "<b>日本",
        "日本語学校",
        "ぬぬぬぬ",
        "%F0%9F%92%A9",
        "%ED%A0%80",
    ]:
        page = room.get(f"/words?q={question}")
        assert words(one(page, ".void h2")) == "見つかりません"


def test_an_agreement_comes_before_the_list_and_can_be_taken_back(room: Room) -> None:
    assert "まだありません" in words(room.get("/words"))
    for form, counts in (("日本", "no"), ("牛面", "yes"), ("牛面", "yes")):
        answer = room.post("/words", 303, form=form, counts=counts)
    page = room.get(answer.headers["Location"])
    assert words(one(page, ".verdict .at")) == "ハウスルールでは"
    assert len(page.select(".agreed li")) == 1
    assert words(one(page, ".decide .on")) == "使える"
    assert [words(row) for row in room.get("/words").select(".rows .form")] == ["牛面", "日本"]
    room.post("/words", 303, form="日本", counts="dictionary")
    page = room.get("/words?q=日本")
    assert words(one(page, ".verdict .at")) == "標準の辞書では"
    assert len(page.select(".agreed li")) == 2
    assert [words(row) for row in room.get("/words").select(".rows .form")] == ["牛面"]


def test_an_agreement_of_a_table_leads_to_it(room: Room) -> None:
    room.open(WIDEST, "A B C")
    room.ledger.store.shelf.learn(room.match, {"牛面": False})
    room.get("/")  # this phone's circle adopts it
    page = room.get("/words?q=牛面")
    assert one(page, ".agreed a")["href"] == f"/t/{room.match}"
    assert words(one(page, ".agreed a")) == "A・B・C"
    assert "A・B・C" in words(one(room.get("/words"), ".rows"))


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"form": "日本"},
        {"form": "日本", "counts": "perhaps"},
        {"form": "々人", "counts": "yes"},
        {"form": "にほん", "counts": "yes"},
        {"form": "日本日本", "counts": "yes"},
    ],
)
def test_an_agreement_that_can_not_be_read(room: Room, fields: dict[str, str]) -> None:
    room.post("/words", 400, **fields)
    assert room.ledger.store.shelf.agreements() == []


def test_about_acknowledges_what_it_is_made_of(room: Room) -> None:
    page = room.get("/about")
    for name in ("MIT", "htmx", "JMdict", "EDRDG", "CC BY-SA 3.0", "UniDic", "IPADIC", "KANJIDIC2"):
        assert name in words(page)
    for name in LICENCES:
        address = f"/about/{name}.txt"
        assert page.select(f'a[href="{address}"]')
        assert room.phone.get(address).content_type == "text/plain; charset=utf-8"
    assert "NO WARRANTY" in room.phone.get("/about/IPADIC.txt").text
    room.get("/about/passwd.txt", 404)


def test_the_way_there(room: Room) -> None:
    addresses = {link["href"] for link in room.get("/").select("a")}
    assert {"/words", "/decks", "/about"} <= addresses
