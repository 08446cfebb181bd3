"""Plays a game file of this family to see which of its rules come up, and whether it ends."""

from __future__ import annotations

from random import Random

from referee.core.game import Table
from referee.core.log import Log
from referee.core.verdict import Illegal
from referee.kit.families.draw_or_stop.effects import acting
from referee.kit.families.draw_or_stop.judging import judge
from referee.kit.families.draw_or_stop.player import entries
from referee.kit.families.draw_or_stop.plays import Deal, Fold, Hit, Reveal, Stay
from referee.kit.families.draw_or_stop.state import TURN, RowCard, State
from referee.kit.families.draw_or_stop.stock import (
    about,
    burned,
    can_draw,
    drawn,
    rules_of,
    size_of,
)
from referee.kit.game import KitGame
from referee.kit.scored import each_given, in_match
from referee.kit.text.faults import Path

LONGEST = 4000  # entries of a round, at most
MOST = 6000  # entries of a match, at most
CLASHING = (("drop", "keep"), ("drop", "move"), ("keep", "move"))
"""Verbs that cannot act on one card."""


class RowsMet:
    """The keys of the file that came up, and what went wrong.

    ``ended``: a match ended. ``stuck``: the round in which nothing was legal any more, 0 without
    one. ``endless``: a round did not end. ``clashes``: effects that exclude each other and acted on
    one card, by name. ``stops``: somebody could stop while cards were left. ``used_up``: the first
    round for which cards laid aside have left too few, 0 without one.
    """

    def __init__(self) -> None:
        self.keys: set[Path] = set()
        self.clashes: set[tuple[str, str]] = set()
        self.ended = self.endless = False
        self.stops = False
        self.stuck = self.used_up = 0

    def add(self, other: RowsMet) -> None:
        self.keys |= other.keys
        self.stops = self.stops or other.stops


def tried(game: KitGame, table: Table, matches: int) -> RowsMet:
    """Play ``matches`` random matches."""
    met = RowsMet()
    for number in range(matches):
        log = Log(game, table)
        began, deal = 0, 0
        for entry in entries(log, Random(number), 0, 0):
            before: State = log.state
            met.stops = met.stops or _can_stop(before)
            if isinstance(entry, Deal) and _too_few(before):
                met.used_up = met.used_up or before.deal + 1
            if isinstance(entry, Hit | Reveal):
                _acts(met, before, RowCard(entry.seat, entry.card, before.at + 1))
            if isinstance(log.push(entry), Illegal):
                met.stuck = met.stuck or max(1, before.deal)
                break
            state: State = log.state
            if state.deal != deal:
                began, deal = len(log), state.deal
            if len(log) - began >= LONGEST:
                met.endless = True
                break
            if len(log) >= MOST:
                break
        met.ended = met.ended or game.outcome(log.state) is not None
        met.keys |= {("score", given.name) for given in each_given(log.state)}
        if met.endless or met.stuck:
            break
    met.keys |= _of_folds(game, table)
    return met


def _can_stop(state: State) -> bool:
    """Whether the seat in turn may stop although it could draw."""
    if state.phase != TURN or state.due or not can_draw(state):
        return False
    stops = (Stay(state.order[0]), Fold(state.order[0]))
    return any(not isinstance(judge(state, stop), Illegal) for stop in stops)


def _too_few(state: State) -> bool:
    """Whether the deck, without what is kept and burned, is too small for the next deal."""
    left = len(state.deck) - len(state.stock.kept) - burned(state)
    return left < len(in_match(state)) * size_of(rules_of(state), state)


def _acts(met: RowsMet, state: State, shown: RowCard) -> None:
    """Note the effects of a card, and those that exclude each other."""
    rules = rules_of(state)
    if state.round.starter is None or shown.card not in rules.cards.bits:
        return
    after = state._replace(stock=drawn(state, shown))
    rows = [rules.effects[i] for i in acting(rules, "draw", about(after, shown))]
    met.keys |= {("effect", row.name) for row in rows}
    for i, first in enumerate(rows):
        for other in rows[i + 1 :]:
            for one, two in CLASHING:
                if (one in first.do and two in other.do) or (two in first.do and one in other.do):
                    met.clashes.add((first.name, other.name))


def _of_folds(game: KitGame, table: Table) -> set[Path]:
    """The effects of folds: they act on whatever card is taken."""
    rules = game.rules(table)
    return {("effect", row.name) for row in rules.effects if row.on == "fold"}
