"""A round of Pairs as its sheet: which seat has kept a card, and which card."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.game import SheetLine
from referee.core.sheets import TableSheet
from referee.games.pairs import Play, State
from referee.http.language import gettext as _
from referee.ledger import View
from referee.screens.sheet_pad import CardPad, Draft, SheetRow


class PairsSheet(CardPad[State, Play]):
    def asks(self, view: View[State, Play]) -> str:
        return _("点になったカード")

    def lines(self, view: View[State, Play]) -> tuple[SheetRow, ...]:
        return (
            SheetRow("", None, _("カードを取った人"), 1, True),
            SheetRow("", None, _("カードの数字"), 1),
        )

    def drafted(
        self, view: View[State, Play], rows: Sequence[SheetRow], sheet: TableSheet
    ) -> Draft:
        kept = [
            (view.header.seats.index(line.seat), line.words) for line in sheet.lines if line.seat
        ]
        return next(((str(i),), tuple(card for _, card in words)) for i, words in kept if words)

    def sheet(self, view: View[State, Play], rows: Sequence[SheetRow], draft: Draft) -> TableSheet:
        keeper = view.header.seats[int(draft[0][0])] if draft[0] else None
        kept = tuple((None, word) for word in draft[1])
        return TableSheet(
            tuple(SheetLine(seat, "", kept if seat == keeper else ()) for seat in view.header.seats)
        )
