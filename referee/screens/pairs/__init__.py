"""Pairs on screen: the table page and the quick check."""

from referee.screens.pairs.board import PairsScreen

SCREEN = PairsScreen("pairs")
