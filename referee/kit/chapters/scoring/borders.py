"""Numbers at which conditions of a game file meet: gaps, overlaps, branches that come too late.

This part of ``checking`` compares conditions of one sum with numbers: ``tricks >= 7`` with
``tricks < 6``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from referee.kit.bounds import Bounds as Span
from referee.kit.chapters.scoring import ScoringTerm
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.state import State
from referee.kit.table import wrong
from referee.kit.text.faults import Path, Wrong
from referee.kit.text.formula import COMPARISONS, MOST, FormulaText, Node, operands, placeless, walk
from referee.kit.text.scope import TABLE, Scope

DEALS = 24  # deals of a match that are looked at
TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "="}
"""The sign of a comparison whose sides are exchanged."""


IMPOSSIBLE = frozenset(("trick > hand", "tricks > hand", "turn > n"))
"""Comparisons that never hold, or only where cards are drawn."""


ALL = Span(-MOST, MOST)


class Asked(NamedTuple):
    """What a score asks: a sum between two numbers, and ``rest``, its other conditions."""

    term: ScoringTerm
    sum: Node
    span: Span
    rest: frozenset[Node]


def _compared(node: Node) -> tuple[Node, Span] | None:
    """The sum, without its place, that ``node`` compares with a number, and where it holds."""
    if node.op not in COMPARISONS:
        return None
    left, right, sign = placeless(node.parts[0]), placeless(node.parts[1]), node.op
    if left.op == "number":
        left, right, sign = right, left, TURNED[sign]
    number = _number(right)
    if number is None or _number(left) is not None:
        return None
    spans = {
        "=": Span(number, number),
        "<": Span(-MOST, number - 1),
        "<=": Span(-MOST, number),
        ">": Span(number + 1, MOST),
        ">=": Span(number, MOST),
    }
    return left, spans[sign]


def _number(node: Node) -> int | None:
    """The number that ``node`` plainly is; None for other sums."""
    if node.op == "minus" and node.parts[0].op == "number":
        return -node.parts[0].number
    return node.number if node.op == "number" else None


def _both(one: Span, other: Span) -> Span:
    return Span(max(one.low, other.low), min(one.high, other.high))


def _conditions(rules: Rules) -> Iterator[tuple[ScoringTerm, list[Node]]]:
    """The scores of tricks, deals and the match, each with the conditions that all must hold."""
    for term in (*rules.scoring.trick, *rules.scoring.deal, *rules.scoring.match):
        text = rules.source.text("condition", "score", term.name, "when")
        if text is not None:
            yield term, [*map(placeless, operands(text.node, "and"))]


def _asked(rules: Rules) -> Iterator[Asked]:
    """What each score asks, once for every sum that its condition compares with numbers."""
    for term, parts in _conditions(rules):
        compared = [(part, found) for part in parts if (found := _compared(part))]
        for each in dict.fromkeys(found[0] for _, found in compared):
            mine = [(part, found[1]) for part, found in compared if found[0] == each]
            span = ALL
            for _, one in mine:
                span = _both(span, one)
            rest = frozenset(parts) - {part for part, _ in mine}
            yield Asked(term, each, span, rest)


def of_scores(rules: Rules) -> Iterator[Wrong]:
    """Pairs of scores with one number between them at which neither counts, or with numbers at
    which both count, although none of the two is a part of the other.
    """
    asked = [*_asked(rules)]
    for one, other in combinations(asked, 2):
        alike = (one.term.per, one.term.team) == (other.term.per, other.term.team)
        if not alike or (one.sum, one.rest) != (other.sum, other.rest):
            continue
        low, high = sorted((one, other), key=lambda each: each.span)
        at: Path = ("score", other.term.name, "when")
        values = {"one": one.term.name, "other": other.term.name}
        between = Span(low.span.high + 1, high.span.low - 1)
        shared = _both(low.span, high.span)
        if between.low == between.high:
            exact = any(each.span.low == each.span.high for each in (low, high))
            rest = [each for each in asked if each.sum == one.sum and each.rest <= one.rest]
            met = any(_both(each.span, between) == between for each in rest)
            if not exact and not met:
                yield wrong(rules, "kit_neither_counts", at, number=between.said, **values)
        elif shared.low <= shared.high and shared not in (low.span, high.span):
            yield wrong(rules, "kit_both_count", at, number=shared.said, **values)


def of_sums(rules: Rules) -> Iterator[Wrong]:
    """Two scores that both count where two sums are equal: ``tricks >= bid``, ``tricks <= bid``."""
    asked = [(term, {*parts}) for term, parts in _conditions(rules)]
    for (one, ones), (other, others) in combinations(asked, 2):
        mine, its = ones - others, others - ones
        if (one.per, one.team) != (other.per, other.team) or len(mine) != 1 or len(its) != 1:
            continue
        first, second = mine.pop(), its.pop()
        if first.parts != second.parts or {first.op, second.op} != {"<=", ">="}:
            continue
        if {part.op for part in first.parts} == {"name"}:
            number = " = ".join(part.word for part in first.parts)
            values = {"one": one.name, "other": other.name, "number": number}
            yield wrong(rules, "kit_both_count", ("score", other.name, "when"), **values)


def of_two_sums(rules: Rules) -> Iterator[Wrong]:
    """Two scores of three that compare the same sums: ``tricks = bid`` and ``tricks < bid``, but
    none counts for ``tricks > bid``.
    """
    terms = (*rules.scoring.card, *rules.scoring.trick, *rules.scoring.deal, *rules.scoring.match)
    asked = [(term, {*map(_turned, parts)}) for term, parts in _conditions(rules)]
    if len(asked) < len(terms):
        return  # one counts in any case
    for (one, ones), (other, others) in combinations(asked, 2):
        mine, its = ones - others, others - ones
        if (one.per, one.team) != (other.per, other.team) or len(mine) != 1 or len(its) != 1:
            continue
        first, second = mine.pop(), its.pop()
        signs = {"<", "=", ">"} - {first.op, second.op}
        if len(signs) != 1 or first.parts != second.parts or any(map(_is_number, first.parts)):
            continue
        missing, both = Node(signs.pop(), first.parts), ones & others
        if _plainly(missing) in IMPOSSIBLE and not rules.deal.draws:
            continue
        if not any(_may_meet(each, missing, both) for _, each in asked):
            values = {"one": one.name, "other": other.name, "number": _plainly(missing)}
            yield wrong(rules, "kit_neither_counts", ("score", other.name, "when"), **values)


def _may_meet(asked: set[Node], missing: Node, both: set[Node]) -> bool:
    """Whether a score with the conditions ``asked`` can count where ``missing`` holds.

    ``both``: the other conditions there.
    """
    about = [part for part in asked if any(_turned(n).parts == missing.parts for n in walk(part))]
    if not about:
        return asked <= both
    return all(part.op not in COMPARISONS or missing.op in part.op for part in about)


def _is_number(node: Node) -> bool:
    return _number(node) is not None


def _turned(node: Node) -> Node:
    """A comparison with its sides in one order; other conditions as they are."""
    if node.op not in COMPARISONS or repr(node.parts[0]) <= repr(node.parts[1]):
        return node
    return Node(TURNED[node.op], node.parts[::-1])


def _plainly(node: Node) -> str:
    """A comparison of plain names as it is written; of other sums, its sign alone."""
    names = [part.parts[0] if part.op == "team()" else part for part in node.parts]
    left, right = (part.word for part in names)
    if {part.op for part in names} != {"name"}:
        return f"… {node.op} …"
    return f"{left} {node.op} {right}" if left > right else f"{right} {TURNED[node.op]} {left}"


def late_branches(text: FormulaText) -> Iterator[Wrong]:
    """Conditions of ``if … else if …`` that hold only where an earlier one has already held."""
    yield from _late(text, text.node, {})


def _late(text: FormulaText, node: Node, known: Mapping[Node, Span]) -> Iterator[Wrong]:
    """``known``: between which numbers sums lie where ``node`` is worked out."""
    if node.op != "if":
        for part in node.parts:
            yield from _late(text, part, known)
        return
    test, then, other = node.parts
    held = dict(known)
    for part in operands(test, "and"):
        if found := _compared(part):
            held[found[0]] = _both(held.get(found[0], ALL), found[1])
    if any(span.low > span.high for span in held.values()):
        place = text.place._replace(column=text.place.column + _begin(test))
        yield Wrong("kit_late_branch", place, text.path)
        return  # what comes after it would say the same again
    yield from _late(text, then, held)
    if found := _compared(test):
        before = known.get(found[0], ALL)
        known = {**known, found[0]: _without(before, found[1])}
    yield from _late(text, other, known)


def _begin(node: Node) -> int:
    """The 0-based place of the first word of ``node`` in its text."""
    return min(each.at for each in walk(node))


def _without(span: Span, gone: Span) -> Span:
    """``span`` without the numbers ``gone`` at one of its ends; those in its middle stay."""
    low, high = span
    if gone.low <= low <= gone.high:
        low = gone.high + 1
    if gone.low <= high <= gone.high:
        high = gone.low - 1
    return Span(low, high)


def deals_without_a_score(rules: Rules, state: State) -> Iterator[Wrong]:
    """A remark on deals in which no score can count, as all ask for other deals."""
    scope = Scope(state)
    count = rules.match.deal_count(scope)
    if count is None or count > DEALS:
        return
    asked = []
    for term in (*rules.scoring.card, *rules.scoring.trick, *rules.scoring.deal):
        text = rules.source.text("condition", "score", term.name, "when")
        parts = [*operands(text.node, "and")] if text is not None else []
        of_deal = [part for part in parts if _of_the_deal(part)]
        if text is None or not of_deal:
            return
        asked.append([rules.compiler.number(text._replace(node=p), TABLE) for p in of_deal])
    empty = []
    for scope.deal in range(1, count + 1):
        if not any(all(part(scope) for part in parts) for parts in asked):
            empty.append(scope.deal)
    if empty and asked:
        yield wrong(rules, "kit_deals_unscored", ("match", "deals"), deals=tuple(empty))


def _of_the_deal(node: Node) -> bool:
    """Whether a condition asks for nothing but the number of the deal and of the players."""
    each = [*walk(node)]
    signs = (*COMPARISONS, "+", "-", "*", "/", "minus", "and", "or", "not", "number")
    known = all(part.op in signs or part.word in ("deal", "n") for part in each)
    return known and any(part.word == "deal" for part in each)
