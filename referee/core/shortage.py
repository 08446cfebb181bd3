"""Which cards make declarations about a hand impossible, in numbers that a table can count.

Declarations fail for one of two reasons (``core.places``). Either more cards turned up than the
hand can have got in the time that the declarations leave for them, or more of its cards have to be
of certain kinds than there are. Each is a set that Hall's theorem names: cards with too few places,
or places with too few cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple, TypeAlias

from referee.core.cards import Deck
from referee.core.draws import Draws
from referee.core.hands import Refutation
from referee.core.moves import Held, Played, Shown, Turned
from referee.core.places import Places
from referee.core.proofs import Case, less
from referee.core.verdict import Card


class Late(NamedTuple):
    """The hand got ``cards`` after the entry at ``since`` and before the last of them was seen at
    ``until``, but it drew only ``drawn`` cards meanwhile.
    """

    cards: tuple[Card, ...]
    since: int
    until: int
    drawn: int


class Few(NamedTuple):
    """``rest`` more cards of the hand have to be of ``kinds``; ``seen`` of these were seen, and the
    deck has ``copies``.
    """

    kinds: tuple[Card, ...]
    rest: int
    seen: int
    copies: int


Shortage: TypeAlias = Late | Few


def shortage(hands: Draws, refuted: Refutation) -> Shortage | None:
    """Why the declarations of ``refuted`` fail by the cards of its proof.

    None if only trying out what the cards that left unseen were has shown it.
    """
    claims = (refuted.claim, *refuted.against)
    case = Case(hands.deck, hands.facts(), hands.worlds, refuted.claim.seat)
    sightings = [fact for fact in case.facts if isinstance(fact, Turned | Played | Held | Shown)]
    forgotten = {fact.at for fact in sightings}.difference(refuted.proof)
    # Of several pools, the most copies of each kind: what fails with them fails with each.
    pools = [hands.deck.counts(pool) for pool in case.pools(forgotten)]
    pool = [max(counts) for counts in zip(*pools, strict=True)]
    for own in (less(case.moves[case.seat], forgotten), case.moves[case.seat]):
        places = Places(hands.deck, own, case.seat, claims)
        found = _late(places) or _few(hands.deck, places, pool)
        if found is not None:
            return found
    return None


def _late(places: Places) -> Late | None:
    """Cards that turned up, with fewer places than cards."""
    windows = [leave.places[card] for card, leave in places.certain]
    many, room = _crowded(windows)
    if not many:
        return None
    since = max(at for at, number in places.claimed if number <= _lowest(room))
    cards = sorted((places.certain[i][0] for i in many), key=places.deck.place.__getitem__)
    until = max(places.certain[i][1].at for i in many)
    return Late(tuple(cards), since, until, room.bit_count())


def _few(deck: Deck, places: Places, pool: Sequence[int]) -> Few | None:
    """Places that stay empty; ``pool``: the copies of each kind that were seen nowhere else."""
    supply = dict(zip(deck.cards, pool, strict=True))
    for card, fixed in places.fixed.items():
        supply[card] += fixed.bit_count()
    for card, _ in places.certain:
        supply[card] -= 1
    windows = [leave.places[card] for card, leave in places.certain]
    stay = {card: places.places(card) for card in deck.cards}
    # What left unseen after the last declaration may as well have stayed. What left before is taken
    # to be cards of their own, or, if that says nothing, some of those that may have stayed.
    early = [leave for leave in places.unsure if leave.early]
    either = {card: _any(stay[card], *(leave.places[card] for leave in early)) for card in stay}
    gone = [leave.anywhere(supply) for leave in early]
    for known, others in (([*windows, *gone], stay), (windows, either)):
        copied = [others[card] for card in deck.cards for _ in range(supply[card])]
        empty, _ = _crowded(_turned([*known, *copied], places.number))
        if not empty:
            continue
        bits = sum(1 << place for place in empty)
        kinds = tuple(card for card in deck.cards if others[card] & bits)
        copies = sum(deck.copies[deck.place[card]] for card in kinds)
        seen = copies - sum(supply[card] for card in kinds)
        rest = len(empty) - sum(bool(row & bits) for row in known)
        return Few(kinds, rest, seen, copies)
    return None


def _any(*masks: int) -> int:
    """The bits of all masks."""
    return reduce(or_, masks)


def _turned(rows: Sequence[int], width: int) -> list[int]:
    """Rows of bits as columns."""
    return [sum(1 << i for i, row in enumerate(rows) if row >> place & 1) for place in range(width)]


def _lowest(bits: int) -> int:
    """The number of the lowest bit."""
    return (bits & -bits).bit_length() - 1


def _crowded(rows: Sequence[int]) -> tuple[list[int], int]:
    """Rows that have fewer bits than they are, and these bits; none if each row can get its own.

    No row can be left out: they are those that the search for a bit for one row has reached.
    """
    owner: dict[int, int] = {}

    def place(row: int, tried: set[int]) -> bool:
        rest = rows[row]
        while rest:
            bit = rest & -rest
            rest ^= bit
            if bit not in tried:
                tried.add(bit)
                if bit not in owner or place(owner[bit], tried):
                    owner[bit] = row
                    return True
        return False

    for row in range(len(rows)):
        tried: set[int] = set()
        if not place(row, tried):
            return sorted((row, *(owner[bit] for bit in tried))), sum(tried)
    return [], 0
