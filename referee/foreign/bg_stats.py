"""BG Stats: reads its export (``BGStatsExport.json``), and makes the link that adds a play there.

The format of a play that comes by link:
bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import NamedTuple, TypeAlias

from referee import zones
from referee.core.normalised import compared
from referee.core.written import Points
from referee.foreign.plays import (
    MOST_NOTE,
    MOST_SEATS,
    AllTogether,
    ByPlaces,
    ByPoints,
    ForeignPlay,
    ForeignPlayer,
    NoPlays,
    Outcome,
    PlayFault,
    added_up,
    by_winners,
    called,
    hashed,
    is_ranking,
    one_line,
    told_apart,
)

MOST_BYTES = 20 * 1024 * 1024
MOST_PLAYS = 20_000
Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
Row: TypeAlias = Mapping[str, Json]


class Export(NamedTuple):
    """An export. ``local``: whether most of its times are local ones, and not UTC as they should
    be.
    """

    plays: tuple[ForeignPlay, ...]
    faults: tuple[PlayFault, ...]
    local: bool


class _Refusal(Exception):
    """Why a play cannot come in."""


class _Seat(NamedTuple):
    """A line of a play. ``said``: the points as they were written; ``points``: None without."""

    player: ForeignPlayer
    said: str
    points: Points | None
    won: bool | None
    rank: int
    order: int | None
    team: str


def read(source: bytes, zone: str) -> Export:
    """The plays of an export; raises ``NoPlays``. ``zone``: that of the group."""
    if len(source) > MOST_BYTES:
        raise NoPlays("foreign_size")
    try:
        whole: Json = json.loads(source.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise NoPlays("foreign_json") from None
    if not isinstance(whole, dict) or not isinstance(whole.get("plays"), list):
        raise NoPlays("foreign_no_plays")
    rows = _rows(whole.get("plays"))
    if len(rows) > MOST_PLAYS:
        raise NoPlays("foreign_size")
    lists = _Lists(*(_by_id(whole.get(key)) for key in ("players", "games", "locations")))
    plays, faults = [], []
    for number, row in enumerate(rows, 1):
        try:
            plays.append(_play(number, row, lists))
        except _Refusal as fault:
            game = _text(lists.games.get(_id(row.get("gameRefId")), {}), "name")
            faults.append(PlayFault(number, 0, str(fault), one_line(game, 60)))
    return Export(tuple(plays), tuple(faults), _local(rows, zone))


class _Lists(NamedTuple):
    """The rows of an export by their id in it."""

    players: Mapping[str, Row]
    games: Mapping[str, Row]
    locations: Mapping[str, Row]


def _rows(value: Json) -> list[Row]:
    """The objects in a list, others as empty ones."""
    return (
        [row if isinstance(row, dict) else {} for row in value] if isinstance(value, list) else []
    )


def _by_id(value: Json) -> Mapping[str, Row]:
    return {_id(row.get("id")): row for row in _rows(value) if row.get("id") is not None}


def _id(value: Json) -> str:
    return str(value)


def _text(row: Row, key: str) -> str:
    value = row.get(key)
    plain = isinstance(value, (str, int, float)) and not isinstance(value, bool)
    return str(value) if plain else ""


def _flag(row: Row, key: str) -> bool:
    return row.get(key) in (True, 1, "true", "1")


def _whole(row: Row, key: str) -> int | None:
    with suppress(ValueError):
        return int(_text(row, key))
    return None


def _play(number: int, row: Row, lists: _Lists) -> ForeignPlay:
    game = lists.games.get(_id(row.get("gameRefId")))
    title = called(_text(game, "name")) if game is not None else ""
    if game is None or not title:
        raise _Refusal("foreign_game")
    clock = _clock(_text(row, "playDate"))
    if clock is None:
        raise _Refusal("foreign_date")
    lines = _rows(row.get("playerScores"))
    if not 1 <= len(lines) <= MOST_SEATS:
        raise _Refusal("foreign_players")
    seats = _in_order([_seat(line, lists.players) for line in lines])
    seats, outcome, teams, texts = _result(seats, row, game)
    comments = [one_line(_text(row, "comments"))] if _text(row, "comments").strip() else []
    where = lists.locations.get(_id(row.get("locationRefId")), {})
    return ForeignPlay(
        number=number,
        keys=_keys(row, title, seats),
        called=title,
        clock=clock,
        players=told_apart([seat.player for seat in seats]),
        outcome=outcome,
        teams=teams,
        stopped=_flag(row, "ignored"),
        place=one_line(_text(where, "name"), 100),
        note=one_line(" · ".join([*comments, *texts]), MOST_NOTE),
    )


def _clock(text: str) -> datetime | None:
    """The date and time of a play, without an offset."""
    with suppress(ValueError):
        found = datetime.fromisoformat(text.strip())
        return found.replace(tzinfo=None, microsecond=0)
    return None


def _seat(line: Row, players: Mapping[str, Row]) -> _Seat:
    player = players.get(_id(line.get("playerRefId")), {})
    known = "" if _flag(player, "isAnonymous") else _text(player, "uuid").lower()
    name = _text(player, "name")
    if name and not known and not _flag(player, "isAnonymous"):
        known = f"name:{compared(name)}"
    said = _text(line, "score").strip()
    points: Points | None = None
    with suppress(ValueError):
        points = added_up(said)
    won = _flag(line, "winner") if "winner" in line else None
    return _Seat(
        player=ForeignPlayer(name, known),
        said=said,
        points=points,
        won=won,
        rank=_whole(line, "rank") or 0,
        order=_whole(line, "seatOrder"),
        team=_text(line, "team").strip(),
    )


def _in_order(seats: Sequence[_Seat]) -> tuple[_Seat, ...]:
    """The seats in turn order, if all say which place they had, else as they were written."""
    orders = {seat.order for seat in seats}
    if None in orders or len(orders) < len(seats):
        return tuple(seats)
    return tuple(sorted(seats, key=lambda seat: seat.order or 0))


def _keys(row: Row, title: str, seats: Sequence[_Seat]) -> tuple[str, ...]:
    """Each of them says that it is this play: its uuid, or what was played; and our own id."""
    uuid = _text(row, "uuid").lower()
    values = sorted(f"{compared(seat.player.name)}={seat.said}" for seat in seats)
    own = uuid or hashed((_text(row, "playDate"), compared(title), *values))
    source = _text(row, "sourcePlayId")
    return (own, source) if source else (own,)


Found: TypeAlias = tuple[tuple[_Seat, ...], Outcome, str, Sequence[str]]
"""Seats in turn order, the outcome, the teams, and what goes into the note."""


def _result(seats: tuple[_Seat, ...], row: Row, game: Row) -> Found:
    """What came out, as the pad can say it."""
    if _flag(game, "cooperative"):
        common = {seat.points for seat in seats}
        points = next(iter(common)) if len(common) == 1 else None
        return seats, AllTogether(any(seat.won for seat in seats), points), "", ()
    least = game.get("highestWins") in (False, 0, "false", "0")
    bare = _flag(game, "noPoints") or not any(seat.said for seat in seats)
    if _flag(row, "usesTeams") or any(seat.team for seat in seats):
        found = _in_teams(seats, bare=bare, least=least)
        if found:
            return found
        bare_teams = _placed(seats), _texts(seats, bare=bare)
        return seats, bare_teams[0], "", bare_teams[1]
    if not bare:
        scored = _scored(seats, least=least)
        if scored:
            return seats, scored, "", ()
    return seats, _placed(seats), "", _texts(seats, bare=bare)


def _scored(seats: Sequence[_Seat], *, least: bool) -> ByPoints | None:
    """The points, if everybody has them and they say the same winners as the file."""
    points = [seat.points for seat in seats if seat.points is not None]
    if len(points) < len(seats):
        return None
    found = ByPoints(tuple(points), least)
    won = {i for i, seat in enumerate(seats) if seat.won}
    told = any(seat.won is not None for seat in seats)
    return None if told and won != found.winners() else found


def _placed(seats: Sequence[_Seat]) -> ByPlaces:
    ranks = [seat.rank for seat in seats]
    return ByPlaces(tuple(ranks) if is_ranking(ranks) else by_winners([bool(s.won) for s in seats]))


def _texts(seats: Sequence[_Seat], *, bare: bool) -> Sequence[str]:
    """The points that the pad cannot count, for the note."""
    return [f"{seat.player.name}: {seat.said}" for seat in seats if seat.said and not bare]


def _in_teams(seats: Sequence[_Seat], *, bare: bool, least: bool) -> Found | None:
    """The play as one of teams; None if they are no teams of the pad, or did not stay together."""
    teams: dict[str, list[_Seat]] = {}
    for seat in seats:
        teams.setdefault(seat.team, []).append(seat)
    sizes = {len(team) for team in teams.values()}
    if "" in teams or len(seats) < 4 or len(sizes) > 1 or len(teams) < 2:
        return None
    if len(teams) != 2 and sizes != {2}:
        return None
    kind = "alternate" if len(teams) == 2 else "opposite"
    ordered = tuple(seat for row in zip(*teams.values(), strict=True) for seat in row)
    same = all(
        len({(seat.points, bool(seat.won), seat.rank) for seat in team}) == 1
        and (bare or len({seat.said for seat in team}) == 1)
        for team in teams.values()
    )
    if not same:
        return None
    firsts = [team[0] for team in teams.values()]
    outcome: Outcome | None = None if bare else _scored(firsts, least=least)
    texts = [] if outcome else _texts(firsts, bare=bare)
    return ordered, outcome or _placed(firsts), kind, texts


def _local(rows: Iterable[Row], zone: str) -> bool:
    """Whether more days agree if the times are read as local ones than as UTC."""
    local = utc = 0
    for row in rows:
        clock, day = _clock(_text(row, "playDate")), _day(_text(row, "playDateYmd"))
        if clock and day:
            local += clock.date() == day
            with suppress(OverflowError):
                utc += zones.local(f"{clock.isoformat()}+00:00", zone).date() == day
    return local > utc


def _day(text: str) -> date | None:
    with suppress(ValueError):
        return datetime.strptime(text, "%Y%m%d").date()
    return None
