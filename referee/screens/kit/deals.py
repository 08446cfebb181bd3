"""How the pages of game files call a deal: in English as the rules do, not a round."""

from __future__ import annotations

from referee.kit.families.trick_taking.plays import Play
from referee.kit.families.trick_taking.state import State
from referee.screens.base import Screen
from referee.web.http.language import pgettext


class DealScreen(Screen[State, Play]):
    """The words for deals of a game of a file."""

    def deal(self, number: int, trick: int | None = None) -> str:
        if trick:
            return pgettext(
                "deal", "ラウンド %(deal)s・トリック %(trick)s", deal=number, trick=trick
            )
        return pgettext("deal", "ラウンド %(n)s", n=number)

    def deals(self) -> str:
        return pgettext("deal", "ラウンド")

    def axis(self) -> str:
        return pgettext("deal", "下の数字はラウンド")

    def next_deal(self) -> str:
        return pgettext("deal", "次のラウンド待ち")
