"""How the games look: a package for each game, found by its name, and what they share."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from referee.screens.base import Screen


@cache
def screen(game: str) -> Screen:
    """The screen of ``game``: ``SCREEN`` of the package with this name, else a plain one."""
    package = f"{__name__}.{game}"
    try:
        found: Screen = import_module(package).SCREEN
    except ModuleNotFoundError as missing:
        if missing.name != package:
            raise
        return Screen(game)
    return found
