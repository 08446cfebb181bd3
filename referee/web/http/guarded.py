"""A match that cannot be shown costs its own line on a page, never the page around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from flask import current_app
from werkzeug.exceptions import HTTPException

from referee.ledger import View
from referee.store import NoSuchMatch, Unavailable
from referee.web.http.current import ledger

Shown = TypeVar("Shown")


def shown(match: str, show: Callable[[], Shown | None]) -> Shown | None:
    """What ``show`` returns about ``match``; None, with the traceback in the server's log, if the
    program is at fault.
    """
    try:
        return show()
    except (HTTPException, NoSuchMatch, Unavailable):
        raise
    except Exception as fault:
        current_app.logger.error("match %s cannot be shown", match, exc_info=fault)
        return None


def each(matches: Sequence[str], show: Callable[[View], Shown | None]) -> dict[str, Shown]:
    """What ``show`` returns about each of ``matches``, in this order, if it is not None.

    Those that cannot be shown are left out. ``show`` must not return the view: a match can take a
    hundred megabytes, and is let go before the next is replayed.
    """
    replays = zip(matches, ledger().views(matches), strict=True)
    found = {match: shown(match, partial(_of, replay, show)) for match, replay in replays}
    return {match: value for match, value in found.items() if value is not None}


def _of(replay: Callable[[], View], show: Callable[[View], Shown | None]) -> Shown | None:
    return show(replay())
