"""Certificates: which moves prove a finding or decide a claim, by which argument, in numbers.

The arguments are those that ``tools/check_protocol.py`` knows. They are looked for here among the
moves alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from referee.core.hands import HandClaim, Refutation
from referee.core.verdict import Card, Seat
from referee.protocol.moves import Claimed, DealMoves, Move

Shown: TypeAlias = tuple[int, str]  # an entry, and a card that it shows


class Certified(NamedTuple):
    """What entry ``entry`` of ``seat`` is proven to be: "revoke", "claim" or "refuted claim".

    ``argument``: "" if there is none among those that a checker knows. ``values``: what the
    argument needs, as JSON data.
    """

    proves: str
    entry: int
    seat: Seat
    argument: str
    values: dict[str, object]


def of_deal(deal: DealMoves) -> Iterator[Certified]:
    """The certificates of a deal."""
    for refuted in deal.refuted:
        yield _of_revoke(deal, refuted)
    for claimed in deal.claims:
        yield _of_claim(deal, claimed)


class _Sight(NamedTuple):
    """A card that move number ``place`` shows; ``first``: for the first time."""

    place: int
    move: Move
    card: Card
    first: bool


def _sights(moves: Sequence[Move]) -> list[_Sight]:
    """All cards that the moves show, in order."""
    known: dict[Seat | None, Counter[Card]] = {}
    found = []
    for place, move in enumerate(moves):
        own = known.setdefault(move.seat, Counter())
        if move.kind == "takes":
            own.update(move.cards)
        elif move.kind in ("turns", "plays", "shows"):
            cards = Counter(move.cards)
            old = cards & own
            fresh = cards - old
            found += [_Sight(place, move, card, False) for card in old.elements()]
            found += [_Sight(place, move, card, True) for card in fresh.elements()]
            if move.kind == "plays":
                own -= old
            elif move.kind == "shows":
                own += fresh
    return found


def _of_revoke(deal: DealMoves, refuted: Refutation) -> Certified:
    last = max(refuted.proof, default=refuted.claim.at)
    moves = [move for move in deal.moves if move.at <= last]
    [place] = _declared(moves, [refuted.claim])
    entry, seat = moves[place].entry, refuted.claim.seat
    for claims in ([refuted.claim], sorted((*refuted.against, refuted.claim), key=_position)):
        for argument, values in (
            ("later_cards", _later_cards(moves, claims)),
            ("too_few", _too_few(deal, moves, claims)),
        ):
            if values is not None:
                return Certified("revoke", entry, seat, argument, values)
    return Certified("revoke", entry, seat, "", {})


def _position(claim: HandClaim) -> int:
    return claim.at


def _declared(moves: Sequence[Move], claims: Sequence[HandClaim]) -> list[int]:
    """The numbers of the moves that are these declarations."""
    wanted = {(claim.at, claim.seat) for claim in claims}
    return [
        place
        for place, move in enumerate(moves)
        if move.kind == "says_only" and (move.at, move.seat) in wanted
    ]


def _gained(moves: Sequence[Move], seat: Seat, kinds: Container[Card] | None = None) -> int:
    """How many cards came into a hand that can be of ``kinds``, or any."""
    own = [move for move in moves if move.seat == seat]
    taken = [card for move in own if move.kind == "takes" for card in move.cards]
    drawn = sum(move.number for move in own if move.kind == "draws")
    return drawn + sum(kinds is None or card in kinds for card in taken)


def _later_cards(moves: Sequence[Move], claims: Sequence[HandClaim]) -> dict[str, object] | None:
    """More cards that the declaration excludes than the hand got since."""
    if len(claims) > 1:
        return None
    [claim] = claims
    [start] = _declared(moves, claims)
    own = [s for s in _sights(moves) if s.move.seat == claim.seat and s.place >= start]
    own = [s for s in own if s.move.kind in ("plays", "shows") and s.card not in claim.only]
    fresh = {s.card for s in own if s.first}
    found: list[Shown] = []
    for sight in own:
        if sight.first or (sight.move.kind == "plays" and sight.card not in fresh):
            found.append((sight.move.entry, str(sight.card)))
            kinds = {each.card for each in own if each.place <= sight.place}
            drawn = _gained(moves[start : sight.place], claim.seat, kinds)
            if len(found) > drawn:
                return {"declared": [moves[start].entry], "cards": found, "drawn": drawn}
    return None


def _too_few(
    deal: DealMoves, moves: Sequence[Move], claims: Sequence[HandClaim]
) -> dict[str, object] | None:
    """Fewer cards of the kinds that the declarations leave than the hand had to have."""
    seat, places = claims[0].seat, _declared(moves, claims)
    start, last = places[0], places[-1]
    kinds = frozenset.intersection(*(claim.only for claim in claims))
    spent: list[Shown] = [
        (move.entry, str(card))
        for move in moves[start:last]
        if move.seat == seat and move.kind == "plays"
        for card in move.cards
        if card not in claims[0].only
    ]
    held, drawn = _held(moves[:last], seat), _gained(moves[start:last], seat)
    copies = sum(deal.deck.copies[deal.deck.place[card]] for card in kinds)
    elsewhere = _elsewhere(moves, seat, last, kinds)
    needed = max(0, copies - (held - drawn + len(spent)) + 1)
    if needed > len(elsewhere):
        return None
    return {
        "declared": [moves[place].entry for place in places],
        "kinds": [str(card) for card in deal.deck.cards if card in kinds],
        "copies": copies,
        "elsewhere": elsewhere[:needed],
        "held": held,
        "drawn": drawn,
        "spent": spent,
    }


def _held(moves: Sequence[Move], seat: Seat) -> int:
    """The cards in the hand of ``seat`` after ``moves``."""
    gone = sum(
        move.number if move.kind == "loses" else len(move.cards)
        for move in moves
        if move.seat == seat and move.kind in ("loses", "plays")
    )
    return _gained(moves, seat) - gone


def _elsewhere(moves: Sequence[Move], seat: Seat, last: int, kinds: frozenset[Card]) -> list[Shown]:
    """The cards of ``kinds`` that ``seat`` cannot have held at the move ``last``."""
    before = [m for m in moves[:last] if m.seat == seat and m.kind == "takes"]
    taken = {card for move in before for card in move.cards}
    found: list[Shown] = []
    for place, move, card, first in _sights(moves):
        if move.seat == seat:
            counts = move.kind == "plays" and place < last
        else:
            counts = first and not (move.kind == "turns" and card in taken)
        if counts and card in kinds:
            found.append((move.entry, str(card)))
    return found


def _of_claim(deal: DealMoves, claimed: Claimed) -> Certified:
    grounds = claimed.grounds
    trick = [
        (number, *row)
        for number, row in zip(_last_plays(deal, claimed), grounds.trick, strict=True)
    ]
    if grounds.proven:
        values: dict[str, object] = {
            "hand": list(grounds.hand),
            "trick": trick,
            "beaters": {str(card): list(cards) for card, cards in grounds.beaters.items()},
        }
        return Certified("claim", claimed.entry, claimed.seat, "nothing_beats", values)
    values = {
        "trick": trick,
        "side": list(grounds.side),
        "order": list(grounds.order),
    }
    return Certified("refuted claim", claimed.entry, claimed.seat, "beaten", values)


def _last_plays(deal: DealMoves, claimed: Claimed) -> list[int]:
    """The entries of the cards on the table when the claim was made."""
    place = next(
        i for i, m in enumerate(deal.moves) if (m.entry, m.kind) == (claimed.entry, "claims")
    )
    plays = [move.entry for move in deal.moves[:place] if move.kind == "plays"]
    return plays[len(plays) - len(claimed.grounds.trick) :]
