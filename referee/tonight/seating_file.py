"""Reads the file of ``referee seating``.

The checks go through the whole file one after the other: the shape, then names, tables and rounds,
then what is there twice, then what contradicts itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.tonight import berger
from referee.tonight.call import (
    PEOPLE,
    ROUNDS,
    SEATS,
    TABLES,
    Limits,
    Mode,
    Pair,
    SeatingCall,
    Wish,
)
from referee.tonight.reading import Faulty, Item, Names, distinct, once, optional, parsed
from referee.tonight.seating import NoSizes, plans

ROUND_ROBIN = ("referee", "mode", "rounds", "people")
KEYS = (
    *ROUND_ROBIN,
    *("sizes", "tables", "away", "apart", "together", "fixed", "locked"),
    *("sat_out", "met", "season", "points"),
)
PREFERRED = 4
"""The size nearest to it is preferred if the file names none."""
BY_DEFAULT = 3, 5


@dataclass(frozen=True)
class Lock:
    """People who are locked to a table in a round, as the file names them."""

    round: Item
    table: Item
    people: Sequence[Item]


@dataclass(frozen=True)
class Shape:
    """The values of a file, each of its right kind; names are not looked up yet."""

    mode: Mode
    rounds: int
    people: Sequence[Item]
    sizes: Limits | None
    limits: Sequence[Limits]
    away: Mapping[str, Item]
    wishes: Mapping[str, Sequence[Item]]
    fixed: Mapping[str, Item]
    locked: Sequence[Lock]
    sat_out: Mapping[str, Item]
    counts: Mapping[str, Sequence[Item]]
    points: Mapping[str, Item]


def read_call(data: bytes) -> SeatingCall:
    """The call in a file; ``Faulty`` if there is a fault."""
    shape = _shape(parsed(data))
    call = _Resolved(shape).call()
    try:
        plans(call)
    except NoSizes as fault:
        raise Faulty(
            "locked",
            "席を決めてある人数が、テーブルの席数や参加者の数に合いません",
            "those who are fixed or locked do not fit the seats of their tables or those present",
        ) from fault
    return call


def _shape(whole: Item) -> Shape:
    fields = whole.fields(KEYS, ("referee", "people"))
    fields["referee"].version()
    mode = optional(fields, "mode", lambda item: Mode(item.one_of(*Mode)), Mode.MIX)
    _taken(fields, mode)
    people = fields["people"].items(1, PEOPLE)
    distinct(people)
    tables = fields["tables"].items(1, TABLES) if "tables" in fields else []
    limits = [_table(table) for table in tables]
    distinct([_name_of_table(table) for table in tables])
    return Shape(
        mode=mode,
        rounds=_rounds(fields, mode, len(people)),
        people=people,
        sizes=None if tables else optional(fields, "sizes", _sizes, _limits("", {})),
        limits=limits,
        away=optional(fields, "away", lambda item: item.named(_away), {}),
        wishes={
            key: optional(fields, key, lambda item: item.items(check=_pair), [])
            for key in ("apart", "together")
        },
        fixed=optional(fields, "fixed", lambda item: item.named(Item.text), {}),
        locked=optional(fields, "locked", lambda item: [_lock(each) for each in item.items()], []),
        sat_out=optional(fields, "sat_out", lambda item: item.named(Item.number), {}),
        counts={
            key: optional(fields, key, lambda item: item.items(check=_count), [])
            for key in ("met", "season")
        },
        points=optional(fields, "points", lambda item: item.named(Item.fraction), {}),
    )


def _taken(fields: Mapping[str, Item], mode: Mode) -> None:
    """Refuse keys that the mode does not take, and ``sizes`` beside ``tables``."""
    for key, item in fields.items():
        if key not in ROUND_ROBIN and mode == Mode.ROUND_ROBIN:
            item.wrong("総当たりではこのキーは使えません", "round_robin does not take this key")
        if key == "points" and mode != Mode.STANDING:
            item.wrong(
                "pointsはmodeがstandingのときだけ使えます", "only the mode standing takes points"
            )
    if "sizes" in fields and "tables" in fields:
        fields["tables"].wrong("sizesと一緒には使えません", "cannot be beside sizes")


def _rounds(fields: Mapping[str, Item], mode: Mode, people: int) -> int:
    most = {Mode.MIX: ROUNDS, Mode.STANDING: 1, Mode.ROUND_ROBIN: berger.rounds_of(people)}[mode]
    default = most if mode == Mode.ROUND_ROBIN else 1
    return optional(fields, "rounds", lambda item: item.number(1, most), default)


def _sizes(item: Item) -> Limits:
    return _limits("", item.fields(("min", "max", "prefer"), ()))


def _name_of_table(item: Item) -> Item:
    return item.fields(("table", "min", "max", "prefer"), ("table", "min", "max"))["table"]


def _table(item: Item) -> Limits:
    fields = item.fields(("table", "min", "max", "prefer"), ("table", "min", "max"))
    return _limits(fields["table"].text(), fields)


def _limits(table: str, fields: Mapping[str, Item]) -> Limits:
    """The limits in these fields: 2 ≤ min ≤ prefer ≤ max ≤ 32."""
    usual, largest = BY_DEFAULT
    least = optional(fields, "min", lambda item: item.number(2, SEATS), usual)
    most = optional(fields, "max", lambda item: item.number(least, SEATS), largest)
    if most < least:
        fields["min"].wrong("minがmaxより大きいです", f"is above max, {most}")
    prefer = min(max(PREFERRED, least), most)
    return Limits(
        table,
        least,
        most,
        optional(fields, "prefer", lambda item: item.number(least, most), prefer),
    )


def _away(rounds: Item) -> None:
    rounds.items(check=lambda number: number.number(1))


def _pair(pair: Item) -> None:
    pair.items(2, 2, Item.text)


def _count(item: Item) -> None:
    one, other, count = item.items(3, 3)
    one.text()
    other.text()
    count.number()


def _lock(item: Item) -> Lock:
    fields = item.fields(("round", "table", "people"), ("round", "table", "people"))
    fields["round"].number(1)
    fields["table"].text()
    return Lock(fields["round"], fields["table"], fields["people"].items(check=Item.text))


class _Resolved:
    """Looks names up, then finds what is there twice, then what contradicts itself."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._people = Names([item.text() for item in shape.people], "人", "person called")
        self._away = {
            (self._round(each), person)
            for name, item in shape.away.items()
            for person in [self._people.find(item, name)]
            for each in item.items()
        }
        self._tables = self._limits()
        self._places = Names([each.table for each in self._tables], "テーブル", "table")

    def call(self) -> SeatingCall:
        """The call, if there is no fault."""
        shape = self._shape
        wishes = {key: [self._pair(each) for each in found] for key, found in shape.wishes.items()}
        fixed = {
            self._people.find(item, name): self._places.find(item, item.text())
            for name, item in shape.fixed.items()
        }
        locks = [
            (self._round(lock.round), self._places.find(lock.table, lock.table.text()), people)
            for lock in shape.locked
            for people in [self._people.listed(lock.people)]
        ]
        sat_out = self._by_person(shape.sat_out)
        counts = {key: [self._pair(each) for each in found] for key, found in shape.counts.items()}
        points = self._by_person(shape.points)
        self._twice(wishes, locks, counts)
        return SeatingCall(
            people=tuple(item.text() for item in shape.people),
            tables=tuple(self._tables),
            rounds=shape.rounds,
            mode=shape.mode,
            away=frozenset(self._away),
            held=self._held(fixed, locks),
            wishes=tuple(
                Wish(key == "together", pair) for key, pairs in wishes.items() for pair in pairs
            ),
            sat_out={person: item.number() for person, item in sat_out.items()},
            met=self._numbers("met", counts),
            season=self._numbers("season", counts),
            points={person: item.fraction() for person, item in points.items()},
        )

    def _round(self, item: Item) -> int:
        number = item.number(1)
        if number > self._shape.rounds:
            item.wrong(
                f"{self._shape.rounds}ラウンドまでです", f"must be at most {self._shape.rounds}"
            )
        return number - 1

    def _limits(self) -> list[Limits]:
        """The tables: those of the file, or as many as those present could need."""
        sizes = self._shape.sizes
        if sizes is None or self._shape.mode == Mode.ROUND_ROBIN:
            return list(self._shape.limits)
        everybody = range(len(self._shape.people))
        most = max(
            sum((number, person) not in self._away for person in everybody)
            for number in range(self._shape.rounds)
        )
        return sizes.numbered(most)

    def _by_person(self, items: Mapping[str, Item]) -> dict[int, Item]:
        return {self._people.find(item, name): item for name, item in items.items()}

    def _pair(self, item: Item) -> Pair:
        one, other = self._people.listed(item.items()[:2])
        return one, other

    def _twice(
        self,
        wishes: Mapping[str, Sequence[Pair]],
        locks: Sequence[tuple[int, int, list[int]]],
        counts: Mapping[str, Sequence[Pair]],
    ) -> None:
        """Refuse what is there twice."""
        shape = self._shape
        items = {**shape.wishes, **shape.counts}
        for key, pairs in (*wishes.items(), *counts.items()):
            for pair, item in zip(pairs, items[key], strict=True):
                once(zip(pair, item.items()[:2], strict=True))
        pairs_of_wishes = [*wishes["apart"], *wishes["together"]]
        items_of_wishes = [*shape.wishes["apart"], *shape.wishes["together"]]
        once(zip(map(_sorted, pairs_of_wishes), items_of_wishes, strict=True))
        for key, pairs in counts.items():
            once(zip(map(_sorted, pairs), shape.counts[key], strict=True))
        for lock, (_, _, people) in zip(shape.locked, locks, strict=True):
            once(zip(people, lock.people, strict=True))

    def _held(
        self, fixed: Mapping[int, int], locks: Sequence[tuple[int, int, list[int]]]
    ) -> dict[tuple[int, int], int]:
        """Who must sit where in each round."""
        held = {
            (number, person): table
            for number in range(self._shape.rounds)
            for person, table in fixed.items()
        }
        locked = [
            ((number, person), table, item)
            for lock, (number, table, people) in zip(self._shape.locked, locks, strict=True)
            for person, item in zip(people, lock.people, strict=True)
        ]
        for place, table, item in locked:
            if held.setdefault(place, table) != table:
                item.wrong(
                    "このラウンドでは別のテーブルに決めてあります",
                    "is fixed or locked at another table in this round",
                )
        for place, _, item in locked:
            if place in self._away:
                item.wrong("このラウンドにはいません", "is away in this round")
        return {place: table for place, table in held.items() if place not in self._away}

    def _numbers(self, key: str, counts: Mapping[str, Sequence[Pair]]) -> dict[Pair, int]:
        items = self._shape.counts[key]
        return {
            _sorted(pair): item.items()[2].number()
            for pair, item in zip(counts[key], items, strict=True)
        }


def _sorted(pair: Pair) -> Pair:
    return min(pair), max(pair)
