"""House rules of 熟語ライン are found by their words."""

from reading_room import Room, one, words


def test_search_finds_house_rules(room: Room) -> None:
    page = room.get("/rules?q=要る辞書の数")
    assert page.select(".law > li") == []
    assert words(one(page, "h2 small")) == "0項目・ハウスルール1件"
    path, _, anchor = one(page, ".choice a")["href"].partition("#")
    assert (path, anchor) == ("/rules/jukugo_line", "option-two_witnesses")
    one(room.get(path), f'[id="{anchor}"]')
    notes = room.get("/rules?q=イレブンバック 習わし")  # words of a choice's note
    assert "option-pairs_back_in_revolution" in str(notes.select(".choice a"))
