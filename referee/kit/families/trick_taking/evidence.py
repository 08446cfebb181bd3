"""The facts that verdicts rest on, and the infractions that later entries prove."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import cast

from referee.core.cards import Deck
from referee.core.drawn import DrawnHands
from referee.core.hands import HandClaim, Hands, Refutation
from referee.core.verdict import Evidence, Facts, Finding, Seat
from referee.core.written import written
from referee.games.families.hands_drawn import conclusion
from referee.games.families.hands_shown import refuting, sighted
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.state import PLAY, State, Trick, ended_trick


def rules_of(state: State) -> Rules:
    """The rules of the table of ``state``."""
    return cast(Rules, state.rules)


def step_facts(state: State) -> Facts:
    """What decided the step of the ladder; nothing while the trick is empty.

    The card led, and where a rule asks for it, the card that wins so far.
    """
    if not state.trick:
        return ()
    facts: list[Evidence] = []
    first = next((laid for laid in state.trick if laid.card == state.led), None)
    rules = rules_of(state)
    if first is not None:
        facts.append(Evidence("kit_led", {"seat": first.seat, "card": first.card}, first.at))
    if "beats" in rules.compiler.uses and (best := rules.trick.winner(state)):
        facts.append(Evidence("kit_best", {"seat": best.seat, "card": best.card}, best.at))
    return tuple(facts)


def brought_about(before: State, after: State) -> Facts:
    """The facts of what a play has brought about.

    After a card: the trump suit that it changes. At the end of a trick: who takes it, its points
    and those of the deal, who leaves, who leads next; after the bids: who does not play.
    """
    turns = before.phase == after.phase == PLAY and before.trump != after.trump
    fact = "kit_trump_becomes" if after.trump else "kit_trump_gone"
    trump = (Evidence(fact, {"suit": after.trump} if after.trump else {}),) if turns else ()
    leaving = [
        Evidence("kit_leaves", {"seat": seat})
        for seat in after.round.left
        if seat not in before.round.left and after.deal == before.deal
    ]
    last = ended_trick(before, after)
    if last is None:
        return (*trump, *leaving)
    facts = [
        _takes(after, last) if last.cards else _claimed(after, last),
        *_points(after, last),
        *trump,
        *leaving,
    ]
    facts += [
        Evidence("kit_out_of_match", {"seat": seat})
        for seat in after.score.out
        if seat not in before.score.out
    ]
    if after.leader is not None:
        facts.append(Evidence("next_lead", {"leader": after.leader}))
    return tuple(facts)


def _takes(state: State, trick: Trick) -> Evidence:
    """Who wins ``trick``, with what, and how many tricks that makes; partners' tricks are added."""
    if trick.winner is None or trick.won_with is None:
        return Evidence("kit_nobody_takes", {})
    rules = rules_of(state)
    team = rules.teams[rules.index[trick.winner]]
    tricks = sum(state.round.tricks[place] for place in team)
    values: dict[str, object] = {"seat": trick.winner, "tricks": tricks}
    if not trick.won_with.card:
        return Evidence("kit_takes_face_down", values)
    fact = "kit_takes" if len(team) == 1 else "kit_takes_for_team"
    return Evidence(fact, {**values, "card": trick.won_with.card})


def _claimed(state: State, last: Trick) -> Evidence:
    """Who has got all tricks that were left, and how many tricks that makes."""
    assert last.winner is not None
    tricks = state.round.tricks[rules_of(state).index[last.winner]]
    return Evidence("kit_takes_rest", {"seat": last.winner, "tricks": tricks})


def _points(after: State, last: Trick) -> Iterator[Evidence]:
    """The points of the trick ``last``, which has just ended, then those of a deal that it ends."""
    teams, seats = rules_of(after).teams, after.table.seats
    points: dict[str, Counter[Seat]] = {"kit_trick_gives": Counter(), "kit_deal_gives": Counter()}
    scored = after.score.lines
    while scored and scored.deal == last.deal and scored.trick in (None, last.number):
        fact = "kit_deal_gives" if scored.trick is None else "kit_trick_gives"
        for place, worth, *_ in scored.given:
            for partner in teams[place]:
                points[fact][seats[partner]] += worth
        scored = scored.before
    for fact, each in points.items():
        given = tuple(f"{seat} {written(each[seat])}" for seat in seats if each[seat])
        if given:
            yield Evidence(fact, {"points": given})


def audit(state: State) -> tuple[Finding, ...]:
    """The proven infractions of this deal and of earlier ones."""
    refuted = state.hands.refutations()
    return (*state.score.found, *(_finding(state, each) for each in refuted))


def _finding(state: State, refuted: Refutation) -> Finding:
    claim, proof = refuted.claim, refuted.proof
    hands = state.hands
    facts = [_declares(hands.deck, each) for each in (claim, *refuted.against)]
    if isinstance(hands, DrawnHands):
        facts += _seen(hands, refuted)
        facts += conclusion(hands.draws, refuted, "counting_others")
    else:
        assert isinstance(hands, Hands)
        facts += refuting(hands, refuted, "counting_others")
    return Finding(state.declared[claim.at], claim.seat, claim.at, proof, tuple(facts))


def _declares(deck: Deck, claim: HandClaim) -> Evidence:
    """What was declared: the cards that are not held, and the other ones of the deck."""
    lacked = tuple(card for card in deck.cards if card not in claim.only)
    others = tuple(card for card in deck.cards if card in claim.only)
    values = {"seat": claim.seat, "ranks": lacked, "others": others}
    return Evidence("declares_none", values, claim.at)


def _seen(hands: DrawnHands, refuted: Refutation) -> Iterator[Evidence]:
    """The cards that a proof rests on, in games with draws."""
    claim = refuted.claim
    for seen in hands.where(frozenset(hands.deck.cards)):
        if seen.at in refuted.proof:
            own = seen.seat == claim.seat and seen.at >= claim.at
            fact = "laid_later" if own and seen.card not in claim.only else "shown"
            yield sighted(fact, seen.seat, seen.card, seen.at)
