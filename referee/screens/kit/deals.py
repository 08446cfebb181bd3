"""How the pages of game files call a deal: in English as the rules do, not a round."""

from __future__ import annotations

from referee.core.generic import P, S
from referee.http.language import pgettext
from referee.ledger import View
from referee.screens.base import Screen


class DealScreen(Screen[S, P]):
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

    def over(self, number: int) -> str:
        return pgettext("deal", "ラウンド%(n)s終了", n=number)

    def progress(self, view: View[S, P]) -> str:
        return self.deal(view.state.deal)
