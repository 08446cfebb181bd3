"""What is read out after an entry: a sentence of the server, with whole names and the verdict."""

from __future__ import annotations

import pytest
from phones import Phone, one

LONG = "Old Tom Bombadil of the Forest"


def news(phone: Phone) -> str:
    return str(one(phone.page(), ".strip")["data-said"])


@pytest.mark.parametrize(
    ("tongue", "said"),
    [
        ("ja", ["B 5、合法", f"C 4、合法。{LONG}が2で取る、2点"]),
        ("en", ["B: 5, legal", f"C: 4, legal; {LONG} takes the trick with 2, 2 points"]),
    ],
)
def test_a_play_is_said_with_its_verdict_and_its_effect(
    phone: Phone, tongue: str, said: list[str]
) -> None:
    phone.client.set_cookie("lang", tongue)
    phone.opens("perite", (LONG, "B", "C"), LONG)
    heard = []
    for line in (f'"{LONG}" lay 2', "B lay 5", "C lay 4"):
        phone.lays(line)
        heard.append(news(phone))
    assert heard[1:] == said


def test_what_is_no_play_has_no_verdict(phone: Phone) -> None:
    phone.opens("perite", ("A", "B", "C"))
    phone.lays("A lay 6")
    phone.undoes()
    assert news(phone) == "戻しました。A 6"


def test_a_refusal_is_read_as_it_stands(phone: Phone) -> None:
    phone.opens("perite", ("A", "B", "C"))
    answer = phone.lays("C lay 6")
    assert "data-said" not in answer.text
    assert 'role="alert"' in answer.text
