"""ペアーズ大富豪（仮題）: shed hand and pyramid; four equal cards and pairs reverse the order.

Source: seed text S001, by のざくに; its title is lost. Rulings D1–D32. The code says deal where the
text says ゲーム, and trick where it says ラウンド.

``plays`` has what can be declared; ``judging`` decides whether it is legal, ``effects`` what it
changes, ``scoring`` the score. ``state``, ``following`` and ``evidence`` serve them.
"""

from __future__ import annotations

from referee.core.game import Hooks, Option, Options
from referee.games.pairs_daifugo.effects import apply, let_stand, stopped
from referee.games.pairs_daifugo.evidence import happened, knowledge
from referee.games.pairs_daifugo.feats import led
from referee.games.pairs_daifugo.following import sure_passes
from referee.games.pairs_daifugo.judging import candidates, groups, judge, row_fault
from referee.games.pairs_daifugo.plays import PLAYS, Deal, Lay, Pass, Play, Row, Turn
from referee.games.pairs_daifugo.scoring import audit, outcome, score
from referee.games.pairs_daifugo.situation import situation
from referee.games.pairs_daifugo.state import (
    DECK,
    HAND,
    REVOLUTION,
    ROWS,
    Laid,
    State,
    dealing,
    has_pair,
    high,
    public,
    setup,
    stronger,
    to_act,
)
from referee.games.pairs_daifugo.tallying import SHEET

NAME = "pairs_daifugo"
SEATS = range(2, 7)
VERSION = "1"
OPTIONS: Options = {
    "pyramid_build": Option(("unseen", "chosen")),
    "pairs_back_in_revolution": Option(("stay", "toggle")),
    "auto_close_round": Option(("suggest", "auto", "off")),
    "wins_needed": Option(("2", "1", "3", "4", "5")),
    "show_counts": Option(("on", "off")),
}
HOOKS: Hooks[State, Play] = Hooks(
    sheet=SHEET,
    stopped=stopped,
    led=led,
    knowledge=knowledge,
    happened=happened,
    trick=lambda state: state.number,
    starter=lambda state: state.leader,
    dealing=dealing,
    unit=lambda table: "wins",
)
