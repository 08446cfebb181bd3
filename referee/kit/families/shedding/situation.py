"""The top of a trick that is described without the entries that led to it, for quick checks."""

from __future__ import annotations

from typing import NamedTuple

from referee.core.game import Table
from referee.core.situation import ImpossibleSituation
from referee.core.verdict import Illegal, Seat
from referee.kit.families.shedding.evidence import rules_of
from referee.kit.families.shedding.game import SheddingGame
from referee.kit.families.shedding.plays import Lay, Pass
from referee.kit.families.shedding.state import PLAY, State

THERE = ("deck.", "wild.", "hand.")
"""Clauses by which cards cannot be there at all, whatever lies beneath them."""


class TopDescribed(NamedTuple):
    """What is in force before a play: ``lies`` are the cards on top, none before a lead.

    ``turned_deal``, ``turned_trick``: the order is turned until the deal ends, until the trick is
    cleared. ``suits``: those locked, each as often as it is; ``rank``: the rank is locked.
    ``held``: how many cards the player has, 0 if it does not matter. ``passed``: has passed before.
    """

    lies: tuple[str, ...] = ()
    turned_deal: bool = False
    turned_trick: bool = False
    suits: tuple[str, ...] = ()
    rank: bool = False
    held: int = 0
    passed: bool = False


class PlayAsked(NamedTuple):
    """A state, and the seat whose play is asked about."""

    state: State
    seat: Seat


def lead(game: SheddingGame, table: Table, top: TopDescribed) -> State:
    """The state before the first seat leads what lies on the table: anybody may hold any card."""
    state = game.setup(table)
    rules, first = rules_of(state), table.seats[0]
    many = len(state.deck)
    round_ = state.round._replace(
        size=many // rules.n,
        starter=first,
        held=(many,) * rules.n,
        live=table.seats,
        begun=True,
        turned=int(top.turned_deal),
    )
    trick = state.trick._replace(turned=int(top.turned_trick))
    return state._replace(deal=1, phase=PLAY, turn=first, round=round_, trick=trick)


def situation(game: SheddingGame, table: Table, top: TopDescribed) -> PlayAsked:
    """The state in which the next seat plays on ``top.lies``; the first one leads without them.

    What the cards on top have brought about is what ``top`` says. If they cleared the trick, the
    first seat leads. Raises ``ImpossibleSituation`` with the field "lies".
    """
    state = lead(game, table, top)
    if top.lies:
        play = Lay(table.seats[0], top.lies)
        verdict = game.judge(state, play)
        if isinstance(verdict, Illegal):
            raise ImpossibleSituation("lies", verdict)
        state = game.apply(state, play)._replace(due=None)
    seat, round_, trick = state.turn, state.round, state.trick
    assert seat is not None
    if top.held:
        place = table.seats.index(seat)
        held = (*round_.held[:place], top.held, *round_.held[place + 1 :])
        round_ = round_._replace(held=held)
    trick = trick._replace(turned=int(top.turned_trick))
    if trick.plays:
        suits = {suit: top.suits.count(suit) for suit in top.suits}
        trick = trick._replace(
            suits=tuple(suits.items()), suits_at=int(bool(suits)), rank_at=int(top.rank)
        )
    state = state._replace(round=round_._replace(turned=int(top.turned_deal)), trick=trick)
    if top.passed and trick.plays:
        state = game.apply(state, Pass(seat))
    return PlayAsked(state, seat)
