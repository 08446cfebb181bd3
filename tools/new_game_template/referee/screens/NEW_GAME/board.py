"""What the table page shows of NEW_TITLE: the trick, a key for each rank, the points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.core.verdict import Seat
from referee.desk import View
from referee.games.NEW_GAME.rules import HAND, Deal, Lay
from referee.rulings import book, sentences
from referee.screens.base import Screen, Strip, short
from referee.web.http import language
from referee.web.http.language import gettext as _


class NEW_CLASSScreen(Screen):
    def opening(self, view: View, leader: Seat) -> Deal:
        return Deal(leader)

    def band(self, view: View, wish: Mapping[str, str]) -> dict[str, Any]:
        state, seats = view.state, view.header.seats
        deal = (_("ラウンド"), state.deal, None)
        laid = {play.seat: play.rank for play in state.trick}
        points = view.game.score(state).totals
        context = {
            "deal": state.deal,
            "seats": [(seat, points[seat], laid.get(seat)) for seat in seats],
            "places": [deal] if state.deal else [],
        }
        plays = [
            (play, view.grammar.print(play), sentences.word(view.game.judge(state, play)))
            for play in view.game.candidates(state)
        ]
        if view.to_act:
            due = view.to_act[0]
            places = [deal, (_("トリック"), state.number, HAND)]
            return context | {
                "phase": "trick",
                "places": places,
                "due": due,
                "seat": due,
                "pad": plays,
            }
        ended = view.outcome
        if ended is None:
            return context | {"phase": "deal", "deals": plays}
        said = sentences.outcome(ended, book(view.game.NAME), language.current())
        return context | {"phase": "end", "told": said}

    def what(self, entry: Any) -> str:
        if isinstance(entry, Lay):
            return f"{short(entry.seat)} {entry.rank}"
        return _("%(seat)s から", seat=short(entry.leader)) if entry.leader else _("新しく配る")

    def said(self, view: View, entry: Any, word: str) -> Strip:
        return Strip(word, self.what(entry))

    def card(self, entry: Any) -> int | None:
        return entry.rank if isinstance(entry, Lay) else None
