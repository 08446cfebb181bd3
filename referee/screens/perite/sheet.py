"""The sheet of a round of ペリテ: the numbers with which each seat has won tricks."""

from __future__ import annotations

from referee.games.families.must_not_follow import Play, State
from referee.games.perite import WINS
from referee.http.language import gettext as _
from referee.ledger import View
from referee.screens.sheet_pad import CardPad, Draft, SheetKey, SheetRow


class PeriteSheet(CardPad[State, Play]):
    def asks(self, view: View[State, Play]) -> str:
        return _("勝ったカードの数字")

    def leader_stays_open(self, view: View[State, Play]) -> bool:
        return view.log.table.option("round_starter") == "pick"

    def lines(self, view: View[State, Play]) -> tuple[SheetRow, ...]:
        return tuple(
            SheetRow("", seat, seat, WINS, none=_("勝ちなし")) for seat in view.header.seats
        )

    def keys(self, view: View[State, Play], draft: Draft, at: int) -> list[SheetKey]:
        """The keys; a 1 has one for each possible size of its trick, which its points depend on."""
        one, *others = super().keys(view, draft, at)
        cards = range(len(view.header.seats), 0, -1)
        ones = [one._replace(word=f"1/{n}", note=_("%(n)s枚で", n=n)) for n in cards]
        return [*ones, *others]
