"""A table of 熟語ライン is opened: for two, with its dictionary."""

from __future__ import annotations

from phones import Phone, one, soup, text


def test_the_same_again_keeps_the_house_rules(phone: Phone) -> None:
    phone.opens("jukugo_line", names=["A", "B"], claim_timing="start_of_turn", words="strict")
    page = soup(phone.get(f"/new?like={phone.match}"))
    assert [field["value"] for field in page.select("[name=name]")] == ["A", "B"]
    assert one(page, "[name='option.claim_timing'][checked]")["value"] == "start_of_turn"
    assert phone.get("/new?like=nobody").status_code == 404


def test_a_game_for_two_is_not_said_to_be_for_two_to_two(phone: Phone) -> None:
    asked = "/new?game=jukugo_line&name=A&name=B&name=C"
    assert text(soup(phone.get(asked)), ".sec small") == "2人"
    data = {"game": "jukugo_line", "name": ["A", "B", "C"]}
    assert (
        text(soup(phone.post("/new", data)), ".warn > span:last-child")
        == "熟語ラインは2人用です。いまは3人です。"
    )
