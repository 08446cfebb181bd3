"""The numbers by which declarations fail in games with draws."""

from __future__ import annotations

from referee.core.cards import Deck
from referee.core.draws import Draws
from referee.core.hands import HandClaim
from referee.core.moves import Drew, Fact, Lost, Played
from referee.core.shortage import Few, Late, Shortage, shortage
from referee.core.verdict import Card

DECK = Deck((1, 2, 3, 4), (2, 3, 3, 3))


def short(size: int, *facts: Fact) -> Shortage | None:
    """Why the last of the refuted declarations fails; both seats are dealt ``size`` cards."""
    hands = Draws.dealt(DECK, "AB", size)
    for fact in facts:
        assert hands.allows(fact)
        hands = hands.add(fact)
    return shortage(hands, hands.refutations()[-1])


def claim(at: int, *only: Card) -> HandClaim:
    return HandClaim("A", at, frozenset(only))


def test_more_cards_turned_up_than_were_drawn_since_the_first_declaration() -> None:
    facts = [
        claim(1, 1, 2),  # no 3 and no 4
        claim(2, 1, 3),  # no 2 and no 4
        Drew("A", 2),
        Played("A", (3,), 3),
        Played("A", (2,), 4),
        Played("A", (4,), 5),
    ]
    assert short(2, *facts) == Late((2, 3, 4), 2, 5, 2)


def test_more_cards_have_to_be_of_a_kind_than_are_left_of_it() -> None:
    facts = [
        claim(1, 1, 2),
        Drew("A", 2),
        claim(2, 2, 3),
        Played("A", (3,), 2),
        Played("A", (3,), 3),
        Played("B", (2,), 4),
    ]
    # The 3s were drawn after the first declaration, so its three cards were 2s.
    assert short(3, *facts) == Few((2,), 3, 1, 3)


def test_no_card_fits_both_declarations() -> None:
    assert short(2, claim(1, 1, 2), Drew("A", 1), claim(2, 3, 4)) == Few((), 1, 0, 0)


def test_a_card_that_left_unseen_is_one_of_the_same_few() -> None:
    facts = [
        claim(1, 1),
        Lost("A", 1),
        Drew("A", 1),
        claim(2, 1),
        Played("B", (2,), 3),
    ]
    # Two cards at the second declaration and the one that left before it: three 1s of two.
    assert short(2, *facts) == Few((1,), 3, 0, 2)
