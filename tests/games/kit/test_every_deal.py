"""Verdicts and findings of small games, compared with every possible deal."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from random import Random
from typing import NamedTuple

import pytest

from referee.core.log import Log
from referee.core.verdict import Illegal, Legal, Seat, Unprovable, Verdict
from referee.games.simulation import table
from referee.insight.grid import grid
from referee.kit.families.trick_taking.dealt import knowledge
from referee.kit.families.trick_taking.evidence import rules_of
from referee.kit.families.trick_taking.player import entries
from referee.kit.families.trick_taking.plays import (
    Bid,
    Call,
    Cover,
    Deal,
    Lay,
    NameTrump,
    Passed,
    Play,
    Show,
)
from referee.kit.families.trick_taking.state import PLAY, State
from referee.kit.game import KitGame
from referee.kit.load import load

pytestmark = pytest.mark.thorough

BEGIN = """
kit = 1
family = "trick_taking"
key = "small"
title = { ja = "小さい", en = "small" }
score.made = { per = "deal", points = "tricks" }
match = { deals = 1, winner = "most" }
"""
TWO_SUITS = """
deck = { suits.R = { ja = "赤", en = "red" }, suits.B = { ja = "青", en = "blue" }, ranks = "1..4" }
"""
GAMES = {
    "numbers": TWO_SUITS
    + """
deal = { hand = 2 }
play = { follow = ["suit led and number > led_value", "number > trick_sum"] }
trick = { best = [{ cards = "number < 3", when = "trick_sum > 6" }, "suit led"] }
""",
    "sits_out": TWO_SUITS
    + """
deal = { hand = 2 }
leave = { first = "turn = 2" }
play = { follow = ["suit led"] }
trick = { best = ["suit led"] }
""",
    "follow": TWO_SUITS
    + 'deal = { hand = 2 }\nplay = { follow = ["suit led"] }\ntrick = { best = ["suit led"] }',
    "kept": TWO_SUITS
    + """
deal = { hand = 2, turn_up = "dealer" }
trump = { from = "turn_up" }
play = { follow = ["suit led", "suit trump"] }
trick = { best = ["suit trump", "suit led"] }
""",
    "beat": TWO_SUITS
    + """
deal = { hand = 2, turn_up = "stock" }
play = { follow = ["suit led and beats", "suit led"] }
trick = { best = ["suit led"] }
""",
    "copies": """
deck = { ranks = "1..4", copies = 2 }
deal = { hand = 2 }
play = { follow = ["not rank showing"], cannot = "out" }
trick = { best = [{ cards = "all", order = "low" }], equal = "turn_down" }
""",
    "down": TWO_SUITS
    + """
deal = { hand = 2 }
play = { follow = ["suit led"], cannot = "down" }
trick = { best = ["suit led"] }
""",
    "no suit that shows": """
deal = { hand = 2 }
play = { follow = ["not suit showing", "rank 4..5"], cannot = "out" }
trick = { best = ["all"], equal = "last" }
[deck]
suits = { R = { ranks = "1..3" }, B = { ranks = "2..4" }, G = { ranks = ["4", "5"] } }
""",
    "a suit that shows": """
deal = { hand = 2 }
play = { follow = ["suit showing and beats", "suit showing"] }
trick = { best = ["suit showing"] }
[deck]
suits = { R = { ranks = "1..3" }, B = { ranks = "2..4" }, G = { ranks = ["4", "5"] } }
""",
    "lead": TWO_SUITS
    + """
deal = { hand = 2 }
play = { lead = [{ cards = "not suit R", when = "laid(suit R) = 0" }], follow = ["suit led"] }
trick = { best = ["suit led"] }
""",
    "always": TWO_SUITS
    + """
deal = { hand = 2 }
trump = { from = "fixed", suit = "B" }
play = { follow = ["suit led", "not suit trump"], always = "suit trump and beats" }
trick = { best = ["suit trump", "suit led"], equal = "last" }
""",
    "joined": """
deck = { suits.R = { colour = "red" }, suits.B = { colour = "red" }, ranks = "1..4" }
deal = { hand = 2 }
trump = { from = "fixed", suit = "B" }
groups.strong = "suit trump or (rank 2 and colour trump)"
trick = { best = ["rank 2 and suit trump", "rank 2", "suit trump", "suit led"] }
[play]
follow = [
  { cards = "strong", when = "led(strong)" },
  { cards = "suit led and not strong", when = "not led(strong)" },
]
""",
    "unless the neighbour wins": TWO_SUITS
    + """
