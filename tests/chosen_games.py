"""Games chosen by the properties that a test needs, so that the test names none.

``referee.games.simulation.WIDEST`` is the one with the most possible numbers of seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields

from referee.core.game import Hooks
from referee.core.record import CALLED, Header
from referee.games import GAMES

NARROWEST = min(GAMES, key=lambda name: len(GAMES[name].SEATS))
"""A game for as few numbers of seats as any."""

NEEDS_MOST = max(GAMES, key=lambda name: GAMES[name].SEATS[0])
"""A game that needs as many seats as any before it can begin."""


def having(hook: str) -> list[str]:
    """The games that have this hook of ``core.game.Hooks``."""
    default = {field.name: field.default for field in fields(Hooks)}[hook]
    return [name for name, game in GAMES.items() if getattr(game.HOOKS, hook) is not default]


def some_seats(game: str, names: Sequence[str]) -> Sequence[str]:
    """The first of ``names``: three, or as near to it as ``game`` allows."""
    seats = GAMES[game].SEATS
    return names[: min(max(3, seats[0]), seats[-1])]


def head(
    name: str,
    seats: Sequence[str],
    options: Mapping[str, str] | None = None,
    texts: Mapping[str, str] | None = None,
) -> Header:
    """The head of a record of any game, with what people call it where a record says it."""
    named = {CALLED: "UNO"} if CALLED in GAMES[name].HOOKS.equipment else {}
    return Header(
        name, tuple(seats), options or {}, texts or {}, named=named, kit=named.get(CALLED)
    )
