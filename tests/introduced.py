"""A phone that an app knows already."""

from __future__ import annotations

from referee.store import Circles, Doors, Store
from referee.web.http.invites import digest

TOKEN = "introduced-as-the-first"[:22]
COOKIE = f"phone={TOKEN}"


def introduced(store: Store) -> str:
    """The circle of the phone with that cookie, founded now."""
    Doors(store).greet(digest(TOKEN))
    return Circles(store).create(digest(TOKEN))
