"""The facts behind verdicts on hidden hands, and the infractions that later entries prove."""

from __future__ import annotations

from collections.abc import Collection

from referee.core.hands import HandClaim, Refutation
from referee.core.hidden import Knowledge, of_draws
from referee.core.verdict import Card, Evidence, Facts, Finding, Seat, evidence
from referee.games.families.hands_drawn import conclusion
from referee.games.families.hands_shown import counting
from referee.games.trumps.state import State


def known_hand(state: State, seat: Seat) -> Facts:
    """The cards that everybody knows in the hand of ``seat``, and the number of the others."""
    hands = [state.deck.counts(world.hands[seat].known) for world in state.hands.worlds]
    counts = zip(state.deck.cards, map(min, *hands, hands[0]), strict=True)
    ranks = tuple(card for card, n in counts for _ in range(n))
    others = state.hands.size(seat) - len(ranks)
    return evidence("known_hand", seat=seat, ranks=ranks, others=others)


def counted_out(state: State, seat: Seat, only: frozenset[Card]) -> Facts:
    """Why the cards of ``seat`` can't all be of the forbidden numbers ``only``."""
    hand, unseen = state.hands.worlds[0].hands[seat], state.hands.unseen(only)
    if hand.hidden <= unseen:
        return known_hand(state, seat)
    seen = sum(state.deck.copies[state.deck.place[card]] for card in only) - unseen
    total = counting(state.deck, "counting", seat, only, hand.hidden, seen)
    return (total, *_where(state, only))


def copies_short(state: State, rank: int, count: int) -> Facts:
    """Why ``count`` more copies of ``rank`` can't turn up."""
    copies, left = state.deck.copies[state.deck.place[rank]], state.hands.unseen((rank,))
    values = {"rank": rank, "copies": copies, "left": left, "count": count}
    return (Evidence("copies_short" if left else "copies_gone", values), *_where(state, {rank}))


def _where(state: State, kinds: Collection[Card]) -> Facts:
    """Where the cards of ``kinds`` turned up."""
    sights = state.hands.where(kinds)
    return tuple(Evidence("shown", {"seat": s.seat, "rank": s.card}, s.at) for s in sights)


def knowledge(state: State) -> Knowledge | None:
    return of_draws(state.hands, state.stock) if state.deal else None


def audit(state: State) -> tuple[Finding, ...]:
    return (*state.found, *(_finding(state, refuted) for refuted in state.hands.refutations()))


def _finding(state: State, refuted: Refutation) -> Finding:
    claim, proof, before = refuted
    facts = [_claimed(claim), *map(_claimed, before)]
    for sight in state.hands.where(state.deck.cards):
        if sight.at in proof:
            own = sight.seat == claim.seat and sight.at > claim.at and sight.card not in claim.only
            fact = "laid_after" if own else "shown"
            facts.append(Evidence(fact, {"seat": sight.seat, "rank": sight.card}, sight.at))
    facts += conclusion(state.hands, refuted)
    return Finding("cover.1", claim.seat, claim.at, proof, tuple(facts))


def _claimed(claim: HandClaim) -> Evidence:
    values = {"seat": claim.seat, "ranks": tuple(sorted(claim.only))}
    return Evidence("declares_only", values, claim.at)
