"""What was played before on this phone and in its group, and by whom: a table begins like it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flask import abort

from referee import store
from referee.core.game import Game
from referee.core.normalised import compared
from referee.core.record import CALLED
from referee.core.verdict import Seat
from referee.games import KIND
from referee.http import access, guarded
from referee.http.current import ledger
from referee.ledger import View
from referee.store.past import Past

LISTED = 24  # matches on the start page, and those that a new table is filled in from


class PlayedBefore(NamedTuple):
    """A name of a game, and the latest match of this game; ``key``: the name as it is compared."""

    key: str
    match: str
    name: str


def latest(most: int = LISTED) -> list[store.Listed]:
    """The newest matches of this phone's circle, the latest first; none without a circle."""
    return access.circles().matches(access.circle(), most) if access.circle() else []


def own_matches() -> list[store.Listed]:
    """The matches of this phone's circle and those where it is a guest, the latest first."""
    rows = access.doors().tables(access.phone(), LISTED) + latest()
    return sorted(set(rows), key=lambda row: (row.opened, row.id), reverse=True)[:LISTED]


def line_up(match: str) -> tuple[Seat, ...]:
    """The line-up of a match at which this phone has a role; otherwise 404."""
    if not access.way(match).role():
        abort(404)
    return next((seats for _match, seats in line_ups([match])), ())


def line_ups(matches: Sequence[str]) -> list[tuple[str, tuple[Seat, ...]]]:
    """The matches with their seats, without names that were deleted."""
    gone = access.people().deleted(matches)
    return [
        (match, tuple(seat for seat in seats if (match, seat) not in gone))
        for match, seats in guarded.each(matches, _seats).items()
    ]


def _seats(view: View) -> tuple[Seat, ...]:
    return view.header.seats


def latest_names() -> tuple[Seat, ...]:
    """The people with whom the form begins: those of the latest match."""
    return next((seats for _match, seats in line_ups([row.id for row in latest(1)])), ())


def played(game: Game) -> list[PlayedBefore]:
    """What the people have called this game before, the latest first."""
    if CALLED not in game.HOOKS.equipment:
        return []
    found: dict[str, PlayedBefore] = {}
    for match, name in guarded.each([row.id for row in own_matches()], _called).items():
        if name:
            found.setdefault(compared(name), PlayedBefore(compared(name), match, name))
    return list(found.values())


def _called(view: View) -> str:
    return view.header.named.get(CALLED, "")


def called_before(game: Game, key: str) -> str | None:
    """The latest match of the game that people call so (``key``: as names are compared)."""
    found = next((one.match for one in played(game) if one.key == key), None)
    if found is None and access.circle():
        return Past(ledger().store, access.circle()).latest(f"{game.NAME}{KIND}{key}")
    return found
