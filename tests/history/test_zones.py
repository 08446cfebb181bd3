"""Time zones: how instants become clock times and days, and clock times instants."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from referee import zones
from referee.history.records import noon_of

TOKYO, BERLIN = "Asia/Tokyo", "Europe/Berlin"


@pytest.mark.parametrize(
    ("stored", "zone", "shown"),
    [
        ("2026-11-28T10:00:00.000+00:00", TOKYO, "2026-11-28T19:00:00+09:00"),
        ("2026-11-27T23:30:00.000+00:00", TOKYO, "2026-11-28T08:30:00+09:00"),
        ("2026-12-31T15:10:00.000+00:00", TOKYO, "2027-01-01T00:10:00+09:00"),
        ("2026-10-25T00:30:00.000+00:00", BERLIN, "2026-10-25T02:30:00+02:00"),
        ("2026-10-25T01:30:00.000+00:00", BERLIN, "2026-10-25T02:30:00+01:00"),
        ("2026-03-29T00:59:00.000+00:00", BERLIN, "2026-03-29T01:59:00+01:00"),
        ("2026-03-29T01:00:00.000+00:00", BERLIN, "2026-03-29T03:00:00+02:00"),
        ("2026-11-28T10:00:00.123+00:00", TOKYO, "2026-11-28T19:00:00.123+09:00"),
    ],
)
def test_an_instant_is_shown_in_the_zone(stored: str, zone: str, shown: str) -> None:
    assert zones.written(stored, zone) == shown
    assert zones.stored(zones.instant(datetime.fromisoformat(shown), "")) == stored


@pytest.mark.parametrize(
    ("clock", "zone", "utc"),
    [
        ("2026-11-28T19:00", TOKYO, "2026-11-28T10:00"),
        ("2026-10-25T02:30", BERLIN, "2026-10-25T00:30"),  # twice: the first
        ("2026-03-29T02:30", BERLIN, "2026-03-29T01:30"),  # never: 03:30
        ("2026-11-28T19:00+01:00", TOKYO, "2026-11-28T18:00"),  # it has its own
    ],
)
def test_a_clock_time_becomes_an_instant(clock: str, zone: str, utc: str) -> None:
    found = zones.instant(datetime.fromisoformat(clock), zone)
    assert found == datetime.fromisoformat(utc).replace(tzinfo=UTC)


def test_a_day_begins_at_midnight_of_the_zone() -> None:
    assert zones.begins(date(2026, 11, 28), TOKYO) == "2026-11-27T15:00:00.000+00:00"
    assert zones.begins(date(2026, 3, 29), BERLIN) == "2026-03-28T23:00:00.000+00:00"
    assert zones.begins(date(2026, 3, 30), BERLIN) == "2026-03-29T22:00:00.000+00:00"


NO_ZONES = ["", ".", "Europe", "Mars/Olympus", "../etc/passwd", "/etc/localtime", "localtime"]
NO_ZONES += ["a" * 99, "Asia/Tokyo\0", "\ud800", "Asia//Tokyo"]


@pytest.mark.parametrize("name", NO_ZONES)
def test_what_is_no_zone_counts_as_the_servers(name: str) -> None:
    assert not zones.exists(name)
    stored = "2026-11-28T10:00:00.000+00:00"
    assert zones.local(stored, name) == zones.local(stored, zones.SERVERS)


def test_zones_named_after_places_are_offered() -> None:
    assert {"UTC", TOKYO, BERLIN} <= set(zones.offered())
    assert all(map(zones.exists, zones.offered()))
    assert not [name for name in zones.offered() if name.startswith("Etc/")]


def test_a_zone_is_named_where_the_clocks_differ() -> None:
    summer, winter = (
        zones.local(stored, TOKYO) for stored in ("2026-07-01T10:03:00Z", "2026-12-01T10:03:00Z")
    )
    assert zones.differ(summer, BERLIN)
    assert not zones.differ(winter, "Asia/Seoul")
    assert not zones.differ(winter, "")
    assert zones.city(TOKYO, summer) == "Tokyo"
    assert zones.city("America/Argentina/Buenos_Aires", summer) == "Buenos Aires"
    london, lisbon = zones.local("2026-07-01T10:03:00Z", "UTC"), "Europe/Lisbon"
    assert zones.differ(london, lisbon)  # in summer alone
    assert not zones.differ(zones.local("2026-12-01T10:03:00Z", "UTC"), lisbon)


def test_an_offset_has_whole_minutes() -> None:
    assert zones.offset(zones.local("2026-11-28T10:00:00Z", "Asia/Kolkata")) == "+05:30"
    assert zones.offset(zones.local("2026-11-28T10:00:00Z", "America/New_York")) == "-05:00"
    assert zones.offset(zones.local("1901-06-01T10:00:00Z", "Africa/Monrovia")) == "-00:43"


def test_noon_of_a_day_long_ago_is_sharp() -> None:
    assert noon_of("1901-06-01", "Africa/Monrovia") == "1901-06-01T12:43:00.000+00:00"
    assert noon_of("2026-11-28", TOKYO) == "2026-11-28T03:00:00.000+00:00"
    assert noon_of("1899-12-31", TOKYO) == noon_of("28 November", TOKYO) == ""
