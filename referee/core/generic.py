"""The type parameters of a game: its state and its plays.

A game's own screen names both (``View[State, Play]``) and is type-checked against them. Code that
serves every game names neither: ``Game``, ``Log`` or ``View`` alone stands for any game. These
defaults are the only place where a state or a play is untyped.
"""

from __future__ import annotations

from dataclasses import Field, dataclass
from typing import Any, ClassVar, Protocol

from typing_extensions import TypeVar  # defaults are in ``typing`` from Python 3.13 on

from referee.core.cards import Deck
from referee.core.verdict import Seat


class GameState(Protocol):
    """What the log and the pages need of every state: the deals begun so far, and the deck."""

    @property
    def deal(self) -> int: ...
    @property
    def deck(self) -> Deck: ...


class Entry(Protocol):
    """An entry of a log, a play or a correction: a frozen dataclass with its form in the record.

    ``SUBJECT`` is that of ``ByTable`` or ``BySeat``. ``FORM`` is the rest of the line (see
    ``core.record``).
    """

    SUBJECT: ClassVar[str]
    FORM: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


@dataclass(frozen=True, slots=True)
class ByTable:
    """An entry of the whole table."""

    SUBJECT: ClassVar[str] = "table"


@dataclass(frozen=True, slots=True)
class BySeat:
    """An entry of one seat."""

    SUBJECT: ClassVar[str] = "seat"
    seat: Seat


class Play(Entry, Protocol):
    """An entry that the game judges.

    ``OWN_WORD``: true if the seat agrees to something by it; then only a phone that speaks for the
    seat may enter it.
    """


S = TypeVar("S", bound=GameState, default=Any)
P = TypeVar("P", bound=Play, default=Any)
