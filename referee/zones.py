"""Time zones: instants are stored in UTC, and shown and cut into days in the zone of the group.

A zone is an IANA name, such as Asia/Tokyo, or ``SERVERS``: that of the computer on which the server
runs (its ``TZ``). An unknown name counts as ``SERVERS``: another computer may know fewer.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from functools import cache, lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

SERVERS = ""
LONGEST = 64  # characters of a name
OF_COMPUTERS = ("localtime", "posixrules", "Factory")
"""Names in the lists of some systems that mean another zone on each computer, or none."""


def exists(name: str) -> bool:
    """Whether this computer knows a zone with this name."""
    return _zone(name) is not None


@cache
def offered() -> tuple[str, ...]:
    """The zones to choose from: those named after a place, and UTC."""
    places = {name for name in available_timezones() if "/" in name and name[:4] != "Etc/"}
    return tuple(sorted(name for name in {*places, "UTC"} if exists(name)))


def local(moment: str, zone: str) -> datetime:
    """A stored moment (UTC, ISO 8601) as the clocks of the zone show it."""
    return datetime.fromisoformat(moment).astimezone(_zone(zone))


def written(moment: str, zone: str) -> str:
    """A stored moment for other programs: with the offset, without a needless fraction."""
    shown = local(moment, zone)
    return shown.isoformat(timespec="milliseconds" if shown.microsecond else "seconds")


def instant(clock: datetime, zone: str) -> datetime:
    """The moment (UTC) at which the clocks of the zone show ``clock``, unless it has an offset.

    A time that occurs twice is its first; one that does not exist is moved forward by the gap.
    Raises ``OverflowError`` at either end of the calendar.
    """
    if clock.tzinfo is None and (known := _zone(zone)):
        clock = clock.replace(tzinfo=known, fold=0)
    return clock.astimezone(UTC)


def begins(day: date, zone: str) -> str:
    """The stored form of the moment at which a day begins; raises ``OverflowError``."""
    return stored(instant(datetime.combine(day, time()), zone))


def stored(moment: datetime) -> str:
    """A moment in UTC as it is stored."""
    return moment.isoformat(timespec="milliseconds")


def today(zone: str) -> date:
    """The day in the zone now."""
    return datetime.now(UTC).astimezone(_zone(zone)).date()


def offset(shown: datetime) -> str:
    """The offset from UTC in whole minutes, such as +09:00; a century ago some had seconds."""
    return shown.isoformat(timespec="minutes")[16:22]


def city(zone: str, shown: datetime) -> str:
    """A short name of the zone, to stand beside a time: its city, or the server's abbreviation."""
    return zone.rpartition("/")[2].replace("_", " ") if exists(zone) else shown.strftime("%Z")


def differ(moment: datetime, zone: str) -> bool:
    """Whether the clocks of a known zone show another time than ``moment``, which has an offset."""
    other = _zone(zone)
    return other is not None and moment.astimezone(other).utcoffset() != moment.utcoffset()


@lru_cache(512)
def _zone(name: str) -> ZoneInfo | None:
    if not name or len(name) > LONGEST or name in OF_COMPUTERS:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # unknown, no name, or a folder of zones
        return None
