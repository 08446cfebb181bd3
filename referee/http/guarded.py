"""A match that cannot be shown costs its own line on a page, never the page around it.

Lines of lists are remembered as long as their match stays as it is: to draw one, a match must be
replayed, and those of a list may be too large to stay in memory together.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from datetime import date
from threading import Lock
from typing import NamedTuple, TypeVar

from flask import Flask, current_app
from werkzeug.exceptions import HTTPException

from referee.http import language
from referee.http.current import ledger
from referee.http.local_time import today, zone
from referee.ledger import NotReplayed, View
from referee.store import NoSuchMatch, Unavailable

KEY = "lines"
MOST_LINES = 1_000
Shown = TypeVar("Shown")


class ReadLine(NamedTuple):
    """What a remembered line depends on: ``what`` it says of which match, and who reads it when."""

    what: Hashable
    stands: Hashable
    language: str
    zone: str
    today: date


class RememberedLines:
    """The remembered lines, those that were used last; thread-safe."""

    def __init__(self) -> None:
        self._lines: OrderedDict[ReadLine, object] = OrderedDict()
        self._lock = Lock()

    def get(self, line: ReadLine) -> object | None:
        """What was kept for ``line``."""
        with self._lock:
            if line in self._lines:
                self._lines.move_to_end(line)
            return self._lines.get(line)

    def keep(self, line: ReadLine, value: object) -> None:
        """Remember ``value``; the line that was not used for longest may be forgotten."""
        with self._lock:
            self._lines[line] = value
            if len(self._lines) > MOST_LINES:
                self._lines.popitem(last=False)


def begin(app: Flask) -> None:
    """Remember no line: ``app`` answers from other data now."""
    app.extensions[KEY] = RememberedLines()


def shown(match: str, show: Callable[[], Shown | None]) -> Shown | None:
    """What ``show`` returns about ``match``; None, with a traceback in the log, if it fails."""
    try:
        return show()
    except (HTTPException, NoSuchMatch, Unavailable):
        raise
    except Exception as fault:
        current_app.logger.error("match %s cannot be shown", match, exc_info=fault)
        return None


def each(matches: Sequence[str], show: Callable[[View], Shown]) -> dict[str, Shown]:
    """What ``show`` returns about each of ``matches``, in this order; see ``remembered``.

    Those that cannot be shown are left out. ``show`` is a function of a module: by it the lines are
    found again.
    """
    replays = zip(matches, ledger().replays(matches), strict=True)
    found = {match: remembered((show, match), replay, show) for match, replay in replays}
    return {match: value for match, value in found.items() if value is not None}


def remembered(what: Hashable, replay: NotReplayed, show: Callable[[View], Shown]) -> Shown | None:
    """What ``show`` returns about a match; None if it cannot be shown.

    It is remembered for ``what``, so it may depend on the match, the language, the zone and the day
    alone, and must not be the view: a match can take a hundred megabytes, and is let go before the
    next is replayed.
    """
    lines: RememberedLines = current_app.extensions[KEY]
    line = ReadLine(what, replay.stands, language.current(), zone(), today())
    found: Shown | None = lines.get(line)  # type: ignore[assignment]
    if found is None:
        found = shown(replay.match, lambda: show(replay.view()))
        if found is not None:
            lines.keep(line, found)
    return found
