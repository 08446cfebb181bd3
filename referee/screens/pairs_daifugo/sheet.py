"""The sheet of a deal of ペアーズ大富豪: who went out first."""

from __future__ import annotations

from referee.games.pairs_daifugo import Play, State
from referee.http.language import gettext as _
from referee.ledger import View
from referee.screens.sheet_pad import SheetPad, SheetRow


class PairsDaifugoSheet(SheetPad[State, Play]):
    def asks(self, view: View[State, Play]) -> str:
        return _("最初に上がった人")

    def lines(self, view: View[State, Play]) -> tuple[SheetRow, ...]:
        return (SheetRow("winner", None, _("最初に上がった人"), 1, True),)
