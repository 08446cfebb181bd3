"""The sheet of a deal of a game from a file: bids and tricks of every seat, or its points."""

from __future__ import annotations

import re
from typing import cast

from referee.core.generic import P, S
from referee.http import language
from referee.http.language import gettext as _
from referee.kit.chapters.deck import special_cards, table
from referee.kit.chapters.scoring.counted import by_points
from referee.kit.families.trick_taking import judging
from referee.kit.families.trick_taking.evidence import rules_of
from referee.kit.families.trick_taking.plays import DealBySheet, Play
from referee.kit.families.trick_taking.state import State
from referee.kit.game import KitGame
from referee.ledger import View
from referee.screens.sheet_pad import Draft, SheetKey, SheetPad, SheetRow

SIGN = "±"
POINTS = re.compile(r"-?[0-9]{1,5}")


def special_word(game: KitGame, key: str, word: str) -> str:
    """The file's name for a special bid (``key`` "bid") or card ("deck") in the present
    language.
    """
    section = table(game.source({}).at(key))
    rows = special_cards(section) if key == "deck" else table(section.get("special"))
    special = table(rows.get(word))
    return str(special.get(language.current()) or special.get("ja") or special.get("en") or word)


class PointsSheet(SheetPad[S, P]):
    """Taps enter the digits of the points of each seat."""

    WORD = re.compile(r"-?[0-9]{1,5}|\+[0-9]|±")

    def asks(self, view: View[S, P]) -> str:
        return _("ラウンドの点")

    def keys(self, view: View[S, P], draft: Draft, at: int) -> list[SheetKey]:
        return [*(SheetKey(f"+{n}", n) for n in "1234567890"), SheetKey(SIGN, SIGN)]

    def tapped(self, words: tuple[str, ...], word: str) -> tuple[str, ...]:
        """A row after a bid or a number; ``+7``: the digit of points, ``±``: their sign.

        A row of an address may have other words, to which neither can be applied.
        """
        points = "".join(filter(POINTS.fullmatch, words[:1]))
        if word == SIGN:
            return (str(-int(points)),) if points else ()
        return (str(int(points + word[1:]))[:6],) if word.startswith("+") else (*words, word)


class KitSheet(PointsSheet[State, Play]):
    """Taps enter bids, then numbers of tricks; or the digits of points, if these are entered."""

    WORD = re.compile(r"-?[0-9]{1,5}|[a-z][a-z0-9_]{0,23}|\+[0-9]|±")

    def asks(self, view: View[State, Play]) -> str:
        if self._points(view):
            return super().asks(view)
        return _("ビッド、取ったトリック") if self._bids(view) else _("取ったトリック")

    def lines(self, view: View[State, Play]) -> tuple[SheetRow, ...]:
        most = 0 if self._points(view) else 1 + self._bids(view)
        return tuple(SheetRow("", seat, seat, most) for seat in view.header.seats)

    def keys(self, view: View[State, Play], draft: Draft, at: int) -> list[SheetKey]:
        if self._points(view):
            return super().keys(view, draft, at)
        begun = view.game.apply(view.state, self._deal(view))
        if self._bids(view) and not draft[at]:
            return [
                SheetKey(bid, special_word(cast(KitGame, view.game), "bid", bid))
                for bid in rules_of(begun).bidding.possible(begun)
            ]
        many = rules_of(begun).deal.trick_count(begun.round.size)
        return [SheetKey(str(n), str(n)) for n in range(many + 1)]

    def _points(self, view: View[State, Play]) -> bool:
        return by_points(cast(KitGame, view.game).document.values)

    def _bids(self, view: View[State, Play]) -> bool:
        return rules_of(view.state).bidding.made

    def _deal(self, view: View[State, Play]) -> DealBySheet:
        rules = rules_of(view.state)
        leader = judging.next_leader(view.state)
        if leader is None and rules.deal.first != "holder":
            leader = view.header.seats[0]
        return DealBySheet(leader)
