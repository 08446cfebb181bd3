"""The table page of the score pad."""

from referee.screens.score_pad.board import PadScreen

SCREEN = PadScreen("score_pad")
