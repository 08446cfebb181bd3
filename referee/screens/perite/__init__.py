"""ペリテ on screen: a trick game whose pairs are turned down, and whose plates count tricks won."""

from referee.screens.families.must_not_follow import MustNotFollowScreen
from referee.screens.perite.check import QUESTIONS

SCREEN = MustNotFollowScreen("perite", down=True, wins=True, checks=QUESTIONS)
