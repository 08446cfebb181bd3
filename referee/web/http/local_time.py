"""Stored times on the pages: in the time zone of the server."""

from __future__ import annotations

from datetime import datetime


def local_time(stored: str) -> datetime:
    """The local time of ``stored`` (UTC, ISO 8601)."""
    return datetime.fromisoformat(stored).astimezone()
