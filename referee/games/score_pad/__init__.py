"""Any game by its rounds: the people say the points, the pad adds them up and says who wins.

There is no source text. Rulings N1–N6.

``plays`` has the entries; ``judging`` decides whether they are legal, ``effects`` what they change
and when the match ends, ``scoring`` the totals; ``options`` the house rules.
"""

from __future__ import annotations

from referee.core.game import Hooks, Table, Unit
from referee.core.normalised import compared
from referee.core.verdict import Finding, Seat
from referee.games.score_pad.effects import adjusted, apply, let_stand, stopped
from referee.games.score_pad.judging import candidates, judge
from referee.games.score_pad.options import NONE, OPTIONS, fits
from referee.games.score_pad.plays import (
    PLAYS,
    AllLost,
    AllWon,
    End,
    Join,
    Play,
    Ranked,
    Return,
    Round,
    SetEnd,
    SitOut,
)
from referee.games.score_pad.scoring import outcome, places, public, score
from referee.games.score_pad.state import MOST_SEATS, State, first_of, setup, teams_of

NAME = "score_pad"
SEATS = range(1, MOST_SEATS + 1)
VERSION = "1"


def to_act(state: State) -> tuple[Seat, ...]:
    """Nobody: a pad does not say whose turn it is."""
    return ()


def audit(state: State) -> tuple[Finding, ...]:
    """Nothing: no hand is hidden here."""
    return ()


def _unit(table: Table) -> Unit:
    match table.option("wins"):
        case "least":
            return "fewest"
        case "places":
            return "places"
        case _:
            return "points"


HOOKS: Hooks[State, Play] = Hooks(
    fits=fits,
    first=lambda seats, chosen: first_of(teams_of((*seats,), chosen.get("teams", NONE))),
    seats=lambda state: state.seats,
    present=lambda state: state.present,
    whole_deals=(Round,),
    stopped=stopped,
    adjusted=adjusted,
    equipment=("called",),
    equip=lambda named, option, find: named.get("called", ""),
    teams=lambda state: state.rules.teams,
    unit=_unit,
    cards=False,
    decimals=True,
    kind=lambda table: compared(str(table.kit or "")),
    cooperative=lambda table: table.option("wins") == "together",
    summed=lambda table: table.option("wins") in ("most", "least"),
)
