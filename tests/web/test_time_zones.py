"""Every page shows times and cuts days in the zone of the group; the server's own is UTC here."""

from __future__ import annotations

import csv
import gzip
import io
import json
import time
from collections.abc import Iterator
from datetime import date

import pytest
from flask import Flask
from phones import AFAR, Phone, soup

from referee import zones
from referee.games.simulation import WIDEST
from referee.history import exchange
from referee.store import Circles
from referee.store.statistics import Digests

TOKYO, BERLIN = "Asia/Tokyo", "Europe/Berlin"


@pytest.fixture(autouse=True)
def server_in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def tokyo(app: Flask) -> Phone:
    client = app.test_client()
    client.set_cookie("zone", TOKYO)
    client.set_cookie("lang", "en")
    return Phone(client)


def zone(app: Flask) -> str:
    store = Circles(app.extensions["ledger"].store)
    return store.zone(store.only())


def played(phone: Phone, *moments: str) -> list[str]:
    """Matches of one entry each, opened and played at these moments (UTC)."""
    ledger, matches = phone.client.application.extensions["ledger"], []
    for at in moments:
        match = phone.opens(names=["A", "B"]).match
        began = next(one for one in moments if one[:10] == at[:10])
        with ledger.store.engine.transaction() as db:
            db.execute("UPDATE matches SET opened = ? WHERE id = ?", (at, match))
            db.execute("UPDATE entries SET at = ? WHERE match = ?", (at, match))
            new = "INSERT INTO sessions (circle, began) SELECT circle, ? FROM matches WHERE id = ?"
            if began == at:
                db.execute(new, (at, match))
            of = "(SELECT id FROM sessions WHERE began = ?)"
            db.execute(f"UPDATE matches SET session = {of} WHERE id = ?", (began, match))
        matches.append(match)
    Digests(ledger.store).forget()
    return matches


def rows(phone: Phone) -> list[dict[str, str]]:
    text = phone.get("/history/results.csv").text.removeprefix("\ufeff")
    return [row for row in csv.DictReader(io.StringIO(text)) if row["place"] == "1"]


def clock(phone: Phone, match: str) -> str:
    return soup(phone.get(f"/t/{match}/e/1")).select(".at span")[-1].get_text()


def test_the_first_phone_gives_the_group_its_zone(app: Flask, tokyo: Phone) -> None:
    tokyo.opens()
    tokyo.get("/")
    assert zone(app) == TOKYO
    tokyo.client.set_cookie("zone", BERLIN)  # it travels: the group's zone stays
    tokyo.get("/history")
    assert zone(app) == TOKYO


def test_a_phone_that_is_not_of_the_group_gives_it_no_zone(app: Flask, phone: Phone) -> None:
    phone.opens()
    guest = Phone(app.test_client(), phone.match)
    guest.client.environ_base |= AFAR
    guest.client.set_cookie("zone", TOKYO)
    guest.get("/history")
    assert zone(app) == zones.SERVERS


@pytest.mark.parametrize("said", ["Mars/Olympus", "../../etc/passwd", "", "x" * 500])
def test_a_zone_that_the_server_does_not_know_is_not_taken(
    app: Flask, phone: Phone, said: str
) -> None:
    phone.client.set_cookie("zone", said)
    phone.opens()
    assert phone.get("/history").status_code == 200
    assert zone(app) == zones.SERVERS


def test_the_group_can_choose_another_zone(app: Flask, tokyo: Phone) -> None:
    [match] = played(tokyo, "2026-11-27T23:30:00.000+00:00")
    tokyo.get("/")
    assert clock(tokyo, match) == "08:30"
    page = soup(tokyo.get("/circle/zone"))
    assert [o.get_text() for o in page.select("option[selected]")] == [TOKYO]
    assert tokyo.post("/circle/zone", {"zone": "Mars/Olympus"}).status_code == 400
    assert zone(app) == TOKYO
    assert tokyo.post("/circle/zone", {"zone": BERLIN}).status_code == 303
    assert clock(tokyo, match) == "00:30 Berlin"  # this phone's own clock shows another time
    tokyo.client.set_cookie("zone", BERLIN)
    assert clock(tokyo, match) == "00:30"


def test_an_evening_in_tokyo_is_on_its_day_for_everybody(app: Flask, tokyo: Phone) -> None:
    """At ten in the evening of a Saturday in Tokyo, the server's calendar is still on Saturday's
    morning; at half past eight in the morning it is on Friday."""
    matches = played(tokyo, "2026-11-27T23:30:00.000+00:00", "2026-11-28T10:00:00.000+00:00")
    assert [clock(tokyo, match) for match in matches] == ["08:30", "19:00"]
    assert [(r["date"], r["time"], r["utc_offset"]) for r in rows(tokyo)] == [
        ("2026-11-28", "08:30", "+09:00"),
        ("2026-11-28", "19:00", "+09:00"),
    ]
    found = soup(tokyo.get("/history?since=2026-11-28&until=2026-11-28"))
    assert len(found.select('a[href*="/t/"]')) >= 2
    assert not soup(tokyo.get("/history?until=2026-11-27")).select('a[href*="/t/"]')


def test_a_new_year_begins_at_midnight_of_the_group(tokyo: Phone) -> None:
    played(tokyo, "2026-12-31T15:10:00.000+00:00")
    assert rows(tokyo)[0]["date"] == "2027-01-01"
    assert "2027" in soup(tokyo.get("/circle")).get_text()


