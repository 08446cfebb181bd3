"""New table cards of Three Kings at a table where their kings may stay."""

from __future__ import annotations

from phones import Phone, one

EMPTIED = (
    "table deal dealer=A tableau=4,9,2,Q",
    "B capture J with 2 9",
    "A capture 8 with 4 Q",
)


def emptied(phone: Phone, **house: str) -> Phone:
    """A table whose last cards A has just taken."""
    phone.opens("three_kings", ("A", "B"), **house)
    phone.match = phone.match.partition("?")[0]
    phone.lays(*EMPTIED)
    return phone


def test_the_player_chooses_how_many_kings_to_leave(phone: Phone) -> None:
    emptied(phone, refill_kings="may")
    keys = {key["id"]: key for key in phone.page("?turned=A-K-K").select(".keys .key[id]")}
    assert keys["k10"].get("value") is None  # a choice is left after the last card
    page = phone.page("?turned=A-K-K-10")
    picks = page.select(".choose .pick")
    assert [pick["value"] for pick in picks] == [
        "table refill A K K 10",
        "table refill A K K 10 left=1",
        "table refill A K K 10 left=2",
    ]
    assert [pick.get_text(strip=True) for pick in picks] == ["キングを取る", "1枚残す", "2枚残す"]
    assert one(page, ".acts a").get_text() == "1枚戻す"
    phone.lays(str(picks[1]["value"]))
    assert phone.log()[-1] == "table refill A K K 10 left=1"


def test_without_a_king_or_without_the_house_rule_the_last_card_records(phone: Phone) -> None:
    emptied(phone, refill_kings="may")
    keys = {key["id"]: key for key in phone.page("?turned=A-3-3").select(".keys .key[id]")}
    assert keys["k10"]["value"] == "table refill A 3 3 10"
    assert keys["kK"].get("value") is None
    emptied(phone)
    keys = {key["id"]: key for key in phone.page("?turned=A-K-3").select(".keys .key[id]")}
    assert keys["k10"]["value"] == "table refill A K 3 10"
