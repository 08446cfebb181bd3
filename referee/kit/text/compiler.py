"""Compiles the trees of sums and conditions to functions.

A function takes a ``Scope``: the state, and the seat or card that the sum is about. ``Compiler``
makes each function once, when the rules of a table are made; all names are looked up then. Card
sets: ``card_sets.py``; names that are unknown: ``vocabulary.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

from referee.kit.text.card_sets import SetCompiler
from referee.kit.text.faults import Wrong
from referee.kit.text.formula import FormulaText, Node, is_condition, limited
from referee.kit.text.scope import CARD, LEVEL, SEAT, Number, Scope, Set
from referee.kit.text.vocabulary import Vocabulary, wrong

COMMON_FUNCTIONS = (
    *("min", "max", "abs", "most", "least", "every", "seats"),
    *("team", "place", "same", "left", "right"),
)
"""The functions that every family has."""


def constant(number: int) -> Number:
    return lambda scope: number


class Compiler:
    """Makes functions for one table of a game file.

    ``uses`` collects the names that occur, so that a state keeps only what is needed. A family adds
    its names and ``FUNCTIONS`` in a class of its own; ``SETS`` makes its card sets.
    """

    SETS: ClassVar[type[SetCompiler]] = SetCompiler
    FUNCTIONS: ClassVar[tuple[str, ...]] = ()
    NAMES: ClassVar[Mapping[str, tuple[int, Number]]] = {}
    """The numbers that the family names: the level from which each is known, and its function."""

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
    def sets(self) -> SetCompiler:
        """Made when it is asked: if each held the other, both would wait for the collector."""
        return self.SETS(self.vocabulary, self.uses, self._open_sets, self._number)

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
        fixed = self.sets.fixed(text.node)
        made = self.sets.made(text.node, text, where)
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
            return self.is_so(node, text, where)
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
        if (found := self.named(word, node, text, where)) is not None:
            return found
        if word in self.values:
            return self._value(word, where, node, text)
        if word in self.counters and level >= (2 if self.counters[word] != "table" else 0):
            return lambda scope: scope.state.score.counters[word][scope.seat]
        if (found := self.named_later(word, node, text, where)) is not None:
            return found
        raise self.vocabulary.no_name(node, text, level)

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

    def named(self, word: str, node: Node, text: FormulaText, where: str) -> Number | None:
        """The number that the family gives ``word`` at ``where``; None if it gives none there."""
        return self.known(self.NAMES, word, where)

    def known(
        self, names: Mapping[str, tuple[int, Number]], word: str, where: str
    ) -> Number | None:
        """The number of ``word`` if it is one of ``names`` that are known at ``where``."""
        if word not in names or names[word][0] > LEVEL[where]:
            return None
        self.uses.add(word)
        return names[word][1]

    def named_later(self, word: str, node: Node, text: FormulaText, where: str) -> Number | None:
        """The same for names that the file may give to its own sums."""
        return None

    def is_so(self, node: Node, text: FormulaText, where: str) -> Number:
        """The condition ``… is …``; raises ``Wrong`` for what the family does not have."""
        raise wrong(text, node.parts[0], "kit_is")

    def of_cards(self, name: str, node: Node, text: FormulaText, where: str) -> Number:
        """The family's function ``name`` of a card set; raises ``Wrong`` without it."""
        raise self.no_function(name, node, text)

    def no_function(self, name: str, node: Node, text: FormulaText) -> Wrong:
        """The fault of a function that only other families have."""
        known = [*COMMON_FUNCTIONS, *self.FUNCTIONS]
        return wrong(text, node, "kit_no_function", word=name, known=known)

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
        if name not in COMMON_FUNCTIONS:
            return self.of_cards(name, node, text, where)
        if LEVEL[where] < 2:
            raise wrong(text, node, "kit_of_a_player", word=f"{name}( )")
        return self._over_team(name, self._number(node.parts[0], text, where))

    def _over_all(self, name: str, inner: Number) -> Number:
        places = range(self.seats)
        if name == "seats":
            return lambda scope: sum(map(bool, _of_each(inner, scope, places)))
        folds: Mapping[str, Callable[[list[int]], int]] = {"most": max, "least": min, "every": sum}
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
