"""The sheet of a game of Three Kings: the sets of every seat, and declarations of three kings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from referee.core.sheets import TableSheet
from referee.games.three_kings import Play, State
from referee.games.three_kings.cards import NUMBERS, VALUE
from referee.http.language import gettext as _
from referee.ledger import View
from referee.screens.sheet_pad import Draft, SheetKey, SheetPad, SheetRow

LOWER = NUMBERS[:-1]
"""The cards that can be a summand."""


class ThreeKingsSheet(SheetPad[State, Play]):
    """A set takes two taps, for its lower cards: the third card is their sum.

    ``4+`` as the last word of a row is half a set.
    """

    WORD = re.compile(r"({0})\+(({0})=({0}))?".format("|".join(NUMBERS)))

    HALVES = tuple(f"{card}+" for card in LOWER)

    def asks(self, view: View[State, Play]) -> str:
        return _("セットの小さい方の2枚")

    def lines(self, view: View[State, Play]) -> tuple[SheetRow, ...]:
        seats = view.header.seats
        most = len(seats) if view.log.table.option("end") == "all_cards" else 1
        return (
            *(SheetRow("", seat, seat, none=_("セットなし")) for seat in seats),
            SheetRow("declarer", None, _("キング3枚を公開した人"), most, True, _("いない")),
        )

    def keys(self, view: View[State, Play], draft: Draft, at: int) -> list[SheetKey]:
        used: Counter[str] = Counter()
        for words in draft:
            for word in words:
                used.update(word.replace("=", "+").split("+"))
        copies = 2 * len(view.header.seats)
        half = draft[at][-1] if draft[at] else ""
        low = half.removesuffix("+") if half.endswith("+") else ""
        keys = []
        for card in NUMBERS if low else LOWER:
            left = max(0, copies - used[card])
            if not low:
                keys.append(SheetKey(f"{card}+", card, "", left, copies))
                continue
            total = VALUE[low] + VALUE[card]
            high = NUMBERS[total - 1] if total <= len(NUMBERS) else ""
            note = f"={high}" if high else ""
            keys.append(SheetKey(f"{half}{card}={high}", card, note, left if high else 0, copies))
        return keys

    def tapped(self, words: tuple[str, ...], word: str) -> tuple[str, ...]:
        whole = words[:-1] if words and words[-1].endswith("+") else words
        return (*whole, word)

    def sheet(self, view: View[State, Play], rows: Sequence[SheetRow], draft: Draft) -> TableSheet:
        whole = tuple(
            words if row.seats else tuple(word for word in words if word[-1] != "+")
            for row, words in zip(rows, draft, strict=True)
        )
        return super().sheet(view, rows, whole)