deal = { hand = 2 }
play = { follow = ["suit led", { cards = "beats", when = "right(winning) = 0" }] }
trick = { best = ["suit B", "suit led"] }
""",
    "higher or lower as the second card": TWO_SUITS
    + """
deal = { hand = 2 }
trick.best = [{ cards = "all", order = "low", when = "second_value < led_value" }, "all"]
trick.next = [{ cards = "all", order = "last" }]
[play]
follow = [
  { cards = "number > led_value", when = "second_value > led_value" },
  { cards = "number < led_value", when = "second_value > 0 and second_value < led_value" },
]
""",
    "near the card before": TWO_SUITS
    + """
deal = { hand = 2 }
play = { follow = ["number >= last_value - 1 and number <= last_value + 1"], cannot = "out" }
trick = { best = ["all"], next = [{ cards = "all", order = "low" }] }
""",
    "a joker asks for the trump suit": """
deal = { hand = 2 }
trump = { from = "fixed", suit = "B" }
trick = { best = ["card J", "suit trump", "suit led"] }
[deck]
suits.R = {}
suits.B = {}
ranks = "1..4"
special.J = { copies = 1, led = "none" }
[play]
always = "card J"
follow = [{ cards = "suit trump", when = "led(card J)" }, "suit led"]
""",
    "a card is called": TWO_SUITS
    + """
deal = { hand = 2 }
call = { by = "dealer", cards = "rank 3..4" }
play = { follow = [{ cards = "called", when = "led(suit called)" }, "suit led"] }
trick = { best = ["suit led"] }
""",
    "the ace that is called": TWO_SUITS
    + """
deal = { hand = 2 }
call = { by = "leader", cards = "rank 4" }
groups.strong = "suit B or rank 2"
trick = { best = ["rank 2", "suit B", "suit led"] }
[play]
follow = [
  { cards = "strong", when = "led(strong)" },
  { cards = "called", when = "led(suit called)" },
  { cards = "suit led and not strong", when = "not led(strong)" },
]
""",
    "no trump suit by a bid": TWO_SUITS
    + """
deal = { hand = 2 }
bid = { values = "0..2" }
trump = { from = "fixed", suit = "B", none_when = "most(bid) = 2" }
play = { follow = ["suit led", "suit trump and beats", "suit trump"] }
trick = { best = ["suit trump", "suit led"] }
""",
    "a card changes the trump suit": TWO_SUITS
    + """
deal = { hand = 2 }
trump.change = ["rank 1", { cards = "rank 4", suit = "named" }, { per = "trick", cards = "rank 3" }]
play = { follow = ["suit led", "suit trump and beats", "suit trump"] }
trick = { best = ["suit trump", "suit led"] }
""",
    "a trump suit of each player's own": TWO_SUITS
    + """
deal = { hand = 2 }
bid = { values = "none", special.r = { worth = 1, suit = "R" }, special.b = { suit = "B" } }
play = { follow = ["suit led", "suit bid and beats", "suit bid"] }
trick = { best = ["suit bid", "suit led"] }
""",
    "equal ones cancel": """
deck = { suits.R = {}, suits.B = {}, ranks = "1..2", copies = 2 }
deal = { hand = 2 }
play = { follow = ["suit led and beats", "suit led"] }
trick = { best = ["suit led"], equal = "cancel", next_none = "same" }
""",
    "beat it or the lowest": """
deck = { suits.R = {}, suits.B = {}, ranks = "1..4" }
deal = { hand = 2 }
play = { follow = ["beats", { cards = "all", order = "low" }] }
trick = { best = ["all"], equal = "last", equal_by = "rank" }
""",
    "lowest": TWO_SUITS
    + """
deal = { hand = 2 }
play = { follow = ["suit led and beats", { cards = "all", order = "low" }] }
trick = { best = ["suit led"], equal = "last" }
""",
    "aside": """
deck = { suits.R = { en = "red" }, suits.B = { en = "blue" }, suits.G = {}, ranks = "1..3" }
deal = { hand = 3 }
pass = { cards = 1, to = ["aside"] }
trump = { from = "first_discard" }
play = { follow = ["suit led", "suit trump"] }
trick = { best = ["suit trump", "suit led"] }
""",
    "drawn": """
