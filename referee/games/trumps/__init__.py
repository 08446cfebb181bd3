"""Trumps（トランプス）: play for the right to take cards from the table, collect many of a kind.

Source: seed text S000. Rulings T1–T37. A round is ① cards, ② places, ③ taking, ④ the cards played
join the table, ⑤ every seat draws one; ④ and ⑤ are implied by the last taking.

``plays`` has what can be declared; ``judging`` decides whether it is legal, ``effects`` what it
changes, ``scoring`` and ``tallying`` the score. ``state`` and ``evidence`` serve them.
"""

from __future__ import annotations

from referee.core.game import Hooks, Option, Options
from referee.games.trumps.effects import adjusted, apply, let_stand, stopped, weakness
from referee.games.trumps.evidence import audit, knowledge
from referee.games.trumps.feats import feats, led
from referee.games.trumps.judging import candidates, judge
from referee.games.trumps.plays import (
    PLAYS,
    Cover,
    Deal,
    Draw,
    Lay,
    Pass,
    Play,
    Reveal,
    Starter,
    Take,
)
from referee.games.trumps.scoring import longest_run, outcome, score
from referee.games.trumps.situation import situation
from referee.games.trumps.state import (
    ASIDE,
    TOP,
    Laid,
    State,
    TrumpsStage,
    dealing,
    forbidden,
    place_of,
    public,
    setup,
    to_act,
)
from referee.games.trumps.tallying import SHEET, tally

NAME = "trumps"
SEATS = range(2, 4)
VERSION = "1"
OPTIONS: Options = {
    "second_empty": Option(("none", "draw")),
    "last_may_pass": Option(("off", "on")),
    "facedown_to_field": Option(("open", "remove")),
    "exact_zero_triggers": Option(("on", "off")),
    "tie_chain": Option(("two_steps", "lexicographic")),
}
HOOKS: Hooks[State, Play] = Hooks(
    tally=tally,
    sheet=SHEET,
    stopped=stopped,
    adjusted=adjusted,
    led=led,
    feats=feats,
    knowledge=knowledge,
    hands=lambda state: state.hands,
    scored=lambda state: state.round,
    starter=lambda state: state.starter,
    dealing=dealing,
)
