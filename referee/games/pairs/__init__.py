"""Pairs（ペアーズ）: take a card or fold; a pair scores its number, and the most points lose.

Sources: the printed rules by James Ernest and Paul Peterson (S101), the summary of a web version
(S102). Rulings B1–B11.

``plays`` has what can be declared; ``judging`` decides whether it is legal, ``effects`` what it
changes, ``scoring`` and ``tallying`` the score. ``state`` and ``evidence`` serve them; ``player``
plays at random from a real deck.
"""

from __future__ import annotations

from referee.core.game import Hooks, Option, Options
from referee.games.pairs.effects import adjusted, apply, let_stand, stopped
from referee.games.pairs.evidence import audit, knowledge, luck
from referee.games.pairs.judging import candidates, judge
from referee.games.pairs.plays import PLAYS, Deal, Fold, Hit, Play, Reveal, Shuffle, Starter
from referee.games.pairs.scoring import outcome, score
from referee.games.pairs.state import (
    BURNED,
    DECK,
    PairsStage,
    State,
    can_draw,
    dealing,
    limit,
    lowest,
    must_shuffle,
    outside,
    public,
    setup,
    to_act,
)
from referee.games.pairs.tallying import SHEET, tally

NAME = "pairs"
SEATS = range(2, 9)
VERSION = "1"
OPTIONS: Options = {"limit": Option(("formula", "printed"))}
HOOKS: Hooks[State, Play] = Hooks(
    tally=tally,
    unit=lambda table: "fewest",
    sheet=SHEET,
    stopped=stopped,
    adjusted=adjusted,
    knowledge=knowledge,
    luck=luck,
    starter=lambda state: state.starter,
    dealing=dealing,
    carried=True,
)
