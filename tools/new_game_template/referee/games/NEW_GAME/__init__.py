"""NEW_TITLE (to be written): everybody lays one card, and the highest takes the trick.

Source: (to be written). ``rules`` has plays, states and verdicts; see ``core.game.Game``.
"""

from __future__ import annotations

from referee.core.game import Options
from referee.games.NEW_GAME.rules import (
    Deal,
    Lay,
    apply,
    audit,
    candidates,
    judge,
    let_stand,
    outcome,
    public,
    score,
    setup,
    to_act,
)

NAME = "NEW_GAME"
FAMILY = "other"
SEATS = range(2, 7)
VERSION = "1"
OPTIONS: Options = {}
PLAYS = (Deal, Lay)
TALLIED = False  # no tally sheet: matches are recorded play by play

__all__ = [
    "FAMILY",
    "NAME",
    "OPTIONS",
    "PLAYS",
    "SEATS",
    "TALLIED",
    "VERSION",
    "apply",
    "audit",
    "candidates",
    "judge",
    "let_stand",
    "outcome",
    "public",
    "score",
    "setup",
    "to_act",
]
