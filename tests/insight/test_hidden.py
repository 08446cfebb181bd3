"""Probabilities of hidden cards, compared with all orders of a small deck, one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from operator import mul
from random import Random
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core.cards import Deck
from referee.core.draws import Draws
from referee.core.hands import HandClaim, Hands
from referee.core.hidden import Knowledge, held_then, of_draws, of_hands
from referee.core.moves import Drew, Fact, Gained, Held, Lost, Played, Shown, Turned
from referee.insight.grid import grid

SEATS = ("A", "B")


class History(NamedTuple):
    """One order of the deck, followed: a card is (kind, number), open to all or not.

    ``truths``: whether each declaration so far was true.
    """

    stock: tuple[Any, ...]
    hands: dict[str, tuple[tuple[Any, bool], ...]]
    covered: tuple[Any, ...]
    truths: tuple[bool, ...]


def followed(history: History, fact: Fact) -> Iterator[History]:
    """Every way in which ``fact`` can happen. Nothing of the program's counting is used."""
    stock, hands, covered, truths = history
    if isinstance(fact, Turned):
        if [card[0] for card in stock[: len(fact.cards)]] == list(fact.cards):
            yield history._replace(stock=stock[len(fact.cards) :])
        return
    hand = hands[fact.seat]

    def holding(*cards: tuple[Any, bool]) -> dict[str, tuple[tuple[Any, bool], ...]]:
        return {**hands, fact.seat: cards}

    match fact:
        case Drew(_, count):
            drawn = tuple((card, False) for card in stock[:count])
            yield history._replace(stock=stock[count:], hands=holding(*hand, *drawn))
        case Gained(_, card):
            yield history._replace(hands=holding(*hand, ((card, -len(hand)), True)))
        case HandClaim(_, _, only):
            true = all(card[0] in only for card, _ in hand)
            yield history._replace(truths=(*truths, true))
        case Lost():
            for i, (card, _) in enumerate(hand):
                left = holding(*hand[:i], *hand[i + 1 :])
                yield history._replace(hands=left, covered=(*covered, card))
        case Shown(_, cards, _):
            if Counter(card[0] for card, _ in hand) == Counter(cards):
                yield history._replace(hands=holding(*((card, True) for card, _ in hand)))
        case Played(_, cards, _) | Held(_, cards, _):
            for chosen in choices(hand, Counter(cards)):
                rest = tuple(hand[i] for i in range(len(hand)) if i not in chosen)
                kept = tuple((hand[i][0], True) for i in chosen)
                after = holding(*rest) if isinstance(fact, Played) else holding(*rest, *kept)
                yield history._replace(hands=after)


def choices(hand: tuple[tuple[Any, bool], ...], cards: Counter[Any]) -> Iterator[tuple[int, ...]]:
    """The cards that these can have been: those that everybody knows before all others."""
    found: list[tuple[int, ...]] = [()]
    for kind, count in cards.items():
        known = [i for i, (card, is_open) in enumerate(hand) if card[0] == kind and is_open]
        hidden = [i for i, (card, is_open) in enumerate(hand) if card[0] == kind and not is_open]
        sure = tuple(known[:count])
        more = combinations(hidden, count - len(sure))
        found = [(*a, *sure, *b) for b in more for a in found]
    yield from found


def histories(deck: Deck, facts: list[Fact]) -> list[History]:
    cards = [(c, i) for c, n in zip(deck.cards, deck.copies, strict=True) for i in range(n)]
    found = [History(order, dict.fromkeys(SEATS, ()), (), ()) for order in permutations(cards)]
    for fact in facts:
        found = [after for history in found for after in followed(history, fact)]
    return found


