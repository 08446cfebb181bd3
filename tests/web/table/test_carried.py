"""Entries that another address could not send are judged before this phone takes them."""

from __future__ import annotations

import pytest
from flask import Flask
from phones import AFAR, Phone, one, soup, text

from referee.web.table.carried import FIELDS


def item(key: str, label: str, line: str = "", **more: str) -> dict[str, str]:
    given = {"key": key, "label": label, "does": "play", "line": line, **more}
    return {name: given.get(name, "") for name in FIELDS}


def posted(*items: dict[str, str]) -> dict[str, list[str]]:
    return {name: [one[name] for one in items] for name in FIELDS}


def judged(phone: Phone, *items: dict[str, str]) -> list[tuple[str, str]]:
    answer = phone.post(f"/t/{phone.match}/take", posted(*items))
    assert answer.status_code == 200, answer.text
    rows = soup(answer).select(".unsent li")
    return [(text(row, "b"), text(row, ".t")) for row in rows]


def test_each_is_judged_as_if_those_before_it_were_recorded(phone: Phone) -> None:
    phone.opens(leader="A")
    before = phone.log()
    rows = judged(
        phone,
        item("carried-1", "A 7", "A lay 7"),
        item("carried-2", "B 4", "B lay 4"),
        item("carried-3", "C 7", "C lay 7"),
        item("carried-4", "B 9", "B lay 9"),
    )
    assert [label for label, _ in rows] == ["A 7", "B 4", "C 7", "B 9"]
    assert [said for _, said in rows][:2] == ["合法", "合法"]
    assert "7が出ています" in rows[2][1]
    assert "もう出しています" in rows[3][1]
    assert phone.log() == before


def test_what_is_recorded_already_is_said_and_not_judged_again(phone: Phone) -> None:
    phone.opens(leader="A").lays("A lay 7", key="carried-1")
    rows = judged(phone, item("carried-1", "A 7", "A lay 7"), item("carried-2", "B 4", "B lay 4"))
    assert [said for _, said in rows] == ["記録済み", "合法"]


def test_a_play_whose_seat_only_the_server_knows_is_one_of_the_seat_whose_turn_it_is(
    phone: Phone,
) -> None:
    phone.opens(leader="A")
    rows = judged(
        phone,
        item("carried-1", "次の手番 7", does="held", tail="lay 7"),
        item("carried-2", "B 4", "B lay 4"),
        item("carried-3", "次の手番 ペア", does="held"),
    )
    assert [said for _, said in rows] == ["合法", "合法", "卓で確かめます"]


def test_an_undo_comes_along(phone: Phone) -> None:
    phone.opens(leader="A")
    rows = judged(
        phone,
        item("carried-1", "A 7", "A lay 7"),
        item("carried-2", "戻す", does="undo"),
        item("carried-3", "A 6", "A lay 6"),
    )
    assert [said for _, said in rows] == ["合法", "戻す", "合法"]


def test_what_the_table_accepted_stays_accepted(phone: Phone) -> None:
    phone.opens(leader="A")
    rows = judged(
        phone,
        item("carried-1", "A 7", "A lay 7"),
        item("carried-2", "B 7", "B lay 7", overrule="1"),
        item("carried-3", "C 4", "C lay 4"),
    )
    assert [said for _, said in rows] == ["合法", "卓の了承で有効", "合法"]


def test_a_line_that_nobody_can_read_stops_no_other(phone: Phone) -> None:
    phone.opens(leader="A")
    rows = judged(phone, item("carried-1", "?", "A fly 3"), item("carried-2", "A 7", "A lay 7"))
    assert rows[0][1]
    assert rows[1][1] == "合法"


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"key": ["carried-1"]},
        posted(*[item(f"carried-{n}", "A 7", "A lay 7") for n in range(101)]),
    ],
)
def test_a_form_that_no_phone_sends_is_refused(phone: Phone, form: dict[str, list[str]]) -> None:
    phone.opens()
    assert phone.post(f"/t/{phone.match}/take", form).status_code == 400


def test_a_phone_that_is_not_at_the_table_learns_nothing(app: Flask, phone: Phone) -> None:
    phone.opens()
    other = Phone(app.test_client())
    form = posted(item("carried-1", "A 7", "A lay 7"))
    answer = other.client.post(f"/t/{phone.match}/take", data=form, environ_base=AFAR)
    assert answer.status_code == 403
    assert "A 7" not in answer.text


def test_it_says_whose_phone_they_come_from(phone: Phone) -> None:
    phone.opens()
    answer = phone.post(
        f"/t/{phone.match}/take", posted(item("carried-1", "A 7", "A lay 7", by="abc 2"))
    )
    assert text(soup(answer), ".lead").startswith("Bのスマホから")
    assert one(soup(answer), "[data-seq]")["data-seq"] == "1"
