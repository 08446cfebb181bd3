"""Quick checks of ペリテ: a trick on the table, and the points of tricks won."""

from __future__ import annotations

from referee.core.cards import pairs_deck
from referee.games import perite
from referee.http.language import gettext as _
from referee.screens import quick_check
from referee.screens.families.must_not_follow_check import leads, lying, next_ranks, so_far, trick
from referee.screens.quick_check import (
    CheckAnswer,
    CheckAnswers,
    CheckField,
    CheckInput,
    PointsLine,
    QuickCheck,
    SeatPoints,
)
from referee.screens.wording import won


def _answer(entered: CheckInput) -> CheckAnswers:
    state = lying(perite.situation, entered)
    trick = state.last
    if trick is None:
        return so_far(entered, state)
    down = [card for card in trick.cards if card.out]
    why = []
    if down:
        cards = _("、").join(f"{card.seat} {card.rank}" for card in down)
        why.append(_("ペア（裏返し）：%(cards)s", cards=cards))
    why.append(leads(state))
    if trick.winner is None:
        return (CheckAnswer(_("勝者なし"), "none.1", tuple(why)),)
    [line] = perite.score(state).lines
    text = quick_check.line("perite", line.evidence)
    points = str(line.points)
    clause = "win.1" if len(down) < len(trick.cards) else "none.1"
    taken = SeatPoints(trick.winner, (PointsLine(text, line.clause, points),), points, True)
    return (CheckAnswer(won((trick.winner,)), clause, tuple(why), (taken,)),)


def _wins(entered: CheckInput) -> tuple[CheckField, ...]:
    """The fields for won tricks; a 1 is entered with the number of cards in its trick."""
    n = len(entered.seats)
    ones = tuple(f"1/{cards}" for cards in range(1, n + 1))
    ranks = tuple(str(card) for card in pairs_deck(2 * n).cards[1:])
    hint = _("取ったカード。1で取ったら、そのトリックの枚数も。")
    keys = (*ones, *ranks)
    return tuple(CheckField(seat, seat, keys, perite.WINS, hint) for seat in entered.seats)


def _next_wins(entered: CheckInput, field: CheckField) -> tuple[str, ...]:
    quick_check.seats_tallied(entered)
    wins = {seat: entered.texts[seat].split() for seat in entered.seats}
    ranks = perite.next_wins(entered.table(), wins, field.key)
    return tuple(key for key in field.keys if int(key.partition("/")[0]) in ranks)


QUESTIONS = (
    QuickCheck(
        "trick",
        lambda: _("だれがこのトリックを取るか"),
        perite.SEATS,
        lambda entered: trick(2 * len(entered.seats), entered),
        next_ranks(perite.situation),
        _answer,
        ("lead", "no_winner", "no_winner_lead"),
    ),
    QuickCheck(
        "wins",
        lambda: _("取ったカードで何点"),
        perite.SEATS,
        _wins,
        _next_wins,
        quick_check.winners,
    ),
)
