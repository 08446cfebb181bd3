"""Deals of game files entered by their sheets: the same points as those of the cards."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from referee.core import sheets
from referee.core.game import SheetLine
from referee.core.log import Log
from referee.core.record import Grammar
from referee.core.sheets import Stop, TableSheet
from referee.core.verdict import Illegal, Legal
from referee.games.simulation import table
from referee.kit import shipped
from referee.kit.chapters.scoring.counted import by_points
from referee.kit.families.trick_taking.player import entries
from referee.kit.families.trick_taking.plays import Deal
from referee.kit.families.trick_taking.state import State
from referee.kit.game import KitGame

GAMES = {game.KEY: game for game in shipped.games().values()}


def sheet_of(game: KitGame, before: State, after: State, leader: str | None) -> TableSheet:
    """The sheet of the deal that lies between the states."""
    lines = []
    if leader:
        lines.append(SheetLine(None, "leader", ((leader, ""),)))
    for i, seat in enumerate(after.table.seats):
        points = str(after.score.totals[seat] - before.score.totals[seat])
        bid = after.round.bids[i] if after.round.bids else None
        words = [bid or "", str(after.round.tricks[i])]
        said = [points] if by_points(game.document.values) else [word for word in words if word]
        lines.append(SheetLine(seat, "", tuple((None, word) for word in said)))
    return TableSheet(tuple(lines))


@pytest.mark.parametrize("key", GAMES)
def test_a_match_entered_by_sheets_has_the_points_of_its_cards(key: str) -> None:
    game = GAMES[key]
    seats = tuple("ABCD")
    log = Log(game, table(game, seats))
    grammar = Grammar(game, seats)
    state = game.setup(log.table)
    before, leader = log.start, None
    for entry in entries(log, Random(5), 0, 0):
        if isinstance(entry, Deal):
            before, leader = log.state, entry.leader
        log.push(entry)
        if log.state.phase != "between":
            continue
        sheet = grammar.parse(grammar.print(sheet_of(game, before, log.state, leader)))
        assert isinstance(sheets.judge(game, log.table, state, sheet), Legal)
        state = sheets.apply(game, log.table, state, sheet)
        assert state.score.totals == log.state.score.totals
        assert state.score.counters == log.state.score.counters or by_points(game.document.values)
    assert game.outcome(state)
    assert game.outcome(state) == game.outcome(log.state)


@pytest.mark.parametrize("key", ["whist", "spades", "hearts"])
def test_a_sheet_that_cannot_be_is_refused(key: str) -> None:
    game = GAMES[key]
    seats = tuple("ABCD")
    state = game.setup(table(game, seats))
    words = {"whist": ("9", "9"), "spades": ("nil", "14"), "hearts": ("x", "")}[key]
    lines = [] if key == "hearts" else [SheetLine(None, "leader", (("A", ""),))]
    lines += [SheetLine(seat, "", tuple((None, word) for word in words if word)) for seat in seats]
    verdict = sheets.judge(game, state.table, state, TableSheet(tuple(lines)))
    assert isinstance(verdict, Illegal)


def test_a_match_is_stopped() -> None:
    game = GAMES["whist"]
    log = Log(game, table(game, tuple("ABCD")))
    for entry in entries(log, Random(1), 0, 0):
        log.push(entry)
        if len(log) == 20:
            break
    log.push(Stop("late"))
    ended = game.outcome(log.state)
    assert ended is not None
    assert ended.winners == ()
    assert game.to_act(log.state) == ()


@pytest.mark.parametrize("key", GAMES)
def test_every_deal_says_how_to_deal_and_what_is_hidden(key: str) -> None:
    game = GAMES[key]
    log = Log(game, table(game, tuple("ABCD")))
    for entry in entries(log, Random(2), 0.2, 0.02):
        dealing = game.HOOKS.dealing(log.state)
        assert dealing is not None
        assert dealing.steps
        log.push(entry)
        known = game.HOOKS.knowledge(log.state)
        assert known is not None
        [found] = known.placements
        held = Counter({p.seat: p.hidden for p in found.places if p.kind == "hand"})
        kept = log.state.hands.kept
        for seat in log.table.seats:
            if seat not in log.state.hands.shown:
                assert held[seat] + (seat in kept) == log.state.hands.held(seat)
        if len(log) > 130:
            break
