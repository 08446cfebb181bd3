"""A deal of a shedding game, entered by its sheet: places and cards left, or points alone."""

from __future__ import annotations

import re
from collections.abc import Mapping

from referee.core.game import DealSheet, Impossible, SheetLine
from referee.kit.chapters.deck import table as table_of
from referee.kit.families.shedding import scoring
from referee.kit.families.shedding.evidence import rules_of
from referee.kit.families.shedding.plays import DealBySheet, Play
from referee.kit.families.shedding.state import State
from referee.kit.sheets import entered, lacks, one_word, points, reader
from referee.kit.text.toml import Value

_WORD = re.compile(r"-?[0-9]{1,5}(?:/[0-9]{1,5})*|[a-z][a-z0-9_]{0,23}(?:/[0-9]{1,5})*")


def sheet(values: Mapping[str, Value]) -> DealSheet[State, Play]:
    """The sheet of the game with these values."""
    deal = table_of(values.get("deal"))
    holder = deal.get("leader") == "holder"
    return DealSheet(
        deal=lambda table, leader: DealBySheet(leader),
        ended=_by_points if by_points(values) else _by_places,
        card=reader(_WORD),
        first="" if holder else "leader",
    )


def by_points(values: Mapping[str, Value]) -> bool:
    """Whether points depend on single plays, so that a sheet has the points themselves."""
    rows = (*table_of(values.get("score")).values(), *table_of(values.get("counters")).values())
    return any(table_of(row).get("per") == "play" for row in rows)


def _by_places(state: State, lines: tuple[SheetLine, ...]) -> State:
    """The end of a deal that has just begun: places, bids, and cards left if they count."""
    rules = rules_of(state)
    held_counts = "held" in rules.compiler.uses
    bids, finish, held = list[str | None](), list[int](), list[int]()
    for seat, word in [*one_word(lines, rules.seats)]:
        parts = word.split("/")
        if len(parts) != rules.bidding.made + 1 + held_counts:
            raise lacks(seat)
        if rules.bidding.made:
            said, *parts = parts
            possible = rules.bidding.possible(state)
            if said not in possible:
                values = {"bid": said, "bids": possible}
                raise Impossible("bid.1", "kit_no_such_bid", seat, **values)
            bids.append(said)
        numbers = [int(part) if part.isdigit() else -1 for part in parts]
        if min(numbers) < 0:
            raise lacks(seat)
        finish.append(numbers[0])
        held.append(numbers[-1] if held_counts else 0)
    _refuse_places(finish)
    for seat, each, dealt in zip(rules.seats, held, state.round.held, strict=True):
        if each > dealt:
            raise Impossible(
                "sheet.1", "kit_shed_sheet_held", seat, key=seat, held=each, dealt=dealt
            )
    order = sorted(zip(finish, rules.seats, strict=True))
    alike = {place for place in finish if finish.count(place) > 1}
    round_ = state.round._replace(
        bids=tuple(bids) or state.round.bids,
        held=tuple(held),
        begun=True,
        outs=tuple(seat for place, seat in order if place not in alike),
        live=tuple(seat for place, seat in order if place in alike),
    )
    return scoring.deal_ended(state._replace(round=round_), finish=tuple(finish))


def _refuse_places(finish: list[int]) -> None:
    """Raises ``Impossible`` if these are no possible places: 1, 2, …, of which some may be shared
    by those who were still in when the deal ended.
    """
    shared = [place for place in set(finish) if finish.count(place) > 1]
    expected, place = list[int](), 1
    for each in sorted(set(finish)):
        if each != place:
            break
        expected += [each] * finish.count(each)
        place += finish.count(each)
    if len(shared) > 1 or sorted(finish) != expected:
        raise Impossible("sheet.1", "kit_shed_sheet_places", places=tuple(sorted(finish)))


def _by_points(state: State, lines: tuple[SheetLine, ...]) -> State:
    """The end of a deal that has just begun, from its points; raises ``Impossible``."""
    rules = rules_of(state)
    found = points([*one_word(lines, rules.seats)])
    return scoring.deal_ended(state, entered(rules, found))
