"""The interface of ``hands.Hands`` for hands that grow by hidden draws.

So a game whose hands grow only with some of its house rules needs one interface only;
``core.draws`` computes the answers. A declaration is about the cards that its seat holds when it is
made, not about later draws.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from referee.core.cards import DIGIT, Deck, size
from referee.core.draws import Draws
from referee.core.game import TABLE
from referee.core.hands import NOTHING_KEPT, HandClaim, Refutation, Seen, Truth
from referee.core.moves import Drew, Gained, Played, Shown, Turned
from referee.core.verdict import Card, Seat


class DrawnHands(NamedTuple):
    """``PublicHands`` of a deal in which seats draw, and no card leaves a hand unseen.

    So there is always exactly one world (``core.worlds``). ``laid_open``: the seats that have shown
    their hands. ``kept``: the card that lay open and that a seat took into its hand.
    """

    draws: Draws
    laid_open: frozenset[Seat] = frozenset()
    kept: Mapping[Seat, Card] = NOTHING_KEPT

    @classmethod
    def dealt(cls, deck: Deck, seats: Iterable[Seat], each: int) -> DrawnHands:
        return cls(Draws.dealt(deck, seats, each))

    @property
    def deck(self) -> Deck:
        return self.draws.deck

    @property
    def located(self) -> tuple[int, ...]:
        return self.deck.counts(self.deck.full - self.draws.worlds[0].unseen)

    @property
    def hidden(self) -> Mapping[Seat, int]:
        return {seat: hand.hidden for seat, hand in self.draws.worlds[0].hands.items()}

    @property
    def shown(self) -> Mapping[Seat, tuple[int, ...]]:
        """Hands that were laid open and have no hidden card: copies in the deck's order."""
        hands = self.draws.worlds[0].hands
        return {s: self.sure(s) for s in self.laid_open if not hands[s].hidden}

    def sure(self, seat: Seat) -> tuple[int, ...]:
        return self.deck.counts(self.draws.worlds[0].hands[seat].known)

    def unseen(self, kinds: Iterable[Card]) -> int:
        return self.draws.unseen(kinds)

    def gone(self, card: Card) -> bool:
        return not self.draws.can_turn_up((card,))

    def held(self, seat: Seat) -> int:
        return self.draws.size(seat)

    def known(self, seat: Seat, card: Card) -> bool:
        return bool(self.draws.worlds[0].hands[seat].known & self.deck.one[card] * DIGIT)

    def turn_up(self, card: Card, seat: Seat, at: int) -> DrawnHands:
        """``card`` is turned up and lies on the table; ``seat`` is ignored."""
        return self._replace(draws=self.draws.add(Turned((card,), at)))

    def draw(self, seat: Seat, card: Card | None = None) -> DrawnHands:
        """``seat`` draws a hidden card, or takes ``card``, which lay open."""
        if card is None:
            return self._replace(draws=self.draws.add(Drew(seat, 1)))
        draws = self.draws.add(Gained(seat, card))
        return self._replace(draws=draws, kept={**self.kept, seat: card})

    def truth(self, seat: Seat, only: frozenset[Card], sure: int = 1) -> Truth:
        unseen, hands = self.draws.worlds[0]
        known, hidden, _ = hands[seat]
        mask = self.deck.mask(only)
        fitting = size(unseen & mask)
        if known & ~mask or fitting < hidden:
            return Truth.IMPOSSIBLE
        # the card that is about to be played is of the kinds ``only``, too
        certain = hidden <= sure or fitting == size(unseen)
        return Truth.CERTAIN if certain else Truth.OPEN

    def lay(self, seat: Seat, card: Card, at: int) -> DrawnHands:
        kept = self.kept
        if kept.get(seat) == card:
            kept = {of: each for of, each in kept.items() if of != seat}
        return self._replace(draws=self.draws.add(Played(seat, (card,), at)), kept=kept)

    def show(self, seat: Seat, cards: Iterable[Card], at: int) -> DrawnHands:
        draws = self.draws.add(Shown(seat, tuple(cards), at))
        return self._replace(draws=draws, laid_open=self.laid_open | {seat})

    def declare(self, seat: Seat, only: frozenset[Card], at: int) -> DrawnHands:
        return self._replace(draws=self.draws.add(HandClaim(seat, at, only)))

    def refutations(self) -> tuple[Refutation, ...]:
        return self.draws.refutations()

    def where(self, kinds: frozenset[Card]) -> Iterator[Seen]:
        for sight in self.draws.where(kinds):
            yield Seen(None, sight.seat or TABLE, sight.card, sight.at)
