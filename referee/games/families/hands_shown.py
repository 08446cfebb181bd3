"""What visible cards prove about hidden hands, as facts; for games with tricks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from referee.core.cards import Deck
from referee.core.game import TABLE
from referee.core.hands import HandClaim, Hands, PublicHands, Refutation, Seen
from referee.core.verdict import Card, Evidence, Facts, Seat


def hand_shown(hands: PublicHands, seat: Seat) -> Evidence:
    """The hand that ``seat`` has shown, without cards it has played since or drawn unseen."""
    cards = _left_of_shown(hands, seat)
    if not cards:
        return Evidence("hand_empty", {"seat": seat})
    return Evidence("hand_shown", {"seat": seat, "ranks": cards})


def shown_otherwise(hands: PublicHands, seat: Seat, shown: tuple[Card, ...]) -> Evidence:
    """The fact that ``shown`` is not what is left of the hand that ``seat`` has shown before."""
    cards = _left_of_shown(hands, seat)
    if not cards or not shown:
        return hand_shown(hands, seat)
    return Evidence("shown_otherwise", {"seat": seat, "ranks": cards, "shown": shown})


def _left_of_shown(hands: PublicHands, seat: Seat) -> tuple[Card, ...]:
    counts = zip(hands.deck.cards, hands.sure(seat), strict=True)
    return tuple(card for card, count in counts for _ in range(count))


def copies_gone(hands: PublicHands, card: Card) -> Facts:
    """The facts that all copies of ``card`` have turned up, and where."""
    copies = hands.deck.copies[hands.deck.place[card]]
    gone = Evidence("copies_gone", {"rank": card, "copies": copies})
    return (gone, *where_seen(hands, (card,)))


def where_seen(hands: PublicHands, kinds: Iterable[Card]) -> Facts:
    """Where cards of ``kinds`` have turned up, oldest first."""
    found = hands.where(frozenset(kinds))
    return tuple(sighted("shown", seen.seat, seen.card, seen.at) for seen in found)


def counted_out(
    hands: PublicHands, seat: Seat, only: frozenset[Card], fact: str = "counting"
) -> Facts:
    """Why the hidden cards of ``seat`` can't all be of the kinds ``only``: see ``counting``."""
    held = hands.hidden[seat]
    seen = sum(hands.deck.copies[hands.deck.place[card]] for card in only) - hands.unseen(only)
    return (counting(hands.deck, fact, seat, only, held, seen), *where_seen(hands, only))


def counting(
    deck: Deck, fact: str, seat: Seat, only: frozenset[Card], held: int, seen: int
) -> Evidence:
    """The count of cards of ``only`` in a hand and elsewhere, against the copies in the deck.

    ``fact``: "counting" or "counting_both", which name the kinds ``only``, or "counting_others",
    which names all other kinds.
    """
    others = fact == "counting_others"
    ranks = tuple(card for card in deck.cards if (card in only) is not others)
    copies = sum(deck.copies[deck.place[card]] for card in only)
    values = {"held": held, "seen": seen, "sum": held + seen, "copies": copies, "ranks": ranks}
    rest = {"others": tuple(card for card in deck.cards if card in only)} if others else {}
    return Evidence(fact, {"seat": seat, **values, **rest})


def refuting(hands: Hands, refuted: Refutation, fact: str = "counting") -> list[Evidence]:
    """Why a declaration can't be true.

    First the cards that its seat showed or played later, or those that are elsewhere, oldest first;
    the last fact is the conclusion, named ``fact`` if it is a count.
    """
    claim, later, elsewhere = refuted.claim, list[Seen](), list[Evidence]()
    only = claim.only.intersection(*(earlier.only for earlier in refuted.against))
    for seen in hands.where(frozenset(hands.deck.cards)):
        if seen.at not in refuted.proof:
            continue
        own = seen.seat == claim.seat and seen.at >= claim.at
        if own and seen.card not in claim.only:
            later.append(seen)
        elif not own and seen.card in only:
            elsewhere.append(sighted("seen_elsewhere", seen.seat, seen.card, seen.at))
    if later:
        values = {"seat": claim.seat, "ranks": _kinds(later)}
        return [*_turned_up(claim.seat, later), Evidence("held_all_along", values)]
    held = _held(hands, claim)
    return [*elsewhere, counting(hands.deck, fact, claim.seat, only, held, len(elsewhere))]


def _turned_up(seat: Seat, later: list[Seen]) -> Iterator[Evidence]:
    """The cards of ``seat``, entry by entry; those of a shown hand as one fact."""
    for (at, shown), cards in groupby(later, key=lambda seen: (seen.at, seen.shown)):
        if shown:
            yield Evidence("showed_later", {"seat": seat, "ranks": _kinds(cards)}, at)
        else:
            yield from (sighted("laid_later", seat, seen.card, at) for seen in cards)


def _kinds(cards: Iterable[Seen]) -> tuple[Card, ...]:
    return tuple(dict.fromkeys(seen.card for seen in cards))


def _held(hands: Hands, claim: HandClaim) -> int:
    """The number of hidden cards when a declaration was made, the one played with it included."""
    seat, since, _ = claim
    seen = ((each.seat, each.at) for each in hands.where(frozenset(hands.deck.cards)))
    left = sum(of == seat and at >= since for of, at in (*seen, *hands.down))
    return hands.hidden[seat] + left


def sighted(fact: str, seat: Seat, card: Card, at: int) -> Evidence:
    """The fact that a card was seen; a card that was turned up has no owner."""
    if seat == TABLE:
        return Evidence("kit_turned", {"card": card}, at)
    return Evidence(fact, {"seat": seat, "rank": card}, at)
