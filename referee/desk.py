"""Tonight's desk: where the rules of an evening and its storage meet.

Every press is decided on the evening as it is now, and appended behind what others have done
meanwhile; so two directors lose nothing. The places of a table come from its match by themselves.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple

from referee.core.ranking import ranking
from referee.core.sheets import stopped
from referee.ledger import Ledger, View
from referee.store import Clash, Desks, NoSuchMatch, Unavailable
from referee.store.desks import topic
from referee.tonight.entries import (
    DeskEntry,
    PeopleMerged,
    Places,
    PlacesHeard,
    Teams,
    read,
    written,
)
from referee.tonight.evening import DeskState, RoundTable, Stamp, after

ATTEMPTS = 20
"""Presses of others that may come between the reading and the writing of one press."""
KEPT = 32
"""Evenings in memory."""


class DeskView(NamedTuple):
    """A desk as it is after entry ``seq``.

    ``people``: id and present name by number, None for who was deleted on request.
    """

    desk: int
    seq: int
    evening: DeskState
    people: Sequence[tuple[int | None, str | None]]

    @property
    def names(self) -> list[str | None]:
        """The present names by number."""
        return [name for _, name in self.people]

    def number(self, person: str) -> int | None:
        """The number of the person with this name."""
        return self.names.index(person) if person in self.names else None

    def twins(self) -> list[PeopleMerged]:
        """Who were two people when they came, and are one in the group by now.

        Two who sat in one round stay two.
        """
        first: dict[int, int] = {}
        for number, (person, _) in enumerate(self.people):
            if person is not None and number in self.evening.guests:
                first.setdefault(person, number)
        return [
            PeopleMerged(number, first[person])
            for number, (person, _) in enumerate(self.people)
            if person is not None
            and number in self.evening.guests
            and number != first[person]
            and not any({number, first[person]} <= each.seated() for each in self.evening.rounds)
        ]


class TablePlace(NamedTuple):
    """A table of a round of a desk."""

    desk: int
    round: int
    table: str


@dataclass
class _Replayed:
    seq: int
    evening: DeskState


class Desk:
    """The desks of all groups of one app."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.store = Desks(ledger.store)
        self._lock = Lock()
        self._evenings: dict[int, _Replayed] = {}
        self._tables: dict[str, TablePlace] = {}
        """The tables whose matches are known."""
        self._heard: dict[str, int] = {}
        """The position of each match up to which its places are known at the desk."""
        ledger.listeners.append(self._announced)

    def view(self, desk: int) -> DeskView:
        """The desk as it is now; raises ``NoSuchDesk``."""
        self.store.circle(desk)
        with self._lock:
            known = self._evenings.get(desk) or _Replayed(0, DeskState())
            evening, seq = known.evening, known.seq
        for line in self.store.read(desk, seq):
            evening, seq = after(evening, read(line.line), Stamp(line.phone, line.at)), line.seq
        with self._lock:
            if desk not in self._evenings and len(self._evenings) >= KEPT:
                self._evenings.pop(next(iter(self._evenings)))
            self._evenings[desk] = _Replayed(seq, evening)
            for round_ in evening.published:
                for table in round_.tables:
                    if table.match:
                        self._tables[table.match] = TablePlace(desk, round_.number, table.table)
        return DeskView(desk, seq, evening, self.store.people(desk))

    def caught_up(self, desk: int) -> DeskView:
        """``view`` after everything that its matches have to say, also by other processes."""
        found = self.view(desk)
        matches = [
            table.match for each in found.evening.published for table in each.tables if table.match
        ]
        extents = self.ledger.store.extents(matches)
        late = [
            match for match, extent in extents.items() if self._heard.get(match) != extent.position
        ]
        for match in late:
            self._hear(match, extents[match].position)
        twins = found.twins()
        for twin in twins:
            self._merge(desk, twin)
        return self.view(desk) if late or twins else found

    def _merge(self, desk: int, twin: PeopleMerged) -> None:
        def decide(found: DeskView) -> Sequence[DeskEntry]:
            return (twin,) if twin in found.twins() else ()

        self.write(desk, "", f"merged-{twin.gone}-{twin.stays}", decide)

    def write(
        self,
        desk: int,
        phone: str,
        key: str,
        decide: Callable[[DeskView], Sequence[DeskEntry]],
    ) -> DeskView:
        """Append what ``decide`` makes of the desk as it is; nothing if ``key`` was used before.

        ``decide`` is asked again if somebody was faster, and may raise to refuse.
        """
        for _ in range(ATTEMPTS):
            found = self.view(desk)
            if self.store.has(desk, key):
                return found
            entries = decide(found)
            if not entries:
                return found
            with suppress(Clash):
                lines = [written(entry) for entry in entries]
                self.store.append(desk, found.seq, lines, key, phone)
                self._announce(desk, found.seq + len(lines))
                return self.view(desk)
        raise Unavailable(f"desk {desk}: {ATTEMPTS} others were faster")

    def place_of(self, match: str, circle: str) -> TablePlace | None:
        """The table that plays ``match`` this evening, if a desk of ``circle`` has it."""
        if match not in self._tables and (desk := self.store.current(circle)) is not None:
            self.view(desk)
        return self._tables.get(match)

    def _announce(self, desk: int, seq: int) -> None:
        for listener in self.ledger.listeners:
            listener(topic(desk), seq)

    def _announced(self, match: str, position: int) -> None:
        """A match has grown; called by the thread that wrote or learned it."""
        if match in self._tables:
            with suppress(Unavailable):  # the play is recorded; the desk asks again when it is read
                self._hear(match, position)

    def _hear(self, match: str, position: int) -> None:
        """Write the places of a match to its desk, if they have changed."""
        desk, number, name = self._tables[match]
        with suppress(NoSuchMatch):
            view = self.ledger.view(match)
            if view.outcome is not None or self._said(match):
                heard = self._places(view, desk)

                def decide(found: DeskView) -> Sequence[DeskEntry]:
                    table = table_at(found.evening, number, name)
                    news = table is not None and table.match == match and table.heard != heard
                    return (PlacesHeard(number, name, *heard),) if news else ()

                self.write(desk, "", f"heard-{secrets.token_hex(8)}", decide)
        self._heard[match] = position

    def _said(self, match: str) -> bool:
        """Whether the desk knows places of this match."""
        desk, number, name = self._tables[match]
        with self._lock:
            known = self._evenings.get(desk)
        table = table_at(known.evening, number, name) if known else None
        return table is not None and bool(table.heard[0])

    def _places(self, view: View, desk: int) -> tuple[Places, Teams]:
        """The places of a match that is over; none for one that runs or was stopped."""
        ended = view.outcome
        if ended is None or stopped(ended):
            return (), ()
        seats, sheet = view.header.seats, view.game.score(view.state)
        sitting = self.store.sitting(view.match, desk)
        number = {seat: sitting.get(place) for place, seat in enumerate(seats, 1)}
        teams = view.game.HOOKS.teams(view.state)
        places = [
            (person, rank.place)
            for rank in ranking(seats, sheet, ended, teams)
            for seat in rank.names
            if (person := number[seat]) is not None
        ]
        if len(places) < len(seats):  # somebody else has a seat: a director decides
            return (), ()
        found = tuple(
            tuple(p for seat in team if (p := number[seat]) is not None) for team in teams
        )
        return tuple(sorted(places)), found


def table_at(evening: DeskState, number: int, name: str) -> RoundTable | None:
    """A table of a round by its name."""
    round_ = evening.round(number)
    return round_.at(name) if round_ else None
