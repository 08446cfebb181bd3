"""What public facts prove about hidden hands, in games in which no hand gets more cards.

A seat that plays a forbidden card declares: "all I hold is of these kinds". Hands don't change
between the deal and the play, so the declaration is about every card that the seat plays from then
on and about all that it still holds. It is possible exactly if enough cards of those kinds have not
turned up elsewhere to fill the rest of the hand: the other hands and the undealt cards take
whatever remains, so there is no further condition (Hall's condition with one demanding side).
Declarations of other seats are never used: they may be false (rulings X5, X7).

Two more things can be known of a hand. A card that was turned up and then went into it is *kept*:
everybody has seen it, and its owner cannot deny it. A card that was played face down is *down*:
nobody has seen it, and declarations made before it was played are about it, too. Each declaration
of a seat narrows the kinds that its cards can be, so the condition above has to hold for each of
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple, Protocol, Self

from referee.core.cards import DIGIT, Bag, Deck, size
from referee.core.verdict import Card, Evidence, Position, Seat

ALL_SEEN, HAND_SHOWN = "deck.2", "hand.3"
"""Clauses of refusals: every copy was seen elsewhere; the seat has shown another hand."""


class HandClaim(NamedTuple):
    """The declaration of ``seat`` at position ``at``: all I hold is of the kinds ``only``."""

    seat: Seat
    at: int
    only: frozenset[Card]


class Refutation(NamedTuple):
    """A claim that cannot be true, and the positions that prove it, ascending.

    ``against``: the earlier claims of the same seat that the proof takes for true.
    """

    claim: HandClaim
    proof: tuple[int, ...]
    against: tuple[HandClaim, ...] = ()


def not_both(refuted: Refutation) -> Iterator[Evidence]:
    """The facts that a declaration and an earlier one of the same seat exclude each other.

    The cards do not show which of the two was false.
    """
    for earlier in refuted.against:
        values = {"first": Position(earlier.at), "second": Position(refuted.claim.at)}
        yield Evidence("not_both", values, earlier.at)


class Truth(Enum):
    """Whether a declaration is true, by what everybody has seen."""

    CERTAIN = "certain"
    OPEN = "open"
    IMPOSSIBLE = "impossible"


class Seen(NamedTuple):
    """A card that turned up: it was played, or is in a shown hand; older ones are in ``before``."""

    before: Seen | None
    seat: Seat
    card: Card
    at: int
    shown: bool = False


NOTHING_KEPT: Mapping[Seat, Card] = MappingProxyType({})


class PublicHands(Protocol):
    """The interface of what everybody knows about the hands of one deal.

    `Hands` implements it for games in which no hand gets more cards, ``core.drawn`` for others.
    """

    @property
    def deck(self) -> Deck: ...
    @property
    def located(self) -> tuple[int, ...]:
        """How many copies of each kind have turned up, in the deck's order."""

    @property
    def hidden(self) -> Mapping[Seat, int]:
        """How many cards each seat holds unseen."""

    @property
    def shown(self) -> Mapping[Seat, tuple[int, ...]]:
        """What is left of hands that were laid open: seat → copies of each kind, in deck order."""

    @property
    def kept(self) -> Mapping[Seat, Card]:
        """A card that everybody saw before it came into a hand, or that was turned up in it."""

    def sure(self, seat: Seat) -> tuple[int, ...]:
        """The cards that ``seat`` certainly holds: copies of each kind in the deck's order."""

    def unseen(self, kinds: Iterable[Card]) -> int:
        """How many cards of ``kinds`` have not turned up."""

    def gone(self, card: Card) -> bool:
        """Whether every copy has turned up; KeyError for a card that is not in the deck."""

    def held(self, seat: Seat) -> int:
        """How many cards ``seat`` holds."""

    def known(self, seat: Seat, card: Card) -> bool:
        """Whether everybody knows that ``seat`` holds ``card``."""

    def truth(self, seat: Seat, only: frozenset[Card], sure: int = 1) -> Truth:
        """Whether all cards of ``seat`` can be, or must be, of the kinds ``only``.

        The card about to be played is still in the hand and is one of them: ``sure`` is 1 if it is
        one of the hidden cards, 0 if it is a kept card or will be played face down.
        """

    def turn_up(self, card: Card, seat: Seat, at: int) -> Self:
        """``card`` is turned up and lies with ``seat``, which names a place, not a player."""

    def lay(self, seat: Seat, card: Card, at: int) -> Self: ...
    def show(self, seat: Seat, cards: Iterable[Card], at: int) -> Self:
        """``seat`` lays its whole hand open."""

    def declare(self, seat: Seat, only: frozenset[Card], at: int) -> Self:
        """``seat`` declares at ``at``, before it plays its card, that all it holds is of
        ``only``.
        """

    def refutations(self) -> tuple[Refutation, ...]:
        """The declarations that can't be true, each with its proof."""

    def where(self, kinds: frozenset[Card]) -> Iterator[Seen]:
        """Where cards of ``kinds`` have turned up, oldest first."""


