"""Rules shared by Fancy and ペリテ: one card each in turn, of a number that is not showing.

Decided here: deals, turns, the rotation of the first lead, the copies of a number, declarations
about hands and the end of a match. The games themselves decide what a repeated number does and what
a trick is worth.

``plays`` has what can be declared; ``judging`` decides whether it is legal, ``effects`` what it
changes, ``scoring`` who has won. ``state``, ``evidence`` and ``tallying`` serve them.
"""

from __future__ import annotations

from referee.games.families.must_not_follow.effects import (
    adjusted,
    can_stand,
    closed,
    deal,
    deal_over,
    entered_as_sheet,
    laid,
    show,
    stopped,
)
from referee.games.families.must_not_follow.evidence import audit, knowledge, newest_card, next_lead
from referee.games.families.must_not_follow.judging import candidates, judge
from referee.games.families.must_not_follow.plays import PLAYS, Deal, Lay, Play, Show
from referee.games.families.must_not_follow.scoring import decided, outcome
from referee.games.families.must_not_follow.state import (
    ROUND_STARTER,
    ROUNDS,
    Laid,
    State,
    Trick,
    ended_trick,
    public,
    rounds,
    setup,
    to_act,
    tricks,
)
from referee.games.families.must_not_follow.tallying import begun, count_copy
