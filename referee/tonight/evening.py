"""An evening as its entries make it: people, tables, rounds, results, calls, the clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import NamedTuple

from referee.tonight.call import Limits, Pair, Wish
from referee.tonight.entries import (
    CallEntry,
    CallSettled,
    Came,
    ClockSet,
    DeskEntry,
    DirectorCalled,
    DirectorComes,
    DirectorNamed,
    Dropped,
    Exchanged,
    FixedSeat,
    GameForAll,
    LeavesAt,
    LockedIn,
    MatchBegun,
    MovedTo,
    PeopleEntry,
    PeopleMerged,
    PhoneOf,
    Places,
    PlacesHeard,
    PlacesTyped,
    Proposed,
    Published,
    ResultEntry,
    RoundMinutes,
    RoundTakenBack,
    SeatsEntry,
    SettingEntry,
    StandingShown,
    TableCleared,
    TableLaid,
    TableSizes,
    Teams,
    TickedByMistake,
    Wished,
)
from referee.tonight.standing import TableResult


class Stamp(NamedTuple):
    """Which phone made an entry, and when (UTC, ISO 8601)."""

    phone: str
    at: str


@dataclass(frozen=True)
class Guest:
    """Somebody who has been ticked. ``dropped``: the first round no longer played, 0: none."""

    here: bool
    first: int
    ticked: Stamp
    dropped: int = 0
    leaves: str = ""

    def plays(self, number: int) -> bool:
        """Whether this person is to be seated in a round."""
        return self.here and self.first <= number and not 0 < self.dropped <= number


@dataclass(frozen=True)
class RoundTable:
    """A table of one round. ``result``: None as long as there is none.

    ``heard``: the places that its match has said last. ``void``: a director said that there is no
    result. ``ended``: when the result came.
    """

    table: str
    game: str
    people: tuple[int, ...]
    match: str = ""
    heard: tuple[Places, Teams] = ((), ())
    result: TableResult | None = None
    void: bool = False
    begun: str = ""
    ended: str = ""

    @property
    def untouched(self) -> bool:
        """Whether nothing has begun here."""
        return not self.match and not self.result and not self.void

    @property
    def open(self) -> bool:
        """Whether a result is missing."""
        return not self.result and not self.void


@dataclass(frozen=True)
class RoundChange:
    """An exchange in a published round: ``other`` is a person, or None for the table ``table``."""

    at: str
    one: int
    other: int | None
    table: str = ""


@dataclass(frozen=True)
class EveningRound:
    """A round: a proposal until it is ``published`` (when; "": not yet)."""

    number: int
    seed: int
    ranked: bool
    tables: tuple[RoundTable, ...]
    idle: tuple[int, ...]
    published: str = ""
    changes: tuple[RoundChange, ...] = ()

    def at(self, table: str) -> RoundTable | None:
        """The table with this name."""
        return next((each for each in self.tables if each.table == table), None)

    def of(self, person: int) -> RoundTable | None:
        """The table at which a person sits."""
        return next((each for each in self.tables if person in each.people), None)

    def seated(self) -> set[int]:
        """Everybody who sits at a table or sits out."""
        return {*self.idle, *(person for each in self.tables for person in each.people)}


@dataclass(frozen=True)
class DirectorCall:
    """An open call: since when, whether somebody comes, and who ("": a phone of nobody)."""

    round: int
    table: str
    since: str
    seq: int
    comes: bool = False
    by: str = ""


SIZES = Limits("", 3, 5, 4)
MINUTES = 45


@dataclass(frozen=True)
class DeskState:
    """An evening. ``rounds``: the published ones and at most one proposal, the last."""

    guests: Mapping[int, Guest] = field(default_factory=dict)
    sizes: Limits = SIZES
    tables: Mapping[str, tuple[Limits, str]] = field(default_factory=dict)
    """The tables that are listed, with their games; none: as many as needed."""
    game: str = ""
    minutes: int = MINUTES
    shows_standing: bool = True
    wishes: tuple[Wish, ...] = ()
    fixed: Mapping[int, str] = field(default_factory=dict)
    locked: frozenset[int] = frozenset()
    rounds: tuple[EveningRound, ...] = ()
    calls: tuple[DirectorCall, ...] = ()
    clock: ClockSet | None = None
    directors: frozenset[str] = frozenset()
    phones: Mapping[str, int] = field(default_factory=dict)
    """Whose phone is whose."""

    @property
    def published(self) -> tuple[EveningRound, ...]:
        """The rounds that everybody sees."""
        return tuple(each for each in self.rounds if each.published)

    @property
    def proposal(self) -> EveningRound | None:
        """The round that only directors see."""
        return self.rounds[-1] if self.rounds and not self.rounds[-1].published else None

    @property
    def next(self) -> int:
        """The number of the next unpublished round."""
        return len(self.published) + 1

    def round(self, number: int) -> EveningRound | None:
        """The round with this number."""
        return self.rounds[number - 1] if 0 < number <= len(self.rounds) else None

    def present(self, number: int) -> list[int]:
        """Who is to be seated in a round."""
        return sorted(person for person, guest in self.guests.items() if guest.plays(number))

    def call(self, number: int, table: str) -> DirectorCall | None:
        """The open call of a table of a round."""
        return next((c for c in self.calls if (c.round, c.table) == (number, table)), None)

    def limits(self, table: str) -> Limits:
        """The limits of a table by its name."""
        listed = self.tables.get(table)
        return listed[0] if listed else self.sizes

    def meetings(self) -> dict[Pair, int]:
        """How often every two people have met tonight, in published rounds."""
        tables = (table for each in self.published for table in each.tables)
        return Counter(pair for table in tables for pair in combinations(sorted(table.people), 2))

    def sat_out(self) -> dict[int, int]:
        """How often people have sat out, in published rounds."""
        return Counter(person for each in self.published for person in each.idle)


def after(evening: DeskState, entry: DeskEntry, stamp: Stamp) -> DeskState:
    """``evening`` after one more entry."""
    if isinstance(entry, PeopleEntry):
        return _people(evening, entry, stamp)
    if isinstance(entry, SeatsEntry):
        return _seats(evening, entry, stamp)
    if isinstance(entry, ResultEntry):
        return _results(evening, entry, stamp)
    if isinstance(entry, CallEntry):
        return _calls(evening, entry, stamp)
    match entry:
        case PeopleMerged(gone, stays):
            return _merged(evening, gone, stays)
        case ClockSet():
            return replace(evening, clock=entry)
        case DirectorNamed(phone, directs):
            directors = evening.directors | {phone} if directs else evening.directors - {phone}
            return replace(evening, directors=directors)
        case _:
            return _settings(evening, entry)


def _people(evening: DeskState, entry: PeopleEntry, stamp: Stamp) -> DeskState:
    if isinstance(entry, PhoneOf):
        return replace(evening, phones={**evening.phones, stamp.phone: entry.person})
    known = evening.guests.get(entry.person)
    match entry:
        case Came(_, first):
            leaves = known.leaves if known else ""
            guest = Guest(here=True, first=first, ticked=stamp, leaves=leaves)
        case _ if known is None:
            return evening
        case TickedByMistake():
            guest = replace(known, here=False, ticked=stamp)
        case Dropped(_, number):
            guest = replace(known, dropped=number, ticked=stamp)
        case LeavesAt(_, clock):
            guest = replace(known, leaves=clock)
    return replace(evening, guests={**evening.guests, entry.person: guest})


def _merged(evening: DeskState, gone: int, stays: int) -> DeskState:
    """All that ``gone`` was and had is that of ``stays``."""
    names, one, other = {gone: stays}, evening.guests[gone], evening.guests[stays]
    playing = [guest for guest in (other, one) if guest.here and not guest.dropped]
    guest = replace(
        playing[0] if playing else other,
        here=one.here or other.here,
        first=min(one.first, other.first),
        dropped=0 if playing else max(one.dropped, other.dropped),
    )
    guests = {who: each for who, each in evening.guests.items() if who != gone}
    pairs = [
        replace(wish, people=(min(pair), max(pair)))
        for wish in evening.wishes
        for pair in [tuple(names.get(who, who) for who in wish.people)]
        if len({*pair}) > 1
    ]
    return replace(
        evening,
        guests={**guests, stays: guest},
        wishes=tuple({wish.people: wish for wish in pairs}.values()),
        fixed={names.get(who, who): table for who, table in evening.fixed.items()},
        locked=frozenset(names.get(who, who) for who in evening.locked),
        phones={phone: names.get(who, who) for phone, who in evening.phones.items()},
        rounds=tuple(renamed(each, names) for each in evening.rounds),
    )


def _settings(evening: DeskState, entry: SettingEntry) -> DeskState:
    match entry:
        case TableSizes(least, most, prefer):
            return replace(evening, sizes=Limits("", least, most, prefer))
        case RoundMinutes(minutes):
            return replace(evening, minutes=minutes)
        case StandingShown(shown):
            return replace(evening, shows_standing=shown)
        case TableLaid(table, least, most, prefer, game):
            laid = (Limits(table, least, most, prefer), game)
            return replace(evening, tables={**evening.tables, table: laid})
        case TableCleared(table):
            rest = {name: each for name, each in evening.tables.items() if name != table}
            fixed = {who: name for who, name in evening.fixed.items() if name != table}
            return replace(evening, tables=rest, fixed=fixed)
        case GameForAll(game):
            return replace(evening, game=game)
        case Wished(one, other, together, counts):
            pair = min(one, other), max(one, other)
            wishes = tuple(wish for wish in evening.wishes if wish.people != pair)
            return replace(evening, wishes=(*wishes, Wish(together, pair)) if counts else wishes)
        case FixedSeat(person, table):
            fixed = {who: name for who, name in evening.fixed.items() if who != person}
            return replace(evening, fixed={**fixed, person: table} if table else fixed)


def _seats(evening: DeskState, entry: SeatsEntry, stamp: Stamp) -> DeskState:
    match entry:
        case LockedIn(people, locked):
            still = evening.locked | {*people} if locked else evening.locked - {*people}
            return replace(evening, locked=still)
        case Proposed(number, seed, ranked, tables, idle):
            made = tuple(RoundTable(table, game, people) for table, game, people in tables)
            found = EveningRound(number, seed, ranked, made, idle)
            return replace(evening, rounds=(*evening.rounds[: number - 1], found))
        case Published(number):
            round_ = evening.rounds[number - 1]
            left = ClockSet("", evening.minutes * 60) if evening.minutes else None
            evening = replace(evening, locked=frozenset(), clock=left)
            return _with(evening, replace(round_, published=stamp.at))
        case RoundTakenBack(number):
            round_ = replace(evening.rounds[number - 1], published="", changes=())
            kept = tuple(call for call in evening.calls if call.round != number)
            rounds = (*evening.rounds[: number - 1], round_)
            return replace(evening, rounds=rounds, clock=None, calls=kept)
        case Exchanged(number, one, other):
            round_ = evening.rounds[number - 1]
            changed = renamed(round_, {one: other, other: one})
            return _with(evening, _noted(changed, RoundChange(stamp.at, one, other)))
        case MovedTo(number, person, table):
            round_ = evening.rounds[number - 1]
            moved = tuple(_moved(each, person, to=table) for each in round_.tables)
            others = {*round_.idle} - {person}
            sits_out = tuple(sorted(others if table else others | {person}))
            changed = replace(round_, tables=moved, idle=sits_out)
            return _with(evening, _noted(changed, RoundChange(stamp.at, person, None, table)))


def _moved(table: RoundTable, person: int, *, to: str) -> RoundTable:
    others = {*table.people} - {person}
    return replace(table, people=tuple(sorted(others | {person} if table.table == to else others)))


def renamed(round_: EveningRound, names: Mapping[int, int]) -> EveningRound:
    """The round with other people in the places of those who are among ``names``."""

    def put(people: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(names.get(person, person) for person in people)

    def told(result: TableResult) -> TableResult:
        places = {names.get(who, who): place for who, place in result.places.items()}
        return TableResult(places, [put(tuple(team)) for team in result.teams])

    tables = tuple(
        replace(each, people=put(each.people), result=each.result and told(each.result))
        for each in round_.tables
    )
    return replace(round_, tables=tables, idle=put(round_.idle))


def _noted(round_: EveningRound, change: RoundChange) -> EveningRound:
    """Changes of a published round are listed; those of a proposal are nobody's business."""
    return replace(round_, changes=(*round_.changes, change)) if round_.published else round_


