"""熟語ライン: nine flags, three kanji on each side, and flags taken by proof.

Source: seed text S004. Rulings J1–J47. The values of formations are in ``referee.jukugo``.

``plays`` has what can be declared; ``judging`` decides whether it is legal, ``claims`` whether a
flag may be taken; ``effects`` has what an entry changes, ``scoring`` and ``tallying`` the score,
``answers`` the proofs, ``agreements`` the words for later matches, ``feats`` what the history
remembers. ``state``, ``turns`` and ``evidence`` serve them.
"""

from __future__ import annotations

from referee.core.game import Hooks, Option, Options
from referee.games.jukugo_line.agreements import brought_along, learned
from referee.games.jukugo_line.answers import answered, could_beat, happened, knowledge, proof
from referee.games.jukugo_line.effects import apply, let_stand, refused, stopped
from referee.games.jukugo_line.feats import feats
from referee.games.jukugo_line.judging import candidates, claim_fault, judge
from referee.games.jukugo_line.plays import (
    PLAYS,
    Claim,
    Deal,
    Draw,
    Grant,
    Pass,
    Place,
    Play,
    Word,
)
from referee.games.jukugo_line.scoring import IN_A_ROW, audit, outcome, score
from referee.games.jukugo_line.sheet import SHEET
from referee.games.jukugo_line.situation import situation
from referee.games.jukugo_line.state import (
    FLAGS,
    Side,
    State,
    column,
    dealing,
    formation,
    other,
    public,
    setup,
    to_act,
    unseen,
)
from referee.games.jukugo_line.tallying import tally
from referee.games.jukugo_line.turns import claimant
from referee.jukugo import equipment
from referee.jukugo.equipment import equip

NAME = "jukugo_line"
SEATS = range(2, 3)
VERSION = "1"
OPTIONS: Options = {
    "joker_deal": Option(("one_each", "shuffled")),
    "claim_timing": Option(("before_draw", "start_of_turn")),
    "no_slot_draw": Option(("off", "on")),
    "same_pair_counts": Option(("off", "on")),
    "three_with_noma": Option(("on", "off")),
    "dictionary": Option(("list_app_agreement",)),
    "dispute": Option(("both_agree", "dictionary_only")),
    "proper_nouns": Option(("headwords_only", "any", "none")),
    "two_witnesses": Option(("off", "on")),
    "assist": Option(("name_first", "auto")),
    "hints": Option(("off", "on")),
    "failed_claim_penalty": Option(("none", "no_draw")),
    "adjudication": Option(("app_if_registered", "both_confirm")),
}
HOOKS: Hooks[State, Play] = Hooks(
    tally=tally,
    sheet=SHEET,
    stopped=stopped,
    equipment=equipment.KEYS,
    equip=equip,
    refused=refused,
    answered=answered,
    proof=proof,
    feats=feats,
    knowledge=knowledge,
    happened=happened,
    dealing=dealing,
    unit=lambda table: "flags",
    could_beat=could_beat,
    learned=learned,
    brought_along=brought_along,
)
