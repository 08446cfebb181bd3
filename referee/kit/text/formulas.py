"""The sums, conditions and card sets of a file at one table: compiled, bounded in their cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.kit.chapters.deck import listed, table
from referee.kit.text import formula
from referee.kit.text.compiler import Compiler
from referee.kit.text.faults import Wrong
from referee.kit.text.formula import STEPS, FormulaText
from referee.kit.text.scope import Number, Set
from referee.kit.text.source import RulesSource


class CardRow(NamedTuple):
    """A card set of a list, in force if ``when`` is true (None: always).

    ``condition`` and ``text``: the condition and the set, as written. ``fixed``: the set if it is
    constant.
    """

    when: Number | None
    condition: FormulaText | None
    cards: Set
    fixed: int | None
    text: FormulaText


class TableFormulas:
    """What chapters compile their keys with. All methods raise ``Wrong``.

    ``steps``: the cost of evaluating once every sum that was compiled.
    """

    def __init__(self, source: RulesSource, compiler: Compiler) -> None:
        self.source, self.compiler = source, compiler
        self.n, self.cards = compiler.seats, compiler.cards
        self.steps = 0
        self._costs = self._counted(compiler.values)

    def uses(self, word: str) -> bool:
        """Whether a sum or a set that has been compiled uses ``word``."""
        return word in self.compiler.uses

    def mask(self, where: str, *path: str | int) -> Set | None:
        """The card set at ``path``; None if there is none."""
        text = self.source.text("cards", *path)
        return None if text is None else self.compiler.mask(self.bounded(text), where)[0]

    def row(self, where: str, *path: str | int, cards: str = "") -> CardRow:
        """The row of a list: a card set, or a table with ``cards`` and perhaps ``when``.

        ``where``: where its condition stands; ``cards``: where its set does, if that is elsewhere.
        """
        value = self.source.at(*path)
        text = self.source.text("cards", *(path if isinstance(value, str) else (*path, "cards")))
        assert text is not None
        more = table(value)
        condition = self.source.text("condition", *path, "when") if more else None
        when = self.only_when(where, *path, "when") if more else None
        mask, fixed = self.compiler.mask(self.bounded(text), cards or where)
        return CardRow(when, condition, mask, fixed, text)

    def rows(self, *path: str) -> range:
        """The indices of the rows of the list at ``path``; none if it is no list."""
        return range(len(listed(self.source.at(*path))))

    def _counted(self, values: Mapping[str, FormulaText]) -> dict[str, tuple[int, int]]:
        """The numbers of nodes and steps of the named sums and sets, what they use included."""
        named = {**self.compiler.groups, **values}
        counted: dict[str, tuple[int, int]] = {}
        for name in named:
            self._count(name, (), named, counted)
        return counted

    def _count(
        self,
        name: str,
        above: tuple[str, ...],
        named: Mapping[str, FormulaText],
        counted: dict[str, tuple[int, int]],
    ) -> None:
        """Add ``name``, and first what it uses, to ``counted``; ``above``: the names that use it.

        Raises ``Wrong`` if a name uses itself.
        """
        if name in counted:
            return
        text = named[name]
        if name in above:
            raise Wrong("kit_circle", text.place, text.path, word=name)
        for node in formula.walk(text.node):
            if node.op in ("name", "group") and node.word in named:
                self._count(node.word, (*above, name), named, counted)
        counted[name] = formula.cost(text.node, counted, self.n)

    def bounded(self, text: FormulaText) -> FormulaText:
        """``text`` if it is cheap enough to be evaluated at every entry; else raises ``Wrong``."""
        nodes, steps = formula.cost(text.node, self._costs, self.n)
        if nodes > formula.NODES or steps > STEPS:
            raise Wrong("kit_dear", text.place, text.path, steps=steps, most=STEPS)
        self.steps += steps
        return text

    def number(self, where: str, *path: str | int, default: int = 0) -> Number:
        """The sum at ``path``, which may differ by the number of seats."""
        value, path = self.source.of_these_seats(path, self.n)
        text = self.source.text("sum", *path, value=value)
        if text is None:
            return lambda scope: default
        return self.compiler.number(self.bounded(text), where)

    def condition(self, where: str, *path: str | int) -> Number | None:
        """The condition at ``path``; None if there is none."""
        text = self.source.text("condition", *path)
        return None if text is None else self.compiler.condition(self.bounded(text), where)

    def only_when(self, where: str, *path: str | int) -> Number | None:
        """The condition at ``path`` of a rule that always applies without one; None: always."""
        text = self.source.text("condition", *path)
        return None if text is None or text.node.op == "yes" else self.condition(where, *path)
