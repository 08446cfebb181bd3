"""Scores alone: ペリテ, entered by a thumb; and what all games share."""

from __future__ import annotations

from phones import Phone, one, soup, text
from thumb import FOUR, Thumb, new_table


def test_four_players_of_perite_take_nine_taps(phone: Phone) -> None:
    thumb = new_table(phone, "perite")
    thumb.tap("k4", "k4", "k1/3", "k7", "k5", "knext", "k8", "k6")
    rows = [row.get_text(" ", strip=True) for row in thumb.page.select(".entry li")]
    assert [row.split()[-1] for row in rows[1:]] == ["16", "9", "5", "14"]
    thumb.save()
    assert thumb.taps <= 10
    assert phone.log() == [
        'table sheet leader=あかね あかね="4 4" 源五郎="1/3 7" みどり子="5" "B B"="8 6"'
    ]
    totals = [cell.get_text() for cell in thumb.page.select(".total td")]
    assert totals == ["16", "9", "5", "14"]


def test_copies_that_the_deck_lacks_are_refused_at_once(phone: Phone) -> None:
    thumb = new_table(phone, "perite")
    thumb.tap("k1/4")
    [used] = thumb.page.find_all("a", id="k1/2")
    assert "off" in used["class"]
    thumb.tap("k1/2")
    assert "deck.2" in text(thumb.page, ".strip.refused")
    assert len(thumb.page.select(".entry .card")) == 1
    assert not thumb.savable()


def test_the_last_word_is_taken_back(phone: Phone) -> None:
    thumb = new_table(phone, "perite")
    thumb.tap("k4", "k5", "k6", "kback")
    assert [c.get_text() for c in thumb.page.select(".entry .card")] == ["4", "5"]
    thumb.tap("kback")
    assert [c.get_text() for c in thumb.page.select(".entry .card")] == ["4"]
    assert "あかね" in text(thumb.page, ".entry .here")


def test_the_choice_is_remembered_and_the_table_leads_to_the_sheet(phone: Phone) -> None:
    assert not one(soup(phone.get("/new?game=perite")), "[name=scores]").has_attr("checked")
    thumb = new_table(phone, "perite")
    thumb.tap("k4", "k4", "k3", "knext", "knext", "knext")
    thumb.save()
    assert one(soup(phone.get("/new")), "[name=scores]").has_attr("checked")
    answer = phone.get(f"/t/{phone.match}")
    assert answer.status_code == 303
    assert answer.location.endswith("/sheet")
    # and the next deal may be recorded card by card
    table = soup(phone.get(f"/t/{phone.match}?plays=1"))
    assert table.select('button[name=line][value^="table deal"]')


def test_two_phones_that_save_one_sheet_record_it_once(phone: Phone) -> None:
    thumb, other = new_table(phone, "perite"), Thumb(phone)
    other.at("?sheet=0;;;;&at=1")
    thumb.tap("k4", "k4", "k3", "knext", "knext", "knext")
    other.tap("k4", "k5", "k3", "knext", "knext", "knext")
    thumb.save()
    fields = {i["name"]: i["value"] for i in other.page.select("#play input")}
    button = one(other.page, "#play button")
    fields |= {str(button["name"]): str(button["value"])}
    answer = phone.post(f"/t/{phone.match}/sheet/play", fields)
    assert answer.status_code == 409
    assert len(phone.log()) == 1


def test_a_sheet_is_undone_and_the_match_goes_to_its_end(phone: Phone) -> None:
    thumb = new_table(phone, "perite", FOUR[:3])
    for number in range(1, 4):
        if number > 1:
            thumb.tap("kenter")
        thumb.tap("k4", "k4", "k3", "knext", "knext")
        thumb.save()
    assert len(thumb.page.select(".paper tbody tr")) == 4
    assert thumb.page.select(".over")
    undo = {"seen": "3", "key": "undo-0000000"}
    assert phone.post(f"/t/{phone.match}/sheet/undo", undo).status_code == 303
    thumb.at("")
    assert len(thumb.page.select(".paper tbody tr")) == 3
    assert not thumb.page.select(".over")
