"""Quick checks of Trumps: score piles, and the places of a round."""

from __future__ import annotations

from referee.core.verdict import Seat
from referee.games import trumps
from referee.games.trumps import Cover, Lay, State
from referee.http.language import gettext as _
from referee.screens import quick_check
from referee.screens.quick_check import (
    CheckAnswer,
    CheckAnswers,
    CheckField,
    CheckInput,
    QuickCheck,
    SeatPoints,
)

DOWN = "X"


def _ranks(entered: CheckInput) -> tuple[str, ...]:
    return tuple(map(str, range(1, trumps.TOP[len(entered.seats)] + 1)))


def _piles(entered: CheckInput) -> tuple[CheckField, ...]:
    hint = _("得点札。9*5は9が5枚。")
    return tuple(CheckField(seat, seat, _ranks(entered), hint=hint) for seat in entered.seats)


def _plays(entered: CheckInput) -> tuple[CheckField, ...]:
    hint = _("シングルかペア。Xは裏向き。%(seat)sから。", seat=entered.seats[0])
    keys = (*_ranks(entered), DOWN)
    return tuple(CheckField(seat, seat, keys, 2, hint) for seat in entered.seats)


def _round(entered: CheckInput) -> State:
    """The round so far; a seat without cards in its field is skipped."""
    plays = [_play(entered, seat) for seat in entered.seats if entered.texts[seat]]
    # if covered cards are removed, their number need not be entered; the places are the same
    return trumps.situation(entered.table(facedown_to_field="remove"), plays)


def _places(entered: CheckInput) -> CheckAnswers:
    order = _round(entered).ranking
    if not all(entered.texts[seat] for seat in entered.seats):
        return ()
    columns = tuple(
        SeatPoints(_("%(n)s位 %(seat)s", n=place, seat=seat), (), entered.texts[seat], place == 1)
        for place, seat in enumerate(order, 1)
    )
    title = _("%(order)sの順", order=" → ".join(order))
    return (CheckAnswer(title, "rank.1", (), columns),)


def _play(entered: CheckInput, seat: Seat) -> Lay | Cover:
    if entered.texts[seat] == DOWN:
        return Cover(seat)
    return Lay(seat, tuple(entered.ranks(seat)))


QUESTIONS = (
    QuickCheck(
        "piles",
        lambda: _("得点札は何点"),
        trumps.SEATS,
        _piles,
        quick_check.possible(quick_check.seats_tallied),
        quick_check.winners,
        ("tie_chain",),
    ),
    QuickCheck(
        "places",
        lambda: _("出したカードの順位"),
        trumps.SEATS,
        _plays,
        quick_check.possible(_round),
        _places,
    ),
)
