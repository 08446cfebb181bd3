"""How much one address may have stored in an hour by a server on the internet.

There anybody may open a table, and with it a group: without a limit, one stranger could fill the
disk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import ceil
from threading import Lock
from time import monotonic

from flask import Flask, Response, current_app, request

from referee.http import errors
from referee.http.invites import network
from referee.http.language import gettext as _

HOUR = 3600.0
MOST = 64 * 1024 * 1024
"""Bytes an hour: two hundred phones behind one address play all the time with less."""
AT_TABLES = 4
"""How many times as much entries at tables may be: they go on for a while after the rest."""
EACH = 4 * 1024
"""Bytes that any request is counted for, beside its body."""
OPENING = 64 * 1024
"""Bytes for what begins with it: a table, its group and its people."""
OPENINGS = frozenset(("home.open_table", "words.agree", "decks.write", "own_games.write"))
MOST_ADDRESSES = 50_000
"""Addresses that are counted apart; in an hour with more of them, the others share one count."""


class Quota:
    """Bytes by address in the present hour; ``clock`` gives seconds that never go back."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._lock = clock, Lock()
        self._until, self._spent = clock() + HOUR, Counter[str]()

    def spend(self, address: str, size: int, most: int) -> int:
        """Count ``size`` bytes if no more than ``most`` are counted with them.

        Returns 0, or if there are too many the minutes until the next hour begins.
        """
        now = self._clock()
        with self._lock:
            if now >= self._until:
                self._until = now + HOUR
                self._spent.clear()
            known = address in self._spent or len(self._spent) < MOST_ADDRESSES
            key = address if known else ""
            if self._spent[key] + size > most:
                return ceil((self._until - now) / 60)
            self._spent[key] += size
        return 0


def register(app: Flask) -> None:
    """Refuse changes by addresses that have used up their hour."""
    quota = Quota()
    app.before_request(lambda: _refused(quota))


def _refused(quota: Quota) -> Response | None:
    if request.method in errors.READS:
        return None
    at_table = "match" in (request.view_args or {})
    size = (request.content_length or 0) + (OPENING if request.endpoint in OPENINGS else EACH)
    address = network(request.remote_addr or "")
    most = current_app.config["QUOTA"] * (AT_TABLES if at_table else 1)
    minutes = quota.spend(address, size, most)
    if not minutes:
        return None
    text = _(
        "このネットワークから1時間に保存できる量を超えました。何も記録していません。"
        "%(minutes)s分ほど待って、もう一度お試しください。",
        minutes=minutes,
    )
    response = errors.page(429, text)
    response.headers["Retry-After"] = str(60 * minutes)
    return response
