"""Plays, states and verdicts. States are never changed; ``apply`` returns a new one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeAlias

from referee.core.cards import Deck, pairs_deck
from referee.core.ending import by_points
from referee.core.game import Line, ScoreSheet, Table
from referee.core.generic import BySeat, ByTable
from referee.core.verdict import (
    Finding,
    Illegal,
    Legal,
    Outcome,
    Seat,
    Verdict,
    evidence,
)

DECK = pairs_deck(10)
HAND = 3


@dataclass(frozen=True, slots=True)
class Deal(ByTable):
    """A new deal; ``leader`` may be left out where the rules decide it."""

    FORM: ClassVar[str] = "deal [leader={leader:seat}]"
    leader: Seat | None = None


@dataclass(frozen=True, slots=True)
class Lay(BySeat):
    """One card to the trick."""

    FORM: ClassVar[str] = "lay {rank}"
    rank: int


Play: TypeAlias = Deal | Lay


class Trick(NamedTuple):
    """A trick that is over; ``deal`` and ``number`` are 1-based."""

    deal: int
    number: int
    winner: Seat
    rank: int


class State(NamedTuple):
    """Between two entries. ``due``: the seats that still lay to this trick, in turn order.

    ``deal`` and ``number``, of the deal and of its trick, are 1-based; ``gone`` counts the copies
    of each rank that were laid in this deal.
    """

    table: Table
    deal: int
    number: int
    starter: Seat | None
    due: tuple[Seat, ...]
    trick: tuple[Lay, ...]
    gone: Mapping[int, int]
    tricks: tuple[Trick, ...]
    ended: Outcome | None

    @property
    def deck(self) -> Deck:
        """The cards of every table; a correction offers each of them."""
        return DECK


def setup(table: Table) -> State:
    return State(table, 0, 0, None, (), (), {}, (), None)


def to_act(state: State) -> tuple[Seat, ...]:
    return state.due[:1]


def candidates(state: State) -> Iterator[Play]:
    if state.due:
        yield from (Lay(state.due[0], int(rank)) for rank in DECK.cards)
    elif not state.ended:
        leader = next_starter(state)
        yield from (Deal(seat) for seat in ([leader] if leader else state.table.seats))


def judge(state: State, play: Play) -> Verdict:
    if state.ended:
        return Illegal("end.1", evidence("match_over"))
    if isinstance(play, Deal):
        return _judge_deal(state, play)
    if not state.due:
        return Illegal("deal.1", evidence("no_deal"))
    if play.seat != state.due[0]:
        return Illegal("turn.1", evidence("not_turn", seat=play.seat, due=state.due[:1]))
    if play.rank not in DECK:
        top = DECK.cards[-1]
        return Illegal("deck.1", evidence("not_in_deck", rank=play.rank, top=top))
    copies = DECK.copies[DECK.place[play.rank]]
    if state.gone.get(play.rank, 0) == copies:
        return Illegal("deck.2", evidence("copies_gone", rank=play.rank, copies=copies))
    return Legal("play.1", evidence("lays", seat=play.seat, rank=play.rank))


def _judge_deal(state: State, play: Deal) -> Verdict:
    if state.due:
        return Illegal("deal.2", evidence("deal_running"))
    rule = next_starter(state)
    leader = play.leader or rule
    if leader is None:
        return Illegal("deal.3", evidence("leader_missing"))
    if rule and leader != rule:
        return Illegal("start.1", evidence("leader_rule", leader=rule, named=leader))
    return Legal("start.1" if rule else "deal.3", evidence("new_deal", leader=leader))


def next_starter(state: State) -> Seat | None:
    """The seat that leads the next deal; None for the first deal, where the table decides."""
    return state.table.from_left_of(state.starter)[0] if state.starter else None


def apply(state: State, play: Play) -> State:
    """The state after ``play``, which is not illegal."""
    if isinstance(play, Deal):
        leader = play.leader or next_starter(state)
        assert leader is not None
        return state._replace(
            deal=state.deal + 1,
            number=1,
            starter=leader,
            due=state.table.starting(leader),
            trick=(),
            gone={},
        )
    gone = {**state.gone, play.rank: state.gone.get(play.rank, 0) + 1}
    state = state._replace(due=state.due[1:], trick=(*state.trick, play), gone=gone)
    return state if state.due else _close(state)


def _close(state: State) -> State:
    """The highest card takes the trick; of equal ones the first."""
    best = max(state.trick, key=lambda laid: laid.rank)
    taken = Trick(state.deal, state.number, best.seat, best.rank)
    state = state._replace(number=state.number + 1, trick=(), tricks=(*state.tricks, taken))
    if state.number <= HAND:
        return state._replace(due=state.table.starting(best.seat))
    # None where a tie is played off: nobody is due, and the table deals again.
    return state._replace(ended=by_points(state.table, _totals(state), (), clause="outcome.1"))


def let_stand(state: State, play: Play) -> State | None:
    """No illegal play has a sensible effect here that the table could let stand."""
    return None


def score(state: State) -> ScoreSheet:
    lines = [
        Line(
            trick.winner, 1, "score.1", evidence("takes", rank=trick.rank), trick.deal, trick.number
        )
        for trick in state.tricks
    ]
    return ScoreSheet(tuple(lines), _totals(state))


def _totals(state: State) -> dict[Seat, int]:
    won = [trick.winner for trick in state.tricks]
    return {seat: won.count(seat) for seat in state.table.seats}


def outcome(state: State) -> Outcome | None:
    return state.ended


def audit(state: State) -> tuple[Finding, ...]:
    """Nothing: no play here says anything about a hidden hand."""
    return ()


def public(state: State) -> dict[str, object]:
    return {
        "trick": [[laid.seat, laid.rank] for laid in state.trick],
        "totals": _totals(state),
    }
