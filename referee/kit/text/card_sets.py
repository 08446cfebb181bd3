"""Compiles card sets to functions that compute their masks."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from referee.kit.text.formula import FormulaText, Node
from referee.kit.text.scope import CARD, KitState, Number, Scope, Set
from referee.kit.text.vocabulary import Vocabulary, wrong

COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def same(mask: int) -> Set:
    return lambda state, scored: mask


class SetCompiler:
    """Makes the functions of card sets; ``number`` makes those of the sums in them.

    ``uses`` collects names, see ``Compiler``. ``opened``: the named sets that are being made.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        uses: set[str],
        opened: list[str],
        number: Callable[[Node, FormulaText, str], Number],
    ) -> None:
        self.vocabulary, self.uses, self._number = vocabulary, uses, number
        self.cards, self.groups = vocabulary.cards, vocabulary.groups
        self._open = opened

    def fixed(self, node: Node) -> int | None:
        """The value of a card set that is constant; None if it is not."""
        cards = self.cards
        match node.op:
            case "suit" if node.word in cards.suits:
                return cards.suits[node.word]
            case "rank" if node.word in cards.order:
                return cards.ranks.get(node.word, 0)
            case "card" if node.word in cards.known:
                return cards.bits.get(node.word, 0)
            case "ranks":
                return self._run(node)
            case op if op[6:] in COMPARED and node.parts[0].op == "number":
                return self._with_number(op[6:], node.parts[0].number)
            case "set" if node.word != "beats":
                return {"all": cards.full, "none": 0, "special": cards.special}[node.word]
            case "group" if node.word in self.groups and node.word not in self._open:
                self._open.append(node.word)
                found = self.fixed(self.groups[node.word].node)
                self._open.pop()
                return found
            case "cards_not" | "cards_and" | "cards_or":
                parts = [self.fixed(part) for part in node.parts]
                if None in parts:
                    return None
                known = [part for part in parts if part is not None]
                if node.op == "cards_not":
                    return cards.full ^ known[0]
                a, b = known
                return a & b if node.op == "cards_and" else a | b
        return None

    def _run(self, node: Node) -> int | None:
        order = self.cards.order
        few, many = node.word, node.parts[0].word
        if few not in order or many not in order:
            return None
        between = order[order.index(few) : order.index(many) + 1]
        return sum(self.cards.ranks.get(rank, 0) for rank in between)

    def made(self, node: Node, text: FormulaText, where: str) -> Set:
        """The function of the set ``node`` used at ``where``; raises ``Wrong``."""
        fixed = self.fixed(node)
        if fixed is not None:
            return same(fixed)
        op, word = node.op, node.word
        if op in ("cards_not", "cards_and", "cards_or"):
            return self._combined(node, text, where)
        if op == "colour":
            return self.colour(node, text)
        if op[6:] in COMPARED:
            return self._numbered(op[6:], node, text, where)
        if op == "rank" and word == "this":
            if where != CARD:
                raise wrong(text, node, "kit_not_here", word="rank this")
            return lambda state, scored: scored.rank if scored else 0
        if op == "group" and word in self.groups:
            if word in self._open:
                raise wrong(text, node, "kit_circle", word=word)
            self._open.append(word)
            try:
                return self.made(self.groups[word].node, self.groups[word], where)
            finally:
                self._open.pop()
        found = self.of_state(op, word)
        if found is None:
            raise self.vocabulary.no_set(node, text)
        return found

    def _combined(self, node: Node, text: FormulaText, where: str) -> Set:
        """The complement of a set, or the cards in both or in one of two sets."""
        of = [self.made(part, text, where) for part in node.parts]
        a, full = of[0], self.cards.full
        if node.op == "cards_not":
            return lambda state, scored: full ^ a(state, scored)
        b = of[1]
        if node.op == "cards_and":
            return lambda state, scored: a(state, scored) & b(state, scored)
        return lambda state, scored: a(state, scored) | b(state, scored)

    def of_state(self, op: str, word: str) -> Set | None:
        """The function of a set that only the state decides; None if there is no such set."""
        return None

    def _numbered(self, sign: str, node: Node, text: FormulaText, where: str) -> Set:
        """The cards whose number compares with a sum as ``sign`` says; special cards have none."""
        self.uses.add("number")
        cards = self.cards
        numbers = [cards.value[card] for card, rank in cards.rank.items() if rank] or [0]
        # sums beyond the numbers are clamped, so that few masks are cached
        few, many = min(numbers) - 1, max(numbers) + 1
        sum_of = self._number(node.parts[0], text, where)
        made: dict[int, int] = {}

        def numbered(state: KitState, scored: Scope | None) -> int:
            bound = max(few, min(many, sum_of(scored or Scope(state))))
            if bound not in made:
                made[bound] = self._with_number(sign, bound)
            return made[bound]

        return numbered

    def _with_number(self, sign: str, bound: int) -> int:
        """The mask of the cards whose number compares with ``bound`` as ``sign`` says."""
        cards, fits = self.cards, COMPARED[sign]
        numbers = {card: cards.value[card] for card, rank in cards.rank.items() if rank}
        return sum(cards.bits[card] for card, number in numbers.items() if fits(number, bound))

    def colour(self, node: Node, text: FormulaText) -> Set:
        """The cards of a colour that the state decides; raises ``Wrong`` if it decides none."""
        raise wrong(text, node, "kit_no_colour", word=node.word)
