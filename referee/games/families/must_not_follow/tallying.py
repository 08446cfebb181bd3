"""Shared code for the tally sheets of this family."""

from __future__ import annotations

from collections import Counter

from referee.core.cards import Deck
from referee.core.game import Table
from referee.core.sheets import too_many
from referee.core.verdict import Seat
from referee.games.families.must_not_follow.plays import Deal


def count_copy(deck: Deck, seen: Counter[int], rank: int, key: str) -> None:
    """Count one more ``rank`` in ``seen``; raises ``Impossible`` for ``key`` if the deck has none
    left.
    """
    seen[rank] += 1
    copies = deck.copies[deck.place[rank]] if rank in deck else 0
    if seen[rank] > copies:
        raise too_many(key, rank, seen[rank], copies)


def begun(table: Table, leader: Seat | None) -> Deal:
    """The play that begins a deal which is entered by its sheet."""
    return Deal(leader)