seats = { count = 2 }
deck = { suits.R = { en = "red" }, suits.B = { en = "blue" }, ranks = "1..3" }
deal = { hand = 2, draw = "after_trick" }
play = { follow = ["suit led"] }
trick = { best = ["suit led"] }
""",
    "drawn with the card turned up": """
seats = { count = 2 }
deck = { suits.R = { en = "red" }, suits.B = { en = "blue" }, ranks = "1..3" }
deal = { hand = 2, turn_up = "stock", draw = "after_trick" }
trump = { from = "turn_up" }
play = { follow = [{ cards = "suit led and beats", when = "stock = 0" }, "suit led", "suit trump"] }
trick = { best = ["suit trump", "suit led"] }
""",
}


class World(NamedTuple):
    """A possible distribution of the cards; ``true``: which declarations so far are true in it.

    ``stock``: the cards that are left to draw, the next one first.
    """

    hands: tuple[tuple[str, ...], ...]
    true: tuple[bool, ...]
    stock: tuple[str, ...] = ()


def with_stock(cards: tuple[str, ...], hands: tuple[tuple[str, ...], ...]) -> list[World]:
    """The worlds of a deal, by every order of the cards that are left."""
    rest = list(cards)
    for hand in hands:
        for card in hand:
            rest.remove(card)
    return [World(hands, (), stock) for stock in sorted(set(permutations(rest)))]


def drawn(worlds: list[World], state: State) -> list[World]:
    """The worlds after everybody that is due in ``state`` has drawn a card."""
    places = [rules_of(state).index[seat] for seat in state.due]
    found = []
    for world in worlds:
        hands = list(world.hands)
        for i, card in zip(places, world.stock, strict=False):
            hands[i] = tuple(sorted((*hands[i], card)))
        found.append(world._replace(hands=tuple(hands), stock=world.stock[len(places) :]))
    return sorted(found)


def deals(cards: tuple[str, ...], size: int, seats: int) -> list[tuple[tuple[str, ...], ...]]:
    if not seats:
        return [()]
    found = set()
    for places in combinations(range(len(cards)), size):
        rest = tuple(card for i, card in enumerate(cards) if i not in places)
        hand = tuple(cards[i] for i in places)
        found |= {(hand, *others) for others in deals(rest, size, seats - 1)}
    return sorted(found)


def without(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    i = hand.index(card)
    return (*hand[:i], *hand[i + 1 :])


def after(worlds: list[World], state: State, play: Play) -> list[World]:
    """The worlds that are left when everybody has seen ``play``.

    A hand of three of which one card goes aside is any hand of two, so that nothing is left out.
    """
    if isinstance(play, Passed | Bid | NameTrump | Call):
        return worlds
    rules = rules_of(state)
    found: set[World] = set()
    for world in worlds:
        if isinstance(play, Deal):
            if play.turn is None:
                found.add(world)
            elif rules.deal.turn_up == "dealer":
                i = rules.index[state.table.from_left_of(str(play.leader))[-2]]
                if play.turn in world.hands[i]:
                    found.add(world)
            elif rules.deal.draws:
                if world.stock[-1] == play.turn:
                    found.add(world)
            else:
                dealt = Counter(card for hand in world.hands for card in hand)
                deck = Counter(map(str, rules.cards.deck.listed(rules.cards.deck.full)))
                if (deck - dealt)[play.turn]:
                    found.add(world)
            continue
        assert isinstance(play, Lay | Cover | Show)
        i = rules.index[play.seat]
        hand = world.hands[i]
        if isinstance(play, Show):
            if sorted(hand) == sorted(play.cards):
                found.add(world)
            continue
        true = world.true
        bits = rules.cards.bits[play.card] if isinstance(play, Lay) else 0
        above = rules.play.climb(state, bits)[2]
        if above and play.seat not in state.hands.shown:
            lacked = set(rules.cards.kinds(above))
            true = (*true, not lacked & set(hand))
        for card in {play.card} if isinstance(play, Lay) else set(hand):
            if card in hand:
                hands = (*world.hands[:i], without(hand, card), *world.hands[i + 1 :])
                found.add(World(hands, true, world.stock))
    return sorted(found)


def right(worlds: list[World], state: State, play: Lay | Cover) -> type[Verdict]:
    """The verdict that the worlds give."""
    rules = rules_of(state)
    i = rules.index[play.seat]
    bits = rules.cards.bits[play.card] if isinstance(play, Lay) else 0
    name, k, above = rules.play.climb(state, bits)
    if rules.play.cannot == "down" and play.seat not in state.hands.shown and above:
        below = k > len(rules.play.follow if name == "follow" else rules.play.lead)
        if isinstance(play, Lay) and below:
            return Illegal
    if isinstance(play, Cover) and (not above or play.seat in state.hands.shown):
        return Illegal
    lacked = set(rules.cards.kinds(above))
    can = [w for w in worlds if isinstance(play, Cover) or play.card in w.hands[i]]
    lacks = [not lacked & set(w.hands[i]) for w in can]
    if not any(lacks):
        return Illegal
    return Legal if all(lacks) else Unprovable


def guilty(worlds: list[World], claims: list[tuple[Seat, int]]) -> set[int]:
    """Positions of the declarations that cannot be true, with the seat's earlier ones that can."""
    found, kept = set(), dict[Seat, list[int]]()
    for number, (seat, at) in enumerate(claims):
        mine = kept.setdefault(seat, [])
        if not any(all(w.true[j] for j in (*mine, number)) for w in worlds):
            found.add(at)
        else:
            mine.append(number)
    return found


