"""Which points a deal can give, for points that the table enters.

Where points follow from the cards that each seat took, all ways to take them are tried, whoever
wins which trick: so nothing is refused that can happen. Elsewhere, or if there are too many ways,
the points lie between the bounds of their sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import comb
from typing import NamedTuple

from referee.core.cards import Bag
from referee.core.game import Impossible
from referee.core.verdict import Card
from referee.kit.bounds import SumBounds
from referee.kit.families.trick_taking.evidence import rules_of
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.state import State
from referee.kit.text.faults import FilePosition
from referee.kit.text.formula import FUNCTIONS, FormulaText, Node, limited
from referee.kit.text.scope import SEAT, Scope

WAYS = 20_000
"""How many ways to take the cards are tried, at most."""

SUMS = 4
"""How many possible totals of all points are named, at most."""

_OF_TAKEN = ("taken", "worth", "kinds")
_OF_ALL = ("min", "max", "abs", "most", "least", "every", "seats", "place", "same")
_NUMBERS = ("n", "deck", "hand", "deal")


@dataclass(frozen=True)
class _DealPoints:
    """The question which points a deal can give; two with equal rules and sizes are the same.

    ``begun``: the state after such a deal has begun.
    """

    rules: Rules
    size: int
    deal: int
    begun: State = field(compare=False, repr=False)


class _CardsTaken(NamedTuple):
    """How cards can be taken: cards of equal meaning together, without those that mean nothing.

    ``tricks``: how many there are; ``aside``: how many cards are in none of them, and ``others``
    how many of these and of the taken ones mean nothing.
    """

    alike: tuple[tuple[Card, ...], ...]
    seats: int
    tricks: int
    aside: int
    others: int


def refuse_impossible(state: State, points: Sequence[int]) -> None:
    """Raises ``Impossible`` if no deal gives these points, one number for each seat."""
    rules = rules_of(state)
    given = _given(_DealPoints(rules, state.round.size, state.deal, state))
    if given is None:
        reach = SumBounds(rules, state).points_of_a_deal()
        for seat, each in zip(rules.seats, points, strict=True):
            if not reach.low <= each <= reach.high:
                values = {"key": seat, "points": each, "low": reach.low, "high": reach.high}
                raise Impossible("sheet.1", "kit_sheet_beyond", seat, **values)
        return
    if tuple(sorted(points)) in given:
        return
    sums, total = sorted({sum(each) for each in given}), sum(points)
    if total not in sums and len(sums) <= SUMS:
        raise Impossible("sheet.1", "kit_sheet_total", total=total, sums=tuple(sums))
    raise Impossible("sheet.1", "kit_sheet_never", points=tuple(sorted(points)))


@lru_cache(maxsize=32)
def _given(deal: _DealPoints) -> frozenset[tuple[int, ...]] | None:
    """The points that the deal can give, in rising order, since any seat can have any of them.

    None if they depend on more than the cards taken, or if there are too many ways.
    """
    rules, begun = deal.rules, deal.begun
    lots = _cards_taken(rules, deal.size)
    ways = _ways(lots) if lots is not None else None
    if lots is None or ways is None:
        return None
    one = rules.cards.deck.one
    given = set()
    for seats in ways:
        bags = tuple(
            sum(
                one[card] for cards, n in zip(lots.alike, counts, strict=True) for card in cards[:n]
            )
            for counts in seats
        )
        given.add(tuple(sorted(_points(rules, begun, bags))))
    return frozenset(given)


def _points(rules: Rules, begun: State, taken: tuple[Bag, ...]) -> list[int]:
    """The points of each seat after a deal in which it took these cards."""
    scope = Scope(begun._replace(round=begun.round._replace(taken=taken)))
    points = []
    for scope.seat in range(rules.n):
        terms = (each for each in rules.scoring.deal if each.when is None or each.when(scope))
        points.append(sum(limited(each.points(scope)) for each in terms))
    return points


def _cards_taken(rules: Rules, size: int) -> _CardsTaken | None:
    """How the cards of a deal can be taken; None if points depend on more than that."""
    cards, tricks = rules.cards, rules.deal.trick_count(size)
    if rules.scoring.card or rules.scoring.trick or _takes_otherwise(rules):
        return None
    asked = set[tuple[str, int]]()
    for text in _texts(rules):
        found = _asked(rules, text.node)
        if found is None:
            return None
        asked |= found
    groups: dict[tuple[object, ...], list[Card]] = {}
    for kind, copies in zip(cards.deck.cards, cards.deck.copies, strict=True):
        name = str(kind)
        of = {"taken": 1, "worth": cards.worth[name], "kinds": cards.rank[name]}
        key = tuple(of[what] for what, mask in asked if cards.bits[name] & mask)
        if any(key):
            counted = tuple((what, mask) for what, mask in asked if cards.bits[name] & mask)
            groups.setdefault((*counted, *key), []).extend([kind] * copies)
    alike = tuple(map(tuple, groups.values()))
    others = len(cards.deck) - sum(map(len, alike))
    return _CardsTaken(alike, rules.n, tricks, len(cards.deck) - rules.n * tricks, others)


def _takes_otherwise(rules: Rules) -> bool:
    """Whether some cards are taken by nobody or unseen, or whether seats differ."""
    nobody = rules.source.at("trick", "next_none") is not None
    leaves = rules.leaving.when is not None or rules.leaving.first is not None
    teams = len(rules.teams[0]) > 1
    unseen = rules.play.cannot == "down" or "aside" in rules.passing.ways
    return nobody or leaves or teams or unseen or rules.match.out is not None


def _texts(rules: Rules) -> Iterator[FormulaText]:
    """The sums and the conditions of the terms of a deal."""
    source = rules.source
    for term in rules.scoring.deal:
        value, path = source.of_these_seats(("score", term.name, "points"), rules.n)
        points = source.text("sum", *path, value=value)
        when = source.text("condition", "score", term.name, "when")
        yield from (text for text in (points, when) if text is not None)


def _asked(rules: Rules, node: Node) -> set[tuple[str, int]] | None:
    """Which sets of taken cards a sum asks for; None if it asks for something else, too."""
    op = node.op
    if op == "name" and node.word in rules.compiler.values:
        return _asked(rules, rules.compiler.values[node.word].node)
    if op == "name" and node.word not in _NUMBERS:
        return None
    name = op.removesuffix("()")
    if name in _OF_TAKEN:
        text = FormulaText("", FilePosition(1, 1), "", node.parts[0])
        mask = rules.compiler.mask(text, SEAT)[1]
        return None if mask is None else {(name, mask)}
    if op == "is" or (name in FUNCTIONS and name not in _OF_ALL):
        return None
    found = set[tuple[str, int]]()
    for part in node.parts:
        more = _asked(rules, part)
        if more is None:
            return None
        found |= more
    return found


def _ways(lots: _CardsTaken) -> set[tuple[tuple[int, ...], ...]] | None:
    """For each way to take the cards, how many of each kind each seat has, seats in any order.

    None if there are too many ways.
    """
    found: set[tuple[tuple[tuple[int, ...], ...], int]] = {(((),) * lots.seats, 0)}
    for cards in lots.alike:
        many = len(cards)
        if len(found) * comb(many + lots.seats, lots.seats) > WAYS:
            return None
        found = {
            (tuple(sorted((*had, more) for had, more in zip(seats, split, strict=True))), out)
            for seats, before in found
            for split in _splits(many, lots.seats)
            if (out := before + many - sum(split)) <= lots.aside
        }
    return {
        seats
        for seats, out in found
        if lots.aside - out <= lots.others
        and sum(-(-sum(counts) // lots.seats) for counts in seats) <= lots.tricks
    }


def _splits(most: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to share up to ``most`` among ``parts``."""
    if not parts:
        yield ()
        return
    for first in range(most + 1):
        for rest in _splits(most - first, parts - 1):
            yield (first, *rest)
