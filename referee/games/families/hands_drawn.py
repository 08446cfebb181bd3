"""The proof that a declaration about a hand with hidden draws was false, as facts."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from referee.core.draws import Draws
from referee.core.hands import Refutation, not_both
from referee.core.moves import Drew, Fact, Gained, Held, Lost, Played, Shown
from referee.core.shortage import Few, Late, shortage
from referee.core.verdict import Card, Evidence, Facts, Position, evidence
from referee.games.families.hands_shown import counting


def conclusion(hands: Draws, refuted: Refutation, fact: str = "counting") -> Facts:
    """The conclusion from the cards of a proof, as a count if counting alone proves it.

    ``fact``: the name of the count, see ``hands_shown.counting``.
    """
    claim, proof, against = refuted
    past = hands.facts()[: hands.facts().index(claim)]
    held = sum(_gain(each) for each in past if getattr(each, "seat", None) == claim.seat)
    if against:
        drawn = hands.drawn(claim.seat, max(earlier.at for earlier in against), claim.at)
        both = set(claim.only).intersection(against[-1].only)
        values = {"seat": claim.seat, "held": held, "drawn": drawn, "rest": held - drawn}
        if held - drawn > _copies(hands, both) - _seen(hands, both, refuted):
            return (Evidence("fits_both", values, claim.at), *not_both(refuted))
        return (_short(hands, refuted), *not_both(refuted))
    sights = [sight for sight in hands.where(hands.deck.cards) if sight.at in proof]
    own = [sight for sight in sights if sight.seat == claim.seat and sight.at >= claim.at]
    later = sum(sight.card not in claim.only for sight in own)
    if later:
        drawn = hands.drawn(claim.seat, claim.at, proof[-1])
        counts = {"seat": claim.seat, "later": later, "drawn": drawn, "rest": later - drawn}
        if later > drawn:
            return evidence("more_than_drawn", **counts)
        return (*evidence("drawn_between", **counts), *_no_hand_fits(hands, refuted))
    if any(isinstance(each, Gained | Held | Shown) and each.seat == claim.seat for each in past):
        return _no_hand_fits(hands, refuted)  # cards of the hand are among those counted
    seen = sum(sight.card in claim.only for sight in sights if sight not in own)
    total = counting(hands.deck, fact, claim.seat, claim.only, held, seen)
    enough = held + seen > _copies(hands, claim.only)
    return (total,) if enough else _no_hand_fits(hands, refuted)


def _no_hand_fits(hands: Draws, refuted: Refutation) -> Facts:
    return (_short(hands, refuted), *evidence("no_hand_fits"))


def _short(hands: Draws, refuted: Refutation) -> Evidence:
    """Which cards the declarations leave no room for, or too few of."""
    seat, at = refuted.claim.seat, refuted.claim.at
    match shortage(hands, refuted):
        case Late(cards, since, until, drawn):
            values = {
                "seat": seat,
                "cards": cards,
                "later": len(cards),
                "since": Position(since),
                "until": Position(until),
                "drawn": drawn,
            }
            return Evidence("came_too_late", values, until)
        case Few((), rest):
            return Evidence("no_kind_fits", {"seat": seat, "rest": rest}, at)
        case Few(kinds, rest, seen, copies):
            counts = {"rest": rest, "seen": seen, "sum": rest + seen, "copies": copies}
            return Evidence("too_few_exist", {"seat": seat, "ranks": kinds, **counts}, at)
        case None:
            lost = sum(isinstance(fact, Lost) for fact in hands.facts())
            return Evidence("whatever_left", {"lost": lost}, at)


def _copies(hands: Draws, cards: Iterable[Card]) -> int:
    """How many copies of ``cards`` the deck has."""
    return sum(hands.deck.copies[hands.deck.place[card]] for card in cards)


def _seen(hands: Draws, cards: Collection[Card], refuted: Refutation) -> int:
    """How many of ``cards`` the proof shows outside the hand that was declared."""
    claim, proof, _ = refuted
    return sum(
        sight.at in proof and not (sight.seat == claim.seat and sight.at >= claim.at)
        for sight in hands.where(cards)
    )


def _gain(fact: Fact) -> int:
    """By how many cards a fact makes its seat's hand larger."""
    match fact:
        case Drew(size=size):
            return size
        case Gained():
            return 1
        case Played(cards=cards):
            return -len(cards)
        case Lost():
            return -1
        case _:
            return 0
