"""NEW_TITLE (to be written): everybody plays one card, and the highest takes the trick.

Source: (to be written). Rulings NEW_RULING1–NEW_RULING1.

``rules`` has plays, states and verdicts; see ``core.game.Game``.
"""

from __future__ import annotations

from referee.core.game import Hooks, Options
from referee.games.NEW_GAME.rules import (
    Deal,
    Lay,
    Play,
    State,
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
SEATS = range(2, 7)
VERSION = "1"
OPTIONS: Options = {}
PLAYS: tuple[type[Play], ...] = (Deal, Lay)
HOOKS: Hooks[State, Play] = Hooks()
