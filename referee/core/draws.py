"""What public facts say about hidden hands that grow by hidden draws.

``hands`` serves games in which nobody draws; here a card laid after a declaration may have been
drawn since, so the question is a matching in time. The answers are exact: they hold for every
distribution of the unseen cards and every order of the stock, and for no fewer.

Facts go in one by one, in the order in which they happen (``Draws.add``); their ``at`` is the
position of the entry that shows them and matters for proofs only. Hands begin empty, so a deal is
a ``Drew`` for every seat (``Draws.dealt``). A declaration is a ``Claim`` and goes in the same way,
just before the card that is laid with it: "all I hold is of these kinds". Whether a fact can be is
asked with ``allows``, whether a declaration can be or must be true now with ``truth``; those two
rest on facts alone, never on what anybody has declared. ``refutations`` names the declarations
that cannot have been true, or not together with earlier ones of the same seat.

Facts only: of a hand it is known which cards it surely holds, and how many others; those may be
any cards that have not turned up. A card of a kind that is surely held is taken to be that one.
A card that leaves unseen may have been any of them, so one fact can have several ``worlds``.

With declarations: a hand is traced by how long its unknown cards have been in it (``Trace``). An
older one has lived through more declarations, so what it can be is part of what a newer one can
be. A card that is laid is taken to be the oldest that it can be: any other choice leaves a hand
that can be no more. What is left can be held if for every such set of kinds enough copies are
unseen: Hall's theorem, for sets of which each contains the last. One step a fact, no search.

Only a card that left unseen asks for a search, because a newer card may have been it: every card
that a seat ever got is a place with the moment of its arrival. A card that the seat laid fills one
of the places that existed then; cards that have not turned up fill the rest and stay. A card of a
kind that a declaration excludes can fill only places that came after it. All cards laid and all
places must be matched; by the theorem of Mendelsohn and Dulmage that is possible if the cards can
be and the places can be, so two simple matchings answer. Only the kinds of cards that left unseen
have to be tried out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from referee.core.cards import Deck
from referee.core.hands import Claim, Refutation, Truth
from referee.core.verdict import Card, Seat

Counts: TypeAlias = tuple[int, ...]


class Drew(NamedTuple):
    """So many cards that nobody else has seen came into a hand."""

    seat: Seat
    size: int


class Gained(NamedTuple):
    """A card that everybody knows, because it lay open, came into a hand."""

    seat: Seat
    card: Card


class Turned(NamedTuple):
    """Cards were turned up that no hand had held, such as the first tableau."""

    cards: tuple[Card, ...]
    at: int


class Played(NamedTuple):
    """Cards left a hand for all to see."""

    seat: Seat
    cards: tuple[Card, ...]
    at: int


class Held(NamedTuple):
    """Cards were shown and kept; the hand may hold more of them."""

    seat: Seat
    cards: tuple[Card, ...]
    at: int


class Shown(NamedTuple):
    """The whole hand was laid open and kept."""

    seat: Seat
    cards: tuple[Card, ...]
    at: int


class Lost(NamedTuple):
    """A card left a hand unseen for good; ``told``: what its owner says it was.

    That is part of the declaration made at the same position, and believed as far as that is.
    """

    seat: Seat
    at: int
    told: Card | None = None


Fact: TypeAlias = Drew | Gained | Turned | Played | Held | Shown | Lost | Claim


class Sight(NamedTuple):
    """A card that turned up at ``at``; in no hand if ``seat`` is None."""

    seat: Seat | None
    card: Card
    at: int


class Hand(NamedTuple):
    """``known`` cards are surely held, ``hidden`` more are; ``pinned`` were first seen here.

    Counts are in the deck's order.
    """

    known: Counts
    hidden: int
    pinned: Counts


class World(NamedTuple):
    """One way in which the facts can be understood; ``located``: copies that have turned up."""

    located: Counts
    hands: Mapping[Seat, Hand]


class Past(NamedTuple):
    """The facts so far, newest first."""

    before: Past | None
    fact: Fact


class Trace(NamedTuple):
    """A hand if the claims of its seat are true.

    ``runs``: the hidden cards, oldest first, as so many that can be of these kinds only.
    """

    known: Counts
    runs: tuple[tuple[frozenset[Card], int], ...]


class Draws(NamedTuple):
    """All that everybody knows about the hands of one deal.

    ``claims`` are the declarations that stand, alone at least; ``refuted`` are false whatever
    else is true, ``excluded`` contradict earlier ones of the same seat.
    ``traces`` of the seats that have declared something; None where a search has to answer.
    """

    deck: Deck
    worlds: tuple[World, ...]
    past: Past | None = None
    claims: tuple[Claim, ...] = ()
    refuted: tuple[Refutation, ...] = ()
    excluded: tuple[Refutation, ...] = ()
    traces: Mapping[Seat, Trace | None] = MappingProxyType({})

    @classmethod
    def dealt(cls, deck: Deck, seats: Iterable[Seat], size: int) -> Draws:
        """Every seat holds ``size`` cards that nobody else has seen."""
        draws = cls(deck, (_start(deck, seats),))
        for seat in draws.worlds[0].hands:
            draws = draws.add(Drew(seat, size))
        return draws

    def add(self, fact: Fact) -> Draws:
        """What is known when ``fact``, which can be (``allows``), is known, too."""
        worlds = _after(self.deck, self.worlds, fact)
        assert worlds
        claims = (*self.claims, fact) if isinstance(fact, Claim) else self.claims
        traces = self._traced(fact)
        past = Past(self.past, fact)
        draws = Draws(self.deck, worlds, past, claims, self.refuted, self.excluded, traces)
        return draws._checked(fact) if claims else draws

    def allows(self, fact: Fact) -> bool:
        """Whether ``fact`` agrees with all facts before it; KeyError for a stranger's card."""
        return bool(_after(self.deck, self.worlds, fact))

    def truth(self, seat: Seat, only: Collection[Card], after: Fact | None = None) -> Truth:
        """Whether all cards of ``seat`` can be, or must be, of the kinds ``only``.

        ``after``: a fact to be reckoned with first, such as the card about to be laid.
        """
        worlds = _after(self.deck, self.worlds, after) if after else self.worlds
        found = {_truth(self.deck, world, seat, only) for world in worlds} or {Truth.IMPOSSIBLE}
        return found.pop() if len(found) == 1 else Truth.OPEN

    def size(self, seat: Seat) -> int:
        """How many cards ``seat`` holds."""
        hand = self.worlds[0].hands[seat]
        return sum(hand.known) + hand.hidden

    def known(self, seat: Seat) -> tuple[Card, ...] | None:
        """The hand of ``seat`` in deck order if everybody knows all of it."""
        hands = [world.hands[seat] for world in self.worlds]
        if any(hand.hidden or hand.known != hands[0].known for hand in hands):
            return None
        cards = zip(self.deck.cards, hands[0].known, strict=True)
        return tuple(card for card, n in cards for _ in range(n))

    def at_least(self, seat: Seat, card: Card) -> int:
        """So many copies of ``card`` the hand of ``seat`` holds at least."""
        i = self.deck.place[card]
        others = set(self.deck.cards) - {card}
        return min(
            world.hands[seat].known[i]
            + max(0, world.hands[seat].hidden - _unseen(self.deck, world, others))
            for world in self.worlds
        )

    def unseen(self, kinds: Iterable[Card]) -> int:
        """At most so many copies of ``kinds`` have not turned up."""
        kinds = tuple(kinds)
        return max(_unseen(self.deck, world, kinds) for world in self.worlds)

    def where(self, kinds: Collection[Card]) -> Iterator[Sight]:
        """The cards of ``kinds`` that have turned up, oldest first."""
        worlds: tuple[World, ...] = (_start(self.deck, self.worlds[0].hands),)
        for fact in self._facts():
            before, worlds = worlds[0].located, _after(self.deck, worlds, fact)
            if isinstance(fact, Turned | Played | Held | Shown):
                seat = None if isinstance(fact, Turned) else fact.seat
                for card, old, new in zip(self.deck.cards, before, worlds[0].located, strict=True):
                    if card in kinds:
                        yield from (Sight(seat, card, fact.at) for _ in range(old, new))

    def drawn(self, seat: Seat, since: int, until: int) -> int:
        """How many cards ``seat`` drew between the entries at two positions."""
        drawn = at = 0
        for fact in self._facts():
            if isinstance(fact, Drew):
                drawn += fact.size * (fact.seat == seat and since <= at < until)
            elif not isinstance(fact, Gained):
                at = fact.at
        return drawn

    def refutations(self) -> tuple[Refutation, ...]:
        """Declarations that no distribution and no order of draws allows, in the order made.

        One that only earlier declarations of the same seat exclude counts against the later.
        """
        return tuple(sorted((*self.refuted, *self.excluded), key=lambda r: r.claim.at))

    def _facts(self) -> list[Fact]:
        """The facts in the order in which they happened."""
        facts, past = [], self.past
        while past is not None:
            facts.append(past.fact)
            past = past.before
        return facts[::-1]

    def _traced(self, fact: Fact) -> Mapping[Seat, Trace | None]:
        """The traces when that of the seat of ``fact`` has gone one step further."""
        if isinstance(fact, Turned):
            return self.traces
        seat = fact.seat
        if seat in self.traces:
            old = self.traces[seat]
            return {**self.traces, seat: old and _traced(self.deck, old, fact)}
        if isinstance(fact, Claim):
            before = _trace(self.deck, self._facts(), seat, ())
            return {**self.traces, seat: before and _traced(self.deck, before, fact)}
        return self.traces

    def _checked(self, fact: Fact) -> Draws:
        """Look again at the claims that ``fact`` may have refuted."""
        if isinstance(fact, Drew | Gained):
            return self
        draws = self
        for seat in dict.fromkeys(claim.seat for claim in self.claims):
            trace = self.traces[seat]
            if trace and any(_enough(self.deck, world, trace) for world in self.worlds):
                continue
            mine = [claim for claim in self.claims if claim.seat == seat]
            kinds = set(chain.from_iterable(claim.only for claim in mine))
            if _concerns(fact, seat, kinds) and not self._consistent(seat, mine):
                draws = draws._sorted_out(seat, mine, fact.at)
        return draws

    def _sorted_out(self, seat: Seat, mine: Sequence[Claim], at: int) -> Draws:
        """Which of the claims of ``seat``, that are not all true, are to be held against it."""
        false = [claim for claim in mine if not self._consistent(seat, [claim])]
        refuted = [Refutation(claim, self._proof(seat, [claim])) for claim in false]
        before = {r.claim: r for r in self.excluded}
        excluded = [r for r in self.excluded if r.claim.seat != seat]
        kept: list[Claim] = []
        for claim in mine:
            if claim in false:
                continue
            if self._consistent(seat, [*kept, claim]):
                kept.append(claim)
                continue
            old = before.get(claim)
            holds = old is not None and all(c in kept for c in old.against)
            excluded.append(old if old and holds else self._exclusion(claim, kept, at))
        left = [claim for claim in mine if claim not in false]
        trace = _trace(self.deck, self._facts(), seat, left)
        return self._replace(
            traces={**self.traces, seat: trace},
            claims=tuple(claim for claim in self.claims if claim not in false),
            refuted=(*self.refuted, *refuted),
            excluded=tuple(excluded),
        )

    def _exclusion(self, claim: Claim, earlier: list[Claim], at: int) -> Refutation:
        """The fewest earlier claims that exclude ``claim``, with the cards that it takes."""
        needed = list(earlier)
        for spared in earlier:
            rest = [c for c in needed if c is not spared]
            if not self._consistent(claim.seat, [*rest, claim]):
                needed = rest
        cards = self._proof(claim.seat, [*needed, claim])
        proof = sorted({*cards, *(c.at for c in needed), at})
        return Refutation(claim, tuple(proof), tuple(needed))

    def _proof(self, seat: Seat, claims: Sequence[Claim]) -> tuple[int, ...]:
        """Positions whose cards exclude ``claims``; without any one of them they don't.

        Positions that show fewer cards are spared first, then the older ones.
        """
        kinds = set(chain.from_iterable(claim.only for claim in claims))
        weight: dict[int, int] = {}
        for fact in self._facts():
            if isinstance(fact, Turned | Played | Held | Shown):
                own = not isinstance(fact, Turned) and fact.seat == seat
                count = sum(own or card in kinds for card in fact.cards)
                weight[fact.at] = weight.get(fact.at, 0) + count
        forgotten: set[int] = set()
        for at in sorted(weight, key=lambda at: (weight[at], at)):
            if not self._consistent(seat, claims, forgotten | {at}):
                forgotten.add(at)
        return tuple(sorted(weight.keys() - forgotten))

    def _consistent(
        self, seat: Seat, claims: Sequence[Claim], forgotten: Collection[int] = ()
    ) -> bool:
        """Whether ``claims`` of ``seat`` can all be true.

        Cards at ``forgotten`` positions are taken for unseen: it is known that they moved.
        """
        facts = self._facts()
        worlds = self.worlds
        if forgotten:
            facts = [less for fact in facts for less in _less(fact, forgotten)]
            worlds = (_start(self.deck, worlds[0].hands),)
            for fact in facts:
                worlds = _after(self.deck, worlds, fact)
        if not any(isinstance(fact, Lost) and fact.seat == seat for fact in facts):
            trace = _trace(self.deck, facts, seat, claims)
            if trace is None:
                return False
            return any(_enough(self.deck, world, trace) for world in worlds)
        pools = dict.fromkeys(_pool(self.deck, world, seat) for world in worlds)
        places = _Places(self.deck, facts, seat, claims)
        return any(places.suffice(pool) for pool in pools)


