"""A sheet is corrected by thumb, on the pad on which it was entered."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup, Tag
from chosen_games import having
from flask import Flask
from phones import Phone, one, soup, text
from test_sheets_and_stops import sheets_of
from thumb import FOUR, Thumb, new_table

FIRST = ("k4", "k4", "k1/3", "k7", "k5", "knext", "k8", "k6")


def corrected(thumb: Thumb, deal: int) -> None:
    """From the page of sheets to the pad: a tap on the deal's number."""
    thumb.tap(f"deal{deal}")


def test_a_word_is_another_one_in_two_taps_more_than_entering(phone: Phone) -> None:
    thumb = new_table(phone, "perite")
    thumb.tap(*FIRST)
    thumb.save()
    entering = thumb.taps + 1  # and the key that opens the pad for a later deal
    thumb.taps = 0
    corrected(thumb, 1)
    assert [row["data-draft"] for row in rows(thumb)] == ["0", "4 4", "1/3 7", "5 -", "8 6"]
    assert not thumb.savable()  # nothing is different yet
    thumb.tap("row4", "kback", "k3")
    assert text(thumb.page, ".entry li:last-child .n") == "11"
    thumb.save()
    assert thumb.taps <= entering + 2
    assert phone.log()[1:] == [
        "table amend 1 table sheet leader=あかね "
        'あかね="4 4" 源五郎="1/3 7" みどり子="5" "B B"="8 3"'
    ]
    assert [cell.get_text() for cell in thumb.page.select(".total td")] == ["16", "9", "5", "11"]


def rows(thumb: Thumb) -> list[Tag]:
    return list(thumb.page.select(".entry li"))


def test_all_of_a_sheet_entered_anew_is_two_taps_more(phone: Phone) -> None:
    thumb = new_table(phone, "pairs_daifugo")
    thumb.tap("p-winner-2")
    thumb.save()
    entering = thumb.taps + 1
    thumb.taps = 0
    corrected(thumb, 1)
    thumb.tap("row1", "p-winner-1")
    thumb.save()
    assert thumb.taps <= entering + 2
    assert phone.log()[-1] == "table amend 1 table sheet leader=あかね winner=源五郎"


def test_a_sheet_is_corrected_on_the_state_before_it(phone: Phone) -> None:
    """The leader of the second deal is known there, so it has no row for one."""
    thumb = new_table(phone, "perite", FOUR[:3])
    for _ in range(2):
        if thumb.page.select("#kenter"):
            thumb.tap("kenter")
        thumb.tap("k4", "k4", "k3", "knext", "knext")
        thumb.save()
    corrected(thumb, 2)
    assert len(rows(thumb)) == 3
    corrected_first = thumb.at("?instead=1")
    assert len(corrected_first.select(".entry li")) == 4


def three_deals(phone: Phone) -> Thumb:
    """A whole match: あかね wins it with the third deal."""
    thumb = new_table(phone, "perite", FOUR[:3])
    for keys in (("k4", "k4"), ("knext", "k4", "k4"), ("k5",)):
        if thumb.page.select("#kenter"):
            thumb.tap("kenter")
        thumb.tap(*keys)
        while thumb.page.select("#knext"):
            thumb.tap("knext")
        thumb.save()
    assert "あかね" in text(thumb.page, "h1")
    return thumb


def test_what_changes_more_than_its_deal_is_shown_first(phone: Phone) -> None:
    """Here the winner of the match: the preview of an ordinary correction comes before it."""
    thumb = three_deals(phone)
    corrected(thumb, 3)
    thumb.tap("row0", "kback", "knext", "row1", "k5", "knext")
    preview = phone.get(str(one(thumb.page, "a#ksave")["href"]))
    assert preview.status_code == 200
    assert len(phone.log()) == 3
    made(phone, soup(preview))
    assert phone.log()[-1] == 'table amend 3 table sheet あかね="" 源五郎="5" みどり子=""'
    assert "源五郎" in text(thumb.at(""), "h1")


def made(phone: Phone, preview: BeautifulSoup) -> str:
    """Make the correction that a preview shows; where that leads."""
    form = one(preview, "form.foot")
    fields = {str(i["name"]): str(i["value"]) for i in form.select("input")}
    answer = phone.post(str(form["action"]), fields)
    assert answer.status_code == 303
    return str(answer.location)


