"""What public facts prove about hidden hands that grow by hidden draws.

``hands`` serves games in which nobody draws. Here a card played after a declaration may have been
drawn since, so the question is a matching in time. The answers are exact: each takes account of
every distribution of the unseen cards and every order of the stock.

Facts are added one by one, in the order in which they happen (``Draws.add``). Hands begin empty, so
a deal is a ``Drew`` for every seat (``Draws.dealt``). A declaration "all I hold is of these kinds"
is a ``HandClaim``; it is added just before the card that is played with it. ``allows`` says whether
a fact is possible, ``truth`` whether a declaration can be or must be true now; both use facts alone
(``core.worlds``), never what somebody has declared. ``refutations`` lists the declarations that
cannot have been true, or not together with earlier ones of the same seat. For this, hands are
traced (``core.traces``); a search (``core.places``) is needed only after a card has left a hand
unseen. ``core.proofs`` finds the cards that prove it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from referee.core.cards import DIGIT, Bag, Deck, copies_in, size
from referee.core.hands import HandClaim, Refutation, Truth
from referee.core.moves import Drew, Fact, Gained, Held, Lost, Played, Shown, Sighting, Turned
from referee.core.proofs import Case
from referee.core.traces import Trace, declared, retraced, spare, turned_up
from referee.core.verdict import Card, Seat
from referee.core.worlds import Hand, World, dealt, moved, picked, uncovered, unseen_after


class Sight(NamedTuple):
    """A card that turned up at ``at``; ``seat`` is None if it was in no hand."""

    seat: Seat | None
    card: Card
    at: int


class Added(NamedTuple):
    """The facts so far, as a linked list, newest first; older ones are in ``before``.

    At most one of ``facts`` shows cards; it reduces the unseen cards from ``was`` to ``left``.
    """

    before: Added | None
    facts: tuple[Fact, ...]
    was: Bag
    left: Bag


# Traces of one seat's hand: the first under all its declarations that can be true together, then
# one for each other declaration alone. None for a declaration that can no longer be true.
Traces: TypeAlias = tuple[Trace | None, ...]
NOTHING_SAID: Traces = ((),)


class Draws(NamedTuple):
    """All that everybody knows about the hands of one deal.

    ``claims``: the declarations that are possible, each taken alone. ``refuted``: those that facts
    alone exclude; ``excluded``: those that contradict earlier ones of the same seat. ``traces``: of
    each seat that has declared something; None once a card has left its hand unseen. ``slack``: how
    many cards may still turn up before a declaration has to be checked again.
    """

    deck: Deck
    worlds: tuple[World, ...]
    past: Added | None = None
    claims: tuple[HandClaim, ...] = ()
    refuted: tuple[Refutation, ...] = ()
    excluded: tuple[Refutation, ...] = ()
    traces: Mapping[Seat, Traces | None] = MappingProxyType({})
    slack: int = DIGIT

    @classmethod
    def dealt(cls, deck: Deck, seats: Iterable[Seat], size: int) -> Draws:
        """Every seat holds ``size`` cards that nobody else has seen."""
        world = dealt(deck, seats, size)
        drew = tuple(Drew(seat, size) for seat in world.hands)
        return cls(deck, (world,), Added(None, drew, deck.full, deck.full))

    def add(self, *facts: Fact) -> Draws:
        """These facts and ``facts``, each of which must be possible (see ``allows``)."""
        if len(self.worlds) > 1:
            return self._added(facts)
        # As ``_added``, with one copy of the hands for all facts. Only for a single world, at most
        # one fact that shows cards, and while no declaration has to be checked again.
        deck, [(unseen, hands)], past, claims, refuted, excluded, traces, slack = self
        hands, was, shown = {**hands}, unseen, False
        seat: Seat | None = None  # whose hand is ``known``, ``hidden`` and ``pinned``
        known = hidden = pinned = 0
        for fact in facts:
            if isinstance(fact, Turned):
                left = unseen_after(deck, unseen, fact.cards)
                slack -= len(fact.cards) if traces else 0
                if left is None or shown or slack < 0:
                    return self._added(facts)
                unseen, shown = left, True
                continue
            if fact.seat != seat:
                if seat is not None:
                    hands[seat] = Hand(known, hidden, pinned)
                seat = fact.seat
                known, hidden, pinned = hands[seat]
            if isinstance(fact, Drew):
                hidden += fact.size
                continue
            if isinstance(fact, HandClaim):
                claims = (*claims, fact)
                traces, slack = _followed(deck, traces, slack, fact, known, hidden, (unseen,))
            elif isinstance(fact, Gained):
                known += deck.one[fact.card]
                continue
            elif isinstance(fact, Lost):
                return self._added(facts)
            else:
                found = uncovered(deck, unseen, known, hidden, fact)
                if found is None or shown:
                    return self._added(facts)
                before, shown = known, True
                pinned += unseen - found[0]
                unseen, known, hidden = found
                if traces:
                    traces, slack = _followed(deck, traces, slack, fact, before, hidden, (unseen,))
            if slack < 0:
                return self._added(facts)
        if seat is not None:
            hands[seat] = Hand(known, hidden, pinned)
        world, past = World(unseen, hands), Added(past, facts, was, unseen)
        return Draws(deck, (world,), past, claims, refuted, excluded, traces, slack)

    def _added(self, facts: tuple[Fact, ...]) -> Draws:
        deck, worlds, past, claims, refuted, excluded, traces, slack = self
        for fact in facts:
            before, worlds = worlds, moved(deck, worlds, fact)
            assert worlds
            past = Added(past, (fact,), before[0].unseen, worlds[0].unseen)
            if isinstance(fact, (Drew, Gained)):
                continue  # no declaration so far speaks of such a card
            if isinstance(fact, HandClaim):
                claims = (*claims, fact)
            elif not traces and not isinstance(fact, Lost):
                continue
            if isinstance(fact, Turned):
                slack -= len(fact.cards)
            else:
                known = before[0].hands[fact.seat].known
                hidden = worlds[0].hands[fact.seat].hidden
                unseen = [world.unseen for world in worlds]
                traces, slack = _followed(deck, traces, slack, fact, known, hidden, unseen)
            if slack < 0:
                draws = Draws(deck, worlds, past, claims, refuted, excluded, traces, slack)
                _, _, _, claims, refuted, excluded, traces, slack = draws._checked(fact)
        return Draws(deck, worlds, past, claims, refuted, excluded, traces, slack)

    def allows(self, *facts: Fact) -> bool:
        """Whether ``facts`` agree with all facts before them; KeyError for an unknown card."""
        return bool(moved(self.deck, self.worlds, *facts))

    def can_turn_up(self, cards: Iterable[Card]) -> bool:
        """Whether that many copies of ``cards`` are unseen: as ``allows`` for ``Turned``."""
        return any(unseen_after(self.deck, each.unseen, cards) is not None for each in self.worlds)

    def can_lay(self, seat: Seat, cards: Iterable[Card], drawn: int = 0) -> bool:
        """Whether ``seat`` could play ``cards`` after drawing ``drawn`` more.

        As ``allows`` for ``Drew`` and ``Played`` or ``Held``, but without a new world.
        """
        for unseen, hands in self.worlds:
            known, hidden, _ = hands[seat]
            if picked(self.deck, unseen, known, hidden + drawn, cards) is not None:
                return True
        return False

    def truth(
        self, seat: Seat, only: Collection[Card], laid: Iterable[Card] = (), drawn: int = 0
    ) -> Truth:
        """Whether all cards of ``seat`` can be, or must be, of the kinds ``only``.

        The question is about the hand after ``seat`` has drawn ``drawn`` more cards and then played
        ``laid``.
        """
        deck, truth = self.deck, None
        mask = deck.mask(only)
        for unseen, hands in self.worlds:
            known, hidden, _ = hands[seat]
            found = picked(deck, unseen, known, hidden + drawn, laid)
            if found is not None:
                here = _truth(*found, mask)
                if truth not in (None, here):
                    return Truth.OPEN
                truth = here
        return truth or Truth.IMPOSSIBLE

    def size(self, seat: Seat) -> int:
        """How many cards ``seat`` holds."""
        hand = self.worlds[0].hands[seat]
        return size(hand.known) + hand.hidden

    def known(self, seat: Seat) -> tuple[Card, ...] | None:
        """The hand of ``seat`` in deck order if everybody knows all of it."""
        hands = [world.hands[seat] for world in self.worlds]
        if any(hand.hidden or hand.known != hands[0].known for hand in hands):
            return None
        return self.deck.listed(hands[0].known)

    def at_least(self, seat: Seat, card: Card) -> int:
        """The least number of copies of ``card`` that the hand of ``seat`` can hold."""
        one = self.deck.one[card]
        return min(
            copies_in(world.hands[seat].known, one)
            + max(0, world.hands[seat].hidden - size(world.unseen & ~(one * DIGIT)))
            for world in self.worlds
        )

    def unseen(self, kinds: Iterable[Card]) -> int:
        """How many cards of ``kinds`` may be unseen, at most."""
        mask = self.deck.mask(kinds)
        return max(size(world.unseen & mask) for world in self.worlds)

    def where(self, kinds: Collection[Card]) -> Iterator[Sight]:
        """The cards of ``kinds`` that have turned up, oldest first."""
        deck, mask = self.deck, self.deck.mask(kinds)
        showing, past = [], self.past
        while past is not None:
            if (past.was ^ past.left) & mask:
                showing.append(past)
            past = past.before
        for _, facts, was, left in reversed(showing):
            for fact in facts:
                if isinstance(fact, Turned | Played | Held | Shown):
                    seat = None if isinstance(fact, Turned) else fact.seat
                    rows = zip(deck.cards, deck.counts(left), deck.counts(was), strict=True)
                    for card, new, old in rows:
                        if card in kinds:
                            yield from (Sight(seat, card, fact.at) for _ in range(new, old))

    def drawn(self, seat: Seat, since: int, until: int) -> int:
        """How many cards ``seat`` drew after the entry at ``since`` and before that at
        ``until``.
        """
        drawn = at = 0
        for fact in self.facts():
            if isinstance(fact, Drew):
                drawn += fact.size * (fact.seat == seat and since <= at < until)
            elif not isinstance(fact, Gained):
                at = fact.at
        return drawn

    def refutations(self) -> tuple[Refutation, ...]:
        """Declarations that no distribution and no order of draws allows, in the order made.

        If a declaration is excluded only by earlier ones of the same seat, the later one is listed.
        """
        return tuple(sorted((*self.refuted, *self.excluded), key=lambda r: r.claim.at))

    def facts(self) -> list[Fact]:
        """The facts in the order in which they happened."""
        added, past = [], self.past
        while past is not None:
            added.append(past.facts)
            past = past.before
        return [fact for facts in reversed(added) for fact in facts]

    def _case(self, seat: Seat) -> Case:
        return Case(self.deck, self.facts(), self.worlds, seat)

    def _checked(self, fact: Sighting | Lost | HandClaim) -> Draws:
        """Check the declarations again, some of which ``fact`` may have refuted."""
        draws, slack = self, DIGIT
        unseen = [world.unseen for world in self.worlds]
        for seat, mine in self.traces.items():
            if mine is None:
                claims = [claim for claim in self.claims if claim.seat == seat]
                if not claims:
                    continue
                kinds = set(chain.from_iterable(claim.only for claim in claims))
                wrong = _concerns(fact, seat, kinds) and not self._case(seat).consistent(claims)
                slack = -1  # without a trace, every fact has to be checked
            else:
                spares = [_spares(unseen, trace) for trace in mine]
                wrong = any(max(each) < 0 for each in spares)
                slack = min(slack, *chain.from_iterable(spares))
            if wrong:
                draws, slack = draws._sorted_out(seat, fact.at), -1
        return draws._replace(slack=slack)

    def _sorted_out(self, seat: Seat, at: int) -> Draws:
        """Find the declarations of ``seat`` that are refuted, when not all of them can be true.

        ``at``: the position of the fact that has refuted them.
        """
        case = self._case(seat)
        mine = [claim for claim in self.claims if claim.seat == seat]
        false = [claim for claim in mine if not case.consistent([claim])]
        refuted = [Refutation(claim, case.proof([claim])) for claim in false]
        before = {r.claim: r for r in self.excluded}
        excluded: list[Refutation] = []
        kept: list[HandClaim] = []
        for claim in mine:
            if claim in false:
                continue
            if case.consistent([*kept, claim]):
                kept.append(claim)
                continue
            old = before.get(claim)
            holds = old is not None and all(c in kept for c in old.against)
            excluded.append(old if old and holds else case.exclusion(claim, kept, at))
        steps: Traces | None = None
        if self.traces[seat] is not None:
            sets = [kept, *([r.claim] for r in excluded)]
            steps = tuple(retraced(self.deck, case.facts, seat, believed) for believed in sets)
        return self._replace(
            traces={**self.traces, seat: steps},
            claims=tuple(claim for claim in self.claims if claim not in false),
            refuted=(*self.refuted, *refuted),
            excluded=(*(r for r in self.excluded if r.claim.seat != seat), *excluded),
        )


def _concerns(fact: Fact, seat: Seat, kinds: Collection[Card]) -> bool:
    """Whether ``fact`` can refute declarations of ``seat`` about ``kinds``."""
    if isinstance(fact, Turned) or fact.seat != seat:
        cards = fact.cards if isinstance(fact, Turned | Played | Held | Shown) else ()
        return any(card in kinds for card in cards)
    return True


def _followed(
    deck: Deck,
    traces: Mapping[Seat, Traces | None],
    slack: int,
    fact: Played | Held | Shown | Lost | HandClaim,
    known: Bag,
    hidden: int,
    unseen: Iterable[Bag],
) -> tuple[Mapping[Seat, Traces | None], int]:
    """The traces after ``fact``, and the remaining slack.

    ``known``: the known cards of the hand that the fact is about, before it; ``hidden``: the number
    of hidden cards in this hand after it; ``unseen``: the unseen cards after it, in each world.
    """
    seat = fact.seat
    mine = traces.get(seat, NOTHING_SAID)
    if isinstance(fact, HandClaim):
        if mine is None:
            return traces, -1
        kept = None if mine[0] is None else declared(deck, mine[0], fact, known, hidden)
        for bag in unseen:
            slack = -1 if kept is None else min(slack, spare(bag, kept))
        return {**traces, seat: (kept, *mine[1:])}, slack
    if isinstance(fact, Lost):
        return {**traces, seat: None}, -1
    slack -= len(fact.cards)
    if mine is None or mine is NOTHING_SAID:
        return traces, slack
    steps = tuple([trace and turned_up(deck, trace, fact.cards, known, hidden) for trace in mine])
    return {**traces, seat: steps}, -1 if None in steps else slack


def _spares(unseen: Iterable[Bag], trace: Trace | None) -> list[int]:
    """The ``spare`` cards of the trace in each world."""
    return [spare(bag, trace) for bag in unseen] if trace is not None else [-1]


def _truth(unseen: Bag, known: Bag, hidden: int, mask: int) -> Truth:
    if known & mask != known or size(unseen & mask) < hidden:
        return Truth.IMPOSSIBLE
    return Truth.OPEN if hidden and unseen & mask != unseen else Truth.CERTAIN
