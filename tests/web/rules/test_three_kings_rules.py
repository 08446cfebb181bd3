"""House rules of Three Kings that no entry shows stand in the rules of the table."""

from __future__ import annotations

from reading_room import Room, one


def test_what_serves_as_the_fifth_king_stands_in_the_rules_of_the_table(room: Room) -> None:
    """K1."""
    page = room.open("three_kings", "A B", fifth_king="king").get("rules")
    assert one(page, "#option-fifth_king li.on")
    assert any("この卓：別の組のキング" in mark.get_text() for mark in page.select(".law .set.on"))
    assert len(page.select(".house dt")) == 1
