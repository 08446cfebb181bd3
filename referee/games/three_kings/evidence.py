"""The facts behind verdicts on hidden hands, and the infractions that later entries prove."""

from __future__ import annotations

from functools import lru_cache

from referee.core.draws import Draws, Sight
from referee.core.hands import HandClaim, Refutation
from referee.core.hidden import Knowledge, of_draws
from referee.core.verdict import Card, Evidence, Facts, Finding, Seat
from referee.games.families.hands_drawn import conclusion
from referee.games.three_kings.cards import KINGS_ONLY, KINGS_TO_END, NUMBERS, all_but, value_of
from referee.games.three_kings.state import State, hand_of, kings_seen, sure_holders


@lru_cache(maxsize=4096)
def sum_of(cards: tuple[str, ...], fact: str = "adds_up") -> Evidence:
    """A sum as players say it, such as 4 + 8 = Q, and its points."""
    low, middle, high = sorted(cards, key=value_of)
    points = sum(map(value_of, cards))
    return Evidence(fact, {"low": low, "middle": middle, "high": high, "points": points})


def counted_out(hands: Draws, seat: Seat, lacking: tuple[str, ...]) -> Facts:
    """Why ``seat`` must hold one of ``lacking``."""
    only = all_but(lacking)
    held, unseen = hand_of(hands, seat).hidden, hands.unseen(only)
    values = {
        "seat": seat,
        "held": held,
        "ranks": lacking,
        "unseen": unseen,
        "rest": held - unseen,
    }
    fact = "must_hold_number" if set(lacking) >= set(NUMBERS) else "must_hold"
    return (Evidence(fact, values), *where_seen(hands, only))


def copies_gone(hands: Draws, rank: str) -> Facts:
    copies = hands.deck.copies[hands.deck.place[rank]]
    values = {"rank": rank, "copies": copies}
    return (Evidence("copies_gone", values), *where_seen(hands, frozenset((rank,))))


def where_seen(hands: Draws, kinds: frozenset[Card]) -> Facts:
    """Where the cards of ``kinds`` were seen."""
    return tuple(map(_seen, hands.where(kinds)))


def _seen(sight: Sight) -> Evidence:
    if sight.seat is None:
        return Evidence("turned_up", {"rank": sight.card}, sight.at)
    return Evidence("shown", {"seat": sight.seat, "rank": sight.card}, sight.at)


def knowledge(state: State) -> Knowledge | None:
    return of_draws(state.hands, state.stock) if state.deal else None


def audit(state: State) -> tuple[Finding, ...]:
    return (*state.found, *(_finding(state, refuted) for refuted in state.hands.refutations()))


def _finding(state: State, refuted: Refutation) -> Finding:
    claim, proof = refuted.claim, refuted.proof
    facts = [_claimed(state, each) for each in (claim, *refuted.against)]
    for sight in state.hands.where(state.deck.cards):
        if sight.at not in proof:
            continue
        if sight.seat == claim.seat and sight.at > claim.at and sight.card not in claim.only:
            values = {"seat": sight.seat, "rank": sight.card}
            facts.append(Evidence("held_then", values, sight.at))
        else:
            facts.append(_seen(sight))
    kings = claim.only == KINGS_ONLY
    facts += conclusion(state.hands, refuted, "counting" if kings else "counting_others")
    clause = "pass.1" if kings else "discard.1"
    return Finding(clause, claim.seat, claim.at, proof, tuple(facts))


def _claimed(state: State, claim: HandClaim) -> Evidence:
    lacking = tuple(card for card in state.deck.cards if card not in claim.only)
    return Evidence("declares_none", {"seat": claim.seat, "ranks": lacking}, claim.at)


def prompt(state: State) -> Evidence | None:
    """The question to the table when three kings must be in a hand (K24, K-G9); else None."""
    if state.turn is None or state.table.option("end") == "all_cards":
        return None
    holders = sure_holders(state)
    if holders:
        return Evidence("must_hold_three", {"seats": holders})
    spare = KINGS_TO_END - 1
    hands = (
        (kings_seen(state.hands, seat), hand_of(state.hands, seat).hidden)
        for seat in state.table.seats
    )
    room = sum(min(hidden, spare - kings) for kings, hidden in hands)
    if room + state.stock < state.hands.unseen(KINGS_ONLY):
        return Evidence("somebody_holds_three", {})
    return None