def _trace(
    deck: Deck, facts: Iterable[Fact], seat: Seat, claims: Collection[Claim]
) -> Trace | None:
    """The hand of ``seat`` after all ``facts``, of which only ``claims`` are believed."""
    trace: Trace | None = Trace((0,) * len(deck.cards), ())
    for fact in facts:
        if trace is None:
            break
        ours = not isinstance(fact, Turned) and fact.seat == seat
        if ours and not (isinstance(fact, Claim) and fact not in claims):
            trace = _traced(deck, trace, fact)
    return trace


def _traced(deck: Deck, trace: Trace, fact: Fact) -> Trace | None:
    """The trace after ``fact``; None if there is none, or if a card left unseen."""
    known, runs = trace
    match fact:
        case Drew(_, size):
            return Trace(known, (*runs, (deck.kinds, size))) if size else trace
        case Gained(_, card):
            return Trace(_plus_one(known, deck.place[card]), runs)
        case Played(_, cards):
            hidden = []
            for card in cards:
                i = deck.place[card]
                if known[i]:
                    known = _plus_one(known, i, -1)
                else:
                    hidden.append(card)
            return _turned(known, runs, hidden)
        case Held(_, cards) | Shown(_, cards):
            held = tuple(map(max, known, deck.count(cards)))
            rows = zip(deck.cards, known, held, strict=True)
            fresh = [card for card, old, new in rows for _ in range(old, new)]
            return _turned(held, runs, fresh)
        case Claim(_, _, only):
            if any(n and card not in only for card, n in zip(deck.cards, known, strict=True)):
                return None
            merged: dict[frozenset[Card], int] = {}
            for kinds, n in runs:
                merged[kinds & only] = merged.get(kinds & only, 0) + n
            return Trace(known, tuple(merged.items()))
    return None


