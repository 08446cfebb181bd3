"""Quick check of Pairs: what everybody's cards come to, and who has lost."""

from __future__ import annotations

from referee.games import pairs
from referee.screens import quick_check
from referee.screens.base import won
from referee.screens.quick_check import Answer, Asked, Field, Part, Question
from referee.web.http.language import gettext as _


def _fields(asked: Asked) -> tuple[Field, ...]:
    keys = tuple(str(card) for card in pairs.DECK.cards)
    hint = _("点として残したカード。7*2 は 7 が 2 枚。")
    return tuple(Field(seat, seat, keys, hint=hint) for seat in asked.seats)


def _answer(asked: Asked) -> Answer:
    if not any(asked.texts.values()):
        return ()
    told = {seat: asked.texts[seat] for seat in asked.seats}
    sheet, ended = quick_check.tallied(asked, told)
    columns = quick_check.columns("pairs", sheet, ())
    if ended is None:
        limit = pairs.limit(asked.table())
        return (
            Part(_("まだだれも %(limit)s 点に達していない", limit=limit), "lose.1", (), columns),
        )
    why = quick_check.says("pairs", ended.evidence)
    return (Part(won(ended.winners, ended.losers), ended.clause, why, columns),)


QUESTIONS = (
    Question("points", lambda: _("負けるのはだれか"), pairs.SEATS, _fields, _answer, ("limit",)),
)