def test_the_hour_that_comes_twice_in_berlin_is_shown_twice_in_order(app: Flask) -> None:
    client = app.test_client()
    client.set_cookie("zone", BERLIN)
    berlin = Phone(client)
    first, second = played(berlin, "2026-10-25T00:30:00.000+00:00", "2026-10-25T01:30:00.000+00:00")
    assert [clock(berlin, first), clock(berlin, second)] == ["02:30", "02:30"]
    assert [(r["match"], r["time"], r["utc_offset"]) for r in rows(berlin)] == [
        (first, "02:30", "+02:00"),
        (second, "02:30", "+01:00"),
    ]


def test_the_hour_that_is_missing_in_berlin_is_skipped(app: Flask) -> None:
    client = app.test_client()
    client.set_cookie("zone", BERLIN)
    berlin = Phone(client)
    matches = played(berlin, "2026-03-29T00:59:00.000+00:00", "2026-03-29T01:00:00.000+00:00")
    assert [clock(berlin, match) for match in matches] == ["01:59", "03:00"]


def test_exports_carry_the_offset_and_come_back_to_the_same_instant(
    app: Flask, tokyo: Phone
) -> None:
    [match] = played(tokyo, "2026-11-28T10:00:00.000+00:00")
    one = tokyo.get(f"/t/{match}/match.json").json
    assert one["opened"] == one["entries"][0][4] == "2026-11-28T19:00:00+09:00"
    history = tokyo.get("/history/history.json.gz").data
    whole = json.loads(gzip.decompress(history))
    assert whole["matches"][0]["opened"] == "2026-11-28T19:00:00+09:00"
    assert whole["sessions"][0]["began"].endswith("+09:00")

    read = exchange.read(json.dumps(whole).encode(), BERLIN)
    assert [found.opened for found in read.matches] == ["2026-11-28T10:00:00.000+00:00"]


def test_times_without_an_offset_are_read_in_the_zone_of_the_group() -> None:
    people = [{"name": name, "played": "2026-03-29T02:30", "retired": False} for name in "AB"]
    header = ["referee: 1", f"game: {WIDEST}", "seats: A B"]
    match = {
        "id": "m" * 22,
        "opened": "2026-03-29T02:30",  # the clocks of Berlin never show it
        "session": "2026-10-25T02:30",  # and this one twice
        "header": header,
        "seats": {"A": "A", "B": "B"},
        "entries": [["table deal leader=A", "legal", "", "1", "2026-03-29T02:30Z"]],
    }
    sessions = [{"began": "2026-10-25T02:30", "place": "", "note": ""}]
    text = {"format": exchange.FORMAT, "version": exchange.VERSION, "circle": ""}
    whole = text | {"people": people, "sessions": sessions, "matches": [match]}
    read = exchange.read(json.dumps(whole).encode(), BERLIN)
    [found] = read.matches
    assert found.opened == "2026-03-29T01:30:00.000+00:00"
    assert found.session == "2026-10-25T00:30:00.000+00:00"
    assert found.entries[0].at == "2026-03-29T02:30:00.000+00:00"


def test_a_record_of_a_day_is_at_noon_of_the_group(app: Flask, tokyo: Phone) -> None:
    tokyo.opens()
    tokyo.get("/")
    record = f"referee: 1\ngame: {WIDEST}\nseats: A B\ndate: 2026-11-21\n\ntable deal leader=A\n"
    file = {"file": (io.BytesIO(record.encode()), "record.txt")}
    answer = tokyo.client.post("/history/import", data=file)
    assert answer.status_code == 303, answer.text
    [row] = [row for row in rows(tokyo) if row["date"] == "2026-11-21"]
    assert (row["time"], row["opened_utc"]) == ("12:00", "2026-11-21T03:00:00.000+00:00")


def test_bg_stats_gets_utc(tokyo: Phone) -> None:
    [match] = played(tokyo, "2026-11-28T10:00:00.000+00:00")
    answer = tokyo.get(f"/t/{match}/bgstats.json")
    assert answer.json["playDate"] == "2026-11-28 10:00:00"


@pytest.mark.parametrize("day", ["1899-12-31", "9999-01-01", "21 November", "2026-02-30"])
def test_a_day_on_which_nobody_can_have_played_is_refused(tokyo: Phone, day: str) -> None:
    names = {"name": ["A", "B"], "leader": "A", "scores": "1"}
    form = {"game": WIDEST, "played": day, "place": "Town hall"} | names
    answer = tokyo.post("/new", form)
    assert answer.status_code == 400
    page = soup(answer)
    assert "day of the game" in page.select_one("[role=alert]").get_text()
    typed = {field["name"]: field.get("value") for field in page.select("input[name]")}
    assert (typed["played"], typed["place"]) == (day, "Town hall")
    assert [field["value"] for field in page.select("input[name=name]")][:2] == ["A", "B"]
    assert tokyo.get("/history/results.csv").status_code == 403  # nothing was founded


def test_tomorrow_begins_when_it_begins_for_the_group(
    tokyo: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server's calendar is still on the 27th when a group in Tokyo plays on the 28th."""
    monkeypatch.setattr(zones, "today", lambda zone: date(2026, 11, 28 if zone == TOKYO else 27))
    form = {"game": WIDEST, "name": ["A", "B"], "leader": "A", "scores": "1"}
    assert tokyo.post("/new", form | {"played": "2026-11-29"}).status_code == 400
    assert tokyo.post("/new", form | {"played": "2026-11-28"}).status_code == 303
    tokyo.opens()
    assert "date: 2026-11-28" in tokyo.get(f"/t/{tokyo.match}/record.txt").text
