"""The sheet of a game of 熟語ライン: the flags that each player has at the end."""

from __future__ import annotations

from referee.games.jukugo_line import Play, State
from referee.games.jukugo_line.state import FLAGS
from referee.http.language import gettext as _
from referee.ledger import View
from referee.screens.sheet_pad import Draft, SheetKey, SheetPad, SheetRow


class JukugoLineSheet(SheetPad[State, Play]):
    def asks(self, view: View[State, Play]) -> str:
        return _("獲得したフラッグ")

    def lines(self, view: View[State, Play]) -> tuple[SheetRow, ...]:
        none = _("フラッグなし")
        return tuple(SheetRow("", seat, seat, none=none) for seat in view.header.seats)

    def keys(self, view: View[State, Play], draft: Draft, at: int) -> list[SheetKey]:
        return [SheetKey(str(flag), str(flag)) for flag in range(1, FLAGS + 1)]