def test_a_draft_that_was_composed_elsewhere_is_shown_first_too(phone: Phone) -> None:
    """Without network nobody knows what a correction changes: it is asked when it arrives."""
    three_deals(phone)
    fields = {"seen": "3", "key": "composed-1", "instead": "3", "line": "table draft -;5 -;-"}
    answer = phone.post(f"/t/{phone.match}/sheet/play", fields, **{"HX-Request": "true"})
    assert answer.status_code == 200
    assert "correct/3" in str(one(soup(answer), ".vs a")["href"])
    assert len(soup(answer).select(".entry li")) == 3
    answer = phone.post(f"/t/{phone.match}/sheet/play", fields)
    assert "correct/3" in answer.location
    assert len(phone.log()) == 3


def test_a_sheet_is_cancelled_from_its_pad(phone: Phone) -> None:
    thumb = new_table(phone, "perite")
    thumb.tap(*FIRST)
    thumb.save()
    corrected(thumb, 1)
    to = made(phone, soup(phone.get(str(one(thumb.page, "#kstrike")["href"]))))
    assert phone.log()[-1] == "table strike 1"
    page = soup(phone.get(to, follow_redirects=True))
    assert page.select(".scores")  # the page of sheets again
    assert not page.select("#deal1")


def test_a_draft_that_cannot_be_is_refused_and_stays_on_the_pad(phone: Phone) -> None:
    thumb = new_table(phone, "perite")
    fields = {"seen": "0", "key": "composed-2", "line": "table draft 0;4 4;4 4;4 4;4 4"}
    answer = phone.post(f"/t/{phone.match}/sheet/play", fields, **{"HX-Request": "true"})
    page = soup(answer)
    assert "deck.2" in text(page, ".strip.refused")
    assert len(page.select(".entry li .card")) == 8
    assert phone.log() == []
    assert thumb.taps == 0


def test_a_sheet_is_not_corrected_to_one_that_cannot_be(phone: Phone) -> None:
    three_deals(phone)
    fields = {"seen": "3", "key": "composed-6", "instead": "1", "line": "table draft 0;7 -;-;-"}
    answer = phone.post(f"/t/{phone.match}/sheet/play", fields)
    assert "deck.1" in text(soup(answer), ".strip.refused")
    assert len(phone.log()) == 3


def test_a_draft_that_comes_twice_is_one_entry(phone: Phone) -> None:
    new_table(phone, "perite", FOUR[:3])
    fields = {"seen": "0", "key": "composed-3", "line": "table draft 0;4 4;-;-"}
    for _ in range(2):
        assert phone.post(f"/t/{phone.match}/sheet/play", fields).status_code == 303
    assert len(phone.log()) == 1


def test_another_phone_that_corrects_leaves_the_draft_on_the_pad(phone: Phone) -> None:
    thumb = new_table(phone, "perite", FOUR[:3])
    thumb.tap("k4", "k4", "k3", "knext", "knext")
    thumb.save()
    thumb.tap("kenter", "k5", "k6")
    fields = {"seen": "1", "key": "composed-4", "line": "table draft 0;5 -;6 -;4 -", "instead": "1"}
    assert phone.post(f"/t/{phone.match}/sheet/play", fields).status_code == 303
    page = thumb.at("?was=1&sheet=5+6%3B%3B&at=1")
    assert page.select(".clash")
    assert len(page.select(".entry li .card")) == 2
    # but a deal that is over by now is not entered twice
    fields = {"seen": "2", "key": "composed-5", "line": "table draft 5 6;-;-"}
    assert phone.post(f"/t/{phone.match}/sheet/play", fields).status_code == 303
    assert not thumb.at("?was=2&sheet=5+6%3B%3B&at=1").select(".entry")


@pytest.mark.parametrize("name", having("sheet"))
def test_every_sheet_fills_its_own_pad(phone: Phone, app: Flask, name: str) -> None:
    """The pad opens with the words of the sheet, and what it would save is that sheet."""
    header, lines = sheets_of(name)
    ledger = app.extensions["ledger"]
    phone.match = ledger.open(header).match
    for seen, line in enumerate(line for line in lines if line.startswith("table sheet")):
        ledger.declare(phone.match, line, seen, f"key-{seen:06}")
    before = ledger.view(phone.match)
    for number in range(1, before.seq + 1):
        page = soup(phone.get(f"/t/{phone.match}/sheet?instead={number}"))
        draft = ";".join(str(li["data-draft"]) for li in page.select(".entry > li"))
        seen = len(phone.log())
        fields = {"seen": str(seen), "key": f"again-{number:04}", "instead": str(number)}
        answer = phone.post(
            f"/t/{phone.match}/sheet/play", fields | {"line": f"table draft {draft}"}
        )
        if len(phone.log()) == seen:  # written in the same words: refused
            assert "変わりません" in answer.text
        else:
            assert len(phone.log()) == seen + 1
    after = ledger.view(phone.match)
    assert before.seq
    assert before.game.score(before.state).lines == after.game.score(after.state).lines
    assert before.outcome == after.outcome