def happening(deck: Deck, rng: Random, *, draws: bool) -> list[Fact]:
    """Facts that happen with a really shuffled deck."""
    cards = [(c, i) for c, n in zip(deck.cards, deck.copies, strict=True) for i in range(n)]
    rng.shuffle(cards)
    size = rng.randint(1, len(cards) // 2)
    history = History(tuple(cards), dict.fromkeys(SEATS, ()), (), ())
    facts: list[Fact] = [Drew(seat, size) for seat in SEATS]
    for fact in facts:
        [history] = followed(history, fact)
    for at in range(1, rng.randint(1, 6)):
        seat = rng.choice(SEATS)
        hand = [card[0] for card, _ in history.hands[seat]]
        kinds = rng.sample(deck.cards, rng.randint(1, len(deck.cards)))
        able: list[Fact] = [HandClaim(seat, at, frozenset(kinds))]
        if hand:
            some = tuple(rng.sample(hand, 1))
            able += [Played(seat, some, at)] * 2
            if draws:
                able += [Held(seat, some, at), Shown(seat, tuple(hand), at)]
                able += [Lost(seat, at)] * 2
                able.append(Played(seat, tuple(rng.sample(hand, rng.randint(1, len(hand)))), at))
        if draws and history.stock:
            able += [Drew(seat, 1), Drew(seat, 1), Turned((history.stock[0][0],), at)]
        fact = rng.choice(able)
        history = rng.choice(list(followed(history, fact)))
        facts.append(fact)
    return facts


def agree(knowledge: Knowledge, found: list[History]) -> None:
    """The grid and the odds of declarations, by the histories that are left."""
    assert found
    rows = {(row.kind, row.seat): row for row in grid(knowledge).rows}
    for (kind, seat), row in rows.items():
        for cell in row.cells:
            counts = Counter(copies(history, kind, seat, cell.card) for history in found)
            if kind == "covered" or seat is not None:
                assert (cell.least, cell.most) == (min(counts), max(counts)), (kind, seat, cell)
            assert cell.odds == 1 - Fraction(counts[0], len(found)), (kind, seat, cell)
    for i, said in enumerate(knowledge.said):
        if said.odds is not None:
            true = sum(history.truths[i] for history in found)
            assert said.odds == Fraction(true, len(found)), said


def copies(history: History, kind: str, seat: str | None, card: Any) -> int:
    if seat is not None:
        return sum(held[0] == card for held, _ in history.hands[seat])
    there = history.covered if kind == "covered" else history.stock
    return sum(other[0] == card for other in there)


SCRIPTS = st.permutations(("hold", "lose", "draw", "play", "lose", "turn", "hold"))


def scripted(deck: Deck, rng: Random, script: list[str]) -> list[Fact]:
    """Facts of one hand, of which some cards are known when others leave it unseen."""
    cards = [(c, i) for c, n in zip(deck.cards, deck.copies, strict=True) for i in range(n)]
    rng.shuffle(cards)
    history = History(tuple(cards), dict.fromkeys(SEATS, ()), (), ())
    facts: list[Fact] = []
    for at, step in enumerate(("draw", "draw", "hold", *script)):
        hand = [card[0] for card, _ in history.hands["A"]]
        fact: Fact
        if step == "draw" and history.stock:
            fact = Drew("A", 1)
        elif step == "turn" and history.stock:
            fact = Turned((history.stock[0][0],), at)
        elif hand and step == "hold":
            fact = Held("A", (rng.choice(hand),), at)
        elif hand and step == "lose":
            fact = Lost("A", at)
        elif hand:
            fact = Played("A", (rng.choice(hand),), at)
        else:
            break
        history = rng.choice(list(followed(history, fact)))
        facts.append(fact)
    return facts


DECKS = st.sampled_from(((1, 2, 3), (2, 2), (3, 3), (1, 1, 2, 2), (2, 3), (4, 1), (1,) * 5))


@settings(max_examples=80)
@given(DECKS, st.randoms(use_true_random=False))
def test_hands_that_draw_against_all_orders_of_the_deck(
    counts: tuple[int, ...], rng: Random
) -> None:
    deck = Deck(tuple(range(1, len(counts) + 1)), counts)
    facts = happening(deck, rng, draws=True)
    draws = Draws.dealt(deck, SEATS, 0).add(*facts)
    found = histories(deck, facts)
    agree(of_draws(draws, len(found[0].stock)), found)


@settings(max_examples=100)
@given(st.sampled_from(((2, 3), (1, 4), (3, 2, 1))), st.randoms(use_true_random=False), SCRIPTS)
def test_cards_that_leave_unseen_a_hand_that_is_known_in_part(
    counts: tuple[int, ...], rng: Random, script: list[str]
) -> None:
    deck = Deck(tuple(range(1, len(counts) + 1)), counts)
    facts = scripted(deck, rng, script)
    found = histories(deck, facts)
    draws = Draws.dealt(deck, SEATS, 0).add(*facts)
    agree(of_draws(draws, len(found[0].stock)), found)


@settings(max_examples=100)
@given(DECKS, st.randoms(use_true_random=False))
def test_hands_that_only_get_smaller_against_all_orders_of_the_deck(
    counts: tuple[int, ...], rng: Random
) -> None:
    deck = Deck(tuple(range(1, len(counts) + 1)), counts)
    facts = happening(deck, rng, draws=False)
    first = facts[0]
    assert isinstance(first, Drew)
    hands = Hands.dealt(deck, SEATS, first.size)
    for fact in facts[2:]:
        match fact:
            case HandClaim(seat, at, only):
                hands = hands.declare(seat, only, at)
            case Played(seat, (card,), at):
                hands = hands.lay(seat, card, at)
    agree(of_hands(hands), histories(deck, facts))


def ways(found: list[History], rest: list[Fact]) -> list[int]:
    """In how many ways the facts that follow can happen after each of these histories; naively."""
    counts = []
    for history in found:
        later = [history]
        for fact in rest:
            later = [after for each in later for after in followed(each, fact)]
        counts.append(len(later))
    return counts


def looked_back(found: list[History], counts: list[int], seat: str, card: Any) -> Fraction | None:
    """How likely ``seat`` held ``card``; each of the histories weighs as ``counts`` says."""
    there = [any(held[0] == card for held, _ in history.hands[seat]) for history in found]
    every = sum(counts)
    return Fraction(sum(map(mul, counts, there)), every) if every else None


@settings(max_examples=60)
@given(DECKS, st.randoms(use_true_random=False))
def test_looking_back_at_hands_that_draw_against_all_orders_of_the_deck(
    counts: tuple[int, ...], rng: Random
) -> None:
    deck = Deck(tuple(range(1, len(counts) + 1)), counts)
    facts = happening(deck, rng, draws=True)
    end = Draws.dealt(deck, SEATS, 0).add(*facts)
    for place in range(len(SEATS), len(facts) + 1):
        then, found = (
            Draws.dealt(deck, SEATS, 0).add(*facts[:place]),
            histories(deck, facts[:place]),
        )
        after = ways(found, facts[place:])
        for seat in SEATS:
            for card in deck.cards:
                odds = held_then(then, end, seat, card, place)
                assert odds in (None, looked_back(found, after, seat, card))
                assert odds is not None or any(isinstance(fact, Lost) for fact in facts)


@settings(max_examples=60)
@given(DECKS, st.randoms(use_true_random=False))
def test_looking_back_at_hands_that_only_get_smaller_against_all_orders_of_the_deck(
    counts: tuple[int, ...], rng: Random
) -> None:
    deck = Deck(tuple(range(1, len(counts) + 1)), counts)
    facts = happening(deck, rng, draws=False)
    first = facts[0]
    assert isinstance(first, Drew)
    course = [Hands.dealt(deck, SEATS, first.size)]
    for fact in facts[2:]:
        match fact:
            case HandClaim(seat, at, only):
                course.append(course[-1].declare(seat, only, at))
            case Played(seat, (card,), at):
                course.append(course[-1].lay(seat, card, at))
    for place, then in enumerate(course, 2):
        found, fact = histories(deck, facts[:place]), facts[place - 1]
        at = fact.at if isinstance(fact, HandClaim | Played) else 0
        after = ways(found, facts[place:])
        for seat in SEATS:
            for card in deck.cards:
                odds = held_then(then, course[-1], seat, card, at)
                assert odds == looked_back(found, after, seat, card)
