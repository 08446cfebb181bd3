"""How to deal at a table, in the language of the person."""

from __future__ import annotations

from typing import NamedTuple

from referee.core.game import Game
from referee.core.generic import P, S
from referee.core.verdict import Card
from referee.http import language
from referee.rulings import book_of, sentences

DRAWN = 10  # kinds of cards that are drawn, at most


class HowToDeal(NamedTuple):
    """How to deal the next deal, or the one under way.

    ``steps``: sentences. ``cards``: number, copies, whether it is taken out; empty for decks that
    are not drawn.
    """

    steps: list[str]
    cards: list[tuple[Card, int, bool]]


def how_to_deal(game: Game[S, P], state: S) -> HowToDeal | None:
    """How to deal at a state; None if its game does not say."""
    dealing = game.HOOKS.dealing(state)
    if dealing is None:
        return None
    facts = sentences.in_sentences(dealing.steps, book_of(game), language.current())
    deck = list(zip(dealing.deck.cards, dealing.deck.copies, strict=True))
    drawn = len(deck) <= DRAWN and all(isinstance(card, int) for card, _ in deck)
    cards = [(card, copies, False) for card, copies in deck] if drawn else []
    cards += [(card, 0, True) for card in dealing.removed]
    return HowToDeal([fact.text for fact in facts], cards)
