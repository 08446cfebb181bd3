"""What the tally sheets of this family share."""

from __future__ import annotations

from collections import Counter

from referee.core.cards import Deck
from referee.core.record import Unreadable


def count_copy(deck: Deck, seen: Counter[int], rank: int, line: int) -> None:
    """Count one more ``rank`` of a tally sheet; raises ``Unreadable`` if there is none left."""
    seen[rank] += 1
    if rank not in deck or seen[rank] > deck.copies[deck.place[rank]]:
        raise Unreadable("read_too_many", line=line, text=str(rank))