def _turned(
    known: Counts, runs: tuple[tuple[frozenset[Card], int], ...], cards: Iterable[Card]
) -> Trace | None:
    """The trace when ``cards`` have turned out to be the oldest hidden ones that they can be."""
    left = list(runs)
    for card in cards:
        i = next((i for i, (kinds, _) in enumerate(left) if card in kinds), None)
        if i is None:
            return None
        kinds, n = left[i]
        left[i : i + 1] = [(kinds, n - 1)] if n > 1 else []
    return Trace(known, tuple(left))


def _enough(deck: Deck, world: World, trace: Trace) -> bool:
    """Whether the hidden cards can be what they have to be: by Hall's theorem, sets nested."""
    cards = 0
    for kinds, n in trace.runs:
        cards += n
        if kinds is deck.kinds:
            break  # nothing was said of these, and the cards of a hand exist
        if _unseen(deck, world, kinds) < cards:
            return False
    return True


class _Leave(NamedTuple):
    """A card that left: for every kind that it can be the places, as bits, that it can have had."""

    places: Mapping[Card, int]
    early: bool  # whether a claim came later

    def anywhere(self, supply: Mapping[Card, int]) -> int:
        """Places for a card of any kind of which there is one."""
        mask = 0
        for card, places in self.places.items():
            if supply[card]:
                mask |= places
        return mask


