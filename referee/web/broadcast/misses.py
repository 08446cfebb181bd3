"""Wrong secrets of live pages: after some of them an address has to wait, right or wrong.

A secret has 128 random bits, so nobody finds one; a limit keeps the attempts from being work.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic

from referee.http.invites import network
from referee.store.broadcasts import hashed

WINDOW_SECONDS = 600.0
MOST = 30
"""Different wrong secrets of one address in this time. One that a table no longer uses, and that
many phones behind one address still open, counts once.
"""
MOST_ADDRESSES, OTHERS = 2_000, "others"
"""Addresses that are counted apart; the others share one count."""


class Misses:
    """The wrong secrets of the last minutes; ``clock`` gives seconds that never go back."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._lock = clock, Lock()
        self._until = clock() + WINDOW_SECONDS
        self._wrong: dict[str, set[str]] = {}

    def refuses(self, address: str, secret: str) -> bool:
        """Whether nothing is looked up: the secret was wrong before, or too many others were.

        ``address`` is "" when the server asks by itself, for streams that are open already.
        """
        if not address:
            return False
        with self._lock:
            if self._clock() >= self._until:
                self._until = self._clock() + WINDOW_SECONDS
                self._wrong.clear()
            known = self._wrong.get(self._counted(address), ())
            return len(known) >= MOST or hashed(secret) in known

    def add(self, address: str, secret: str) -> None:
        """Count a secret that was wrong."""
        with self._lock:
            self._wrong.setdefault(self._counted(address), set()).add(hashed(secret))

    def _counted(self, address: str) -> str:
        key = network(address)
        return key if key in self._wrong or len(self._wrong) < MOST_ADDRESSES else OTHERS
