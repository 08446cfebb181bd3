"""The screens of games from files: one board and one pad a family, built from the file."""

from referee.kit.families.trick_taking.game import TrickTakingGame
from referee.screens.kit.board import KitScreen

SCREENS = {TrickTakingGame.FAMILY: KitScreen}
"""The screen of each family."""
