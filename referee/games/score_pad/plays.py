"""The entries of a score pad."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.game import TABLE
from referee.core.verdict import Seat
from referee.core.written import Points


@dataclass(frozen=True, slots=True)
class Round:
    """The points of a round: every seat that is in once, with teams one seat of each."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "round {points:points_of_seats}"
    points: tuple[tuple[Seat, Points], ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The places at the end, where the table ranks the players itself."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "places {places:places_of_seats}"
    places: tuple[tuple[Seat, int], ...]


@dataclass(frozen=True, slots=True)
class AllWon:
    """All have won together."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "won [points={points:amount}]"
    points: Points | None = None


@dataclass(frozen=True, slots=True)
class AllLost:
    """All have lost together."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "lost [points={points:amount}]"
    points: Points | None = None


@dataclass(frozen=True, slots=True)
class End:
    """The group ends the match: the points decide as they stand."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "end"


@dataclass(frozen=True, slots=True)
class Join:
    """A new seat, after all others; its total begins at ``points``, or where all others began."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "join {named:newcomer} [with {points:amount}]"
    named: Seat
    points: Points | None = None


@dataclass(frozen=True, slots=True)
class SitOut:
    """A seat sits out from the next round on."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "leave {named:seat}"
    named: Seat


@dataclass(frozen=True, slots=True)
class Return:
    """A seat that sat out is in again, with its old total."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "return {named:seat}"
    named: Seat


@dataclass(frozen=True, slots=True)
class SetEnd:
    """From now on the match ends at this target, after this number of rounds; None: at none."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "set {limits}"
    limits: tuple[tuple[str, Points | None], ...]


Play: TypeAlias = Round | Ranked | AllWon | AllLost | End | Join | SitOut | Return | SetEnd
PLAYS: tuple[type[Play], ...] = (Round, Ranked, AllWon, AllLost, End, Join, SitOut, Return, SetEnd)