class _Places:
    """The places of one hand, numbered as cards arrived, and the cards that have to fill them.

    ``open`` places may have held any card, ``fixed`` ones a card that everybody knew, and ``first``
    is the first place that the claims so far leave to a kind that is still in the hand.
    """

    def __init__(
        self, deck: Deck, facts: Iterable[Fact], seat: Seat, claims: Collection[Claim]
    ) -> None:
        self.deck, self.claims = deck, claims
        self.number = 0
        self.open = 0
        self.fixed = dict.fromkeys(deck.cards, 0)
        self.first = dict.fromkeys(deck.cards, 0)
        self.certain: list[tuple[Card, _Leave]] = []
        self.unsure: list[_Leave] = []
        left, believed = len(claims), {claim.at for claim in claims}
        for fact in facts:
            if isinstance(fact, Turned) or fact.seat != seat:
                continue
            match fact:
                case Drew():
                    self.open |= ((1 << fact.size) - 1) << self.number
                    self.number += fact.size
                case Played():
                    self._leave(fact.cards, left > 0)
                case Claim() if fact in claims:
                    left -= 1
                    for card in deck.cards:
                        if card not in fact.only:
                            self.first[card] = self.number
                case Gained():
                    self._keep((fact.card,))
                case Held() | Shown():
                    self._leave(fact.cards, left > 0)
                    self._keep(fact.cards)
                case Lost(_, at, told) if told is not None and at in believed:
                    self._leave((told,), left > 0)
                case Lost():
                    places = {card: self.places(card) for card in deck.cards}
                    self.unsure.append(_Leave(places, left > 0))

    def places(self, card: Card) -> int:
        """Places that exist now and can have held ``card`` since."""
        window = (1 << self.number) - (1 << self.first[card])
        return window & (self.open | self.fixed[card])

    def _leave(self, cards: Iterable[Card], early: bool) -> None:
        self.certain += ((card, _Leave({card: self.places(card)}, early)) for card in cards)

    def _keep(self, cards: Iterable[Card]) -> None:
        for card in cards:
            self.fixed[card] |= 1 << self.number
            self.number += 1

    def suffice(self, pool: Counts) -> bool:
        """Whether the claims can be true; ``pool``: copies that were nowhere else."""
        supply = dict(zip(self.deck.cards, pool, strict=True))
        for card, places in self.fixed.items():
            supply[card] += places.bit_count()
        for card, _ in self.certain:
            supply[card] -= 1
        left = [leave.places[card] for card, leave in self.certain]
        return self._fits(supply, left, self.unsure, set())

    def _fits(
        self,
        supply: Mapping[Card, int],
        left: list[int],
        unsure: Sequence[_Leave],
        failed: set[tuple[int, ...]],
    ) -> bool:
        """``supply``: the cards that stay in the hand or left it ``unsure``, or are elsewhere.

        ``left``: the places that are possible for every card whose kind is taken for certain.
        """
        if min(supply.values()) < 0:
            return False
        perhaps = [leave.anywhere(supply) for leave in unsure]
        leaving = left + perhaps
        if _matching(leaving, len(leaving)) < len(leaving):
            return False
        # After the last claim it makes no difference whether a card stays or leaves unseen.
        early = [mask for mask, leave in zip(perhaps, unsure, strict=True) if leave.early]
        stay = [
            mask
            for card, count in supply.items()
            if count and (mask := self.places(card))
            for _ in range(min(count, mask.bit_count()))
        ]
        if _matching(left + early + stay, self.number) < self.number:
            return False
        if not unsure:
            return True
        key = (len(unsure), *sorted(left), *supply.values())
        if key in failed:
            return False
        for card in self._different(unsure[0], supply):
            less = {**supply, card: supply[card] - 1}
            if self._fits(less, [*left, unsure[0].places[card]], unsure[1:], failed):
                return True
        failed.add(key)
        return False

    def _different(self, leave: _Leave, supply: Mapping[Card, int]) -> list[Card]:
        """One card of each sort that the claims tell apart, those first that can't have stayed."""
        sorts: dict[object, Card] = {}
        for card in leave.places:
            if supply[card]:
                known = card if self.fixed[card] else None
                sorts.setdefault((*(card in c.only for c in self.claims), known), card)
        return sorted(sorts.values(), key=lambda card: -self.first[card])


