"""When the app in a browser tab offers a copy of the history, which the browser may delete."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from flask import Response, request

from referee import store
from referee.http.assets import YEAR_SECONDS
from referee.http.current import ledger
from referee.http.machine import machine

COPIED = "copied"  # the cookie with the time of the last copy
PERSISTED = "referee.persisted"
"""Environment key of a request: whether the browser has promised not to delete data by itself."""
LONG = timedelta(days=30)


def copy_due(over: Sequence[store.Listed]) -> bool:
    """Whether to offer a copy now; ``over``: the finished matches, the latest first.

    Without the browser's promise, as soon as one of them was not copied, since Safari deletes data
    after seven days; with it, only once the last copy is older than ``LONG``.
    """
    if not machine().only_here or not over:
        return False
    copied = request.cookies.get(COPIED, "")
    newest = max(ledger().store.touched([row.id for row in over]).values(), default="")
    if newest and copied and datetime.fromisoformat(newest) <= datetime.fromisoformat(copied):
        return False
    since = datetime.fromisoformat(copied or over[-1].opened)
    return not request.environ.get(PERSISTED) or datetime.now(UTC) - since > LONG


def copied(response: Response) -> Response:
    """``response``, with which the whole history is downloaded, with the time in a cookie.

    For the app in a browser tab alone: nowhere else can a browser delete the data.
    """
    if machine().only_here:
        moment = datetime.now(UTC).isoformat()
        response.set_cookie(COPIED, moment, max_age=YEAR_SECONDS, samesite="Lax", httponly=True)
    return response
