"""Quick checks of games from files: cards on others, and one more card in a row."""

from __future__ import annotations

import pytest
from asking import ask, heads, offered, totals
from flask import Flask
from phones import Phone, one, soup
from reading_room import words

from referee.kit import shipped

NAMES = {game.KEY: name for name, game in shipped.games().items()}
ASKED = ("daifugo", "president", "big_two", "dou_dizhu", "seven_apart")


def answer(app: Flask, key: str, lang: str = "ja", **fields: str) -> str:
    """The title of the last answer, with its clause."""
    page = ask(app, NAMES[key], lang=lang, **fields)
    return f"{heads(page)[-1]} {words(page.select('.answer .clause .id')[-1].select('span')[0])}"


@pytest.mark.parametrize("key", ASKED)
def test_the_rules_of_each_file_lead_to_its_check(app: Flask, key: str) -> None:
    client = app.test_client()
    href = f"/check/{NAMES[key]}"
    assert client.get(f"/rules/{NAMES[key]}").text.count(f'href="{href}"') == 1
    assert f'href="{href}"' in client.get("/check").text
    assert offered(soup(client.get(href)))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"lies": "S9", "lay": "S10"}, "出せます combo.set"),
        ({"lies": "S9", "lay": "H8"}, "出せません follow.2"),
        ({"lies": "S9", "lay": "H8", "order": "deal"}, "出せます combo.set"),
        ({"lies": "S9", "lay": "H8", "order": "trick"}, "出せます combo.set"),
        ({"lies": "S9", "locked": "S", "lay": "HJ"}, "出せません lock.1"),
        ({"lies": "S9", "locked": "S", "lay": "HJ", "lock": "off"}, "出せます combo.set"),
        ({"lies": "S9", "steps": "on", "rank": "yes", "lay": "SJ"}, "出せません lock.2"),
        ({"lies": "XB", "lay": "S3"}, "出せます beat.spade3"),
        ({"lies": "XB", "lay": "S3", "spade3": "off"}, "出せません follow.2"),
        ({"lies": "S9", "lay": "S2", "last": "yes"}, "出すと反則上がりです combo.set"),
        ({"lies": "S9", "lay": "S2", "passed": "yes"}, "出せません pass.2"),
        ({"lies": "s5 s6 s7", "lay": "h6 xb=h7 h8"}, "出せます combo.run"),
        ({"lies": "S5 H9", "lay": "S6"}, "場のカードは、出せる組み合わせではありません combo.1"),
    ],
)
def test_cards_on_others(app: Flask, fields: dict[str, str], said: str) -> None:
    assert answer(app, "daifugo", **fields) == said


def test_what_a_play_brings_about_is_said(app: Flask) -> None:
    page = ask(app, NAMES["daifugo"], lay="S3 H3 D3 C3")
    assert "ラウンドの終わりまで、強さが逆になりました。" in words(one(page, ".answer"))
    page = ask(app, NAMES["daifugo"], lies="S8", lay="S9", lang="en")
    assert heads(page) == ["The cards on the table clear the trick", "Playable"]


def test_a_table_without_rules_about_suits_taps_ranks(app: Flask) -> None:
    chosen = {"lock": "off", "runs": "off", "spade3": "off"}
    assert "S9" in offered(ask(app, NAMES["daifugo"]))
    assert offered(ask(app, NAMES["president"]))[:3] == ["3", "4", "5"]
    page = ask(app, NAMES["daifugo"], **chosen)
    assert not page.select("[name=locked]")


@pytest.mark.parametrize(
    ("key", "fields", "where"),
    [
        ("daifugo", {"lies": "S9", "lay": "S9"}, "#fault-lay"),
        ("daifugo", {"lies": "S9 S9", "lay": "S10"}, "#fault-lies"),
        ("daifugo", {"lies": "S9", "lay": "HELLO"}, "#fault-lay"),
        ("daifugo", {"lies": "S9", "lay": "S10*x"}, "#fault-lay"),
        ("daifugo", {"lies": "S9", "lay": "S10*99"}, "#fault-lay"),
        ("daifugo", {"lies": "S9", "locked": "Z", "lay": "S10"}, "#fault-locked"),
        ("daifugo", {"lies": "S9", "lay": "S10", "revolution": "runs", "runs": "off"}, ".settle"),
        ("seven_apart", {"A": "0 0", "card": "7"}, "#fault-A"),
        ("seven_apart", {"A": "1", "card": "1"}, "#fault-card"),
        ("seven_apart", {"A": "5", "card": "6 7"}, "#fault-card"),
    ],
)
def test_wrong_input_of_files(app: Flask, key: str, fields: dict[str, str], where: str) -> None:
    page = ask(app, NAMES[key], 400, lang="en", **fields)
    assert one(page, where)
    assert page.select(".fault")
    assert not heads(page)


@pytest.mark.parametrize(
    ("fields", "said", "points"),
    [
        ({"A": "5 7", "card": "5"}, "バーストです effect.bust", "0点"),
        ({"A": "5 7 S", "card": "5"}, "引けます effect.saved", "12点"),
        ({"A": "5 7 X2 P4", "card": "9"}, "引けます hit.1", "46点"),
        ({"A": "1 2 3 4 5 6", "card": "7"}, "引けます effect.seventh", "43点"),
        ({"ask": "stop", "A": "12 7 P2"}, "やめられます stay.1", "21点"),
    ],
)
def test_one_more_card(app: Flask, fields: dict[str, str], said: str, points: str) -> None:
    assert answer(app, "seven_apart", **fields) == said
    assert totals(ask(app, NAMES["seven_apart"], **fields)) == {"この列で終わると": points}


def test_a_row_that_cannot_stop(app: Flask) -> None:
    assert answer(app, "seven_apart", ask="stop", A="F") == "やめられません stay.1"


def test_games_that_this_phone_may_not_read_have_no_check(app: Flask) -> None:
    ask(app, "nothing-000000000000", 404)
    tricks = next(key for key, name in NAMES.items() if key not in ASKED)
    ask(app, NAMES[tricks], 404)


def test_the_check_of_a_table_has_its_house_rules(app: Flask) -> None:
    phone = Phone(app.test_client())
    data = {"game": NAMES["daifugo"], "name": ["A", "B", "C", "D"], "option.lock": "off"}
    table = str(phone.post("/new", {**data, "option.fall": "off"}).location)
    rules = phone.get(f"{table.partition('?')[0]}/rules").text
    assert f'href="/check/{NAMES["daifugo"]}?lock=off&amp;fall=off&amp;n=4"' in rules
    page = ask(app, NAMES["daifugo"], lock="off", n="4", lies="S9", lay="S10")
    assert "縛られます" not in words(one(page, ".answer"))
