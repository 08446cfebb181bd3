"""A match of the past, entered as sheets with its day and place; and one that stopped."""

from __future__ import annotations

import csv
import io
from datetime import date, timedelta

from phones import Phone, one, soup
from thumb import FOUR, Thumb

PAST = date.today() - timedelta(days=40)
DAY, BEFORE = PAST.isoformat(), (PAST - timedelta(days=1)).isoformat()


def begun(phone: Phone, **fields: str) -> Thumb:
    data = {"game": "pairs_daifugo", "name": list(FOUR), "leader": FOUR[0], "scores": "1"}
    answer = phone.post("/new", data | {"option.wins_needed": "3"} | fields)
    assert answer.status_code == 303
    phone.match = answer.location.split("/t/")[1].split("/")[0]
    thumb = Thumb(phone)
    thumb.at("?" + answer.location.partition("?")[2])
    return thumb


def won(thumb: Thumb, *seats: int) -> None:
    for i, seat in enumerate(seats):
        if i:
            thumb.tap("kenter")
        thumb.tap(f"p-winner-{seat}")
        thumb.save()


def test_a_match_of_the_past_stands_in_history_on_its_day(phone: Phone) -> None:
    won(begun(phone, played=DAY, place="公民館"), 0, 2, 0, 0)
    record = phone.get(f"/t/{phone.match}/record.txt").text
    assert f"date: {DAY}" in record
    assert "place: 公民館" in record
    [row, *_others] = csv.DictReader(io.StringIO(phone.get("/history/results.csv").text))
    assert row["opened_utc"][:10] in (DAY, BEFORE)  # noon of that day here is another day in UTC
    assert (row["sheets"], row["stopped"], row["over"], row["minutes"]) == ("1", "0", "1", "")
    play = phone.get(f"/t/{phone.match}/bgstats.json").json
    assert play["playDate"][:10] in (DAY, BEFORE)  # UTC, as BG Stats wants it
    assert not play.keys() & {"incomplete", "durationMin"}
    heading = one(soup(phone.get("/history")), "h2:has(.place)").get_text(" ", strip=True)
    assert "公民館" in heading
    assert "分" not in heading  # what it took to type it in is no playing time


def test_an_evening_that_has_a_place_keeps_it(phone: Phone) -> None:
    begun(phone, played=DAY, place="公民館")
    begun(phone, played=DAY, place="図書館")
    assert [place.text for place in soup(phone.get("/history")).select("h2 .place")] == ["公民館"]


def test_a_day_that_is_to_come_is_refused(phone: Phone) -> None:
    later = (date.today() + timedelta(days=2)).isoformat()
    data = {"game": "pairs_daifugo", "name": list(FOUR), "leader": FOUR[0], "scores": "1"}
    answer = phone.post("/new", data | {"played": later, "place": "公民館"})
    assert answer.status_code == 400
    assert "きょうより後" in one(soup(answer), "#fault").get_text()
    assert one(soup(answer), "#played")["value"] == later
    assert one(soup(answer), "#place")["value"] == "公民館"


def test_a_match_of_sheets_that_stopped_is_incomplete(phone: Phone) -> None:
    won(begun(phone), 1)
    fields = {"line": "table stop", "seen": "1", "key": "stop-0000000"}
    assert phone.post(f"/t/{phone.match}/play", fields).status_code == 303
    assert phone.get(f"/t/{phone.match}/bgstats.json").json["incomplete"] is True
    [row, *_others] = csv.DictReader(io.StringIO(phone.get(f"/t/{phone.match}/result.csv").text))
    assert (row["sheets"], row["stopped"], row["over"]) == ("1", "1", "0")
    assert one(soup(phone.get(f"/t/{phone.match}/sheet")), ".over")
