"""What is recorded of an evening, entry by entry. People are numbers from 0, rounds from 1."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple, TypeAlias, get_args

Places: TypeAlias = tuple[tuple[int, int], ...]
"""(person, place) of everybody at a table."""

Teams: TypeAlias = tuple[tuple[int, ...], ...]
"""The people of each team; none where each plays alone."""


class Came(NamedTuple):
    """Somebody is here and plays from round ``first`` on."""

    person: int
    first: int


class TickedByMistake(NamedTuple):
    """Somebody has not come after all."""

    person: int


class Dropped(NamedTuple):
    """Somebody no longer plays from ``round`` on; 0: plays on."""

    person: int
    round: int


class LeavesAt(NamedTuple):
    """Somebody has to go at this time of day; "": stays."""

    person: int
    clock: str


class PeopleMerged(NamedTuple):
    """Two are one person, who keeps the number ``stays`` and the results of both."""

    gone: int
    stays: int


class TableSizes(NamedTuple):
    """How many people sit at each table, where no tables are listed."""

    least: int
    most: int
    prefer: int


class RoundMinutes(NamedTuple):
    """How long a round is; 0: without a clock."""

    minutes: int


class StandingShown(NamedTuple):
    """Whether the projector shows the standing."""

    shown: bool


class TableLaid(NamedTuple):
    """A table with its limits; ``game``: a name, or "" for any."""

    table: str
    least: int
    most: int
    prefer: int
    game: str


class TableCleared(NamedTuple):
    """A table is no longer used."""

    table: str


class GameForAll(NamedTuple):
    """The game of tables that have none of their own."""

    game: str


class Wished(NamedTuple):
    """Two people are to sit together, or not; ``counts`` false takes the wish back."""

    one: int
    other: int
    together: bool
    counts: bool


class FixedSeat(NamedTuple):
    """A person always sits at this table; "": no longer."""

    person: int
    table: str


class Proposed(NamedTuple):
    """Who could sit where in a round that is not published."""

    round: int
    seed: int
    ranked: bool
    tables: tuple[tuple[str, str, tuple[int, ...]], ...]
    """(table, game, people)"""
    idle: tuple[int, ...]


class Exchanged(NamedTuple):
    """Two people change places; before a round is published, or one by one after it."""

    round: int
    one: int
    other: int


class MovedTo(NamedTuple):
    """A person moves to a table; "": sits out."""

    round: int
    person: int
    table: str


class LockedIn(NamedTuple):
    """People who stay where they are in the next proposal, or no longer."""

    people: tuple[int, ...]
    locked: bool


class Published(NamedTuple):
    """From now on everybody sees the round."""

    round: int


class RoundTakenBack(NamedTuple):
    """A published round in which nothing has begun is a proposal again."""

    round: int


class MatchBegun(NamedTuple):
    """A table has opened a match."""

    round: int
    table: str
    match: str


class PlacesHeard(NamedTuple):
    """What the match of a table says about places; none while it is not over."""

    round: int
    table: str
    places: Places
    teams: Teams = ()


class PlacesTyped(NamedTuple):
    """Places that a director has typed; none: the table has no result, its people were away."""

    round: int
    table: str
    places: Places


class DirectorCalled(NamedTuple):
    """A table needs a director; ``seq``: the entry of its match in question, 0: none."""

    round: int
    table: str
    seq: int


class DirectorComes(NamedTuple):
    """A director is on the way; ``name``: who, "" for a phone that is nobody's."""

    round: int
    table: str
    name: str


class CallSettled(NamedTuple):
    """A call is done."""

    round: int
    table: str


class ClockSet(NamedTuple):
    """The clock ends at ``ends`` (UTC, ISO 8601), or stands with ``left`` seconds if that is ""."""

    ends: str
    left: int

    def seconds_left(self, now: datetime) -> int:
        """How long the round still is."""
        if not self.ends:
            return self.left
        return max(0, round((datetime.fromisoformat(self.ends) - now).total_seconds()))


class DirectorNamed(NamedTuple):
    """A phone may direct, or no longer."""

    phone: str
    directs: bool


class PhoneOf(NamedTuple):
    """The phone that makes this entry is the one of this person."""

    person: int


PeopleEntry: TypeAlias = Came | TickedByMistake | Dropped | LeavesAt | PhoneOf
SeatsEntry: TypeAlias = Proposed | Exchanged | MovedTo | Published | RoundTakenBack | LockedIn
ResultEntry: TypeAlias = MatchBegun | PlacesHeard | PlacesTyped
CallEntry: TypeAlias = DirectorCalled | DirectorComes | CallSettled
TablesEntry: TypeAlias = TableSizes | TableLaid | TableCleared | GameForAll | Wished | FixedSeat
SettingEntry: TypeAlias = TablesEntry | RoundMinutes | StandingShown
OtherEntry: TypeAlias = PeopleMerged | ClockSet | DirectorNamed
DeskEntry: TypeAlias = (
    PeopleEntry | SeatsEntry | ResultEntry | CallEntry | SettingEntry | OtherEntry
)
KINDS: Mapping[str, Callable[..., DeskEntry]] = {
    kind.__name__: kind for kind in get_args(DeskEntry)
}


def written(entry: DeskEntry) -> str:
    """The entry as one line of text."""
    return json.dumps([type(entry).__name__, *entry], ensure_ascii=False)


def read(line: str) -> DeskEntry:
    """The entry that ``written`` made this line of."""
    name, *values = json.loads(line)
    return KINDS[name](*map(_frozen, values))


def _frozen(value: object) -> object:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
