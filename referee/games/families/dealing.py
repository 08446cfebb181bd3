"""How games with a *Pairs* deck are dealt: the cards that are used, and those left over."""

from __future__ import annotations

from referee.core.cards import Deck, pairs_deck
from referee.core.game import Dealing
from referee.core.verdict import Facts, evidence

PACK = pairs_deck(10)


def pairs_dealing(deck: Deck, steps: Facts) -> Dealing:
    """How to deal ``deck``: first take numbers out of the pack or add some, then ``steps``."""
    removed = tuple(card for card in PACK.cards if card not in deck)
    if removed:
        first = evidence("deal_take_out", cards=removed, left=len(deck))
    elif len(deck.cards) > len(PACK.cards):
        first = evidence("deal_make", low=len(PACK.cards) + 1, high=len(deck.cards), left=len(deck))
    else:
        first = evidence("deal_all", left=len(deck))
    return Dealing(deck, removed, (*first, *steps))


def dealt_out(deck: Deck, seats: int, each: int, aside: int = 0) -> Facts:
    """The steps by which every seat gets ``each`` cards and the rest stays hidden.

    ``aside``: cards put aside before.
    """
    over = len(deck) - seats * each - aside
    unseen = evidence("deal_left_over", count=over) if over else ()
    return (*evidence("deal_each", count=each), *unseen)