def _matching(masks: Sequence[int], enough: int) -> int:
    """How many of ``masks`` can get a bit of their own; does not look for more than ``enough``."""
    owner: dict[int, int] = {}
    taken = tried = 0

    def place(i: int) -> bool:
        nonlocal taken, tried
        free = masks[i] & ~taken
        if free:
            bit = free & -free
            taken |= bit
            owner[bit] = i
            return True
        while rest := masks[i] & ~tried:
            bit = rest & -rest
            tried |= bit
            if place(owner[bit]):
                owner[bit] = i
                return True
        return False

    found = 0
    for i in range(len(masks)):
        if found == enough:
            break
        tried = 0
        found += place(i)
    return found


def _start(deck: Deck, seats: Iterable[Seat]) -> World:
    none = (0,) * len(deck.cards)
    return World(none, dict.fromkeys(seats, Hand(none, 0, none)))


def _after(deck: Deck, worlds: Sequence[World], fact: Fact) -> tuple[World, ...]:
    """The worlds in which ``fact`` can be, as they are after it."""
    if len(worlds) == 1 and not isinstance(fact, Lost):
        return _stepped(deck, worlds[0], fact)
    found: list[World] = []
    for world in worlds:
        found += (after for after in _stepped(deck, world, fact) if after not in found)
    return tuple(found)


