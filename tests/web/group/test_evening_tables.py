"""The table of an evening and of a season, on pages."""

from __future__ import annotations

import io
import re
from datetime import datetime
from time import sleep
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient
from parsed import parsed

from referee.screens.wording import width

TABLE = """date,game,Ken,Mei,Aki
2026-11-28 19:00,UNO,120,80,80
2026-11-28 20:00,Catan,2位,1位,
2026-11-20 20:00,UNO,1,2,
"""


def brought_in(phone: FlaskClient, table: str) -> None:
    """The games of a table are in the group of this phone."""
    phone.post("/history/import", data={"file": (io.BytesIO(table.encode()), "evening.csv")})
    file = re.search(r'name="file" value="([^"]+)"', phone.get("/history/import/plays").text)
    assert file
    phone.post("/history/import/plays", data={"file": file[1]})
    while "Refresh" in phone.get("/history/work").headers:
        sleep(0.01)


@pytest.fixture
def phone(app: Flask) -> FlaskClient:
    phone = app.test_client()
    brought_in(phone, TABLE)
    return phone


def evening(phone: FlaskClient) -> str:
    found = re.findall(r'href="(/history/evening/\d+)"', phone.get("/history").text)
    return str(found[0])


def rows(text: str) -> list[list[str]]:
    table = parsed(text).select("table.evening tbody tr")
    return [[cell.get_text(" ", strip=True) for cell in row.select("th, td")] for row in table]


def test_people_and_games_of_an_evening(phone: FlaskClient) -> None:
    page = phone.get(evening(phone)).text
    assert rows(page) == [
        ["Ken 2ゲーム", "1 2", "2 0", "2"],
        ["Mei 2ゲーム", "2 ½", "1 1", "1½"],
        ["Aki 1ゲーム", "2 ½", "–", "½"],
    ]
    heads = parsed(page).select("table.evening thead th small")
    assert [head.get_text() for head in heads] == ["UNO", "Catan"]
    assert "点の合計" not in page


def test_the_rule_is_chosen_in_the_heading(phone: FlaskClient) -> None:
    page = phone.get(f"{evening(phone)}?by=wins").text
    assert [row[-1] for row in rows(page)] == ["1", "1", "0"]
    chosen = parsed(page).select_one('.chip[aria-current="true"]')
    assert chosen is not None
    assert chosen.get_text() == "勝ち数"
    assert phone.get(f"{evening(phone)}?by=points").status_code == 200


def test_who_is_here_plays_the_next_game(phone: FlaskClient) -> None:
    page = parsed(phone.get(evening(phone)).text)
    checked = [box["value"] for box in page.select('form.here input[name="name"][checked]')]
    assert checked == ["Ken", "Mei"]
    form = phone.get("/new?name=Ken&name=Mei").text
    assert 'value="Ken"' in form


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("?span=all", ["Ken", "Mei", "Aki"]),
        ("?span=own&from=2026-11-19&to=2026-11-21", ["Ken", "Mei"]),
        ("?span=own&from=2027-01-01", []),
        ("?span=own&from=nonsense&to=9999-12-31", ["Ken", "Mei", "Aki"]),
        ("?span=nonsense&by=wins", None),
    ],
)
def test_a_season(phone: FlaskClient, query: str, names: list[str] | None) -> None:
    answer = phone.get(f"/history/season{query}")
    assert answer.status_code == 200
    if names is not None:
        found = [link.get_text() for link in parsed(answer.text).select("table.evening th a")]
        assert sorted(found) == sorted(names)


def test_a_season_adds_evenings_up(phone: FlaskClient) -> None:
    shown = rows(phone.get("/history/season?span=all").text)
    # Ken: 2 + 0 + 0, Mei: ½ + 1 + 1
    assert [row[1:] for row in shown[:2]] == [
        ["Mei 2回　3ゲーム", "", "0.8", "2½"],
        ["Ken 2回　3ゲーム", "", "0.7", "2"],
    ]


def test_without_a_group_there_is_no_season(app: Flask) -> None:
    assert app.test_client().get("/history/season").status_code in (403, 404)


