"""Quick checks of Three Kings: possible sets, and totals by all three win conditions."""

from __future__ import annotations

import re

from referee.core.verdict import Seat
from referee.games import three_kings as game
from referee.games.three_kings import KING, NUMBERS, VALUE, Capture, Discard, King, State
from referee.http.language import gettext as _
from referee.screens import quick_check
from referee.screens.quick_check import (
    CheckAnswer,
    CheckAnswers,
    CheckFault,
    CheckField,
    CheckInput,
    CheckSetting,
    QuickCheck,
)
from referee.screens.wording import won

FACES = (*NUMBERS, KING)
SEATS = range(2, 7)  # larger groups need a table
METHODS = ("1", "2", "3")
NOBODY = "-"
THREE = "three-"  # prefix of a seat's setting: whether it holds three kings
MOST_TABLE_CARDS = 12  # that can be entered


def _hand_and_tableau(entered: CheckInput) -> tuple[CheckField, ...]:
    return (
        CheckField("hand", _("手札の1枚"), FACES, 1, faces=True),
        CheckField("tableau", _("場札"), FACES, MOST_TABLE_CARDS, faces=True),
    )


def _lying(entered: CheckInput) -> State:
    """The first seat is about to act; the size of its hand does not matter here."""
    hand, tableau = entered.faces("hand", 1), entered.faces("tableau", MOST_TABLE_CARDS)
    return game.situation(entered.table(), tableau, hand, len(hand))


def _sets(entered: CheckInput) -> CheckAnswers:
    hand, tableau = entered.faces("hand", 1), _lying(entered).tableau
    if not hand or not tableau:
        return ()
    [rank] = hand
    seat = entered.seats[0]
    plays: list[Capture | Discard | King] = [Discard(seat, rank)]
    if rank == KING:
        plays.insert(0, King(seat))
    else:
        plays[:0] = [Capture(seat, rank, pair) for pair in game.sets_with(tableau, rank)]
    verdicts = [game.judge_whatever_held(entered.table(), tableau, play) for play in plays]
    return tuple(
        quick_check.judged("three_kings", _title(play), verdict)
        for play, verdict in zip(plays, verdicts, strict=True)
    )


def _title(play: Capture | Discard | King) -> str:
    match play:
        case Capture():
            return _("%(rank)sで%(pair)sを取る", rank=play.rank, pair=_("と").join(play.pair))
        case King():
            return _("場のキングを取る")
        case _:
            return _("%(rank)sを捨てる", rank=play.rank)


def _piles(entered: CheckInput) -> tuple[CheckField, ...]:
    hint = _("取ったセットを3枚ずつ。4+8=Qとも書けます。")
    seats = entered.seats
    return tuple(CheckField(seat, seat, NUMBERS, hint=hint, faces=True) for seat in seats)


def _next_in_pile(entered: CheckInput, field: CheckField) -> tuple[str, ...]:
    """Cards that continue or begin a set of the pile."""
    quick_check.tallied(entered, _sheet(entered))
    piles = {}
    for seat in entered.seats:
        sums, cards = _pile(entered, seat)
        piles[seat] = [*re.split("[+=]", "+".join(sums)), *cards] if sums else cards
    fitting = game.next_in_pile(entered.table(), piles, field.key)
    return tuple(key for key in field.keys if key in fitting)


def _pile(entered: CheckInput, seat: Seat) -> tuple[list[str], list[str]]:
    """The typed sums, and the other cards: each three of them, in the order entered, are a set."""
    words = entered.texts[seat].split()
    sums = [word for word in words if "+" in word or "=" in word]
    others = " ".join(word for word in words if word not in sums)
    return sums, entered.saying(seat, others).faces(seat)


def _sheet(entered: CheckInput) -> dict[str, str]:
    """The sets of every seat in the form of a tally sheet, without an incomplete set."""
    sheet = {}
    for seat in entered.seats:
        sums, cards = _pile(entered, seat)
        for i in range(0, len(cards) - 2, 3):
            low, middle, high = sorted(cards[i : i + 3], key=lambda card: VALUE.get(card, 0))
            sums.append(f"{low}+{middle}={high}")
        sheet[seat] = " ".join(sums)
    return sheet


def _holder(entered: CheckInput) -> tuple[CheckSetting, ...]:
    seats = tuple((seat, seat) for seat in entered.seats)
    return (CheckSetting("declarer", _("キングを3枚見せた人"), ((NOBODY, _("なし")), *seats)),)


def _totals(entered: CheckInput) -> CheckAnswers:
    sheet = _sheet(entered)
    if not any(sheet.values()):
        return ()
    declarer = entered.chosen["declarer"]
    if declarer != NOBODY:
        sheet["declarer"] = declarer
    return tuple(_by(method, entered, sheet) for method in METHODS)


def _kings(entered: CheckInput) -> tuple[CheckSetting, ...]:
    few, many = ("no", _("2枚まで")), ("yes", _("3枚から"))
    return tuple(
        CheckSetting(f"{THREE}{seat}", _("%(seat)sのキング", seat=seat), (few, many))
        for seat in entered.seats
    )


def _used_up(entered: CheckInput) -> CheckAnswers:
    sheet = _sheet(entered)
    if not any(sheet.values()):
        return ()
    holders = [seat for seat in entered.seats if entered.chosen[THREE + seat] == "yes"]
    if holders:
        sheet["declarer"] = " ".join(holders)
    try:
        return tuple(_by(method, entered, sheet, end="all_cards") for method in METHODS[1:])
    except CheckFault as fault:
        if fault.key != "declarer":
            raise
        raise CheckFault(THREE + holders[-1], str(fault)) from None


def _by(method: str, entered: CheckInput, sheet: dict[str, str], **options: str) -> CheckAnswer:
    scores, ended = quick_check.tallied(entered, sheet, method=method, **options)
    assert ended is not None  # a tie is always a shared win here
    title = {"1": _("勝利条件 1"), "2": _("勝利条件 2"), "3": _("勝利条件 3")}[method]
    title = _("%(method)s：%(winners)s", method=title, winners=won(ended.winners))
    why = quick_check.says("three_kings", ended.evidence)
    columns = () if method == "1" else quick_check.columns("three_kings", scores, ended.winners)
    return CheckAnswer(title, ended.clause, why, columns)


QUESTIONS = (
    QuickCheck(
        "sets",
        lambda: _("どのセットが取れるか"),
        SEATS,
        _hand_and_tableau,
        quick_check.possible(_lying),
        _sets,
        ("set_compulsory",),
    ),
    QuickCheck(
        "totals",
        lambda: _("3つの勝利条件で何点"),
        SEATS,
        _piles,
        _next_in_pile,
        _totals,
        (),
        _holder,
    ),
    QuickCheck(
        "used_up",
        lambda: _("カードを使い切ったとき何点"),
        SEATS,
        _piles,
        _next_in_pile,
        _used_up,
        ("all_cards_bonus",),
        _kings,
    ),
)
