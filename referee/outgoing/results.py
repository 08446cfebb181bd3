"""Finished matches go to the address of their group, if a host has named one.

A thread of its own sends them, so no play waits for an address. A result is tried three times, and
what waits is stored, so that it survives a restart. An address that has answered wrongly for a day
is switched off; the page of the group says so.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple

from referee.core.ranking import ranking
from referee.core.record import CALLED
from referee.core.sheets import stopped
from referee.core.written import as_json
from referee.ledger import Ledger, View
from referee.outgoing.posting import (
    Connect,
    anywhere_but_here,
    anywhere_public,
    connecting,
    posted,
)
from referee.outgoing.refused import NotAccepted
from referee.rulings import book_of, called
from referee.store import NoSuchMatch, Unavailable
from referee.store.result_addresses import ResultAddress, ResultAddresses, UnsentResult

LOG = logging.getLogger(__name__)
WAITS = (timedelta(minutes=1), timedelta(minutes=10))
"""After the first and the second try; there is no fourth."""
WRONG_FOR = timedelta(days=1)
"""After so long an address that answers wrongly is switched off."""
LOOK_SECONDS = 5.0
"""How often what waits is looked for."""


class AddressTest(NamedTuple):
    """A group wants to know whether its address works."""

    circle: str


def _utc() -> datetime:
    return datetime.now(UTC)


class ResultSender:
    """Sends the results of the matches of ``ledger``, while it runs."""

    def __init__(
        self,
        ledger: Ledger,
        *,
        public: bool = False,
        connect: Connect | None = None,
        clock: Callable[[], datetime] = _utc,
    ) -> None:
        self.ledger, self.addresses = ledger, ResultAddresses(ledger.store)
        self._reachable = anywhere_public if public else anywhere_but_here
        self._connect = connect
        self._clock = clock
        self._news: SimpleQueue[str | AddressTest | None] = SimpleQueue()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Begin to listen and to send."""
        self.ledger.listeners.append(self._announced)
        self._thread = Thread(target=self._run, name="results", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop; what waits is sent after the next start."""
        self.ledger.listeners.remove(self._announced)
        self._news.put(None)

    def test(self, circle: str) -> None:
        """Send a message without a result soon; ``ResultAddress.last`` says what became of it."""
        self._news.put(AddressTest(circle))

    def _announced(self, match: str, position: int) -> None:
        self._news.put(match)

    def _run(self) -> None:
        while True:
            try:
                news = self._news.get(timeout=LOOK_SECONDS)
            except Empty:
                self._safely(self.send_due)
                continue
            if news is None:
                return
            self._safely(partial(self.hear, news))

    def _safely(self, work: Callable[[], None]) -> None:
        """Do ``work``; what stops it stops nothing else, and what waits is looked for again."""
        try:
            work()
        except (Unavailable, NoSuchMatch):
            pass
        except Exception:
            LOG.exception("a result could not be sent")

    def hear(self, news: str | AddressTest) -> None:
        """A match has changed, or an address is to be tested."""
        if isinstance(news, AddressTest):
            found = self.addresses.of(news.circle)
            if found is not None:
                self._posted(found, {"version": 1, "test": True})
            return
        if self.addresses.for_match(news) is None:
            return
        view = self.ledger.view(news)
        if view.outcome is not None:
            digest = hashlib.sha256(json.dumps(result(view)).encode()).hexdigest()
            if self.addresses.queue(news, digest, self._clock().isoformat()):
                self.send_due()

    def send_due(self) -> None:
        """Send every result whose time has come."""
        for unsent in self.addresses.due(self._clock().isoformat()):
            more = WAITS[unsent.tries : unsent.tries + 1]
            again = (self._clock() + more[0]).isoformat() if more else ""
            if self.addresses.take(unsent, again):
                self._safely(partial(self._send, unsent))

    def _send(self, unsent: UnsentResult) -> None:
        address = self.addresses.for_match(unsent.match)
        view = self.ledger.view(unsent.match)
        # stopped, or played on, since it was queued: the next end is queued anew
        if address is None or view.outcome is None or self._posted(address, result(view)):
            self.addresses.sent(unsent.match)

    def _posted(self, address: ResultAddress, message: dict[str, object]) -> bool:
        """Whether the address has accepted; keeps account of it."""
        now = self._clock()
        try:
            posted(address.address, message, self._connect or connecting(self._reachable))
        except NotAccepted as fault:
            since = address.failing or now.isoformat()
            off = now - datetime.fromisoformat(since) >= WRONG_FOR
            self.addresses.answered(address.circle, str(fault), since, off=off)
            return False
        self.addresses.answered(address.circle, "ok")
        return True


def result(view: View) -> dict[str, object]:
    """A finished match as JSON; the same ``match`` may come again with another result."""
    ended = view.outcome
    assert ended is not None
    places = ranking(
        view.present, view.game.score(view.state), ended, view.game.HOOKS.teams(view.state)
    )
    rules = called(book_of(view.game), view.header.named.get(CALLED))
    return {
        "version": 1,
        "match": view.match,
        "game": view.header.game,
        "title": {"ja": rules.title.ja, "en": rules.title.en},
        "stopped": stopped(ended),
        "clause": ended.clause,
        "places": [
            {
                "place": rank.place,
                "names": list(rank.names),
                "points": as_json(rank.points),
                "won": rank.won,
            }
            for rank in places
        ],
    }
