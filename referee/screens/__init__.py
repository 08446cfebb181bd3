"""The screens of the games: a package for each game, found by its name, and shared parts."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import cast

from referee.games import KIND, room
from referee.http import current
from referee.kit.game import KitGame
from referee.screens.base import Screen


@lru_cache(maxsize=256)
def screen(game: str) -> Screen:
    """The screen of ``game``: ``SCREEN`` of the package with this name, else a plain ``Screen``.

    A game from a file has a screen of its family.
    """
    game = game.partition(KIND)[0]
    package = f"{__name__}.{room(game)}"
    try:
        module = import_module(package)
    except ModuleNotFoundError as missing:
        if missing.name != package:
            raise
        return Screen(game)
    if package.endswith(game):
        own: Screen = module.SCREEN
        return own
    made: type[Screen] = module.SCREENS[cast(KitGame, current.game(game)).FAMILY]
    return made(game)
