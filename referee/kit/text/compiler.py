"""Compiles the trees of sums and conditions to functions.

A function takes a ``Scope``: the state, and the seat or card that the sum is about. ``Compiler``
makes each function once, when the rules of a table are made; all names are looked up then. Card
sets: ``card_sets.py``; names that are unknown: ``vocabulary.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from referee.core.cards import DIGIT, Bag, copies_in, size
from referee.kit.text.card_sets import SetCompiler
from referee.kit.text.faults import Wrong
from referee.kit.text.formula import FormulaText, Node, is_condition, limited
from referee.kit.text.scope import (
    CARD,
    LATER,
    LEVEL,
    NAMES,
    SAYING,
    SEAT,
    Number,
    Scope,
    Set,
    card_led,
)
from referee.kit.text.vocabulary import Vocabulary, wrong


def constant(number: int) -> Number:
    return lambda scope: number


class Compiler:
    """Makes functions for one table of a game file.

    ``uses`` collects the names that occur, so that a state keeps only what is needed.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.cards, self.seats = vocabulary.cards, vocabulary.seats
        self.values, self.groups = vocabulary.values, vocabulary.groups
        self.counters = vocabulary.counters
        self.uses: set[str] = set()
        self._open_sets: list[str] = []
        self._made: dict[tuple[str, str], Number] = {}
        self._open: list[str] = []

    @property
    def _sets(self) -> SetCompiler:
        """Made when it is asked: if each held the other, both would wait for the collector."""
        return SetCompiler(self.vocabulary, self.uses, self._open_sets, self._number)

    def number(self, text: FormulaText, where: str) -> Number:
        """The function of a sum or a condition used at ``where``; raises ``Wrong``."""
        return self._number(text.node, text, where)

    def condition(self, text: FormulaText, where: str) -> Number:
        """As ``number``, but raises ``Wrong`` also for a sum that is no condition."""
        if not is_condition(text.node, {**self.values, "": text}):
            self.number(text, where)  # an unknown name is reported as such
            raise wrong(text, text.node, "kit_no_condition")
        return self._number(text.node, text, where)

    def mask(self, text: FormulaText, where: str) -> tuple[Set, int | None]:
        """The function of a card set, and the set itself if it is constant (else None)."""
        fixed = self._sets.fixed(text.node)
        made = self._sets.made(text.node, text, where)
        return made, fixed

    def _number(self, node: Node, text: FormulaText, where: str) -> Number:
        op, parts = node.op, node.parts
        if op == "number":
            return constant(node.number)
        if op in ("yes", "no"):
            return constant(int(op == "yes"))
        if op == "name":
            return self._name(node, text, where)
        if op == "is":
            return self._is(node, text, where)
        if op.endswith("()"):
            return self._function(op[:-2], node, text, where)
        of = [self._number(part, text, where) for part in parts]
        if op == "if":
            test, yes, no = of
            return lambda scope: yes(scope) if test(scope) else no(scope)
        if op in ("not", "and", "or"):
            for part in parts:
                if not is_condition(part, {**self.values, "": text}):
                    alone = part.op == "number"
                    raise wrong(text, part, "kit_number_alone" if alone else "kit_no_condition")
        a = of[0]
        if op == "not":
            return lambda scope: not a(scope)
        if op == "minus":
            return lambda scope: -a(scope)
        b = of[1]
        return _BINARY[op](a, b)

    def _name(self, node: Node, text: FormulaText, where: str) -> Number:
        word, level = node.word, LEVEL[where]
        if word == "n":
            return constant(self.seats)
        if word == "deck":
            return constant(len(self.cards.deck))
        if where == SAYING and word in ("this", "bids", "last"):
            return {
                "this": lambda scope: scope.said,
                "bids": lambda scope: scope.others,
                "last": lambda scope: scope.last,
            }[word]
        if word in NAMES and NAMES[word][0] <= level:
            self.uses.add(word)
            return NAMES[word][1]
        if word == "bids" and level >= 1:
            self._needs_bids(node, text)
            return lambda scope: sum(
                scope.state.rules.bid_worth(said) for said in scope.state.round.bids
            )
        if word == "bid" and level >= 2:
            self._needs_bids(node, text)
            return lambda scope: scope.state.rules.bid_worth(scope.state.round.bids[scope.seat])
        if word in self.values:
            return self._value(word, where, node, text)
        if word in self.counters and level >= (2 if self.counters[word] != "table" else 0):
            return lambda scope: scope.state.score.counters[word][scope.seat]
        if word == "stock" and level >= 1:
            return lambda scope: scope.state.round.stock
        if word == "highest_bidder":
            self._needs_bids(node, text)
        if word in LATER and level >= LATER[word][0]:
            self.uses.add(word)
            return LATER[word][1]
        raise self.vocabulary.no_name(node, text, level)

    def _needs_bids(self, node: Node, text: FormulaText) -> None:
        if not self.vocabulary.has_bids:
            raise wrong(text, node, "kit_no_bids", word=node.word)

    def _value(self, word: str, where: str, node: Node, text: FormulaText) -> Number:
        if word in self._open:
            raise wrong(text, node, "kit_circle", word=word)
        if (word, where) not in self._made:
            self._open.append(word)
            try:
                self._made[word, where] = self._number(
                    self.values[word].node, self.values[word], where
                )
            except Wrong as fault:
                # reported where the value is used, not where it is defined
                if fault.fact in ("kit_not_here", "kit_of_a_player"):
                    raise wrong(text, node, fault.fact, word=word) from None
                raise
            finally:
                self._open.pop()
        return self._made[word, where]

    def _is(self, node: Node, text: FormulaText, where: str) -> Number:
        name, word = node.parts[0].word, node.word
        if name == "trump" and LEVEL[where] >= 1:
            if word == "none":
                return lambda scope: scope.state.trump is None
            if word not in self.cards.suits:
                fact, values = self.vocabulary.no_suit(word)
                raise wrong(text, node, fact, **values)
            return lambda scope: scope.state.trump == word
        if name == "bid" and LEVEL[where] >= 2:
            self._needs_bids(node.parts[0], text)
            if word not in self.vocabulary.bids:
                raise wrong(text, node, "kit_unknown", word=word)
            return lambda scope: scope.state.round.bids[scope.seat] == word
        raise wrong(text, node.parts[0], "kit_is")

    def _function(self, name: str, node: Node, text: FormulaText, where: str) -> Number:
        if name in ("min", "max", "abs"):
            of = [self._number(part, text, where) for part in node.parts]
            if name == "abs":
                return lambda scope, a=of[0]: abs(a(scope))  # type: ignore[misc]
            pick = min if name == "min" else max
            return lambda scope: pick([each(scope) for each in of])
        if name in ("most", "least", "every", "seats"):
            inner = self._number(node.parts[0], text, CARD if where == CARD else SEAT)
            return self._over_all(name, inner)
        level = LEVEL[where]
        if name in ("laid", "lying", "led"):
            if level < 1:
                raise wrong(text, node, "kit_not_here", word=name)
        elif level < 2 and name != "this":
            raise wrong(text, node, "kit_of_a_player", word=f"{name}( )")
        elif level < 3 and name == "this":
            raise wrong(text, node, "kit_not_here", word=name)
        if name in ("team", "place", "same", "left", "right"):
            return self._over_team(name, self._number(node.parts[0], text, where))
        self.uses.add(name)
        cards = self._sets.made(node.parts[0], text, where)
        return self._of_cards(name, cards)

    def _over_all(self, name: str, inner: Number) -> Number:
        places = range(self.seats)
        if name == "seats":
            return lambda scope: sum(map(bool, _of_each(inner, scope, places)))
        folds: Mapping[str, Callable[[list[int]], int]] = {
            "most": max,
            "least": min,
            "every": sum,
        }
        fold = folds[name]
        return lambda scope: limited(fold(_of_each(inner, scope, places)))

    def _over_team(self, name: str, inner: Number) -> Number:
        teams, everybody = self.vocabulary.teams, tuple(range(self.seats))
        if name == "team":
            return lambda scope: limited(sum(_of_each(inner, scope, teams[scope.seat])))
        if name in ("left", "right"):
            step, n = (1 if name == "left" else -1), self.seats
            return lambda scope: _of_each(inner, scope, [(scope.seat + step) % n])[0]

        def rank(scope: Scope) -> int:
            mine, others = inner(scope), _of_each(inner, scope, everybody)
            if name == "place":
                return 1 + sum(other > mine for other in others)
            return others.count(mine)

        return rank

    def _of_cards(self, name: str, cards: Set) -> Number:
        if name in ("taken", "wins", "own", "laid"):
            bag = _BAGS[name]
            return lambda scope: size(bag(scope) & cards(scope.state, scope))
        if name == "this":
            return lambda scope: int(scope.card & cards(scope.state, scope) != 0)
        if name in ("highest", "lowest"):
            self.uses.add("own")
            return self._outermost(name, cards)
        if name == "kinds":
            return self._kinds(cards)
        bits, worth, deck = self.cards.bits, self.cards.worth, self.cards.deck
        if name == "led":

            def led(scope: Scope) -> int:
                card = card_led(scope.state)
                return int(bool(card and bits[card] & cards(scope.state, scope)))

            return led
        if name == "lying":

            def lying(scope: Scope) -> int:
                mask = cards(scope.state, scope)
                return sum(bits[laid.card] & mask != 0 for laid in scope.state.trick if laid.card)

            return lying
        points = [(deck.one[card], worth[str(card)]) for card in deck.cards if worth[str(card)]]

        def worths(scope: Scope) -> int:
            bag = scope.state.round.taken[scope.seat] & cards(scope.state, scope)
            return limited(sum(copies_in(bag, one) * each for one, each in points))

        return worths

    def _kinds(self, cards: Set) -> Number:
        """How many different ranks the cards of a set have that a seat has taken."""
        deck, ranks = self.cards.deck, self.cards.rank
        bags: dict[str, Bag] = {}
        for card in map(str, deck.cards):
            if ranks[card]:
                bags[ranks[card]] = bags.get(ranks[card], 0) | deck.one[card] * DIGIT

        def kinds(scope: Scope) -> int:
            bag = scope.state.round.taken[scope.seat] & cards(scope.state, scope)
            return sum(bag & of_rank != 0 for of_rank in bags.values())

        return kinds

    def _outermost(self, name: str, cards: Set) -> Number:
        """The highest or the lowest number of the cards of a set that a seat has played.

        Without such a card it lies just beyond the numbers of the deck: so it is never the best.
        """
        deck, value, rank = self.cards.deck, self.cards.value, self.cards.rank
        numbers = sorted((value[c], deck.one[c]) for c in map(str, deck.cards) if rank[c])
        ordered = numbers[::-1] if name == "highest" else numbers
        beyond = -1 if name == "highest" else 1
        none = ordered[-1][0] + beyond if ordered else 0

        def outermost(scope: Scope) -> int:
            bag = scope.state.own[scope.seat] & cards(scope.state, scope)
            return next((number for number, one in ordered if copies_in(bag, one)), none)

        return outermost


