"""Open rows that are described without the entries that led to them, for quick checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.core.game import ScoreSheet, Table
from referee.core.situation import ImpossibleSituation
from referee.core.verdict import Illegal, Seat
from referee.kit import scored
from referee.kit.families.draw_or_stop.game import DrawOrStopGame
from referee.kit.families.draw_or_stop.plays import Hit
from referee.kit.families.draw_or_stop.state import BETWEEN, TURN, RowCard, State
from referee.kit.families.draw_or_stop.stock import drawn, rules_of, shuffled

CARDS = ("deck.", "shuffle.")
"""Clauses by which a card cannot come from the stock at all."""


def situation(game: DrawOrStopGame, table: Table, rows: Mapping[Seat, Sequence[str]]) -> State:
    """The state in which the first seat has its turn, with these cards before the seats.

    Raises ``ImpossibleSituation`` with the seat whose row has a card that cannot be there.
    """
    state = game.setup(table)
    rules = rules_of(state)
    round_ = state.round._replace(size=1, starter=table.seats[0], playing=table.seats)
    state = state._replace(deal=1, phase=TURN, order=table.seats[:1], round=round_)
    state = state._replace(stock=shuffled(state))
    for seat, cards in rows.items():
        place = rules.index[seat]
        for card in cards:
            verdict = game.judge(state._replace(order=(seat,)), Hit(seat, card))
            if isinstance(verdict, Illegal):
                raise ImpossibleSituation(seat, verdict)
            shown = RowCard(seat, card, state.at + 1)
            row = (*state.round.rows[place], shown)
            lying = (*state.round.rows[:place], row, *state.round.rows[place + 1 :])
            round_ = state.round._replace(rows=lying)
            state = state._replace(stock=drawn(state, shown), round=round_, at=shown.at)
    return state


def if_all_stopped(game: DrawOrStopGame, state: State) -> ScoreSheet:
    """The score sheet if the round ended with the rows as they lie."""
    if state.phase == BETWEEN:
        return game.score(state)
    return game.score(scored.deal_scored(state._replace(phase=BETWEEN, order=(), due=())))
