"""``deal``: how many cards each seat gets, the turn-up, who leads first, and drawing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.kit.chapters.deck import words
from referee.kit.text.faults import Path, Wrong, dotted
from referee.kit.text.form import NAMES, SUM, Shape, one_of
from referee.kit.text.formulas import TableFormulas
from referee.kit.text.scope import TABLE, KitState, Number, Scope

KEYS: Mapping[str, Shape] = {
    "hand": SUM._replace(by_seats=True),
    "turn_up": one_of("none", "stock", "dealer"),
    "leader": one_of("rotate", "pick", "lowest_total", "winner", "holder"),
    "holder": NAMES,
    "draw": one_of("none", "after_trick"),
}


class DealRules(NamedTuple):
    """How a deal begins. ``deck`` and ``seats``: how many cards and seats there are.

    ``holder``: the card whose holder leads, if ``first`` is "holder".
    """

    hand: Number
    turn_up: str
    first: str
    holder: str | None
    draws: bool
    deck: int
    seats: int

    def hand_size(self, scope: Scope) -> int:
        """The number of cards for each seat in the deal of ``scope``, at least 1."""
        return max(1, min(self.hand(scope), self.deck // self.seats))

    def at_deal(self, state: KitState, number: int) -> Scope:
        """What sums refer to while the deal of this number is not dealt yet."""
        scope = Scope(state)
        scope.deal = number
        scope.size = self.hand_size(scope)
        return scope

    def stock(self, size: int) -> int:
        """How many cards are left to draw after a deal of ``size`` cards to each seat.

        The turn-up is one of them. 0 in games without draws.
        """
        return self.deck - self.seats * size if self.draws else 0

    def trick_count(self, size: int) -> int:
        """The number of tricks in a deal with ``size`` cards each, unless seats leave it."""
        return size + self.stock(size) // self.seats


def compiled(formulas: TableFormulas) -> DealRules:
    """The rules of this chapter; raises ``Wrong``."""
    source, deck = formulas.source, formulas.cards.deck
    hand = formulas.number(TABLE, "deal", "hand")
    first, held = source.word("deal", "leader", default="rotate"), source.at("deal", "holder")
    if first == "holder" and held is None:
        place = source.place(("deal", "leader"))
        raise Wrong("kit_missing", place, "deal.leader", key="deal.holder")
    holder = next((card for card in words(held) if card in deck), None)
    if first == "holder" and holder is None:
        raise Wrong("kit_no_holder", source.place(("deal", "holder")), "deal.holder")
    return DealRules(
        hand=hand,
        turn_up=source.word("deal", "turn_up", default="none"),
        first=first,
        holder=holder,
        draws=source.word("deal", "draw", default="none") != "none",
        deck=len(deck),
        seats=formulas.n,
    )


def draws_with(formulas: TableFormulas, deal: DealRules, aside: bool) -> None:
    """Raise ``Wrong`` if cards are drawn and can leave a hand unseen; ``aside``: by passing.

    ``core.drawn`` serves no such game.
    """
    source = formulas.source
    barred: dict[Path, bool] = {
        ("deal", "turn_up"): deal.turn_up == "dealer",
        ("pass", "to"): aside,
        ("play", "cannot"): source.at("play", "cannot") == "down",
    }
    for path, found in barred.items():
        if deal.draws and found:
            raise Wrong("kit_draw_with", source.place(path), dotted(path))
