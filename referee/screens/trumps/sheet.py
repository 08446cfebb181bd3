"""The sheet of a game of Trumps: each seat's score pile, drawn as the deck that it comes from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from referee.core.cards import pairs_deck
from referee.core.sheets import TableSheet
from referee.games.trumps import Play, State
from referee.games.trumps.state import TOP
from referee.http.language import gettext as _
from referee.ledger import View
from referee.screens.sheet_pad import CLOSED, Draft, SheetKey, SheetPad, SheetRow


class NumberColumn(NamedTuple):
    """One number of the deck: ``own`` copies are in this row, ``others`` in those of other seats.

    ``keys``: from the lowest copy to the highest that the row can have. A tap sets its count; a tap
    on the present count removes the top card.
    """

    rank: int
    copies: int
    own: int
    others: int
    keys: tuple[SheetKey, ...]


class TrumpsSheet(SheetPad[State, Play]):
    WORD = re.compile(r"[1-9][0-9]?\*[0-9]{1,2}")

    def asks(self, view: View[State, Play]) -> str:
        return _("得点札の枚数")

    def drafted(
        self, view: View[State, Play], rows: Sequence[SheetRow], sheet: TableSheet
    ) -> Draft:
        draft = super().drafted(view, rows, sheet)
        return tuple(
            (*_written(_counted(words)), *(word for word in words if word == CLOSED))
            for words in draft
        )

    def entered(self, word: str) -> tuple[str, ...]:
        return (word if "*" in word else f"{word}*1",)

    def lines(self, view: View[State, Play]) -> tuple[SheetRow, ...]:
        return tuple(SheetRow("", seat, seat, none=_("得点札なし")) for seat in view.header.seats)

    def keys(self, view: View[State, Play], draft: Draft, at: int) -> list[SheetKey]:
        return [key for column in self.columns(view, draft, at) for key in column.keys]

    def columns(self, view: View[State, Play], draft: Draft, at: int) -> list[NumberColumn]:
        """The deck, number by number, as it is distributed over the piles."""
        piles = [_counted(words) for words in draft]
        deck = pairs_deck(TOP[len(view.header.seats)])
        columns = []
        for rank, copies in zip(deck.cards, deck.copies, strict=True):
            number = int(rank)
            own = piles[at][number]
            others = sum(pile[number] for pile in piles) - own
            keys = tuple(
                SheetKey(f"{number}*{n - (n == own)}", _("%(n)s枚", n=n), str(number))
                for n in range(1, copies - others + 1)
            )
            columns.append(NumberColumn(number, copies, own, others, keys))
        return columns

    def tapped(self, words: tuple[str, ...], word: str) -> tuple[str, ...]:
        """The row after a tap: ``9*3`` sets three nines, ``9*0`` none."""
        rank, star, count = word.partition("*")
        if not star:
            return super().tapped(words, word)
        pile = _counted(words)
        pile[int(rank)] = int(count)
        return _written(pile)


def _written(pile: Counter[int]) -> tuple[str, ...]:
    return tuple(f"{number}*{n}" for number, n in sorted(pile.items()) if n)


def _counted(words: tuple[str, ...]) -> Counter[int]:
    found: Counter[int] = Counter()
    for word in words:
        rank, star, count = word.partition("*")
        if star:
            found[int(rank)] += int(count)
    return found
