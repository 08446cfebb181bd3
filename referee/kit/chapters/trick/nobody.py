"""Tricks that nobody wins, in a file that does not say who leads then."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count, islice, product
from math import gcd

from referee.core.verdict import Card
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.state import Laid, State
from referee.kit.table import wrong
from referee.kit.text.faults import Wrong
from referee.kit.text.formula import walk_named

MAKE_UPS = 3000  # tricks that are examined, at most


def tricks_key(rules: Rules) -> object:
    """A key for all that decides who wins a trick; tables with equal keys have the same tricks."""
    parts = [rules.source.at(key) for key in ("play", "trick", "trump", "values", "groups")]
    text = repr(parts)
    seats = rules.n if re.search(r"\b(n|deal|deck|hand)\b", text) else min(rules.n, 4)
    return text, tuple(rules.cards.deck.cards), rules.cards.deck.copies, seats


def nobody_leads(rules: Rules, state: State, most: int) -> Iterator[Wrong]:
    """A trick that nobody wins, as a fault, if the file does not say who leads then."""
    if rules.trick.nobody_last or rules.source.at("trick", "next_none") is not None:
        return
    if rules.trick.next != "winner" or rules.trick.somebody_leads:
        return
    made = next(nobody_wins(rules, state, most), None)
    if made is not None:
        yield wrong(rules, "kit_nobody_leads", ("trick",), cards=" ".join(made))


def nobody_wins(rules: Rules, state: State, most: int = MAKE_UPS) -> Iterator[tuple[str, ...]]:
    """Tricks that nobody wins, as the cards in playing order; ``most``: how many are tried.

    Tries cards of one suit, then cards that are in no fixed winning class, then the lowest and the
    highest card of each suit, then any cards.
    """
    cards = rules.cards
    kinds: list[str] = []
    for mask in (*cards.suits.values(), *([] if cards.suits else [cards.full ^ cards.special])):
        suit = cards.kinds(mask)
        kinds += dict.fromkeys((*suit[:1], *suit[-1:]))
    kinds += cards.kinds(cards.special)
    copies = dict(zip(cards.deck.cards, cards.deck.copies, strict=True))
    seats = rules.seats[:4]
    winning = 0
    for best in rules.trick.classes:
        winning |= best.fixed or 0
    alike = [cards.kinds(mask) for mask in (*cards.suits.values(), cards.full & ~winning)]
    specials = cards.kinds(cards.special)
    by_specials = islice(product(specials, repeat=len(seats)), most // 3)
    wholes = [_as_many(made, copies, len(seats)) for made in alike]
    whole = [made for made in wholes if len(made) == len(seats)]
    by_ends = islice(product(kinds, repeat=len(seats)), 2 * most // 3)
    made_ups = chain(whole, by_specials, by_ends, _spread(copies, len(seats)))
    begun = starts(rules, state)
    for made, start in islice(((made, start) for made in made_ups for start in begun), most):
        if any(made.count(card) > copies[card] for card in made):
            continue
        if rules.trick.winner(played(rules, start, made)) is None:
            yield made


def played(rules: Rules, start: State, made: Iterable[str]) -> State:
    """``start`` with a trick of the cards ``made``, played in turn from the first seat."""
    now = start
    for seat, card in zip(rules.seats, made, strict=False):
        ladder, k, above = rules.play.climb(now, rules.cards.bits[card], seat)
        steps = len(rules.play.follow if ladder == "follow" else rules.play.lead)
        below = bool(above) and k > steps
        out = below and rules.play.cannot != "counts"
        down = below and rules.play.cannot == "down"
        now = rules.trick.lying(now, Laid(seat, card, 1, out, down))
    return now


def starts(rules: Rules, state: State) -> list[State]:
    """States in which a trick begins: with other numbers of tricks and deals if these decide."""
    texts = [best.condition for best in rules.trick.classes if best.condition is not None]
    named = rules.compiler.values
    asked = {node.word for text in texts for node in walk_named(text.node, named)}
    found = list[State]()
    for deal in (1, 2, 3) if "deal" in asked else (1,):
        size = rules.deal.at_deal(state, deal).size
        last = rules.deal.trick_count(size)
        numbers = sorted({1, min(2, last), min(3, last), last}) if "trick" in asked else [1]
        for number in numbers:
            begun = state.round._replace(size=size, number=number)
            found.append(state._replace(deal=deal, round=begun))
    return found


def _as_many(kinds: tuple[str, ...], copies: Mapping[Card, int], many: int) -> tuple[str, ...]:
    """At most ``many`` cards of these kinds: each once, then as often as the deck has it."""
    again = (card for card in kinds for _ in range(min(copies[card], many) - 1))
    return (*kinds, *again)[:many]


def _spread(copies: Mapping[Card, int], seats: int) -> Iterator[tuple[str, ...]]:
    """Every possible trick in a spread-out order, since rules on numbers depend on the middle
    ranks.
    """
    cards = [str(card) for card in copies]
    number = len(cards) ** seats
    leap = next(leap for leap in count(1 + number * 5 // 8) if gcd(leap, number) == 1)
    for i in range(number):
        place = i * leap % number
        yield tuple(cards[place // len(cards) ** k % len(cards)] for k in range(seats))
