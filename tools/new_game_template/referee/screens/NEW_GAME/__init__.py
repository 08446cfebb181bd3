"""NEW_TITLE on screen."""

from referee.screens.NEW_GAME.board import NEW_CLASSScreen

SCREEN = NEW_CLASSScreen()
