"""What can be known of hidden cards in Three Kings, against every distribution at its end."""

from __future__ import annotations

from collections import Counter
from typing import Any

from dealt_again import Known, Places, compared

from referee.core.steps import Step
from referee.games import three_kings
from referee.games.simulation import played
from referee.games.three_kings.cards import KING, deck_for
from referee.games.three_kings.plays import Capture, Deal, Discard, King, Refill


def unseen(steps: list[Step]) -> tuple[list[Any], Places, Known]:
    """Kings that everybody has seen going into a hand lie there, and are no hidden cards."""
    deck = deck_for(2)
    cards = [c for c, n in zip(deck.cards, deck.copies, strict=True) for _ in range(n)]
    kings: Counter[str] = Counter()
    for step in steps:
        match step.play:
            case Deal(_, tableau):
                for card in tableau:
                    cards.remove(card)
            case Refill(ranks):
                for card in ranks:
                    cards.remove(card)
                assert step.before is not None
                kings[step.before.state.turn] += ranks.count(KING)
            case Capture(_, rank, _) | Discard(_, rank):
                cards.remove(rank)
            case King(seat):
                if not kings[seat]:
                    cards.remove(KING)
                kings[seat] += 1 if kings[seat] else 2
    public = three_kings.public(steps[-1].state)
    hands = public["hands"].items()  # type: ignore[attr-defined]
    places = {("hand", seat): count - kings[seat] for seat, count in hands}
    known = {("hand", seat): [KING] * count for seat, count in kings.items()}
    return cards, {**places, ("stock", None): public["stock"]}, known


def test_the_end_of_deals_for_two() -> None:
    options = {"end": "all_cards", "method": "2"}
    found = sum(
        compared(played(three_kings, ("A", "B"), seed, options=options), unseen)
        for seed in range(12)
    )
    assert found > 20
