"""Agreement: players say at the end that the result is right.

An agreement is for one result: it counts while the result is what it was at its entry.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from referee.core.corrections import Agree
from referee.core.game import Game
from referee.core.generic import P, S
from referee.core.verdict import Illegal, Legal, Seat, Verdict, evidence
from referee.core.written import Points

CLAUSE = "agree.1"


class FinalResult(NamedTuple):
    """With what a seat agrees: the total of every seat, who has won and who has lost."""

    totals: Mapping[Seat, Points]
    winners: tuple[Seat, ...]
    losers: tuple[Seat, ...]


def result(game: Game[S, P], state: S) -> FinalResult | None:
    """The result of a match at ``state``; None until it is decided or stopped."""
    ended = game.outcome(state)
    if ended is None:
        return None
    return FinalResult(game.score(state).totals, ended.winners, ended.losers)


def judge(entry: Agree, now: FinalResult | None, counting: Collection[Seat]) -> Verdict:
    """Whether a seat can agree ``now``; ``counting``: the seats whose agreement counts already."""
    if now is None:
        return Illegal(CLAUSE, evidence("not_over"))
    if entry.seat in counting:
        return Illegal(CLAUSE, evidence("agreed_before", seat=entry.seat))
    return Legal(CLAUSE, evidence("agrees_with_result", seat=entry.seat))
