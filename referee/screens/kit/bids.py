"""The keys of bids and of suits to name, of a game of a file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeAlias

from referee.core.verdict import Illegal, Seat
from referee.http.language import gettext as _
from referee.kit.families.trick_taking import judging
from referee.kit.families.trick_taking.evidence import rules_of
from referee.kit.families.trick_taking.plays import Bid, Play
from referee.kit.families.trick_taking.state import State
from referee.ledger import View
from referee.screens.kit.names import KitNames
from referee.screens.kit.pad import BidOrSuit, JointBid, JointBids
from referee.screens.pad import verdict_word
from referee.screens.wording import width

KitView: TypeAlias = View[State, Play]

MOST_JOINT = 5  # the most keys beside each bid, for what the next seats bid with it
WIDEST_JOINT = 6  # half-width characters that fit such a key


def bid_keys(view: KitView, names: KitNames, seat: Seat) -> list[BidOrSuit]:
    """A key for each bid of ``seat``, the legal ones first."""
    state, rules = view.state, rules_of(view.state)
    total = sum(rules.bidding.worth(said) for said in state.round.bids if said is not None)
    adds = judging.bids_add_up(state)
    keys = []
    for said in rules.bidding.possible(state):
        note = _("計 %(n)s", n=total + rules.bidding.worth(said)) if adds else ""
        keys.append(choice(view, names, Bid(seat, said), note))
    return sorted(keys, key=lambda key: key.word == "illegal")


def joint_bids(view: KitView, names: KitNames, seat: Seat) -> JointBids | None:
    """Keys for the bids of ``seat`` and of the next ones together, if they are few and short.

    They are bids of one seat more, or of two more if there are only two bids, such as to stay
    and to fold.
    """
    state, said = view.state, rules_of(view.state).bidding.possible(view.state)
    if not 1 < len(said) <= MOST_JOINT or len(state.due) < 2 or seat != state.due[0]:
        return None
    if max(width(names.of_play(Bid(seat, one))) for one in said) > WIDEST_JOINT:
        return None
    others = state.due[1 : 3 if len(said) == 2 else 2]
    rows = [
        (
            choice(view, names, Bid(seat, one)),
            tuple(
                _joint(view, names, tuple(map(Bid, (seat, *others), (one, *more))))
                for more in product(said, repeat=len(others))
            ),
        )
        for one in said
    ]
    return JointBids(seat, others, tuple(rows))


def _joint(view: KitView, names: KitNames, plays: Sequence[Bid]) -> JointBid:
    state, lines = view.state, list[str]()
    for play in plays:
        if isinstance(view.game.judge(state, play), Illegal):
            lines = []
            break
        state = view.game.apply(state, play)
        lines.append(view.grammar.print(play))
    texts = tuple((play.seat, names.of_play(play)) for play in plays)
    return JointBid(texts, "\n".join(lines))


def choice(view: KitView, names: KitNames, play: Play, note: str = "") -> BidOrSuit:
    """The key that records ``play``; ``note``: what stands below it."""
    return BidOrSuit(names.of_play(play), view.grammar.print(play), verdict_word(view, play), note)
