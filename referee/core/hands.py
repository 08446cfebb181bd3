"""What public facts say about hidden hands, for hands that nobody adds cards to.

A seat that lays a forbidden card declares: "all I hold is of these kinds". Hands don't change
between the deal and the play, so the declaration speaks of every card the seat lays from then on
and of all that it still holds. It is possible exactly when the cards of those kinds that have not
turned up elsewhere suffice to fill the rest of the hand: the other hands and the left-over cards
take whatever remains, so no further condition exists (Hall's condition with one demanding side).
Declarations of other seats are never used: somebody else may have lied (rulings X5, X7).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import NamedTuple

from referee.core.cards import Deck
from referee.core.verdict import Card, Seat


class Claim(NamedTuple):
    """The declaration of ``seat`` at position ``at``: all I hold is of the kinds ``only``."""

    seat: Seat
    at: int
    only: frozenset[Card]


class Refutation(NamedTuple):
    """A claim that cannot be true, and the ascending positions that prove it.

    ``against`` holds the earlier claims of the same seat that the proof takes for true.
    """

    claim: Claim
    proof: tuple[int, ...]
    against: tuple[Claim, ...] = ()


class Truth(Enum):
    """How a declaration stands with what everybody has seen."""

    CERTAIN = "certain"
    OPEN = "open"
    IMPOSSIBLE = "impossible"


class Seen(NamedTuple):
    """A card that turned up: laid, or in a hand ``shown``; the older ones follow in ``before``."""

    before: Seen | None
    seat: Seat
    card: Card
    at: int
    shown: bool = False


class Hands(NamedTuple):
    """All that everybody knows about the hands of one deal.

    ``located`` counts the copies whose place is known (laid, or in a hand that was shown), in the
    deck's order; ``hidden`` the cards that a seat still holds unseen; ``shown`` what is left of a
    hand that its owner has laid open.
    """

    deck: Deck
    located: tuple[int, ...]
    hidden: Mapping[Seat, int]
    shown: Mapping[Seat, tuple[int, ...]]
    seen: Seen | None
    claims: tuple[Claim, ...]
    refuted: tuple[Refutation, ...]
    excluded: tuple[Refutation, ...]
    slack: int  # so many cards may still turn up before any claim can have become impossible

    @classmethod
    def dealt(cls, deck: Deck, seats: Iterable[Seat], size: int) -> Hands:
        """Every seat holds ``size`` cards that nobody else has seen."""
        sizes = dict.fromkeys(seats, size)
        return cls(deck, (0,) * len(deck.cards), sizes, {}, None, (), (), (), 0)

    def unseen(self, kinds: Iterable[Card]) -> int:
        """Copies of ``kinds`` that have not turned up."""
        place, copies, located = self.deck.place, self.deck.copies, self.located
        return sum(copies[place[card]] - located[place[card]] for card in kinds)

    def gone(self, card: Card) -> bool:
        """Whether every copy has turned up; KeyError for a card that the deck lacks."""
        i = self.deck.place[card]
        return self.located[i] == self.deck.copies[i]

    def truth(self, seat: Seat, only: frozenset[Card]) -> Truth:
        """Whether all cards of ``seat`` can be, or must be, of the kinds ``only``.

        The card about to be laid counts as held and is one of them.
        """
        if seat in self.shown:
            held = zip(self.deck.cards, self.shown[seat], strict=True)
            return Truth.CERTAIN if all(card in only for card, n in held if n) else Truth.IMPOSSIBLE
        fitting = self.unseen(only)
        if fitting < self.hidden[seat]:
            return Truth.IMPOSSIBLE
        every = len(self.deck) - sum(self.located)
        return Truth.CERTAIN if self.hidden[seat] == 1 or fitting == every else Truth.OPEN

    def lay(self, seat: Seat, card: Card, at: int) -> Hands:
        """``seat`` lays ``card``, of which a copy is left."""
        i = self.deck.place[card]
        if seat in self.shown:
            left = self.shown[seat]
            kept = (*left[:i], left[i] - 1, *left[i + 1 :])
            return self._replace(shown={**self.shown, seat: kept})
        located = list(self.located)
        located[i] += 1
        hands = Hands(
            self.deck,
            tuple(located),
            {**self.hidden, seat: self.hidden[seat] - 1},
            self.shown,
            Seen(self.seen, seat, card, at),
            self.claims,
            self.refuted,
            self.excluded,
            self.slack - 1,
        )
        return hands._checked(seat, (card,), at) if self.claims else hands

    def show(self, seat: Seat, cards: Iterable[Card], at: int) -> Hands:
        """``seat`` lays its whole hand open: ``hidden[seat]`` cards, each with a copy left."""
        cards = tuple(cards)
        counts = self.deck.count(cards)
        seen = self.seen
        for card in cards:
            seen = Seen(seen, seat, card, at, True)
        hands = self._replace(
            located=tuple(a + b for a, b in zip(self.located, counts, strict=True)),
            hidden={**self.hidden, seat: 0},
            shown={**self.shown, seat: counts},
            seen=seen,
            slack=-1,
        )
        return hands._checked(seat, cards, at)

    def declare(self, seat: Seat, only: frozenset[Card], at: int) -> Hands:
        """``seat`` declares at ``at``, before it lays its card, that it holds nothing else."""
        claims = (*self.claims, Claim(seat, at, only))
        return self._replace(claims=claims, slack=-1)._checked(seat, (), at)

    def refutations(self) -> tuple[Refutation, ...]:
        """Declarations that no distribution of the unseen cards allows, in the order made.

        One that only an earlier declaration of the same seat excludes counts against the later.
        """
        return tuple(sorted((*self.refuted, *self.excluded), key=lambda r: r.claim.at))

    def _checked(self, seat: Seat, cards: tuple[Card, ...], at: int) -> Hands:
        """Look at the claims again after ``seat`` has laid or shown ``cards`` at ``at``."""
        false = [c for c in self.claims if c.seat == seat and not c.only.issuperset(cards)]
        if not false and self.slack >= 0:
            return self
        refuted = [*self.refuted, *(Refutation(claim, (at,)) for claim in false)]
        living = []
        for claim in self.claims:
            if claim in false:
                continue
            if self.unseen(claim.only) < self.hidden[claim.seat]:
                refuted.append(Refutation(claim, self._counting(claim.seat, claim.only, claim.at)))
            else:
                living.append(claim)
        excluded, slack = self._excluded(living)
        return self._replace(
            claims=tuple(living),
            refuted=tuple(refuted),
            excluded=tuple(excluded),
            slack=slack,
        )

    def _excluded(self, living: list[Claim]) -> tuple[list[Refutation], int]:
        """Claims that the same seat's earlier ones exclude, and the new ``slack``."""
        known = {r.claim: r for r in self.excluded}
        excluded: list[Refutation] = []
        kept: dict[Seat, list[Claim]] = {}
        slack = len(self.deck)
        for claim in living:
            mine = kept.setdefault(claim.seat, [])
            only = claim.only.intersection(*(c.only for c in mine))
            spare = self.unseen(only) - self.hidden[claim.seat]
            if spare < 0:
                old = known.get(claim)
                holds = old is not None and all(c in mine for c in old.against)
                excluded.append(old if old and holds else self._exclusion(claim, mine))
                # facts alone may convict it later, and then they are the proof
                spare = self.unseen(claim.only) - self.hidden[claim.seat]
            else:
                mine.append(claim)
            slack = min(slack, spare)
        return excluded, slack

    def _exclusion(self, claim: Claim, earlier: list[Claim]) -> Refutation:
        """The fewest earlier claims that exclude ``claim``, with the cards that it takes."""
        needed = list(earlier)
        for spared in earlier:
            rest = [c for c in needed if c is not spared]
            only = claim.only.intersection(*(c.only for c in rest))
            if self.unseen(only) < self.hidden[claim.seat]:
                needed = rest
        only = claim.only.intersection(*(c.only for c in needed))
        cards = self._counting(claim.seat, only, claim.at)
        last = max((claim.at, *cards))
        proof = sorted({*cards, *(c.at for c in needed), last})
        return Refutation(claim, tuple(proof), tuple(needed))

    def _counting(self, seat: Seat, only: frozenset[Card], since: int) -> tuple[int, ...]:
        """The first entries whose cards of ``only`` left too few for the hand of ``seat``.

        What ``seat`` itself laid from ``since`` on proves nothing: it came from that very hand.
        """
        elsewhere, own = [], 0
        for seen in self.where(only):
            if seen.seat == seat and seen.at >= since:
                own += 1
            else:
                elsewhere.append(seen.at)
        place, copies = self.deck.place, self.deck.copies
        held = self.hidden[seat] + own
        needed = sum(copies[place[card]] for card in only) - held + 1
        if needed <= 0:  # there never were so many
            return ()
        last = elsewhere[needed - 1]
        cards = Counter(at for at in elsewhere if at <= last)
        # A shown hand counts for several cards: perhaps others can be spared for it.
        spare = cards.total() - needed
        for entry, count in sorted(cards.items()):
            if count <= spare:
                del cards[entry]
                spare -= count
        return tuple(sorted(cards))

    def where(self, kinds: frozenset[Card]) -> Iterator[Seen]:
        """The cards of ``kinds`` that have turned up, oldest first."""
        return (seen for seen in reversed(list(self._seen())) if seen.card in kinds)

    def _seen(self) -> Iterator[Seen]:
        seen = self.seen
        while seen is not None:
            yield seen
            seen = seen.before
