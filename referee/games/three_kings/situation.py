"""Cards on the table and in score piles, for quick checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement

from referee.core.draws import Draws
from referee.core.game import Table
from referee.core.moves import Fact, Held, Turned
from referee.core.situation import ImpossibleSituation
from referee.core.verdict import Illegal, Lacks, Seat, Unprovable, Verdict, evidence
from referee.games.three_kings.cards import NUMBERS, deck_for, is_set
from referee.games.three_kings.judging import judge
from referee.games.three_kings.plays import Capture, Discard, King
from referee.games.three_kings.state import State, compulsory_takers, setup

# every set, as three cards from low to high
SETS = tuple(cards for cards in combinations_with_replacement(NUMBERS, 3) if is_set(cards))


def situation(table: Table, tableau: Sequence[str], hand: Sequence[str], held: int) -> State:
    """The first seat is about to act. It holds ``held`` cards, ``hand`` among them.

    The stock is empty. Raises ``ImpossibleSituation`` with the field "tableau" if the deck has too
    few copies.
    """
    seat = table.seats[0]
    state = setup(table)
    hands = Draws.dealt(state.deck, table.seats, held)
    facts: list[Fact] = [Turned((card,), 0) for card in tableau]
    facts += [Held(seat, (card,), 0) for card in hand]
    for i, card in enumerate((*tableau, *hand)):
        if not hands.allows(*facts[: i + 1]):
            copies = state.deck.copies[state.deck.place[card]]
            gone = evidence("copies_gone", rank=card, copies=copies)
            raise ImpossibleSituation("tableau", Illegal("deck.2", gone))
    return state._replace(
        deal=1,
        dealer=table.seats[-1],
        turn=seat,
        tableau=tuple(tableau),
        stock=0,
        hands=hands.add(*facts[: len(tableau)]),
    )


def judge_whatever_held(
    table: Table, tableau: Sequence[str], play: Capture | Discard | King
) -> Verdict:
    """The verdict on ``play`` when the size of the hand is unknown.

    Illegal only if it is illegal with one card in hand. With more cards the seat may have to
    declare.
    """
    alone = judge(situation(table, tableau, (), 1), play)
    more = situation(table, tableau, (), 2)
    among = judge(more, play)
    if isinstance(alone, Illegal) or not isinstance(among, Illegal):
        return alone if isinstance(alone, Illegal) else among
    return Unprovable(among.clause, Lacks(play.seat, compulsory_takers(more).ranks))


def next_in_pile(table: Table, piles: Mapping[Seat, Sequence[str]], seat: Seat) -> frozenset[str]:
    """The cards that can be next in the pile of ``seat``, in which each three cards make a set."""
    deck = deck_for(len(table.seats))
    left = Counter(dict(zip(map(str, deck.cards), deck.copies, strict=True)))
    left.subtract(Counter(card for pile in piles.values() for card in pile))
    begun = Counter(piles[seat][len(piles[seat]) // 3 * 3 :])
    rests = (Counter(cards) - begun for cards in SETS if begun <= Counter(cards))
    return frozenset(card for rest in rests if rest <= left for card in rest)
