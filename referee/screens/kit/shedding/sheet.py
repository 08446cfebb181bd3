"""The sheet of a deal of a shedding game: the place of every seat, and what else the score asks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast

from referee.core.sheets import TableSheet
from referee.http.language import gettext as _
from referee.kit.families.shedding.dealing import next_leader
from referee.kit.families.shedding.evidence import rules_of
from referee.kit.families.shedding.plays import DealBySheet, Play
from referee.kit.families.shedding.sheets import by_points
from referee.kit.families.shedding.state import State
from referee.kit.game import KitGame
from referee.ledger import View
from referee.screens.kit.sheet import PointsSheet, special_word
from referee.screens.sheet_pad import CLOSED, Draft, SheetKey, SheetRow


class SheddingSheet(PointsSheet[State, Play]):
    """Taps enter a bid, a place, cards left, as far as they count; or the digits of points.

    The parts of a row are one word of the record: ``3/4``.
    """

    WORD = re.compile(r"-?[0-9]{1,5}|[a-z][a-z0-9_]{0,23}|\+[0-9]|±")

    def asks(self, view: View[State, Play]) -> str:
        if self._points(view):
            return super().asks(view)
        parts = [_("ビッド")] if self._bids(view) else []
        parts += [_("順位"), *([_("残った枚数")] if self._left(view) else [])]
        return _("、").join(parts)

    def lines(self, view: View[State, Play]) -> tuple[SheetRow, ...]:
        most = 0 if self._points(view) else 1 + self._bids(view) + self._left(view)
        return tuple(SheetRow("", seat, seat, most) for seat in view.header.seats)

    def keys(self, view: View[State, Play], draft: Draft, at: int) -> list[SheetKey]:
        if self._points(view):
            return super().keys(view, draft, at)
        begun = view.game.apply(view.state, self._deal(view))
        bids = self._bids(view)
        if bids and not draft[at]:
            game, said = cast(KitGame, view.game), rules_of(begun).bidding.possible(begun)
            return [SheetKey(bid, special_word(game, "bid", bid)) for bid in said]
        if len(draft[at]) == bids:
            return [SheetKey(str(n), str(n)) for n in range(1, len(view.header.seats) + 1)]
        return [SheetKey(str(n), str(n)) for n in range(max(begun.round.held) + 1)]

    def entered(self, word: str) -> tuple[str, ...]:
        return tuple(word.split("/"))

    def sheet(self, view: View[State, Play], rows: Sequence[SheetRow], draft: Draft) -> TableSheet:
        joined = [
            words if row.seats else ("/".join(word for word in words if word != CLOSED),)
            for row, words in zip(rows, draft, strict=True)
        ]
        full = tuple(words if any(words) else () for words in joined)
        return super().sheet(view, rows, full)

    def _points(self, view: View[State, Play]) -> bool:
        return by_points(cast(KitGame, view.game).document.values)

    def _bids(self, view: View[State, Play]) -> bool:
        return rules_of(view.state).bidding.made

    def _left(self, view: View[State, Play]) -> bool:
        return "held" in rules_of(view.state).compiler.uses

    def _deal(self, view: View[State, Play]) -> DealBySheet:
        leader, by_card = next_leader(view.state)
        return DealBySheet(leader or (None if by_card else view.header.seats[0]))
