"""ペリテ on screen: a trick game whose pairs turn face down, and whose plates count tricks won."""

from referee.screens.families.must_not_follow import MustNotFollowScreen
from referee.screens.perite.check import QUESTIONS
from referee.screens.perite.sheet import PeriteSheet

SCREEN = MustNotFollowScreen(
    "perite", down=True, wins_tricks=True, checks=QUESTIONS, sheet_pad=PeriteSheet()
)
