"""Three Kings（スリー・キングス）: a hand card takes two from the table, three kings end the game.

Source: seed text S002. Rulings K1–K34. n seats play with 26n + 1 cards: 2n of every rank from ace
to queen, 2n + 1 kings (a joker is one of them).

``plays`` has what can be declared; ``judging`` decides whether it is legal, ``effects`` what it
changes, ``scoring`` and ``tallying`` the score. ``cards``, ``state`` and ``evidence`` serve them.
Draws are implied: ① is counted with the entry of the seat whose turn it is, the extra card with its
set. ``core.draws`` keeps what everybody knows about the hands.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.game import Hooks, Option, Options, Unit
from referee.games.three_kings.cards import (
    KING,
    NUMBERS,
    TABLEAU,
    VALUE,
    deck_for,
    is_set,
    sets_with,
)
from referee.games.three_kings.effects import adjusted, apply, let_stand, stopped
from referee.games.three_kings.evidence import audit, knowledge, prompt
from referee.games.three_kings.feats import feats
from referee.games.three_kings.judging import candidates, judge, turned_fault
from referee.games.three_kings.plays import (
    PLAYS,
    Capture,
    Deal,
    Declare,
    Discard,
    King,
    Pass,
    Play,
    Refill,
)
from referee.games.three_kings.scoring import outcome, score
from referee.games.three_kings.situation import judge_whatever_held, next_in_pile, situation
from referee.games.three_kings.state import (
    State,
    begins_next,
    dealing,
    kings_known,
    may_leave_kings,
    piles,
    public,
    setup,
    to_act,
)
from referee.games.three_kings.tallying import SHEET, tally

NAME = "three_kings"
SEATS = range(2, 101)
VERSION = "1"
OPTIONS: Options = {
    "method": Option(("2", "1", "3")),
    "fifth_king": Option(("joker", "king")),
    "initial_table_kings": Option(("stay", "replace", "to_first_player")),
    "dealt_three_kings": Option(("end", "redeal")),
    "set_compulsory": Option(("on", "off")),
    "refill_kings": Option(("must", "may")),
    "replace_refill_kings": Option(("off", "on")),
    "stock_out": Option(("continue", "stop")),
    "end": Option(("three_kings", "all_cards"), {"all_cards": {"method": "1"}}),
    "all_cards_end": Option(("hands_empty", "stock_empty")),
    "all_cards_bonus": Option(("holders", "none")),
}
UNITS: Mapping[str, Unit] = {"1": "wins", "2": "points", "3": "fewest"}  # by method
HOOKS: Hooks[State, Play] = Hooks(
    tally=tally,
    sheet=SHEET,
    begins_next=begins_next,
    stopped=stopped,
    adjusted=adjusted,
    feats=feats,
    knowledge=knowledge,
    hands=lambda state: state.hands,
    scored=lambda state: len(state.sets),
    dealing=dealing,
    unit=lambda table: UNITS[table.option("method")],
)
