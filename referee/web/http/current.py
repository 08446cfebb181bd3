"""What belongs to the app that answers the current request."""

from __future__ import annotations

from flask import current_app

from referee.desk import Desk


def desk() -> Desk:
    """The desk of this app."""
    found: Desk = current_app.extensions["desk"]
    return found
