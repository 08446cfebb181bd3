"""Quick check of one trick, for the games in which a number must not be repeated."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from referee.core.game import Table, options
from referee.games import GAMES
from referee.games.families.must_not_follow import State
from referee.http.language import gettext as _
from referee.screens.quick_check import CheckAnswer, CheckAnswers, CheckField, CheckInput

Situation: TypeAlias = Callable[[Table, list[int]], State]
"""``situation`` of a game of the family."""

FREE = "follow.1"  # the clause of a number that any seat may play


def trick(top: int, entered: CheckInput) -> tuple[CheckField, ...]:
    """The only field: the cards of the trick, with numbers up to ``top``."""
    hint = _("出した順に入力。最初の1枚が%(seat)sのリードです。", seat=entered.seats[0])
    ranks = tuple(map(str, range(1, top + 1)))
    return (CheckField("cards", _("このトリックのカード"), ranks, len(entered.seats), hint),)


def lying(situation: Situation, entered: CheckInput) -> State:
    """The trick that was entered."""
    return situation(entered.table(), entered.ranks("cards", len(entered.seats)))


def next_ranks(situation: Situation) -> Callable[[CheckInput, CheckField], tuple[str, ...]]:
    """``QuickCheck.offers`` with the numbers that the next seat may play, if it holds them."""

    def offers(entered: CheckInput, field: CheckField) -> tuple[str, ...]:
        state = lying(situation, entered)
        return tuple(str(lay.rank) for lay in options(GAMES[entered.game], state))

    return offers


def so_far(entered: CheckInput, state: State) -> CheckAnswers:
    """The answer for an incomplete trick: what the next seat may play, whatever else it holds."""
    if not state.trick:
        return ()
    game = GAMES[entered.game]
    free = [lay.rank for lay in options(game, state) if lay.rank not in state.showing]
    title = _("次は%(seat)s", seat=state.due[0])
    ranks = _("出せる数字：%(ranks)s", ranks=_("・").join(map(str, free)))
    return (CheckAnswer(title, FREE, (ranks,)),)


def leads(state: State) -> str:
    """Who leads the next trick, as a sentence."""
    return _("次のリードは%(seat)s", seat=state.leader)