class Hands(NamedTuple):
    """``PublicHands`` of one deal in which no hand gets more cards.

    ``unturned``: the cards that have not turned up (played, or in a hand that was shown).
    ``hidden``: how many unseen cards a seat holds. ``shown``: what is left of a hand that its owner
    has laid open. ``claims``: the declarations that are possible, each taken alone. ``refuted``:
    those that facts alone exclude; ``excluded``: those that contradict earlier ones of the same
    seat. ``kept``: the card of a seat that everybody has seen and that is still in its hand.
    ``down``: seat and position of each card played face down.
    """

    deck: Deck
    unturned: Bag
    hidden: Mapping[Seat, int]
    shown: Mapping[Seat, tuple[int, ...]]
    seen: Seen | None
    claims: tuple[HandClaim, ...]
    refuted: tuple[Refutation, ...]
    excluded: tuple[Refutation, ...]
    slack: int  # how many cards may still turn up before any claim can have become impossible
    kept: Mapping[Seat, Card] = NOTHING_KEPT
    down: tuple[tuple[Seat, int], ...] = ()

    @classmethod
    def dealt(cls, deck: Deck, seats: Iterable[Seat], each: int) -> Hands:
        """Every seat holds ``each`` cards that nobody else has seen."""
        sizes = dict.fromkeys(seats, each)
        return cls(
            deck, deck.full, sizes, {}, seen=None, claims=(), refuted=(), excluded=(), slack=0
        )

    @property
    def located(self) -> tuple[int, ...]:
        return self.deck.counts(self.deck.full - self.unturned)

    def unseen(self, kinds: Iterable[Card]) -> int:
        return size(self.unturned & self.deck.mask(kinds))

    def gone(self, card: Card) -> bool:
        return not self.unturned & self.deck.one[card] * DIGIT

    def held(self, seat: Seat) -> int:
        if seat in self.shown:
            return sum(self.shown[seat])
        return self.hidden[seat] + (seat in self.kept)

    def sure(self, seat: Seat) -> tuple[int, ...]:
        if seat in self.shown:
            return self.shown[seat]
        return self.deck.count([self.kept[seat]] if seat in self.kept else [])

    def known(self, seat: Seat, card: Card) -> bool:
        """Whether everybody can see or has seen ``card`` in the hand of ``seat``."""
        if seat in self.shown:
            return self.shown[seat][self.deck.place[card]] > 0
        return self.kept.get(seat) == card

    def turn_up(self, card: Card, seat: Seat, at: int) -> Hands:
        seen = Seen(self.seen, seat, card, at)
        return self._replace(unturned=self.unturned - self.deck.one[card], seen=seen, slack=-1)

    def keep(self, seat: Seat, card: Card, at: int) -> Hands:
        """One of the hidden cards of ``seat`` is turned up as ``card`` and stays in the hand."""
        hidden = {**self.hidden, seat: self.hidden[seat] - 1}
        turned = self.turn_up(card, seat, at)
        return turned._replace(hidden=hidden, kept={**self.kept, seat: card})

    def cover(self, seat: Seat, at: int) -> Hands:
        """``seat`` plays one of its hidden cards face down."""
        hidden = {**self.hidden, seat: self.hidden[seat] - 1}
        return self._replace(hidden=hidden, down=(*self.down, (seat, at)))

    def truth(self, seat: Seat, only: frozenset[Card], sure: int = 1) -> Truth:
        if seat in self.shown:
            held = zip(self.deck.cards, self.shown[seat], strict=True)
            return Truth.CERTAIN if all(card in only for card, n in held if n) else Truth.IMPOSSIBLE
        if self.kept and self.kept.get(seat) not in (None, *only):
            return Truth.IMPOSSIBLE
        fitting = self.unseen(only)
        if fitting < self.hidden[seat]:
            return Truth.IMPOSSIBLE
        every = size(self.unturned)
        return Truth.CERTAIN if self.hidden[seat] == sure or fitting == every else Truth.OPEN

    def lay(self, seat: Seat, card: Card, at: int) -> Hands:
        """``seat`` plays ``card``; a copy of it must be unseen or known to be in the hand."""
        if seat in self.shown:
            i = self.deck.place[card]
            left = self.shown[seat]
            kept = (*left[:i], left[i] - 1, *left[i + 1 :])
            return self._replace(shown={**self.shown, seat: kept})
        if self.kept and self.kept.get(seat) == card:
            others = {of: each for of, each in self.kept.items() if of != seat}
            return self._replace(kept=others)
        hands = Hands(
            self.deck,
            self.unturned - self.deck.one[card],
            {**self.hidden, seat: self.hidden[seat] - 1},
            self.shown,
            Seen(self.seen, seat, card, at),
            self.claims,
            self.refuted,
            self.excluded,
            self.slack - 1,
            self.kept,
            self.down,
        )
        return hands._checked(seat, (card,), at) if self.claims else hands

    def show(self, seat: Seat, cards: Iterable[Card], at: int) -> Hands:
        """``seat`` shows its whole hand: ``held(seat)`` cards, each with a copy left."""
        cards = tuple(cards)
        fresh = list(cards)
        if seat in self.kept:
            fresh.remove(self.kept[seat])
        one = self.deck.one
        seen = self.seen
        for card in fresh:
            seen = Seen(seen, seat, card, at, True)
        hands = self._replace(
            unturned=self.unturned - sum(one[card] for card in fresh),
            hidden={**self.hidden, seat: 0},
            shown={**self.shown, seat: self.deck.count(cards)},
            seen=seen,
            slack=-1,
            kept={of: each for of, each in self.kept.items() if of != seat},
        )
        return hands._checked(seat, cards, at)

    def declare(self, seat: Seat, only: frozenset[Card], at: int) -> Hands:
        claims = (*self.claims, HandClaim(seat, at, only))
        return self._replace(claims=claims, slack=-1)._checked(seat, (), at)

    def refutations(self) -> tuple[Refutation, ...]:
        """Declarations that no distribution of the unseen cards allows, in the order made.

        If a declaration is excluded only by an earlier one of the same seat, the later one is
        listed.
        """
        return tuple(sorted((*self.refuted, *self.excluded), key=lambda r: r.claim.at))

    def _held(self, claim: HandClaim) -> int:
        """How many unseen cards ``claim`` is about: those in the hand, and those played face down
        since.
        """
        seat, at, _ = claim
        if not self.down:
            return self.hidden[seat]
        return self.hidden[seat] + sum(of == seat and when >= at for of, when in self.down)

    def _checked(self, seat: Seat, cards: tuple[Card, ...], at: int) -> Hands:
        """Check the claims again after ``seat`` has played or shown ``cards`` at ``at``."""
        false = [c for c in self.claims if c.seat == seat and not c.only.issuperset(cards)]
        if not false and self.slack >= 0:
            return self
        if not (false or self.excluded or self.down) and (spare := self._least_spare()) >= 0:
            return self._replace(slack=spare)
        known = {r.claim: r for r in self.excluded}
        refuted = [*self.refuted, *(Refutation(claim, (at,)) for claim in false)]
        living: list[HandClaim] = []
        excluded: list[Refutation] = []
        kept: dict[Seat, list[HandClaim]] = {}
        fitting: dict[Seat, Bag] = {}  # the unturned cards that agree with all claims in ``kept``
        slack = len(self.deck)
        unturned, mask = self.unturned, self.deck.mask
        for claim in self.claims:
            if claim in false:
                continue
            of, held = claim.seat, self._held(claim)
            mine = kept.setdefault(of, [])
            left = fitting.get(of, unturned) & mask(claim.only)
            spare = size(left) - held
            if spare >= 0:
                mine.append(claim)
                fitting[of] = left
            else:
                spare = self.unseen(claim.only) - held
                if spare < 0:
                    refuted.append(Refutation(claim, self._counting(claim, claim.only)))
                    continue
                old = known.get(claim)
                holds = old is not None and all(c in mine for c in old.against)
                excluded.append(old if old and holds else self._exclusion(claim, mine))
            # an excluded claim, too: facts alone may refute it later, and are then the better proof
            living.append(claim)
            slack = min(slack, spare)
        return self._replace(
            claims=tuple(living),
            refuted=tuple(refuted),
            excluded=tuple(excluded),
            slack=slack,
        )

    def _least_spare(self) -> int:
        """How many more cards a hand could hold, at least, if all claims of its seat are true.

        A number below 0 does not say which claim is wrong. Cards face down are not counted.
        """
        fitting: dict[Seat, Bag] = {}
        unturned, mask = self.unturned, self.deck.mask
        for seat, _, only in self.claims:
            fitting[seat] = fitting.get(seat, unturned) & mask(only)
        spare = (size(left) - self.hidden[seat] for seat, left in fitting.items())
        return min(spare, default=len(self.deck))

    def _exclusion(self, claim: HandClaim, earlier: list[HandClaim]) -> Refutation:
        """The fewest earlier claims that exclude ``claim``, and the cards that are needed for
        it.
        """
        needed = list(earlier)
        for spared in earlier:
            rest = [c for c in needed if c is not spared]
            only = claim.only.intersection(*(c.only for c in rest))
            if self.unseen(only) < self._held(claim):
                needed = rest
        only = claim.only.intersection(*(c.only for c in needed))
        cards = self._counting(claim, only)
        last = max((claim.at, *cards))
        proof = sorted({*cards, *(c.at for c in needed), last})
        return Refutation(claim, tuple(proof), tuple(needed))

    def _counting(self, claim: HandClaim, only: frozenset[Card]) -> tuple[int, ...]:
        """The first positions whose cards of ``only`` left too few for the hand at ``claim``.

        Cards that its own seat played from then on prove nothing: they came from that very hand.
        """
        seat, since, _ = claim
        elsewhere, own = [], 0
        for seen in self.where(only):
            if seen.seat == seat and seen.at >= since:
                own += 1
            else:
                elsewhere.append(seen.at)
        place, copies = self.deck.place, self.deck.copies
        held = self._held(claim) + own
        needed = sum(copies[place[card]] for card in only) - held + 1
        if needed <= 0:  # the hand never held that many
            return ()
        last = elsewhere[needed - 1]
        cards = Counter(at for at in elsewhere if at <= last)
        # A shown hand counts for several cards, so fewer entries may suffice.
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
