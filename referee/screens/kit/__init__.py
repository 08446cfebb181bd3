"""The screen of games from files: one board and one pad, built from the file's declarations."""

from referee.screens.kit.board import KitScreen

__all__ = ["KitScreen"]
