"""A phone that an app knows already."""

from __future__ import annotations

from referee.http.invites import digest
from referee.store import Circles, Doors, Store

TOKEN = "introduced-as-the-first"[:22]
COOKIE = f"phone={TOKEN}"


def introduced(store: Store) -> str:
    """The circle of the phone with that cookie, founded now."""
    Doors(store).greet(digest(TOKEN))
    return Circles(store).create(digest(TOKEN))
