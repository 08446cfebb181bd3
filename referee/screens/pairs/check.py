"""Quick check of Pairs: the points of each seat's cards, and the loser."""

from __future__ import annotations

from referee.games import pairs
from referee.http.language import gettext as _
from referee.screens import quick_check
from referee.screens.quick_check import (
    CheckAnswer,
    CheckAnswers,
    CheckField,
    CheckInput,
    QuickCheck,
)
from referee.screens.wording import won


def _fields(entered: CheckInput) -> tuple[CheckField, ...]:
    keys = tuple(str(card) for card in pairs.DECK.cards)
    hint = _("点として残したカード。7*2は7が2枚。")
    return tuple(CheckField(seat, seat, keys, hint=hint) for seat in entered.seats)


def _answer(entered: CheckInput) -> CheckAnswers:
    if not any(entered.texts.values()):
        return ()
    sheet, ended = quick_check.seats_tallied(entered)
    columns = quick_check.columns("pairs", sheet, ())
    if ended is None:
        title = _("まだだれも%(limit)s点に達していない", limit=pairs.limit(entered.table()))
        return (CheckAnswer(title, "lose.1", (), columns),)
    why = quick_check.says("pairs", ended.evidence)
    return (CheckAnswer(won(ended.winners, ended.losers), ended.clause, why, columns),)


QUESTIONS = (
    QuickCheck(
        "points",
        lambda: _("負けるのはだれか"),
        pairs.SEATS,
        _fields,
        quick_check.possible(quick_check.seats_tallied),
        _answer,
        ("limit",),
    ),
)
