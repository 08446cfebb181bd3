"""Trumps on screen: the table page and the quick checks."""

from referee.screens.trumps.board import TrumpsScreen

SCREEN = TrumpsScreen("trumps")
