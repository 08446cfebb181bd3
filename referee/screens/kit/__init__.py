"""The screens of games from files: one board and one pad a family, built from the file."""

from referee.kit.families.draw_or_stop.game import DrawOrStopGame
from referee.kit.families.shedding.game import SheddingGame
from referee.kit.families.trick_taking.game import TrickTakingGame
from referee.screens.kit.board import KitScreen
from referee.screens.kit.rows import RowScreen
from referee.screens.kit.shedding.board import SheddingScreen

SCREENS = {
    TrickTakingGame.FAMILY: KitScreen,
    DrawOrStopGame.FAMILY: RowScreen,
    SheddingGame.FAMILY: SheddingScreen,
}
"""The screen of each family."""
