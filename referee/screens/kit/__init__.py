"""Games of files on screen: one board and one pad, made of what the file declares."""

from referee.screens.kit.board import KitScreen

__all__ = ["KitScreen"]
