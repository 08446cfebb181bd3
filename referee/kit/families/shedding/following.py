"""Which plays are legal: how cards are read, and what beats what."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from referee.core.verdict import Evidence, Facts, Illegal, Legal, Verdict, evidence
from referee.kit.families.shedding.combinations import PlayReading
from referee.kit.families.shedding.compiler import PlayScope, steps
from referee.kit.families.shedding.evidence import locked_suits, on_top, order_facts, rules_of
from referee.kit.families.shedding.holding import cannot_hold
from referee.kit.families.shedding.plays import Lay
from referee.kit.families.shedding.rules import BeatRow, SheddingRules, scope_of
from referee.kit.families.shedding.state import State


class ReadAs(NamedTuple):
    """The reading that counts, and the clause by which it is legal or not."""

    reading: PlayReading
    clause: str
    legal: bool


def read_as(state: State, play: Lay, *, any_time: bool = False) -> ReadAs | None:
    """How a play is read; None if its cards are no combination.

    Of the readings that are legal now the strongest counts, of none legal the strongest of all.
    ``any_time``: only combinations that may be played out of turn count.
    """
    rules = rules_of(state)
    found: Iterable[PlayReading] = rules.readings(play.cards, play.combo)
    if any_time:
        found = [each for each in found if each.combo.any_time]
    best: ReadAs | None = None
    turned = rules.is_turned(state)
    for reading in found:
        clause, legal = _clause(rules, state, play, reading)
        if best is None or _counts_before(rules, (reading, legal), best, turned):
            best = ReadAs(reading, clause, legal)
    return best


def _counts_before(
    rules: SheddingRules, one: tuple[PlayReading, bool], other: ReadAs, turned: bool
) -> bool:
    """Whether a reading counts rather than one that was found before it."""
    reading, legal = one
    if legal != other.legal:
        return legal
    if reading.combo.name != other.reading.combo.name:
        order = rules.reading.combos
        return order.index(reading.combo) < order.index(other.reading.combo)
    return reading.keys[turned] > other.reading.keys[turned]


def _clause(
    rules: SheddingRules, state: State, play: Lay, reading: PlayReading
) -> tuple[str, bool]:
    """The clause by which a reading is legal or not, row 13 of the table."""
    top = state.trick.top
    if top is None:
        holder = rules.deal.holder
        lacks = state.turn is None and holder not in rules.shown(play.cards).cards
        return ("lead.1", False) if lacks else (f"combo.{reading.combo.name}", True)
    under = top.reading
    same_shape = reading.combo.name == under.combo.name and reading.size == under.size
    alike = same_shape and reading.length == under.length
    if alike and rules.beat:
        row = beat_row(rules, state, play, reading)
        if row is not None:
            return f"beat.{row.name}", True
    if under.combo.name in reading.combo.over:
        return f"combo.{reading.combo.name}", True
    if not (alike or (same_shape and "length" in reading.combo.by)):
        return "follow.1", False
    turned = rules.is_turned(state)
    mine, theirs = reading.keys[turned], under.keys[turned]
    if not (mine > theirs or (rules.equal and mine == theirs)):
        return "follow.2", False
    if not reading.jokers:
        trick = state.trick
        if trick.suits:
            lacking = sum(max(0, many - reading.suits.get(s, 0)) for s, many in trick.suits)
            if lacking > reading.loose:
                return "lock.1", False
        if trick.rank_at and steps(reading, under, turned=turned) != 1:
            return "lock.2", False
    return f"combo.{reading.combo.name}", True


def beat_row(rules: SheddingRules, state: State, play: Lay, reading: PlayReading) -> BeatRow | None:
    """The row by which a play beats the cards beneath it; None if there is none."""
    top = state.trick.top
    assert top is not None
    scope: PlayScope | None = None
    for row in rules.beat:
        scope = scope or scope_of(rules, state, play.seat, reading)
        here = scope
        if (
            all(row.cards(face, here) for face in reading.faces)
            and all(row.on(face, here) for face in top.reading.faces)
            and (row.when is None or row.when(here))
        ):
            return row
    return None


def judge_lay(state: State, play: Lay) -> Verdict:
    """The verdict on cards that somebody in the deal plays while nothing is due: rows 10 to 13."""
    rules, turn = rules_of(state), state.turn
    in_turn = turn == play.seat or (turn is None and not state.round.begun)
    read = read_as(state, play, any_time=not in_turn)
    if not in_turn and (read is None or not state.trick.plays):
        if play.seat in state.trick.passed:
            passed = Evidence("kit_shed_passed", {"seat": play.seat}, state.trick.passed[play.seat])
            return Illegal("pass.2", (passed,))
        due = (turn,) if turn is not None else state.round.live
        return Illegal("turn.1", evidence("not_turn", seat=play.seat, due=due))
    fault = cannot_hold(state, play.seat, rules.shown(play.cards))
    if fault is not None:
        return fault
    if read is None:
        return Illegal("combo.1", evidence("kit_shed_no_combo", cards=play.cards))
    facts = _facts(state, play, read)
    return Legal(read.clause, facts) if read.legal else Illegal(read.clause, facts)


def _facts(state: State, play: Lay, read: ReadAs) -> Facts:
    top = state.trick.top
    if read.clause == "lead.1":
        return evidence("kit_shed_lacks_holder", card=rules_of(state).deal.holder)
    if top is None:
        values = {"seat": play.seat, "cards": play.cards, "combo": read.reading.combo.name}
        fact = "kit_shed_leads" if len(play.cards) == 1 else "kit_shed_leads_combo"
        return (Evidence(fact, values),)
    lies, order = on_top(top), order_facts(state)
    match read.clause:
        case "follow.1":
            values = {"combo": read.reading.combo.name, "under": top.reading.combo.name}
            same = read.reading.combo.name == top.reading.combo.name
            other = "kit_shed_other_size" if same else "kit_shed_other_shape"
            return (lies, Evidence(other, values))
        case "follow.2":
            return (lies, *order, Evidence("kit_shed_not_stronger", {}))
        case "lock.1":
            suits = {"suits": locked_suits(state)}
            return (lies, Evidence("kit_shed_suits_locked", suits, state.trick.suits_at))
        case "lock.2":
            return (lies, *order, *evidence("kit_shed_rank_locked", state.trick.rank_at))
    return (lies, *order)
