"""The sheet of a round of Fancy: eight tricks, card by card in playing order."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.game import Line, SheetLine
from referee.core.sheets import TableSheet
from referee.core.verdict import Seat
from referee.games.families.must_not_follow import Play, State
from referee.games.families.must_not_follow.state import next_starter
from referee.games.fancy import HAND, leads_next, trick_lines
from referee.http.language import gettext as _
from referee.ledger import View
from referee.screens.sheet_pad import CardPad, Draft, SheetRow


class FancySheet(CardPad[State, Play]):
    """A tap enters a number; its seat follows from the leader of the trick."""

    def asks(self, view: View[State, Play]) -> str:
        return _("出した順にカードの数字")

    def leader_stays_open(self, view: View[State, Play]) -> bool:
        return view.log.table.option("round_starter") == "pick"

    def lines(self, view: View[State, Play]) -> tuple[SheetRow, ...]:
        seats = len(view.header.seats)
        return tuple(
            SheetRow("trick", None, _("トリック %(n)s", n=number), seats)
            for number in range(1, HAND + 1)
        )

    def drafted(
        self, view: View[State, Play], rows: Sequence[SheetRow], sheet: TableSheet
    ) -> Draft:
        tricks = (line for line in sheet.lines if line.key == "trick")
        led = super().drafted(view, [row for row in rows if row.seats], sheet)
        cards = (tuple(word for _, word in line.words) for line in tricks)
        return (*led, *cards, *((),) * len(rows))[: len(rows)]

    def sheet(self, view: View[State, Play], rows: Sequence[SheetRow], draft: Draft) -> TableSheet:
        first = []
        leader = next_starter(view.state) or view.header.seats[0]
        if rows[0].key == "leader":
            if draft[0]:
                leader = view.header.seats[int(draft[0][0])]
                first = [SheetLine(None, "leader", ((leader, ""),))]
            draft = draft[1:]
        tricks = (SheetLine(None, "trick", trick) for trick in _laid(view, leader, draft))
        return TableSheet((*first, *tricks))

    def arithmetic(self, view: View[State, Play], draft: Draft) -> tuple[Line, ...]:
        """The arithmetic of the complete tricks."""
        sheet = self.sheet(view, self.rows(view), draft)
        tricks = [line.words for line in sheet.lines if line.key == "trick"]
        seats = len(view.header.seats)
        return tuple(
            line
            for number, cards in enumerate(tricks, 1)
            if len(cards) == seats
            for line in trick_lines(view.log.table, cards, view.state.deal + 1, number)
        )


def _laid(
    view: View[State, Play], leader: Seat, draft: Draft
) -> list[tuple[tuple[Seat, str], ...]]:
    """The tricks that have begun, each as (seat, card) in playing order."""
    tricks: list[tuple[tuple[Seat, str], ...]] = []
    for words in draft:
        cards = tuple(zip(view.log.table.starting(leader), words, strict=False))
        if not cards:
            break
        tricks.append(cards)
        if len(cards) == len(view.header.seats):
            leader = leads_next(view.log.table, cards)
    return tricks
