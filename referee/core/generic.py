"""The type parameters of a game: its state and its plays.

A game's own screen names both (``View[State, Play]``) and is checked against them. Code that serves
every game names neither: ``Game``, ``Log`` or ``View`` alone stands for any game. That default is
the one place where a state or a play may be anything.
"""

from __future__ import annotations

from dataclasses import Field
from typing import Any, ClassVar, Protocol

from typing_extensions import TypeVar  # defaults are in ``typing`` from Python 3.13 on

from referee.core.cards import Deck


class GameState(Protocol):
    """What the log and the pages need of every state: the deals begun so far, and the deck."""

    @property
    def deal(self) -> int: ...
    @property
    def deck(self) -> Deck: ...


class Entry(Protocol):
    """An entry of a log, a play or a correction: a frozen dataclass with its form in the record.

    ``SUBJECT`` is ``"table"`` or ``"seat"``; an entry of a seat has the field ``seat``. ``FORM`` is
    the rest of the line (see ``core.record``).
    """

    SUBJECT: ClassVar[str]
    FORM: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


class Play(Entry, Protocol):
    """An entry that a game judges.

    ``OWN_WORD``, where it is true: the seat agrees to something, which only a phone may enter that
    speaks for it.
    """


S = TypeVar("S", bound=GameState, default=Any)
P = TypeVar("P", bound=Play, default=Any)