def _stepped(deck: Deck, world: World, fact: Fact) -> tuple[World, ...]:
    if isinstance(fact, Played):
        return _played(deck, world, fact)
    if isinstance(fact, Claim):
        return (world,)
    if isinstance(fact, Drew):
        known, hidden, pinned = world.hands[fact.seat]
        return (_with(world, fact.seat, Hand(known, hidden + fact.size, pinned)),)
    if isinstance(fact, Turned):
        located = _plus(world.located, deck.count(fact.cards))
        return (world._replace(located=located),) if _exist(deck, located) else ()
    hand = world.hands[fact.seat]
    match fact:
        case Gained(seat, card):
            known = _plus_one(hand.known, deck.place[card])
            return (_with(world, seat, Hand(known, hand.hidden, hand.pinned)),)
        case Lost(seat):
            return tuple(_with(world, seat, less) for less in _less_one(hand))
        case Held(seat, cards, _):
            return _uncovered(deck, world, seat, tuple(map(max, hand.known, deck.count(cards))))
        case Shown(seat, cards, _):
            whole = len(cards) == sum(hand.known) + hand.hidden
            return _uncovered(deck, world, seat, deck.count(cards)) if whole else ()


def _played(deck: Deck, world: World, fact: Played) -> tuple[World, ...]:
    located = world.located
    known, hidden, pinned = world.hands[fact.seat]
    for card in fact.cards:
        i = deck.place[card]
        if known[i]:
            known = _plus_one(known, i, -1)
        elif hidden and located[i] < deck.copies[i]:
            hidden -= 1
            located, pinned = _plus_one(located, i), _plus_one(pinned, i)
        else:
            return ()
    return (World(located, {**world.hands, fact.seat: Hand(known, hidden, pinned)}),)