def test_the_start_page_has_the_evening_of_today(app: Flask) -> None:
    phone = app.test_client()
    assert "今日のゲーム会" not in phone.get("/").text
    today = datetime.now().astimezone()
    brought_in(phone, f"date,game,Ken,Mei\n{today:%Y-%m-%d},UNO,120,80\n")
    box = parsed(phone.get("/").text).select_one("a.tonight")
    assert box is not None
    said = box.get_text(" ", strip=True)
    assert "UNO" in said
    assert said.endswith("Ken 1 Mei 0")


PEOPLE = [f"Person {n}" for n in range(11)] + ["北大路ロマネスク三世閣下源五郎左衛門尉"]
GAMES = [
    "UNO",
    "スカイジョー",
    "Ticket to Ride: Europe",
    "麻雀",
    "ニムト",
    "Go",
    "七並べ",
    "Wizard",
]


def test_the_evening_as_a_picture(phone: FlaskClient) -> None:
    page = phone.get(evening(phone)).text
    [link] = parsed(page).select('a[href*="/picture"]')
    sending = parsed(phone.get(str(link["href"])).text)
    [send] = sending.select("a[data-card]")
    assert send["data-card"] == "fudami-2026-11-28.png"
    assert [one["src"] for one in sending.select("img.drawn")] == [send["href"]]
    drawn = ElementTree.fromstring(phone.get(str(send["href"])).text)
    said = [part.text for part in drawn.iter() if part.tag.endswith("}text")]
    for seen in ("2026年11月28日", "19:00", "UNO", "Catan", "Ken", "Mei", "Aki", "1½", "½", "札"):
        assert any(seen in str(text) for text in said), seen


@pytest.mark.parametrize(
    ("naming", "shown", "hidden"),
    [("initials", {"K", "M", "A"}, {"Ken", "Mei", "Aki"}), ("none", set(), {"Ken", "K", "Mei"})],
)
def test_a_picture_without_names(
    phone: FlaskClient, naming: str, shown: set[str], hidden: set[str]
) -> None:
    picture = phone.get(f"{evening(phone)}/picture.svg?names={naming}").text
    said = {part.text for part in ElementTree.fromstring(picture).iter()}
    assert shown <= said
    assert not hidden & said
    assert "Ken" not in picture


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_picture_has_room_for_twelve_people_and_eight_games(app: Flask, lang: str) -> None:
    phone = app.test_client()
    lines = [
        f"2026-11-28 1{n}:00,{game}," + ",".join(map(str, range(12)))
        for n, game in enumerate(GAMES)
    ]
    brought_in(phone, "\n".join([",".join(["date", "game", *PEOPLE]), *lines]))
    picture = phone.get(f"{evening(phone)}/picture.svg?lang={lang}").text
    drawn = ElementTree.fromstring(picture)
    wide, high = int(drawn.attrib["width"]), int(drawn.attrib["height"])
    texts = [
        part
        for part in drawn.iter()
        if part.tag.endswith("}text") and part.text and "x" in part.attrib
    ]
    places = [part for part in texts if part.attrib.get("font-size") == "25"]
    assert len(places) == len(PEOPLE) * len(GAMES)
    for part in texts:
        size = width(str(part.text)) * float(part.attrib.get("font-size", 28)) / 2
        x, anchor = float(part.attrib["x"]), part.attrib.get("text-anchor")
        begins = x - size if anchor == "end" else x - size / 2 if anchor == "middle" else x
        assert begins >= 0, part.text
        assert begins + size <= wide, part.text
        assert float(part.attrib["y"]) < high
    names = [
        part
        for part in texts
        if part.attrib.get("font-weight") == "600" and part.attrib["x"] == "64"
    ]
    long = sum(width(name) > 14 for name in PEOPLE)
    assert long
    assert len(names) == 1 + len(PEOPLE) + long  # the heading, and long names on two lines
    for part in names[1:]:
        em = sum(0.65 if width(letter) == 1 else 1 for letter in str(part.text))
        assert em * float(part.attrib["font-size"]) <= 190, part.text


def test_a_picture_of_no_evening(phone: FlaskClient) -> None:
    assert phone.get("/history/evening/999/picture.svg").status_code == 404
