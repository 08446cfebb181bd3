"""A match that cannot be shown costs its own line on a page, never the page around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from flask import current_app, render_template
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from referee.desk import View
from referee.store import NoSuchMatch, Unavailable
from referee.web.http.current import desk

Shown = TypeVar("Shown")


def shown(match: str, show: Callable[[], Shown]) -> Shown | None:
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


def views(matches: Sequence[str]) -> list[View]:
    """Those of ``matches`` that can be replayed, in this order."""
    replays = zip(matches, desk().views(matches), strict=True)
    return [view for match, replay in replays if (view := shown(match, replay)) is not None]


def line(match: str, caller: Callable[[], Markup]) -> Markup:
    """The line about ``match`` that a template draws in a ``call`` block.

    Where that fails, a line that says that this match cannot be shown, and leads to its log.
    """
    drawn = shown(match, caller)
    return Markup(render_template("_unshown.html", match=match)) if drawn is None else drawn
