"""The screens of games from files: one board and one pad a family, built from the file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from referee.kit.families.trick_taking.game import TrickTakingGame
from referee.kit.game import KitGame
from referee.screens.base import Screen
from referee.screens.kit.board import KitScreen
from referee.web.http import current

SCREENS: Mapping[str, type[Screen]] = {TrickTakingGame.FAMILY: KitScreen}


def screen_of(name: str) -> Screen:
    """The screen of the game ``name``: that of its family."""
    return SCREENS[cast(KitGame, current.game(name)).FAMILY](name)
