"""The facts that verdicts rest on, and what a play has brought about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from referee.core.verdict import Evidence, Facts, Finding, Seat, evidence
from referee.kit.families.shedding.rules import SheddingRules
from referee.kit.families.shedding.state import PLAY, SeenCards, State, TopCards


def rules_of(state: State) -> SheddingRules:
    """The rules of the table of ``state``."""
    return cast(SheddingRules, state.rules)


def on_top(top: TopCards) -> Evidence:
    """The fact which cards have to be beaten."""
    return Evidence("kit_shed_top", {"seat": top.seat, "cards": top.cards}, top.at)


def order_facts(state: State) -> Facts:
    """The plays that turned the order; nothing while it was never turned."""
    facts: Facts = ()
    if state.round.turned:
        facts += evidence("kit_shed_turned_deal", state.round.turned)
    if state.trick.turned:
        back = state.round.turned and not rules_of(state).order.stays
        fact = "kit_shed_turned_back" if back else "kit_shed_turned_trick"
        facts += evidence(fact, state.trick.turned)
    return facts


def seen(state: State) -> Iterator[SeenCards]:
    """The cards that everybody saw in this deal, the newest first."""
    node = state.round.seen
    while node is not None:
        yield node
        node = node.before


def seen_fact(cards: SeenCards) -> Evidence:
    """The fact that everybody saw these cards."""
    return Evidence(
        f"kit_shed_seen_{cards.how}", {"seat": cards.seat, "cards": cards.cards}, cards.at
    )


def shown_before(state: State, card: str) -> Facts:
    """The entries that show copies of a card, or cards of its rank in a table with open suits."""
    rules = rules_of(state)
    alike = {card}
    if rules.open:
        rank = rules.rank_of(card)
        alike |= {each for each in map(str, rules.kinds.place) if rules.rank_of(each) == rank}
    showing = [each for each in seen(state) if not alike.isdisjoint(each.cards)]
    return tuple(map(seen_fact, reversed(showing)))


def brought_about(before: State, after: State) -> Facts:
    """What an entry has brought about, for all to see."""
    return tuple(_changes(before, after))


def _changes(before: State, after: State) -> Iterator[Evidence]:
    old, new = before.round, after.round
    if before.deal != after.deal:
        return
    if bool(old.turned) != bool(new.turned) and after.phase == PLAY:
        yield Evidence("kit_shed_now_turned" if new.turned else "kit_shed_now_usual", {})
    if before.phase == PLAY and not before.trick.turned and after.trick.turned:
        back = new.turned and not rules_of(after).order.stays
        yield Evidence("kit_shed_now_back_trick" if back else "kit_shed_now_turned_trick", {})
    if old.step != new.step and after.phase == PLAY:
        yield Evidence("kit_shed_now_other_way", {})
    if after.trick.suits != before.trick.suits and after.trick.suits:
        yield Evidence("kit_shed_now_locked", {"suits": locked_suits(after)})
    if after.trick.rank_at and not before.trick.rank_at:
        yield Evidence("kit_shed_now_rank_locked", {})
    for i, seat in enumerate(after.table.seats):
        if seat in old.live and seat not in new.live:
            yield from _left(before, after, seat, new.finish[i])
    lay_beneath = before.trick.plays or sum(new.plays) > sum(old.plays)  # a lead can clear itself
    if after.phase == PLAY and lay_beneath and not after.trick.plays and after.turn:
        yield Evidence("kit_shed_cleared", {"seat": after.turn})
    if after.due and after.due != before.due:
        yield due_fact(after)


def _left(before: State, after: State, seat: Seat, place: int) -> Iterator[Evidence]:
    new = after.round
    if seat in new.fouls:
        yield Evidence("kit_shed_foul", {"seat": seat})
    elif seat in new.fallen:
        yield Evidence("kit_shed_falls", {"seat": seat})
    elif seat in new.outs:
        yield Evidence("kit_shed_goes_out", {"seat": seat, "place": new.outs.index(seat) + 1})
    elif place:
        yield Evidence("kit_shed_left_over", {"seat": seat, "place": place})


def locked_suits(state: State) -> tuple[str, ...]:
    """The suits that every play must have, each as often as it is locked."""
    return tuple(suit for suit, many in state.trick.suits for _ in range(many))


def due_fact(state: State) -> Evidence:
    """What is due before anybody plays."""
    due = state.due
    assert due is not None
    return Evidence(f"kit_shed_{due.verb}_due", {"seat": due.seat, "count": getattr(due, due.verb)})


def audit(state: State) -> tuple[Finding, ...]:
    """The proven infractions of this deal and of earlier ones."""
    return (*state.score.found, *proven(state))


def proven(state: State) -> Iterator[Finding]:
    """The declarations of this deal that later entries refute."""
    for lacking in state.round.lacking:
        if not lacking.proof:
            continue
        fact = "kit_shed_declared_none" if lacking.clause == "name.2" else "kit_shed_declared_pass"
        rank = next(r for r, least in lacking.least.items() if lacking.shown.get(r, 0) >= least)
        values = {"seat": lacking.seat, "rank": rank, "count": lacking.least[rank]}
        shown = [each for each in seen(state) if each.at in lacking.proof]
        facts = (Evidence(fact, values, lacking.at), *map(seen_fact, reversed(shown)))
        yield Finding(lacking.clause, lacking.seat, lacking.at, lacking.proof, facts)
