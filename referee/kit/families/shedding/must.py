"""What passes and namings declare, and when later entries refute them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.core.verdict import (
    Evidence,
    Illegal,
    Lacks,
    Legal,
    Seat,
    Unprovable,
    Verdict,
    evidence,
)
from referee.kit.families.shedding.combinations import MOST_CARDS
from referee.kit.families.shedding.evidence import on_top, order_facts, rules_of
from referee.kit.families.shedding.following import read_as
from referee.kit.families.shedding.holding import in_bag_of_rank
from referee.kit.families.shedding.plays import Lay, Pass
from referee.kit.families.shedding.state import Lacking, State


def beating_numbers(state: State, seat: Seat) -> Mapping[str, int]:
    """For each rank the fewest cards of it that beat the cards on the table, if any number does."""
    rules, found = rules_of(state), dict[str, int]()
    for card, copies in zip(rules.cards.deck.cards, rules.cards.deck.copies, strict=True):
        for many in range(1, min(copies, MOST_CARDS) + 1):
            read = read_as(state, Lay(seat, (str(card),) * many))
            if read is not None and read.legal:
                found[str(card)] = many
                break
    return found


def judge_must(state: State, play: Pass) -> Verdict:
    """The verdict on a pass where everybody plays who can."""
    rules, top = rules_of(state), state.trick.top
    assert top is not None
    held = state.round.held[rules.index[play.seat]]
    least = beating_numbers(state, play.seat)
    unseen = {
        str(card): copies
        - in_bag_of_rank(state, state.round.gone, rules.rank_of(str(card)) or str(card))
        for card, copies in zip(rules.cards.deck.cards, rules.cards.deck.copies, strict=True)
    }
    able = tuple(card for card, many in least.items() if min(unseen[card], held) >= many)
    facts = (on_top(top), *order_facts(state))
    if not able:
        return Legal("pass.1", (*facts, *evidence("kit_shed_none_left", seat=play.seat)))
    others = sum(min(many, least.get(card, many + 1) - 1) for card, many in unseen.items())
    if others < held:
        values = {"seat": play.seat, "held": held, "others": others}
        return Illegal("pass.3", (*facts, Evidence("kit_shed_must_have", values)))
    sets = tuple(" ".join([card] * least[card]) for card in able)
    return Unprovable("pass.3", Lacks(play.seat, sets), facts)


def declares_pass(state: State, seat: Seat, at: int) -> State:
    """``state`` with what a pass declares."""
    lacking = Lacking(seat, "pass.3", at, beating_numbers(state, seat), {})
    return _with(state, (*state.round.lacking, lacking))


def declare_names(state: State, ranks: Iterable[str], at: int) -> State:
    """``state`` after ranks were named: who drops no card of one declares to hold none."""
    named = dict.fromkeys(ranks, 1)
    more = tuple(Lacking(seat, "name.2", at, named, {}) for seat in state.round.live)
    return _with(state, (*state.round.lacking, *more))


def dropped(state: State, seat: Seat, ranks: Iterable[str]) -> State:
    """``state`` after a seat dropped cards of ranks that were just named."""
    assert state.naming is not None
    gone, at = set(ranks), state.naming.at
    return _with(
        state,
        tuple(
            each._replace(least={r: n for r, n in each.least.items() if r not in gone})
            if each.seat == seat and each.at == at and each.clause == "name.2"
            else each
            for each in state.round.lacking
        ),
    )


def given(state: State, seat: Seat) -> State:
    """``state`` after cards came into the hand of ``seat``: what it declared says no more."""
    return _with(
        state, tuple(each for each in state.round.lacking if each.seat != seat or each.proof)
    )


def shows(state: State, seat: Seat, cards: Iterable[str], at: int) -> State:
    """``state`` after ``seat`` showed cards of its hand at the entry ``at``."""
    rules, ranks = rules_of(state), list[str]()
    for card in cards:
        ranks.append(rules.rank_of(card) or card)
    return _with(
        state,
        tuple(
            _shown(each, ranks, at) if each.seat == seat and not each.proof else each
            for each in state.round.lacking
        ),
    )


def _shown(lacking: Lacking, ranks: list[str], at: int) -> Lacking:
    counted = dict(lacking.shown)
    proof: tuple[int, ...] = ()
    for rank in ranks:
        if rank in lacking.least:
            counted[rank] = counted.get(rank, 0) + 1
            if counted[rank] >= lacking.least[rank]:
                proof = (at,)
    return lacking._replace(shown=counted, proof=proof)


def _with(state: State, lacking: tuple[Lacking, ...]) -> State:
    return state._replace(round=state.round._replace(lacking=lacking))
