"""What a game is: a module with these names and functions. ``referee.games`` lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, TypeAlias

from referee.core.verdict import Facts, Finding, Illegal, Outcome, Seat, Verdict

TABLE = "table"


class Play(Protocol):
    """An entry that a game judges: a frozen dataclass with its form in the record.

    ``SUBJECT`` is ``"table"`` or ``"seat"``; a play of a seat has the field ``seat``. ``FORM`` is
    the rest of the line (see ``core.record``).
    """

    SUBJECT: ClassVar[str]
    FORM: ClassVar[str]


class Option(NamedTuple):
    """A house rule: the value in force where nobody says otherwise comes first.

    ``barred``: for a value, values of other options that can't be chosen with it (no defaults).
    """

    values: tuple[str, ...]
    barred: Mapping[str, Mapping[str, str]] = {}

    @property
    def default(self) -> str:
        return self.values[0]


Options: TypeAlias = Mapping[str, Option]


def clash(chosen: Mapping[str, str], known: Options) -> tuple[str, str] | None:
    """Two of the ``chosen`` house rules that can't be chosen together, by their keys."""
    for key, value in chosen.items():
        for other, barred in known[key].barred.get(value, {}).items():
            if chosen.get(other) == barred:
                return key, other
    return None


COMMON_OPTIONS: Options = {
    "direction": Option(("clockwise",)),
    "final_tie": Option(("shared", "replay", "first_in_seat")),
    "allow_override": Option(("on", "off")),
    "contest": Option(("agree", "majority", "host")),
    "revoke_policy": Option(("ask", "let_stand", "rewind", "void_deal")),
    "entry_mode": Option(("anyone", "own_seat", "host")),
}


@dataclass(frozen=True, slots=True)
class Table:
    """Who plays, in turn order, and the house rules that differ from the default.

    ``kit``: what the game is played with where that is the table's own (``Game.equip``).
    """

    seats: tuple[Seat, ...]
    chosen: Mapping[str, str]
    options: Options
    kit: Any = None

    def option(self, key: str) -> str:
        """The value in force at this table; KeyError if the game has no such option."""
        return self.chosen.get(key) or self.options[key].default

    def from_left_of(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats in turn order, ``seat`` itself last."""
        i = self.seats.index(seat) + 1
        return self.seats[i:] + self.seats[:i]

    def starting(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats in turn order, ``seat`` first."""
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]


class Line(NamedTuple):
    """One line of arithmetic: so many points for ``seat`` by ``clause``; deal and trick 1-based."""

    seat: Seat
    points: int
    clause: str
    evidence: Facts
    deal: int
    trick: int | None


class ScoreSheet(NamedTuple):
    """The arithmetic in playing order, and what it comes to for every seat.

    ``fewest``: who has the fewest points is first.
    """

    lines: tuple[Line, ...]
    totals: Mapping[Seat, int]
    fewest: bool = False


class Tally(NamedTuple):
    """The end of a game worked out from a tally sheet; ``more``: what else the record answers."""

    sheet: ScoreSheet
    outcome: Outcome | None
    more: Mapping[str, Any] = {}


SheetLines: TypeAlias = Mapping[str, list[tuple[int, str]]]


Find: TypeAlias = Callable[[str], str | None]
"""The text of a file that a record names, None where there is no such file."""


class Equipped(Protocol):
    """What else a rules module has whose game is played with things of the table's own."""

    EQUIPMENT: tuple[str, ...]
    """Header keys that name them; the text of a key that is missing is ""."""

    def equip(self, named: Mapping[str, str], option: Callable[[str], str], find: Find) -> Any:
        """What ``Table.kit`` holds. ``find`` looks where the record lies.

        Raises ``core.record.Unreadable``; ``key`` names the header's line unless ``file`` names a
        file that is at fault itself.
        """
        ...


class Game(Protocol):
    """The functions that a rules module has. States are immutable, ``apply`` returns a new one.

    Every state counts the deals begun so far in ``deal`` and has its ``deck``, which may lie in
    ``copies``.
    """

    NAME: str
    FAMILY: str
    SEATS: range
    VERSION: str
    OPTIONS: Options
    PLAYS: tuple[type[Any], ...]

    def setup(self, table: Table) -> Any:
        """The state before the first entry."""
        ...

    def to_act(self, state: Any) -> tuple[Seat, ...]:
        """Seats whose entry is due, the most pressing first; empty between deals."""
        ...

    def candidates(self, state: Any) -> Iterable[Any]:
        """Every play that could be declared now at all, legal or not."""
        ...

    def judge(self, state: Any, play: Any) -> Verdict:
        """The only place that decides whether ``play`` is legal."""
        ...

    def apply(self, state: Any, play: Any) -> Any:
        """The state after ``play``, which is not illegal."""
        ...

    def let_stand(self, state: Any, play: Any) -> Any | None:
        """The state after an illegal play that the table lets stand; None without a sensible one.

        What the play says about a hand is not believed.
        """
        ...

    def score(self, state: Any) -> ScoreSheet: ...

    def outcome(self, state: Any) -> Outcome | None: ...

    def audit(self, state: Any) -> tuple[Finding, ...]:
        """What later entries have proven about earlier ones, in the order of the offences."""
        ...

    def public(self, state: Any) -> dict[str, Any]:
        """What everybody at the table can see, as JSON has it (see the record format)."""
        ...

    def tally(self, table: Table, lines: SheetLines, end: int) -> Tally:
        """The score alone, from a tally sheet: key → its (line number, text) pairs.

        Raises ``core.record.Unreadable``, for something missing at line ``end``. A game without
        such a sheet has ``TALLIED = False``.
        """
        ...


def options(game: Game, state: Any) -> Iterator[Any]:
    """The candidates that are not illegal."""
    for play in game.candidates(state):
        if not isinstance(game.judge(state, play), Illegal):
            yield play
