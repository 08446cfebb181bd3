"""The facts behind verdicts on hidden hands, and the infractions that later entries prove."""

from __future__ import annotations

from referee.core.hands import Refutation, not_both
from referee.core.hidden import Knowledge, of_hands
from referee.core.verdict import Evidence, Facts, Finding, evidence
from referee.games.families.hands_shown import refuting
from referee.games.families.must_not_follow.state import Laid, State, ended_trick


def knowledge(state: State) -> Knowledge | None:
    return of_hands(state.hands) if state.deal else None


def audit(state: State) -> tuple[Finding, ...]:
    return (*state.found, *(_finding(state, r) for r in state.hands.refutations()))


def _finding(state: State, refuted: Refutation) -> Finding:
    claim, proof = refuted.claim, refuted.proof
    ranks = tuple(sorted(claim.only))
    facts = [Evidence("declares_only", {"seat": claim.seat, "ranks": ranks}, claim.at)]
    for earlier in refuted.against:
        kinds = tuple(sorted(earlier.only))
        facts.append(Evidence("declared_before", {"seat": claim.seat, "ranks": kinds}, earlier.at))
    facts += refuting(state.hands, refuted, "counting_both" if refuted.against else "counting")
    facts += not_both(refuted)
    return Finding("follow.2", claim.seat, claim.at, proof, tuple(facts))


def newest_card(before: State, after: State) -> Laid | None:
    """The card by which ``before`` became ``after``; None if no card was laid."""
    if ended := ended_trick(before, after):
        return ended.cards[-1]
    return after.trick[-1] if len(after.trick) > len(before.trick) else None


def next_lead(before: State, after: State) -> Facts:
    """Who leads after a finished trick; nothing if the deal is over, too."""
    if not ended_trick(before, after) or not after.due:
        return ()
    return evidence("next_lead", leader=after.leader)
