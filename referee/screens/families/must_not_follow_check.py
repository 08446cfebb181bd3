"""What the quick checks of the trick games without a duty to follow share: a trick as it lies."""

from __future__ import annotations

from referee.core.hands import Hands
from referee.core.verdict import Illegal
from referee.games import GAMES
from referee.games.families.must_not_follow import Deal, Lay, State
from referee.screens import quick_check
from referee.screens.quick_check import Answer, Asked, Fault, Field, Part
from referee.web.http.language import gettext as _


def trick(top: int, asked: Asked) -> tuple[Field, ...]:
    hint = _("出た順に。はじめの札が親の %(seat)s です。", seat=asked.seats[0])
    ranks = tuple(map(str, range(1, top + 1)))
    return (Field("cards", _("このトリックの札"), ranks, len(asked.seats), hint),)


def laid(asked: Asked) -> State:
    """The trick in the question, laid from hands of one card each.

    It may be the last of a deal, where any repeat can be right, so only the copies are counted.
    """
    game = GAMES[asked.game]
    state: State = game.setup(asked.table())
    state = game.apply(state, Deal(asked.seats[0]))
    state = state._replace(hands=Hands.dealt(state.deck, asked.seats, 1))
    ranks = asked.ranks("cards")
    if len(ranks) > len(asked.seats):
        most = len(asked.seats)
        raise Fault("cards", _("トリックには一人一枚、%(most)s 枚までです。", most=most))
    for seat, rank in zip(asked.seats, ranks, strict=False):
        verdict = game.judge(state, Lay(seat, rank))
        if isinstance(verdict, Illegal):
            raise Fault("cards", quick_check.line(asked.game, verdict.evidence))
        state = game.apply(state, Lay(seat, rank))
    return state


def so_far(state: State) -> Answer:
    """A trick that goes on: what the next seat may lay."""
    if not state.trick:
        return ()
    free = [rank for rank in state.deck.cards if rank not in state.showing]
    title = _("次は %(seat)s", seat=state.due[0])
    told = _("出せる数：%(ranks)s", ranks=_("・").join(map(str, free)))
    return (Part(title, "follow.1", (told,)),)


def leads(state: State) -> str:
    return _("次のリードは %(seat)s", seat=state.leader)
