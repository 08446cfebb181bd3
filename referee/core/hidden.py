"""Where unseen cards can be by public facts alone, as numbers of equally likely distributions.

Cards of one kind are counted as different cards, so a kind with more copies has more distributions.
A card that has not turned up is equally likely to be any hidden card. Declarations are not used. A
played card is taken to be one that everybody knew in that hand, if there was such a card (as in
``core.worlds``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from types import MappingProxyType
from typing import NamedTuple

from referee.core.cards import DIGIT, Bag, Deck, copies_in, size
from referee.core.draws import Draws
from referee.core.hands import HandClaim, Hands
from referee.core.moves import Drew, Fact, Gained, Lost, Played, Turned
from referee.core.verdict import Card, Seat
from referee.core.worlds import World, dealt, moved

NEVER = Fraction(0)
SURE = Fraction(1)


class HiddenPlace(NamedTuple):
    """A place with hidden cards: the ``known`` ones everybody can name, ``hidden`` counts the rest.

    ``kind``: ``hand`` or ``pyramid`` (of ``seat``), ``stock``, ``aside`` (put aside at the deal),
    ``rest`` (not dealt), ``covered`` (left the game face down).
    """

    kind: str
    seat: Seat | None
    known: Bag
    hidden: int


class Placement(NamedTuple):
    """One interpretation of the facts. ``unseen``: the hidden cards in all ``places``.

    ``weight``: its likelihood relative to the other interpretations. There are several only after a
    card has left unseen a hand of which some cards were known.
    """

    unseen: Bag
    places: tuple[HiddenPlace, ...]
    weight: Fraction = SURE

    def ways(self) -> int:
        """The number of ways to distribute the unseen cards, each card distinct from all others."""
        left, ways = size(self.unseen), 1
        for place in self.places:
            ways *= comb(left, place.hidden)
            left -= place.hidden
        return ways


class DeclarationOdds(NamedTuple):
    """A declaration of the deal; ``odds``: the probability that it is true, by present knowledge.

    None where it is not computed: a card left a hand of which some cards were known.
    """

    claim: HandClaim
    odds: Fraction | None


class Knowledge(NamedTuple):
    """What everybody can know of hidden cards: the possible placements, and the declarations.

    Without a placement the facts contradict each other: the table accepted something impossible.
    ``bound``: for a seat that has declared something, the mask of the kinds that its hand is of if
    that is true; only where hands get no cards, and without what is refuted.
    """

    deck: Deck
    placements: tuple[Placement, ...]
    said: tuple[DeclarationOdds, ...] = ()
    bound: Mapping[Seat, int] = MappingProxyType({})


def placed(
    unseen: Bag, places: tuple[HiddenPlace, ...], rest: str, weight: Fraction = SURE
) -> Placement | None:
    """The placement in which all other unseen cards lie at ``rest``; None if there are too few."""
    left = size(unseen) - sum(place.hidden for place in places)
    if left < 0:
        return None
    others = (HiddenPlace(rest, None, 0, left),) if left else ()
    return Placement(unseen, (*places, *others), weight)


def of_hands(hands: Hands) -> Knowledge:
    """What is known where hands only get smaller; cards that were not dealt are the ``rest``."""
    deck = hands.deck
    unseen = hands.unturned
    known = {seat: deck.bag(held) for seat, held in hands.shown.items()}
    places = tuple(
        HiddenPlace("hand", seat, known.get(seat, 0), count) for seat, count in hands.hidden.items()
    )
    found = placed(unseen, places, "rest")
    claims = {*hands.claims, *(r.claim for r in (*hands.refuted, *hands.excluded))}
    said = [
        DeclarationOdds(claim, _odds_in_hands(hands, claim, unseen, known.get(claim.seat, 0)))
        for claim in sorted(claims, key=lambda claim: claim.at)
    ]
    return Knowledge(deck, (found,) if found else (), tuple(said), _bound(hands))


def _bound(hands: Hands) -> Mapping[Seat, int]:
    """The kinds of each hand if its declarations are true, as in ``Knowledge``.

    Not after a card was played face down: it may be the one that was declared.
    """
    bound: dict[Seat, int] = {}
    doubted = {refuted.claim for refuted in hands.excluded}
    for claim in hands.claims if not hands.down else ():
        if claim not in doubted:
            mask = hands.deck.mask(claim.only)
            bound[claim.seat] = bound.get(claim.seat, mask) & mask
    return bound


def _odds_in_hands(hands: Hands, claim: HandClaim, unseen: Bag, known: Bag) -> Fraction:
    """The probability that ``claim`` is true.

    It is about all cards that the seat has played since, face down or not, and all that it still
    holds. ``known``: the shown cards of its hand.
    """
    seen = hands.seen
    while seen is not None:
        if seen.seat == claim.seat and seen.at >= claim.at and seen.card not in claim.only:
            return NEVER
        seen = seen.before
    mask = hands.deck.mask(claim.only)
    covered = sum(seat == claim.seat and at >= claim.at for seat, at in hands.down)
    return NEVER if known & ~mask else all_of(unseen, mask, hands.hidden[claim.seat] + covered)


def all_of(unseen: Bag, mask: int, count: int) -> Fraction:
    """The probability that ``count`` unseen cards are all of the kinds in ``mask``."""
    every = comb(size(unseen), count)
    return Fraction(comb(size(unseen & mask), count), every) if every else NEVER


def held_then(
    then: Hands | Draws, end: Hands | Draws, seat: Seat, card: Card, at: int
) -> Fraction | None:
    """The probability that ``seat`` held ``card`` at ``then``, by what everybody saw until ``end``.

    ``then``: the hands after the entry at position ``at``; ``end``: later ones of the same deal.
    None where it is not computed, as for ``DeclarationOdds``.
    """
    others = frozenset(each for each in end.deck.cards if each != card)
    if isinstance(then, Hands) and then.known(seat, card):
        return SURE
    if isinstance(end, Hands):
        known = end.deck.bag(end.shown[seat]) if seat in end.shown else 0
        return SURE - _odds_in_hands(end, HandClaim(seat, at + 1, others), end.unturned, known)
    facts, place = end.facts(), len(then.facts()) if isinstance(then, Draws) else 0
    asked = HandClaim(seat, at, others)
    lacked = _odds_in_draws(end, [*facts[:place], asked, *facts[place:]], place)
    return None if lacked is None else SURE - lacked


class _Course(NamedTuple):
    """A world of ``core.worlds``, its weight, and the cards that have left a hand unseen.

    ``covered``: those of them that everybody knew; ``hidden``: the number of the others.
    """

    world: World
    weight: Fraction
    covered: Bag = 0
    hidden: int = 0


def of_draws(draws: Draws, stock: int) -> Knowledge:
    """What is known where hands draw from ``stock`` cards; the other undealt cards are set
    aside.
    """
    facts, courses = draws.facts(), [_Course(draws.worlds[0], SURE)]
    if any(isinstance(fact, Lost) for fact in facts):
        courses = _courses(draws.deck, draws.worlds[0].hands, facts)
    found = [_placement(course, stock) for course in courses]
    claims = [(i, fact) for i, fact in enumerate(facts) if isinstance(fact, HandClaim)]
    said = tuple(DeclarationOdds(claim, _odds_in_draws(draws, facts, i)) for i, claim in claims)
    return Knowledge(draws.deck, tuple(each for each in found if each), said)


def _placement(course: _Course, stock: int) -> Placement | None:
    world, weight, covered, hidden = course
    hands = tuple(
        HiddenPlace("hand", seat, hand.known, hand.hidden) for seat, hand in world.hands.items()
    )
    gone = (HiddenPlace("covered", None, covered, hidden),) if covered or hidden else ()
    left = size(world.unseen) - sum(place.hidden for place in (*hands, *gone))
    pile = (HiddenPlace("stock", None, 0, min(stock, left)),) if stock and left > 0 else ()
    return placed(world.unseen, (*hands, *gone, *pile), "aside", weight)


def _courses(deck: Deck, seats: Iterable[Seat], facts: Sequence[Fact]) -> list[_Course]:
    """Every world that ``facts`` allow, weighted by the histories that lead to it.

    A card that leaves a hand unseen is equally likely to be any card of this hand.
    """
    courses = [_Course(dealt(deck, seats, 0), SURE)]
    for fact in facts:
        found: dict[tuple[object, ...], _Course] = {}
        for course in courses:
            for later in _after(deck, course, fact):
                world, weight, covered, hidden = later
                key = world.unseen, tuple(world.hands.items()), covered, hidden
                if key in found:
                    later = later._replace(weight=weight + found[key].weight)
                found[key] = later
        courses = list(found.values())
    return courses


def _after(deck: Deck, course: _Course, fact: Fact) -> Iterator[_Course]:
    world, weight, covered, hidden = course
    for later in moved(deck, (world,), fact):
        if isinstance(fact, Lost):
            before = world.hands[fact.seat]
            gone = before.known - later.hands[fact.seat].known
            ways = copies_in(before.known, gone) if gone else before.hidden
            yield _Course(later, weight * ways, covered + gone, hidden + (not gone))
        else:
            yield _Course(later, weight * _likely(deck, world, fact), covered, hidden)


def _likely(deck: Deck, world: World, fact: Fact) -> Fraction:
    """The likelihood of ``fact`` in a world, up to a factor that is the same in all worlds."""
    if isinstance(fact, Drew | Gained | HandClaim | Lost):
        return SURE
    unseen, every, likely = world.unseen, size(world.unseen), SURE
    if isinstance(fact, Turned):
        for card in fact.cards:
            likely *= Fraction(copies_in(unseen, deck.one[card]), every)
            unseen, every = unseen - deck.one[card], every - 1
        return likely
    known, hidden, _ = world.hands[fact.seat]
    found: Counter[Card] = Counter()
    for card in fact.cards:
        one = deck.one[card]
        if known & one * DIGIT:
            known -= one
            continue
        found[card] += 1
        likely *= Fraction(copies_in(unseen, one) * hidden, every * found[card])
        unseen, hidden, every = unseen - one, hidden - 1, every - 1
    return likely


def _odds_in_draws(draws: Draws, facts: Sequence[Fact], place: int) -> Fraction | None:
    """The probability that the declaration ``facts[place]`` is true, by all facts.

    None where it is not computed. A card that turns up later was in the hand already or was drawn
    since; each hidden card is equally likely to be it. ``old`` maps (how many of the hidden cards
    of that moment are still held, how many of them have left the hand unseen) to the number of
    ways.
    """
    if len(draws.worlds) > 1:
        return None
    claim = facts[place]
    assert isinstance(claim, HandClaim)
    mask, deck, known, hidden = draws.deck.mask(claim.only), draws.deck, 0, 0
    old: dict[tuple[int, int], int] = {}
    histories = 1
    for i, fact in enumerate(facts):
        if i == place:
            if known & ~mask:
                return NEVER
            old = {(hidden, 0): 1}
        elif isinstance(fact, Turned | HandClaim) or fact.seat != claim.seat:
            continue
        elif isinstance(fact, Drew):
            hidden += fact.size
        elif isinstance(fact, Gained):
            known += deck.one[fact.card]
        elif isinstance(fact, Lost):
            if known:
                return None
            if i > place:
                histories *= hidden
                old = _left(old, hidden, True, 1)
            hidden -= 1
        else:
            others = known
            for card in fact.cards:
                one = deck.one[card]
                if others & one * DIGIT:
                    others -= one
                    continue
                if i > place:
                    histories *= hidden
                    old = _left(old, hidden, bool(mask & one), 0)
                hidden -= 1
                if not isinstance(fact, Played):
                    known += one
            if isinstance(fact, Played):
                known = others
    unseen = draws.worlds[0].unseen
    true = sum(
        (count * all_of(unseen, mask, held + gone) for (held, gone), count in old.items()), NEVER
    )
    return true / histories


def _left(
    old: dict[tuple[int, int], int], hidden: int, fits: bool, unseen: int
) -> dict[tuple[int, int], int]:
    """``old`` of ``_odds_in_draws`` after one of ``hidden`` cards has left the hand.

    ``fits``: whether it can have been an old card. ``unseen``: 1 if it left unseen, else 0.
    """
    found: dict[tuple[int, int], int] = {}
    for (held, gone), count in old.items():
        if fits and held:
            key = held - 1, gone + unseen
            found[key] = found.get(key, 0) + count * held
        if hidden > held:
            found[held, gone] = found.get((held, gone), 0) + count * (hidden - held)
    return found
