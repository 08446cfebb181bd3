"""Stored times on the pages: in the time zone of the group."""

from __future__ import annotations

from datetime import date, datetime

from flask import g, request

from referee import zones
from referee.http import access
from referee.http.current import ledger
from referee.http.language import full_date, short_date
from referee.store import Circles, Unavailable

COOKIE = "zone"
"""The cookie in which a phone says its own time zone (``static/js/forms.js``)."""


def zone() -> str:
    """The zone of this page: at a table that of its group, else that of the phone's group.

    The first phone of the group that says its zone sets it; a phone without a group sees its own.
    """
    if "zone" not in g:
        match = (request.view_args or {}).get("match")
        group = access.way(match).circle if match else access.circle()
        g.zone = Circles(ledger().store).zone(group) if group else ""
        if not g.zone and group == access.circle() and zones.exists(of_phone()):
            g.zone = _taken(group, of_phone()) if group else of_phone()
    found: str = g.zone
    return found


def of_group(group: str) -> None:
    """Let this page show the times of a group, whoever looks at it."""
    g.zone = Circles(ledger().store).zone(group)


def of_phone() -> str:
    """The zone that this phone says it is in, or ""."""
    return request.cookies.get(COOKIE, "")


def local_time(stored: str) -> datetime:
    """The local time of ``stored`` (UTC, ISO 8601)."""
    return zones.local(stored, zone())


def clock(moment: datetime) -> str:
    """The time of day; with the zone if the phone's own clock shows another."""
    shown = f"{moment:%H:%M}"
    if zones.differ(moment, of_phone()):
        return f"{shown} {zones.city(zone(), moment)}"
    return shown


def today() -> date:
    """The day in the group's zone."""
    return zones.today(zone())


def day_of(day: date) -> str:
    """A day as text, with the year if it is not the present one."""
    return short_date(day) if day.year == today().year else full_date(day)


def _taken(group: str, named: str) -> str:
    try:
        return Circles(ledger().store).take_zone(group, named)
    except Unavailable:  # a full disk: the page can be shown all the same
        return named