def _uncovered(deck: Deck, world: World, seat: Seat, held: Counts) -> tuple[World, ...]:
    """The world in which ``seat`` is known to hold ``held``, if that can be."""
    hand = world.hands[seat]
    fresh = tuple(map(int.__sub__, held, hand.known))
    located = _plus(world.located, fresh)
    hidden = hand.hidden - sum(fresh)
    if min(fresh) < 0 or hidden < 0 or not _exist(deck, located):
        return ()
    after = Hand(held, hidden, _plus(hand.pinned, fresh))
    return (World(located, {**world.hands, seat: after}),)


def _with(world: World, seat: Seat, hand: Hand) -> World:
    return World(world.located, {**world.hands, seat: hand})


def _less_one(hand: Hand) -> Iterator[Hand]:
    """The hand after any one of its cards has left it."""
    if hand.hidden:
        yield hand._replace(hidden=hand.hidden - 1)
    for i, n in enumerate(hand.known):
        if n:
            yield hand._replace(known=_plus_one(hand.known, i, -1))


def _less(fact: Fact, forgotten: Collection[int]) -> tuple[Fact, ...]:
    """What is left of ``fact`` for who has not seen the cards of the ``forgotten`` positions."""
    if not isinstance(fact, Turned | Played | Held | Shown) or fact.at not in forgotten:
        return (fact,)
    return (Lost(fact.seat, fact.at),) * len(fact.cards) if isinstance(fact, Played) else ()


def _concerns(fact: Fact, seat: Seat, kinds: Collection[Card]) -> bool:
    """Whether ``fact`` can refute claims of ``seat`` that speak of ``kinds``."""
    if isinstance(fact, Turned) or fact.seat != seat:
        cards = fact.cards if isinstance(fact, Turned | Played | Held | Shown) else ()
        return any(card in kinds for card in cards)
    return True


def _truth(deck: Deck, world: World, seat: Seat, only: Collection[Card]) -> Truth:
    hand = world.hands[seat]
    if any(n and card not in only for card, n in zip(deck.cards, hand.known, strict=True)):
        return Truth.IMPOSSIBLE
    if _unseen(deck, world, only) < hand.hidden:
        return Truth.IMPOSSIBLE
    if hand.hidden and _unseen(deck, world, set(deck.cards).difference(only)):
        return Truth.OPEN
    return Truth.CERTAIN


def _unseen(deck: Deck, world: World, kinds: Iterable[Card]) -> int:
    place, copies, located = deck.place, deck.copies, world.located
    unseen = 0
    for card in kinds:
        i = place[card]
        unseen += copies[i] - located[i]
    return unseen


def _pool(deck: Deck, world: World, seat: Seat) -> Counts:
    """Copies that are, or were when they turned up, with ``seat`` or hidden."""
    rows = zip(deck.copies, world.located, world.hands[seat].pinned, strict=True)
    return tuple(copies - located + own for copies, located, own in rows)


def _plus(counts: Counts, more: Counts) -> Counts:
    return tuple(map(int.__add__, counts, more))


def _plus_one(counts: Counts, i: int, more: int = 1) -> Counts:
    return (*counts[:i], counts[i] + more, *counts[i + 1 :])


def _exist(deck: Deck, located: Counts) -> bool:
    return all(map(int.__le__, located, deck.copies))
