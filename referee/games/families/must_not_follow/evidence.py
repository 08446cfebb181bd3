"""The facts that a verdict on hidden hands rests on, and what later entries have proven."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.core.hands import Hands, Refutation
from referee.core.verdict import Evidence, Facts, Finding, Seat
from referee.games.families.must_not_follow.state import State


def hand_shown(hands: Hands, seat: Seat) -> Evidence:
    counts = zip(hands.deck.cards, hands.shown[seat], strict=True)
    ranks = tuple(card for card, count in counts for _ in range(count))
    return Evidence("hand_shown", {"seat": seat, "ranks": ranks})


def copies_gone(hands: Hands, rank: int) -> Facts:
    copies = Evidence("copies_gone", {"rank": rank, "copies": hands.deck.copies[rank - 1]})
    return (copies, *where_seen(hands, frozenset((rank,))))


def where_seen(hands: Hands, kinds: Iterable[Any]) -> Facts:
    return tuple(
        Evidence("shown", {"seat": seen.seat, "rank": seen.card}, seen.at)
        for seen in hands.where(frozenset(kinds))
    )


def audit(state: State) -> tuple[Finding, ...]:
    return (*state.found, *(_finding(state, r) for r in state.hands.refutations()))


def _finding(state: State, refuted: Refutation) -> Finding:
    claim, proof = refuted.claim, refuted.proof
    hands = state.hands
    ranks = tuple(sorted(claim.only))
    facts = [Evidence("declares_only", {"seat": claim.seat, "ranks": ranks}, claim.at)]
    before = {c.at: c for c in refuted.against}
    for seen in hands.where(frozenset(hands.deck.cards)):
        if seen.at not in proof:
            continue
        own = seen.seat == claim.seat and seen.at >= claim.at
        if own and seen.card not in claim.only:
            how = "showed_later" if seen.shown else "laid_later"
            fact = Evidence(how, {"seat": seen.seat, "rank": seen.card}, seen.at)
            if fact not in facts:  # of a hand that is shown, once for all copies
                facts.append(fact)
        elif not own and seen.card in claim.only:
            facts.append(
                Evidence("seen_elsewhere", {"seat": seen.seat, "rank": seen.card}, seen.at)
            )
    for at, earlier in before.items():
        kinds = tuple(sorted(earlier.only))
        facts.append(Evidence("declared_before", {"seat": claim.seat, "ranks": kinds}, at))
    return Finding("follow.2", claim.seat, claim.at, proof, tuple(facts))