_BAGS: Mapping[str, Callable[[Scope], Bag]] = {
    "taken": lambda scope: scope.state.round.taken[scope.seat],
    "wins": lambda scope: scope.state.round.wins[scope.seat],
    "own": lambda scope: scope.state.own[scope.seat],
    "laid": lambda scope: scope.state.pile,
}


def _divided(a: int, b: int) -> int:
    return a // b if b else 0


_BINARY: Mapping[str, Callable[[Number, Number], Number]] = {
    "+": lambda a, b: lambda scope: limited(a(scope) + b(scope)),
    "-": lambda a, b: lambda scope: limited(a(scope) - b(scope)),
    "*": lambda a, b: lambda scope: limited(a(scope) * b(scope)),
    "/": lambda a, b: lambda scope: _divided(a(scope), b(scope)),
    # written out for speed: conditions are evaluated for every card
    "=": lambda a, b: lambda scope: a(scope) == b(scope),
    "<": lambda a, b: lambda scope: a(scope) < b(scope),
    ">": lambda a, b: lambda scope: a(scope) > b(scope),
    "<=": lambda a, b: lambda scope: a(scope) <= b(scope),
    ">=": lambda a, b: lambda scope: a(scope) >= b(scope),
    "and": lambda a, b: lambda scope: bool(a(scope) and b(scope)),
    "or": lambda a, b: lambda scope: bool(a(scope) or b(scope)),
}


def _of_each(inner: Number, scope: Scope, places: Iterable[int]) -> list[int]:
    """The values of ``inner`` for the seats at ``places``, in their order."""
    kept = scope.seat
    found = []
    for scope.seat in places:
        found.append(inner(scope))
    scope.seat = kept
    return found
