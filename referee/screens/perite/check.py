"""Quick checks of ペリテ: a trick as it lies, the points of the tricks won."""

from __future__ import annotations

from referee.core.cards import pairs_deck
from referee.games import perite
from referee.screens import quick_check
from referee.screens.families.must_not_follow_check import laid, leads, so_far, trick
from referee.screens.quick_check import Answer, Asked, Column, Field, Part, Question, Sum
from referee.screens.wording import won
from referee.web.http.language import gettext as _


def _answer(asked: Asked) -> Answer:
    state = laid(asked)
    trick = state.last
    if trick is None:
        return so_far(state)
    down = [card for card in trick.cards if card.out]
    why = []
    if down:
        told = _("、").join(f"{card.seat} {card.rank}" for card in down)
        why.append(_("ペアで伏せ：%(cards)s", cards=told))
    why.append(leads(state))
    if trick.winner is None:
        return (Part(_("勝つ人なし"), "none.1", tuple(why)),)
    [line] = perite.score(state).lines
    text = quick_check.line("perite", line.evidence)
    points = str(line.points)
    clause = "win.1" if len(down) < len(trick.cards) else "none.1"
    taken = Column(trick.winner, (Sum(text, line.clause, points),), points, True)
    return (Part(won((trick.winner,)), clause, tuple(why), (taken,)),)


def _wins(asked: Asked) -> tuple[Field, ...]:
    """A 1 is told with the cards of its trick."""
    n = len(asked.seats)
    ones = tuple(f"1/{cards}" for cards in range(1, n + 1))
    ranks = tuple(str(card) for card in pairs_deck(2 * n).cards[1:])
    hint = _("勝った札の数。1 で勝ったら、そのトリックの枚数と一緒に。")
    return tuple(Field(seat, seat, (*ones, *ranks), perite.WINS, hint) for seat in asked.seats)


def _wins_answer(asked: Asked) -> Answer:
    if not any(asked.texts.values()):
        return ()
    told = {seat: asked.texts[seat] for seat in asked.seats}
    sheet, ended = quick_check.tallied(asked, told)
    assert ended is not None  # ties are shared here
    why = quick_check.says("perite", ended.evidence)
    parts = quick_check.columns("perite", sheet, ended.winners)
    return (Part(won(ended.winners), ended.clause, why, parts),)


QUESTIONS = (
    Question(
        "trick",
        lambda: _("このトリックはだれの勝ち"),
        perite.SEATS,
        lambda asked: trick(2 * len(asked.seats), asked),
        _answer,
        ("lead", "no_winner", "no_winner_lead"),
    ),
    Question("wins", lambda: _("勝った札で何点"), perite.SEATS, _wins, _wins_answer),
)
