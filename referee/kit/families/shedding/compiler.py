"""What this family adds to sums and card sets: its names, and functions of the cards of a play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import ClassVar, cast

from referee.core.cards import BITS, DIGIT, Bag, size
from referee.kit.chapters.bidding.compiler import BiddingCompiler
from referee.kit.chapters.deck import Cards
from referee.kit.families.shedding.combinations import PlayedFace, PlayReading
from referee.kit.families.shedding.state import State
from referee.kit.text.card_sets import COMPARED
from referee.kit.text.formula import FormulaText, Node
from referee.kit.text.scope import CARD, LEVEL, Number, Scope
from referee.kit.text.vocabulary import FamilyNames, Vocabulary, levels, wrong


class PlayScope(Scope[State]):
    """What sums about a play refer to: the table as it was before, and the play.

    ``empties``: whether it empties the hand.
    """

    __slots__ = ("empties", "play", "turned", "under")

    def __init__(self, state: State, seat: int = 0, play: PlayReading | None = None) -> None:
        super().__init__(state, seat)
        self.play = play
        self.under = state.trick.plays[-1].reading if state.trick.plays else None
        self.empties = False
        self.turned = False


Fits = Callable[[PlayedFace, PlayScope], bool]
PlayNumber = Callable[[PlayScope], int]

NAMES: Mapping[str, tuple[int, PlayNumber]] = {
    "deal": (0, lambda scope: scope.deal),
    "hand": (1, lambda scope: scope.size),
    "outs": (1, lambda scope: len(scope.state.round.outs)),
    "live": (1, lambda scope: len(scope.state.round.live)),
    "turned_deal": (1, lambda scope: scope.state.round.turned > 0),
    "turned_trick": (1, lambda scope: scope.state.trick.turned > 0),
    "turned": (1, lambda scope: scope.state.rules.is_turned(scope.state)),
    "total": (2, lambda scope: scope.state.score.totals[scope.state.table.seats[scope.seat]]),
    "held": (2, lambda scope: scope.state.round.held[scope.seat]),
    "plays": (2, lambda scope: scope.state.round.plays[scope.seat]),
    "was": (2, lambda scope: scope.state.round.was[scope.seat]),
    "finish": (2, lambda scope: scope.state.round.finish[scope.seat]),
    "out": (2, lambda scope: scope.state.table.seats[scope.seat] in scope.state.round.outs),
    "count": (3, lambda scope: len(scope.play.faces) if scope.play else 0),
    "size": (3, lambda scope: scope.play.size if scope.play else 0),
    "length": (3, lambda scope: scope.play.length if scope.play else 0),
    "leading": (3, lambda scope: scope.under is None),
    "last": (3, lambda scope: scope.empties),
    "matched": (3, lambda scope: matched(scope.play, scope.under)),
    "step": (3, lambda scope: steps(scope.play, scope.under, turned=scope.turned)),
}
"""Names that sums can use from a level on: the level, and the function."""

FUNCTIONS = ("this", "under", "laid", "own")

FAMILY = FamilyNames(own=levels(NAMES), elsewhere=("bid", "bids", "this", "last"))


def matched(play: PlayReading | None, under: PlayReading | None) -> int:
    """How many cards have their suits in common; 0 if one of them is missing."""
    if play is None or under is None:
        return 0
    return sum(min(many, under.suits.get(suit, 0)) for suit, many in play.suits.items())


def steps(play: PlayReading | None, under: PlayReading | None, *, turned: bool) -> int:
    """How many ranks a play is above the one beneath it; 0 if one is above or below all ranks."""
    if play is None or under is None:
        return 0
    if play.high is None or play.low is None or under.high is None or under.low is None:
        return 0
    return under.low - play.low if turned else play.high - under.high


def of_plays(number: PlayNumber) -> Number:
    """A number that asks for the play: it is used only where there is one."""
    return cast(Number, number)


class SheddingCompiler(BiddingCompiler):
    """Compiles sums about combinations, and about what was played.

    ``open_bits``: the digits in bags of cards that were written by their rank alone, by rank.
    """

    NAMES: ClassVar[Mapping[str, tuple[int, Number]]] = {
        name: (level, of_plays(number)) for name, (level, number) in NAMES.items()
    }

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__(vocabulary)
        self.combos: frozenset[str] = frozenset()
        self.open_bits = open_bits(vocabulary.cards)
        self.looks_at_suits = False
        self._numbers = count()
        self._opened: list[str] = []

    def is_so(self, node: Node, text: FormulaText, where: str) -> Number:
        name, word = node.parts[0].word, node.word
        if name == "combo":
            if where != CARD:
                raise wrong(text, node.parts[0], "kit_not_here", word="combo")
            if word not in self.combos:
                raise wrong(text, node, "kit_shed_no_such_combo", word=word)
            self.uses.add(f"combo {word}")
            return of_plays(lambda scope: bool(scope.play and scope.play.combo.name == word))
        if name == "bid" and LEVEL[where] >= 2:
            return self.bid_is(node, text)
        raise wrong(text, node.parts[0], "kit_shed_is")

    def of_cards(self, name: str, node: Node, text: FormulaText, where: str) -> Number:
        if name not in FUNCTIONS:
            raise wrong(text, node, "kit_no_function", word=name, known=[*FUNCTIONS])
        self.uses.add(name)
        if name in ("laid", "own"):
            if LEVEL[where] < (1 if name == "laid" else 2):
                fact = "kit_not_here" if name == "laid" else "kit_of_a_player"
                raise wrong(text, node, fact, word=f"{name}( )")
            return self._of_bags(name, node.parts[0], text, where)
        if where != CARD:
            raise wrong(text, node, "kit_not_here", word=name)
        return self._of_play(name, self.fits(node.parts[0], text, where))

    def _of_bags(self, name: str, node: Node, text: FormulaText, where: str) -> Number:
        self.fits(node, text, where)  # it knows whether a suit is looked at
        cards = self.sets.made(node, text, where)
        ranks, opened = self.cards.ranks, self.open_bits

        def bag(scope: PlayScope) -> int:
            mask = cards(scope.state, scope)
            played = scope.state.round.gone if name == "laid" else scope.state.round.own[scope.seat]
            found = size(played & mask)
            return found + sum(
                size(played & digit) for rank, digit in opened.items() if ranks.get(rank, 0) & mask
            )

        return of_plays(bag)

    def _of_play(self, name: str, fits: Fits) -> Number:
        """How many cards of the play, or of the one beneath, are in a set."""
        key = next(self._numbers)
        constant = "number" not in self.uses

        def many(scope: PlayScope) -> int:
            reading = scope.play if name == "this" else scope.under
            if reading is None:
                return 0
            found = reading.counted.get(key)
            if found is None or not constant:
                found = sum(fits(face, scope) for face in reading.faces)
                reading.counted[key] = found
            return found

        return of_plays(many)

    def fits(self, node: Node, text: FormulaText, where: str) -> Fits:
        """Whether a card of a play is in the set ``node``: its rank and suit are those that it
        stands for; ``card`` and ``special`` ask for the card itself. Raises ``Wrong``.
        """
        op, word, cards = node.op, node.word, self.cards
        match op:
            case "cards_not":
                a = self.fits(node.parts[0], text, where)
                return lambda face, scope: not a(face, scope)
            case "cards_and" | "cards_or":
                a, b = (self.fits(part, text, where) for part in node.parts)
                if op == "cards_and":
                    return lambda face, scope: a(face, scope) and b(face, scope)
                return lambda face, scope: a(face, scope) or b(face, scope)
            case "suit" if word in cards.suits:
                self.looks_at_suits = True
                return lambda face, scope: face.suit == word
            case "rank" if word in cards.order:
                return lambda face, scope: face.rank == word
            case "card" if word in cards.known:
                self.looks_at_suits |= bool(cards.suit.get(word))
                return lambda face, scope: face.card == word
            case "ranks":
                return self._run(node, text)
            case "set" if word in ("all", "none"):
                return lambda face, scope: word == "all"
            case "set" if word == "special":
                special = frozenset(cards.kinds(cards.special))
                return lambda face, scope: face.card in special
            case "group" if word in self.groups:
                return self._group(node, text, where)
        if op[6:] in COMPARED:
            return self._number_set(node, text, where)
        raise self.vocabulary.no_set(node, text)

    def _run(self, node: Node, text: FormulaText) -> Fits:
        order = self.cards.order
        few, many = node.word, node.parts[0].word
        if few not in order or many not in order:
            raise self.vocabulary.no_set(node, text)
        ranks = frozenset(order[order.index(few) : order.index(many) + 1])
        return lambda face, scope: face.rank in ranks

    def _group(self, node: Node, text: FormulaText, where: str) -> Fits:
        if node.word in self._opened:
            raise wrong(text, node, "kit_circle", word=node.word)
        self._opened.append(node.word)
        try:
            return self.fits(self.groups[node.word].node, self.groups[node.word], where)
        finally:
            self._opened.pop()

    def _number_set(self, node: Node, text: FormulaText, where: str) -> Fits:
        """The cards whose number compares with a sum; special cards have none."""
        if node.parts[0].op != "number":
            self.uses.add("number")
        sum_of, compare = (
            self.number(text._replace(node=node.parts[0]), where),
            COMPARED[node.op[6:]],
        )
        value = {self.cards.rank[card]: number for card, number in self.cards.value.items()}
        return lambda face, scope: bool(face.rank) and compare(value[face.rank], sum_of(scope))


def open_bits(cards: Cards) -> dict[str, Bag]:
    """For each rank the digit, in bags, of the cards that were written by their rank alone."""
    if not cards.suits:
        return {}
    first = len(cards.deck.cards)
    return {rank: DIGIT << BITS * (first + i) for i, rank in enumerate(cards.order)}
