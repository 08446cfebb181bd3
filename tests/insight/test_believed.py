"""Who can hold what under all declarations, compared with all distributions, one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.cards import Deck
from referee.core.hands import Hands
from referee.core.hidden import of_hands
from referee.insight import believed as counting
from referee.insight.believed import believed

DECK = Deck((1, 2, 3, 4), (1, 2, 3, 2))
SEATS = ("A", "B")


def distributions(
    cards: list[int], sizes: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to fill places of these sizes; ``cards``: all different."""
    if not sizes:
        yield ()
        return
    for place in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in place]
        for others in distributions(rest, sizes[1:]):
            yield (place, *others)


@given(
    st.sets(st.integers(1, 4), min_size=1, max_size=3),
    st.sets(st.integers(1, 4), min_size=1, max_size=3),
    st.integers(1, 3),
)
def test_a_cell_counts_the_distributions_that_fit_all_declarations(
    of_a: set[int], of_b: set[int], each: int
) -> None:
    hands = Hands.dealt(DECK, SEATS, each)
    hands = hands.declare("A", frozenset(of_a), 1).declare("B", frozenset(of_b), 2)
    copies = [card for card, n in zip(DECK.cards, DECK.copies, strict=True) for _ in range(n)]
    numbered = list(range(len(copies)))
    living = {claim.seat: claim.only for claim in hands.claims}
    fitting = [
        ways
        for ways in distributions(numbered, (each, each))
        if all(
            copies[i] in living.get(seat, DECK.cards)
            for seat, place in zip(SEATS, ways, strict=True)
            for i in place
        )
    ]
    found = believed(of_hands(hands))
    if not living or not fitting:
        assert found is None
        return
    assert found is not None
    assert found.ways == len(fitting)
    rows = {row.seat: row for row in found.rows}
    for seat, at in (("A", 0), ("B", 1)):
        for cell in rows[seat].cells:
            counts = Counter(sum(copies[i] == cell.card for i in ways[at]) for ways in fitting)
            assert cell.odds == 1 - Fraction(counts[0], len(fitting))
            assert (cell.least, cell.most) == (min(counts), max(counts))


def test_without_a_declaration_there_is_no_such_table() -> None:
    assert believed(of_hands(Hands.dealt(DECK, SEATS, 2))) is None


def test_what_takes_too_long_to_count_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = Hands.dealt(DECK, SEATS, 2).declare("A", frozenset((2, 3)), 1)
    assert believed(of_hands(hands)) is not None
    monkeypatch.setattr(counting, "STEPS", 2)
    assert believed(of_hands(hands)) is None


def test_a_refuted_declaration_is_not_believed() -> None:
    hands = Hands.dealt(DECK, SEATS, 2).declare("A", frozenset((2, 3)), 1).lay("A", 4, 2)
    assert hands.refutations()
    assert believed(of_hands(hands)) is None
