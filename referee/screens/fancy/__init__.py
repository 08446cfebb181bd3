"""Fancy on screen: a trick game whose cards stay face up, and whose plates count points."""

from referee.screens.families.must_not_follow import MustNotFollowScreen
from referee.screens.fancy.check import QUESTIONS
from referee.screens.fancy.sheet import FancySheet

SCREEN = MustNotFollowScreen(
    "fancy", down=False, wins_tricks=False, checks=QUESTIONS, sheet_pad=FancySheet()
)
