"""The names of numbers and the function of card sets that sums of this family have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from referee.kit.chapters.deck import Cards
from referee.kit.families.draw_or_stop.state import State
from referee.kit.table import TableRules
from referee.kit.text.compiler import Compiler
from referee.kit.text.formula import FormulaText, Node
from referee.kit.text.scope import LEVEL, Number, Scope
from referee.kit.text.vocabulary import FamilyNames, levels, wrong


def _cards(state: State) -> Cards:
    return cast(TableRules, state.rules).cards


def _numbers(scope: Scope[State]) -> list[int]:
    """The numbers of the cards in the row of the seat; special cards have none."""
    cards = _cards(scope.state)
    row = scope.state.round.rows[scope.seat]
    return [cards.value[shown.card] for shown in row if cards.rank[shown.card]]


def _same(scope: Scope[State]) -> int:
    """How many cards of the seat's row have the number of the card; special cards have none."""
    if not scope.card or scope.card & _cards(scope.state).special:
        return 0
    return _numbers(scope).count(scope.value)


def _total(scope: Scope[State]) -> int:
    return scope.state.score.totals[scope.state.table.seats[scope.seat]]


NAMES: Mapping[str, tuple[int, Callable[[Scope[State]], int]]] = {
    "deal": (0, lambda scope: scope.deal),
    "live": (1, lambda scope: len(scope.state.round.playing)),
    "stock": (1, lambda scope: scope.state.stock.left),
    "cards": (2, lambda scope: len(scope.state.round.rows[scope.seat])),
    "kinds": (2, lambda scope: len({*_numbers(scope)})),
    "row_sum": (2, lambda scope: sum(_numbers(scope))),
    "bust": (2, lambda scope: scope.state.round.busts[scope.seat]),
    "total": (2, _total),
    "value": (3, lambda scope: scope.value),
    "same": (3, _same),
}
"""The names, each with the level from which it is known."""

FAMILY = FamilyNames(own=levels(NAMES))
WORDS = (*NAMES, "row", "this")
"""What a file cannot call its own sums."""


class RowCompiler(Compiler):
    """Compiles sums about rows of open cards."""

    FUNCTIONS = ("row", "this")
    NAMES = NAMES

    def of_cards(self, name: str, node: Node, text: FormulaText, where: str) -> Number:
        if name not in self.FUNCTIONS:
            raise self.no_function(name, node, text)
        if name == "row" and LEVEL[where] < 2:
            raise wrong(text, node, "kit_of_a_player", word=f"{name}( )")
        if name == "this" and LEVEL[where] < 3:
            raise wrong(text, node, "kit_not_here", word=name)
        cards, bits = self.sets.made(node.parts[0], text, where), self.cards.bits
        if name == "this":
            return lambda scope: int(scope.card & cards(scope.state, scope) != 0)

        def row(scope: Scope) -> int:
            mask = cards(scope.state, scope)
            return sum(bits[shown.card] & mask != 0 for shown in scope.state.round.rows[scope.seat])

        return row
