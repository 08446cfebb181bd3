"""What a browser test knows of the app that runs."""

from __future__ import annotations

from typing import NamedTuple

from referee.desk import Desk


class Site(NamedTuple):
    """A running app: its address and its desk."""

    url: str
    desk: Desk