def grid_agrees(worlds: list[World], state: State) -> int:
    """Compare who can hold what with the equally likely worlds; returns the number of cells.

    Only for cards that exist once and never leave a hand unseen.
    """
    known = knowledge(state)
    assert known is not None
    different = {(world.hands, world.stock) for world in worlds}
    index = rules_of(state).index
    cells = 0
    for row in grid(known).rows:
        if row.seat is None:
            continue
        for cell in row.cells:
            held = sum(cell.card in hands[index[row.seat]] for hands, _ in different)
            assert cell.odds == Fraction(held, len(different)), (row.seat, cell)
            cells += 1
    return cells


def hold_beside(game: KitGame, seed: int) -> Counter[str]:
    """Play a match with lies and compare every verdict, every finding, and the review's grids."""
    log = Log(game, table(game, ["A", "B", "C"][: game.SEATS[-1]]))
    rules = rules_of(log.start)
    cards = tuple(map(str, rules.cards.deck.listed(rules.cards.deck.full)))
    worlds = [World(hands, ()) for hands in deals(cards, 2, rules.n)]
    if rules.deal.draws:
        worlds = [each for world in worlds for each in with_stock(cards, world.hands)]
    claims: list[tuple[Seat, int]] = []
    met: Counter[str] = Counter()
    for play in entries(log, Random(seed), 0.6, 0.05):
        state: State = log.state
        if state.phase == PLAY:
            for each in game.candidates(state):
                assert isinstance(each, Lay | Cover)
                verdict = type(game.judge(state, each))
                assert verdict is right(worlds, state, each), (log.entries, each)
                met[verdict.__name__] += 1
        if isinstance(game.judge(state, play), Illegal):
            break  # a lie that everybody sees
        log.push(play)
        before = len(log.state.declared)
        if before > len(state.declared) and not isinstance(
            play, Deal | Passed | Bid | NameTrump | Call
        ):
            claims.append((play.seat, log.state.at))  # type: ignore[union-attr]
        worlds = after(worlds, state, play)
        if log.state.round.stock < state.round.stock:
            worlds = drawn(worlds, log.state)
        assert worlds, log.entries
        found = {finding.at for finding in game.audit(log.state)}
        assert found == guilty(worlds, claims), log.entries
        deck = log.state.deck
        if (
            deck.copies == (1,) * len(deck.cards)
            and rules.play.cannot != "down"
            and not rules.passing.ways
        ):
            met["cells"] += grid_agrees(worlds, log.state)
        met["guilty"] += len(found)
    return met


@pytest.mark.parametrize("name", GAMES)
def test_verdicts_and_findings_are_those_of_all_deals(name: str) -> None:
    seats = "" if "seats" in GAMES[name] else "seats = { count = 3 }\n"
    game = load((BEGIN + seats + GAMES[name]).encode())
    met: Counter[str] = Counter()
    for seed in range(25):
        met += hold_beside(game, seed)
    assert met["Legal"] > 50
    assert met["Unprovable"] > 20
    assert met["guilty"] > 0
    assert met["cells"] > 500 or name in ("copies", "down", "aside", "equal ones cancel")
