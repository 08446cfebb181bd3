"""Writes a sum of a score with the numbers that it had: "10 × 6"."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from referee.core.written import written
from referee.kit.text.compiler import Compiler
from referee.kit.text.formula import FormulaText
from referee.kit.text.scope import Scope

SUM, PRODUCT, SINGLE = 0, 1, 2
"""How tightly the parts of a sum hold together; a looser one in a tighter one gets brackets."""


class Part(NamedTuple):
    """A part of a sum with numbers; ``single``: there is nothing to calculate."""

    text: str
    holds: int

    @property
    def single(self) -> bool:
        return self.holds == SINGLE

    def inside(self, holds: int) -> str:
        """This part as an operand that has to hold together at least like ``holds``."""
        return self.text if self.holds >= holds else f"({self.text})"


Written: TypeAlias = Callable[[Scope], Part]
_SIGNS = {"+": ("+", SUM, SUM), "-": ("−", SUM, PRODUCT), "*": ("×", PRODUCT, PRODUCT)}
"""Operators that stay: the sign, how tightly it holds, and how tightly its right side has to."""


def worked(compiler: Compiler, text: FormulaText, where: str) -> Written | None:
    """The function that writes ``text`` with its numbers and the branch that applied.

    None for a sum that is one number, one name or one function: there is nothing to calculate.
    """

    if text.node.op not in ("if", "minus", *_SIGNS):
        return None
    return _part(compiler, text, where)


def _part(compiler: Compiler, text: FormulaText, where: str) -> Written:
    node = text.node
    if node.op in ("if", "minus", *_SIGNS):
        parts = [_part(compiler, text._replace(node=part), where) for part in node.parts]
        if node.op == "if":
            test = compiler.number(text._replace(node=node.parts[0]), where)
            return lambda scope: parts[1](scope) if test(scope) else parts[2](scope)
        if node.op == "minus":
            return lambda scope: _negative(parts[0](scope))
        return _joined(node.op, *parts)
    number = compiler.number(text, where)
    return lambda scope: Part(written(int(number(scope))), SINGLE)


def _joined(op: str, left: Written, right: Written) -> Written:
    sign, holds, tighter = _SIGNS[op]

    def join(scope: Scope) -> Part:
        a, b = left(scope).inside(holds), right(scope).inside(tighter)
        return Part(f"{a} {sign} {f'({b})' if b[0] == '−' else b}", holds)

    return join


def _negative(inner: Part) -> Part:
    if inner.text == "0":
        return inner
    text = inner.inside(SINGLE)
    holds = SINGLE if inner.single else PRODUCT
    return Part(text[1:] if text[0] == "−" else f"−{text}", holds)
