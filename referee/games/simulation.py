"""Matches between honest players with really dealt cards, for tests and measurements.

The honest player of a game is ``entries`` in its ``player`` module: it deals, knows all hands, and
enters what a player would enter. All chance comes from the given generator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from random import Random
from types import ModuleType

from referee.core.game import COMMON_OPTIONS, Game, Table
from referee.core.generic import GameState, Play
from referee.core.log import Log
from referee.games import GAMES
from referee.games.players import Player, Resuming

WIDEST = max(GAMES, key=lambda name: len(GAMES[name].SEATS))
"""The name of the game with the most possible numbers of seats, for a table of any size."""


def room_of(game: Game) -> str:
    """The room of the player of ``game``: its own, or for a game of a file that of its family."""
    family: str = getattr(game, "FAMILY", "")
    return family or game.NAME


def _module(room: str) -> ModuleType:
    package = f"referee.games.{room}" if room in GAMES else f"referee.kit.families.{room}"
    return import_module(f"{package}.player")


def player(room: str) -> Player:
    """The honest player of the game in ``room``; ModuleNotFoundError without one."""
    found: Player = _module(room).entries
    return found


def resuming(room: str) -> Resuming | None:
    """The player of the game in ``room`` if it can go on in the middle of a deal, else None.

    ModuleNotFoundError without a player.
    """
    module = _module(room)
    found: Resuming = module.entries
    return found if getattr(module, "GOES_ON", False) else None


def ahead(room: str) -> Callable[[GameState, Play], float] | None:
    """The function by which a player of the game in ``room`` looks ahead; None without one.

    It rates a play at a state for its seat, by what the play changes at once and the seat can see.
    ModuleNotFoundError without a player.
    """
    found: Callable[[GameState, Play], float] | None = getattr(_module(room), "ahead", None)
    return found


def table(game: Game, seats: Sequence[str], **options: str) -> Table:
    """A table with these seats and house rules, and with the game's usual equipment."""
    known = {**COMMON_OPTIONS, **game.OPTIONS}
    plain = Table(tuple(seats), options, known)
    kit = game.HOOKS.equip({}, plain.option, lambda name: None)
    return Table(tuple(seats), options, known, kit)


def played(
    game: Game,
    seats: Sequence[str],
    seed: int,
    lies: float = 0,
    shows: float = 0,
    most: int = 10_000,
    options: Mapping[str, str] | None = None,
) -> Log:
    """The log of the match that ``seed`` deals, up to ``most`` entries.

    The other parameters are those of ``Player`` and ``table``.
    """
    log = Log(game, table(game, seats, **(options or {})))
    for entry in player(room_of(game))(log, Random(seed), lies, shows):
        if len(log) == most:
            break
        log.push(entry)
    return log
