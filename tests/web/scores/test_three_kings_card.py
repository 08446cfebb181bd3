"""The result of Three Kings: the 15 points, and methods whose scores are never added up."""

from __future__ import annotations

import pytest
from kept import began, card_and_picture, kept, past
from phones import Phone, soup

from referee.history import exports


@pytest.mark.parametrize(
    ("playthrough", "said"),
    [
        ("method-2-by-a-king", ["60 + 15", "得点"]),
        ("method-3-by-a-refill", ["30 − 15", "得点"]),
        ("method-1-by-the-draw", ["キング3枚以上", "勝ち数"]),
    ],
)
def test_card_and_picture_carry_what_won(phone: Phone, playthrough: str, said: list[str]) -> None:
    kept(phone, "three_kings", playthrough)
    for shown in card_and_picture(phone):
        for words in said:
            assert words in shown


def test_scores_of_different_units_are_never_added(phone: Phone) -> None:
    for name in ("method-1-by-the-draw", "method-2-by-a-king", "the-extra-card-before-the-refill"):
        kept(phone, "three_kings", name)
    found = past(phone)
    [person] = [one for one in found.standings() if one.name == "源五郎"]
    lines = {line.unit: (line.matches, line.points) for line in found.career(person.person).lines()}
    assert lines == {"wins": (1, 0), "points": (2, 75 + 33)}
    page = soup(phone.get(f"/history/person/{person.person}"))
    rows = [row.get_text(" ", strip=True) for row in page.select("table.num tbody tr")]
    assert any("勝ち数" in row for row in rows)
    assert any("得点" in row and "54.0" in row for row in rows)
    assert {row["unit"] for row in exports.rows(found.each(), "")} == {"points", "wins"}


@pytest.mark.parametrize(
    ("playthrough", "starter"), [("entered-by-sheet", []), ("dealt-again", ["B"])]
)
def test_bg_stats_gets_who_began(phone: Phone, playthrough: str, starter: list[str]) -> None:
    kept(phone, "three_kings", playthrough)
    assert began(phone) == starter


def test_points_of_which_more_win_and_of_which_fewer_win_have_averages_of_their_own(
    phone: Phone,
) -> None:
    for name in ("method-2-by-a-king", "method-3-by-a-refill"):
        kept(phone, "three_kings", name)
    found = past(phone)
    of = {
        line.unit: one.person
        for one in found.standings()
        for line in found.career(one.person).lines()
    }
    assert of.keys() == {"points", "fewest"}
    for unit, told in (("fewest", 1), ("points", 0)):
        page = soup(phone.get(f"/history/person/{of[unit]}"))
        rows = [row.get_text(" ", strip=True) for row in page.select("table.num tbody tr")]
        assert sum("少ないほどよい" in row for row in rows) == told
