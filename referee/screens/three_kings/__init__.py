"""Three Kings on screen: the table page and the quick checks."""

from referee.screens.three_kings.board import ThreeKingsScreen

SCREEN = ThreeKingsScreen("three_kings")
