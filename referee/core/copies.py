"""Which copies of each card everybody has seen in a deal, and where they turned up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from referee.core.cards import Deck
from referee.core.verdict import Card, Seat


class SeenCopies(NamedTuple):
    """``copies`` of ``card`` turned up with ``seat``; older sightings are in ``before``.

    ``how``: the fact of the ruling book that says in which way; ``at``: the entry's position.
    """

    before: SeenCopies | None
    how: str
    seat: Seat
    card: Card
    copies: int
    at: int


class Copies(NamedTuple):
    """The copies that have turned up: ``located`` counts them in the deck's order, ``found`` is the
    newest sighting.
    """

    deck: Deck
    located: tuple[int, ...]
    found: SeenCopies | None

    @classmethod
    def none_of(cls, deck: Deck) -> Copies:
        """A fresh deal: nothing has been seen."""
        return cls(deck, (0,) * len(deck.cards), None)

    def unseen(self, card: Card) -> int:
        """Copies that have not turned up; KeyError for a card that is not in the deck."""
        i = self.deck.place[card]
        return self.deck.copies[i] - self.located[i]

    def find(self, how: str, seat: Seat, card: Card, copies: int, at: int) -> Copies:
        """These copies and ``copies`` more of ``card``, which turned up with ``seat``."""
        i, located = self.deck.place[card], self.located
        counts = (*located[:i], located[i] + copies, *located[i + 1 :])
        return Copies(self.deck, counts, SeenCopies(self.found, how, seat, card, copies, at))

    def where(self, card: Card) -> list[SeenCopies]:
        """Where copies of ``card`` have turned up, the oldest first."""
        return [found for found in self._found() if found.card == card][::-1]

    def _found(self) -> Iterator[SeenCopies]:
        found = self.found
        while found is not None:
            yield found
            found = found.before
