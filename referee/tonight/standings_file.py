"""Reads the file of ``referee standings`` and writes its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.tonight.call import PEOPLE
from referee.tonight.reading import Item, Names, distinct, once, optional, parsed
from referee.tonight.standing import (
    HALF,
    NOTHING,
    PlayedRound,
    Scale,
    StandingRow,
    TableResult,
    Tonight,
    is_ranking,
)

KEYS = ["referee", "people", "points", "sit_out", "late_points", "late", "dropped", "rounds"]
ROUNDS, TABLES = 1000, 64
"""The most rounds of a file, and the most tables of a round."""


@dataclass(frozen=True)
class TableShape:
    """A table of a file; names are not looked up yet."""

    whole: Item
    places: Mapping[str, Item]
    teams: Sequence[Sequence[Item]]


@dataclass(frozen=True)
class RoundShape:
    """A round of a file."""

    tables: Sequence[TableShape]
    sat_out: Sequence[Item]


def read_tonight(data: bytes) -> Tonight:
    """What a file says; ``Faulty`` if there is a fault."""
    fields = parsed(data).fields(KEYS, ("referee", "people", "rounds"))
    fields["referee"].version()
    people = fields["people"].items(1, PEOPLE)
    distinct(people)
    scale: Scale = _scale(fields["points"]) if "points" in fields else "share"
    sit_out = optional(fields, "sit_out", Item.fraction, HALF if scale == "share" else NOTHING)
    late_points = optional(fields, "late_points", Item.fraction, NOTHING)
    late = _first_rounds(fields, "late", 2)
    dropped = _first_rounds(fields, "dropped", 1)
    shapes = [_round(item) for item in fields["rounds"].items(0, ROUNDS)]
    names = Names([item.text() for item in people], "人", "person called")
    late_by_person = {names.find(item, name): item for name, item in late.items()}
    dropped_by_person = {names.find(item, name): item for name, item in dropped.items()}
    rounds = [_resolved(names, shape) for shape in shapes]
    _contradictions(late_by_person, dropped_by_person, names, shapes)
    for shape in shapes:
        for table in shape.tables:
            _ranking(table)
    return Tonight(
        people=tuple(item.text() for item in people),
        rounds=rounds,
        scale=scale,
        sit_out=sit_out,
        late_points=late_points,
        late={person: item.number() for person, item in late_by_person.items()},
        dropped={person: item.number() for person, item in dropped_by_person.items()},
    )


def _scale(item: Item) -> Scale:
    if isinstance(item.value, list):
        return tuple(each.fraction() for each in item.items(0, PEOPLE))
    return "share" if item.one_of("share", "beaten") == "share" else "beaten"


def _first_rounds(fields: Mapping[str, Item], key: str, least: int) -> Mapping[str, Item]:
    return optional(fields, key, lambda item: item.named(lambda each: each.number(least)), {})


def _round(item: Item) -> RoundShape:
    fields = item.fields(("tables", "sat_out"), ("tables",))
    tables = [_table(each) for each in fields["tables"].items(0, TABLES)]
    sat_out = fields["sat_out"].items(check=Item.text) if "sat_out" in fields else []
    return RoundShape(tables, sat_out)


def _table(item: Item) -> TableShape:
    fields = item.fields(("places", "teams"), ("places",))
    places = fields["places"].named(lambda place: place.number(1, PEOPLE))
    teams = [team.items(1) for team in fields["teams"].items(2)] if "teams" in fields else []
    for team in teams:
        for each in team:
            each.text()
    return TableShape(item, places, teams)


def _resolved(names: Names, shape: RoundShape) -> PlayedRound:
    return PlayedRound(
        [
            TableResult(
                {names.find(item, name): item.number() for name, item in table.places.items()},
                [names.listed(team) for team in table.teams],
            )
            for table in shape.tables
        ],
        names.listed(shape.sat_out),
    )


def _contradictions(
    late: Mapping[int, Item],
    dropped: Mapping[int, Item],
    names: Names,
    shapes: Sequence[RoundShape],
) -> None:
    """Refuse who is in a round twice, before they came or after they dropped; then such rounds."""
    for number, shape in enumerate(shapes, 1):
        here = _here(names, shape)
        once(iter(here))
        for person, item in here:
            if person in late and number < late[person].number():
                item.wrong("まだ参加していません", "has not entered yet")
            if person in dropped and number >= dropped[person].number():
                item.wrong("もう抜けています", "has dropped")
    last = len(shapes) + 1
    for item in (*late.values(), *dropped.values()):
        if item.number() > last:
            item.wrong(f"{last}ラウンドまでです", f"must be at most {last}, the next round")
    for person, item in dropped.items():
        if person in late and item.number() <= late[person].number():
            item.wrong("参加する前に抜けています", "drops before entering")


def _here(names: Names, shape: RoundShape) -> list[tuple[int, Item]]:
    """Everybody who is seated or sits out."""
    seated = [
        (names.find(item, name), item)
        for table in shape.tables
        for name, item in table.places.items()
    ]
    return [*seated, *((names.find(item, item.text()), item) for item in shape.sat_out)]


def _ranking(table: TableShape) -> None:
    """Refuse places that are no ranking, and teams that do not fit."""
    places = {name: item.number() for name, item in table.places.items()}
    whole = Item(None, f"{table.whole.path}.places")
    if len(places) < 2:
        whole.wrong("2人以上の順位が必要です", "needs the places of two people or more")
    if not is_ranking(places.values()):
        whole.wrong(
            "順位になっていません（同順位の次は人数分とばします：1 2 2 4）",
            "is no ranking (after those who are level, places are left out: 1 2 2 4)",
        )
    teams = [[item.text() for item in team] for team in table.teams]
    if not teams:
        return
    members = sorted(name for team in teams for name in team)
    level = all(len({places[name] for name in team if name in places}) == 1 for team in teams)
    if members != sorted(places) or len(set(map(len, teams))) > 1 or not level:
        Item(None, f"{table.whole.path}.teams").wrong(
            "チーム分けが合いません（全員が1つのチームに入り、人数も順位もチームでそろえます）",
            "do not fit: everyone in one team, teams of one size, one place for each team",
        )


def standing_as_json(tonight: Tonight, rows: Sequence[StandingRow]) -> dict[str, object]:
    """The answer for programs."""
    return {
        "referee": 1,
        "rounds": len(tonight.rounds),
        "standing": [
            {
                "place": row.place,
                "name": row.name,
                "points": str(row.points),
                "firsts": row.firsts,
                "strength": str(row.strength),
                "played": row.played,
                "sat_out": row.sat_out,
                "dropped": row.dropped,
            }
            for row in rows
        ],
    }