def _with(evening: DeskState, round_: EveningRound) -> DeskState:
    at = round_.number - 1
    return replace(evening, rounds=(*evening.rounds[:at], round_, *evening.rounds[at + 1 :]))


def _results(evening: DeskState, entry: ResultEntry, stamp: Stamp) -> DeskState:
    round_ = evening.rounds[entry.round - 1]
    known = round_.at(entry.table)
    if known is None:
        return evening
    match entry:
        case MatchBegun(_, _, found):
            table = replace(known, match=found, begun=stamp.at)
        case PlacesHeard(_, _, places, teams):
            result = TableResult(dict(places), teams) if places else None
            ended = stamp.at if places else ""
            table = replace(known, heard=(places, teams), result=result, void=False, ended=ended)
        case PlacesTyped(_, _, places):
            result = TableResult(dict(places)) if places else None
            table = replace(known, result=result, void=not places, ended=stamp.at)
    tables = tuple(table if each.table == entry.table else each for each in round_.tables)
    return _with(evening, replace(round_, tables=tables))


def _calls(evening: DeskState, entry: CallEntry, stamp: Stamp) -> DeskState:
    others = tuple(c for c in evening.calls if (c.round, c.table) != (entry.round, entry.table))
    known = evening.call(entry.round, entry.table)
    match entry:
        case DirectorCalled(number, table, seq):
            call = known or DirectorCall(number, table, stamp.at, seq)
            return replace(evening, calls=evening.calls if known else (*others, call))
        case DirectorComes(_, _, name) if known:
            kept = tuple(
                replace(c, comes=True, by=name) if c is known else c for c in evening.calls
            )
            return replace(evening, calls=kept)
        case CallSettled():
            return replace(evening, calls=others)
    return evening
