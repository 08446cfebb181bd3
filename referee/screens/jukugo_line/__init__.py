"""熟語ライン on screen: the table page and the quick checks."""

from referee.screens.jukugo_line.board import JukugoLineScreen

SCREEN = JukugoLineScreen("jukugo_line")
