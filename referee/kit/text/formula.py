"""Sums, conditions and card sets as trees: what they are made of, and what they cost.

Nothing in a file is executed as code: a tree has only the operators of this module and known names.
The cost of a sum is computed before it is ever evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from referee.kit.text.faults import FilePosition

TOGETHER = 4000  # characters of all sums, conditions and card sets of a file
NODES = 2000  # with all values written out
STEPS = 50_000  # at the largest table
MOST = 10**9  # results stop here, and at its negative

COMPARISONS = ("=", "<", ">", "<=", ">=")


class Node(NamedTuple):
    """One operator with its operands; ``at``: the 0-based place of its word in the text."""

    op: str
    parts: tuple[Node, ...] = ()
    word: str = ""
    number: int = 0
    at: int = 0


class FormulaText(NamedTuple):
    """A sum, a condition or a card set of a file: its place, its key, and its tree."""

    source: str
    place: FilePosition
    path: str
    node: Node


FUNCTIONS: Mapping[str, str] = {
    **dict.fromkeys(("min", "max"), "many"),
    "abs": "one",
    **dict.fromkeys(("most", "least", "every", "seats"), "all"),
    **dict.fromkeys(("team", "place", "same", "left", "right"), "seat"),
    **dict.fromkeys(("taken", "worth", "kinds", "own", "wins", "row"), "cards"),
    **dict.fromkeys(("highest", "lowest"), "cards"),
    **dict.fromkeys(("laid", "lying", "led"), "lying"),
    **dict.fromkeys(("this", "under"), "this"),
}
"""Functions by the kind of their operands: sums, a sum for each seat, cards."""

LATER = frozenset(("left", "right", "led", "highest", "lowest", "kinds", "row", "under"))
"""Functions added later: older files may define these names themselves."""

AGAIN = frozenset(("most", "least", "every", "seats", "team", "place", "same"))
"""Functions that evaluate their sum for several seats."""


CONDITIONS = frozenset(
    ("yes", "no", "not", "and", "or", "is", "=", "<", ">", "<=", ">=", "led()", "this()")
)
TRUTHS = frozenset(
    [
        *("last", "out", "won", "winning", "highest_bidder", "bust"),
        *("leading", "turned", "turned_deal", "turned_trick"),
    ]
)
"""Names that are conditions."""


def is_condition(node: Node, values: Mapping[str, FormulaText]) -> bool:
    """Whether ``node`` is true or false, not a number.

    ``values``: the named sums. Without any, every name passes for a condition.
    """
    if node.op == "name":
        if node.word in values:
            return is_condition(values[node.word].node, {})
        return not values or node.word in TRUTHS
    if node.op == "if":
        return is_condition(node.parts[1], values) and is_condition(node.parts[2], values)
    return node.op in CONDITIONS


def walk(node: Node) -> Iterator[Node]:
    """``node`` and all that it is made of."""
    ahead = [node]
    while ahead:
        each = ahead.pop()
        yield each
        ahead += each.parts[::-1]


def operands(node: Node, op: str) -> Iterator[Node]:
    """What ``op`` joins in ``node``, also where it stands within itself; else ``node`` alone."""
    if node.op != op:
        yield node
        return
    for part in node.parts:
        yield from operands(part, op)


def placeless(node: Node) -> Node:
    """``node`` without its places in the text, to compare what stands in two places."""
    return node._replace(at=0, parts=tuple(map(placeless, node.parts)))


def walk_named(node: Node, named: Mapping[str, FormulaText]) -> Iterator[Node]:
    """``walk``, with each of the ``named`` sums and sets that ``node`` uses walked once."""
    met, ahead = set[str](), [node]
    while ahead:
        for each in walk(ahead.pop()):
            yield each
            if each.op in ("name", "group") and each.word in named and each.word not in met:
                met.add(each.word)
                ahead.append(named[each.word].node)


def cost(node: Node, values: Mapping[str, tuple[int, int]], seats: int) -> tuple[int, int]:
    """The numbers of nodes, with all values written out, and of steps to evaluate them.

    ``values``: both numbers for every named sum and group. Both are limited to ``MOST``.
    """
    nodes, steps = 1, 1
    if node.op in ("name", "group") and node.word in values:
        more = values[node.word]
        nodes, steps = nodes + more[0], steps + more[1]
    runs = seats if node.op[:-2] in AGAIN else 1
    for part in node.parts:
        more = cost(part, values, seats)
        nodes, steps = nodes + more[0], steps + more[1] * runs
    return min(nodes, MOST), min(steps, MOST)


def limited(value: int) -> int:
    """``value``, limited to ±``MOST``."""
    return value if -MOST <= value <= MOST else (MOST if value > 0 else -MOST)


def of_one_suit(node: Node, groups: Mapping[str, FormulaText]) -> bool:
    """Whether all cards of a set are plainly of one suit, or one card."""
    if node.op == "cards_and":
        return any(of_one_suit(part, groups) for part in node.parts)
    if node.op == "group" and node.word in groups:
        return of_one_suit(groups[node.word].node, groups)
    if (node.op, node.word) == ("suit", "bid"):
        return False  # each player may have bid another one
    return node.op in ("suit", "card") or (node.op, node.word) == ("group", "called")
