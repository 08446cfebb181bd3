"""How the games look: a package for each game, found by its name, and what they share."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from referee.screens.base import Screen


@cache
def screen(game: str) -> Screen:
    """The screen of ``game``: ``SCREEN`` of the package with this name; KeyError without one."""
    try:
        found: Screen = import_module(f"{__name__}.{game}").SCREEN
    except ModuleNotFoundError as missing:
        raise KeyError(game) from missing
    return found
