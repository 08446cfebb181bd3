"""When each table was last heard from, as far as this process knows."""

from __future__ import annotations

from collections import Counter, OrderedDict
from datetime import datetime, timedelta
from threading import Lock

SILENCE = timedelta(minutes=2)
"""After it, a table without a phone that shows it counts as silent."""
KEPT = 2_000
"""Tables in memory."""


class Contacts:
    """The phones that show a table have a stream open, or they ask again and again."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._open: Counter[str] = Counter()
        self._last: OrderedDict[str, datetime] = OrderedDict()
        self._onlookers: Counter[str] = Counter()

    def heard(self, match: str, now: datetime) -> None:
        """A phone has asked for the table."""
        with self._lock:
            self._last[match] = now
            self._last.move_to_end(match)
            if len(self._last) > KEPT:
                self._last.popitem(last=False)

    def opened(self, match: str) -> None:
        """A stream to a phone is open."""
        with self._lock:
            self._open[match] += 1

    def closed(self, match: str, now: datetime) -> None:
        """A stream has ended, so until now the phone was there."""
        with self._lock:
            self._open[match] -= 1
            if not self._open[match]:
                del self._open[match]
        self.heard(match, now)

    def looks_on(self, match: str, streams: int) -> None:
        """There are so many ``streams`` of onlookers more, or less if it is negative."""
        with self._lock:
            self._onlookers[match] += streams
            if not self._onlookers[match]:
                del self._onlookers[match]

    def onlookers(self, match: str) -> int:
        """How many streams of onlookers are open."""
        with self._lock:
            return self._onlookers[match]

    def silent_since(self, match: str, now: datetime) -> datetime | None:
        """Since when no phone of the table was heard.

        None while one is there, and if this process never heard of one: another may have.
        """
        with self._lock:
            last = self._last.get(match)
            there = self._open[match] > 0 if match in self._open else False
        return None if last is None or there or now - last < SILENCE else last
