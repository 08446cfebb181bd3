"""The entries of a score pad."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.generic import ByTable
from referee.core.verdict import Seat
from referee.core.written import Points


@dataclass(frozen=True, slots=True)
class Round(ByTable):
    """The points of a round: every seat that is in once, with teams one seat of each."""

    FORM: ClassVar[str] = "round {points:points_of_seats}"
    points: tuple[tuple[Seat, Points], ...]


@dataclass(frozen=True, slots=True)
class Ranked(ByTable):
    """The places at the end, where the table ranks the players itself."""

    FORM: ClassVar[str] = "places {places:places_of_seats}"
    places: tuple[tuple[Seat, int], ...]


@dataclass(frozen=True, slots=True)
class AllWon(ByTable):
    """All have won together."""

    FORM: ClassVar[str] = "won [points={points:amount}]"
    points: Points | None = None


@dataclass(frozen=True, slots=True)
class AllLost(ByTable):
    """All have lost together."""

    FORM: ClassVar[str] = "lost [points={points:amount}]"
    points: Points | None = None


@dataclass(frozen=True, slots=True)
class End(ByTable):
    """The group ends the match: the points decide as they stand."""

    FORM: ClassVar[str] = "end"


@dataclass(frozen=True, slots=True)
class Join(ByTable):
    """A new seat, after all others; its total begins at ``points``, or where all others began."""

    FORM: ClassVar[str] = "join {named:newcomer} [with {points:amount}]"
    named: Seat
    points: Points | None = None


@dataclass(frozen=True, slots=True)
class SitOut(ByTable):
    """A seat sits out from the next round on."""

    FORM: ClassVar[str] = "leave {named:seat}"
    named: Seat


@dataclass(frozen=True, slots=True)
class Return(ByTable):
    """A seat that sat out is in again, with its old total."""

    FORM: ClassVar[str] = "return {named:seat}"
    named: Seat


@dataclass(frozen=True, slots=True)
class SetEnd(ByTable):
    """From now on the match ends at this target, after this number of rounds; None: at none."""

    FORM: ClassVar[str] = "set {limits}"
    limits: tuple[tuple[str, Points | None], ...]


Play: TypeAlias = Round | Ranked | AllWon | AllLost | End | Join | SitOut | Return | SetEnd
PLAYS: tuple[type[Play], ...] = (Round, Ranked, AllWon, AllLost, End, Join, SitOut, Return, SetEnd)
