"""The facts that verdicts rest on, and what later entries have proven."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from referee.core.drawn import DrawnHands
from referee.core.game import TABLE
from referee.core.hands import Refutation
from referee.core.verdict import Evidence, Facts, Finding
from referee.games.families.hands_drawn import conclusion
from referee.games.families.hands_shown import refuting
from referee.games.kit.rules import Rules
from referee.games.kit.state import State


def rules_of(state: State) -> Rules:
    """The rules of the table of ``state``."""
    return cast(Rules, state.rules)


def step_facts(state: State) -> Facts:
    """What set the step of the ladder: the card led, or that the trick is empty."""
    if not state.trick:
        return ()
    facts: list[Evidence] = []
    first = next((laid for laid in state.trick if laid.card == state.led), None)
    rules = rules_of(state)
    if first is not None:
        facts.append(Evidence("kit_led", {"seat": first.seat, "card": first.card}, first.at))
    if "beats" in rules.compiler.uses and (best := rules.winner(state)):
        facts.append(Evidence("kit_best", {"seat": best.seat, "card": best.card}, best.at))
    return tuple(facts)


def audit(state: State) -> tuple[Finding, ...]:
    """What has been proven, of this deal and of earlier ones."""
    refuted = state.hands.refutations()
    return (*state.score.found, *(_finding(state, each) for each in refuted))


def _finding(state: State, refuted: Refutation) -> Finding:
    claim, proof = refuted.claim, refuted.proof
    hands = state.hands
    lacked = tuple(card for card in hands.deck.cards if card not in claim.only)
    facts = [Evidence("declares_none", {"seat": claim.seat, "ranks": lacked}, claim.at)]
    for earlier in refuted.against:
        kinds = tuple(card for card in hands.deck.cards if card not in earlier.only)
        facts.append(Evidence("declares_none", {"seat": claim.seat, "ranks": kinds}, earlier.at))
    if isinstance(hands, DrawnHands):
        facts += _seen(hands, refuted)
        facts += conclusion(hands.draws, refuted, "counting_others")
    else:
        facts += refuting(hands, refuted, "counting_others")
    return Finding(state.declared[claim.at], claim.seat, claim.at, proof, tuple(facts))


def _seen(hands: DrawnHands, refuted: Refutation) -> Iterator[Evidence]:
    """The cards that a proof rests on, where hands are drawn to."""
    claim = refuted.claim
    for seen in hands.where(frozenset(hands.deck.cards)):
        if seen.at not in refuted.proof:
            continue
        if seen.seat == TABLE:
            yield Evidence("kit_turned", {"card": seen.card}, seen.at)
            continue
        later = seen.seat == claim.seat and seen.at >= claim.at and seen.card not in claim.only
        fact = "laid_later" if later else "shown"
        yield Evidence(fact, {"seat": seen.seat, "rank": seen.card}, seen.at)
