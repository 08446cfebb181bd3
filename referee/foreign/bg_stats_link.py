"""A match as a play for BG Stats, and the link that adds it there.

Format: bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple, TypeAlias
from urllib.parse import quote

from referee.core.written import Points, as_json
from referee.store.played import Placing, PlayedMatch

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Fudami"
MOST_LINK = 8_000  # characters
MOST_COMMENTS = 500  # characters
PLAIN = "-_.!~*'()"
"""What ``encodeURIComponent`` leaves as it is, besides letters and digits."""
Play: TypeAlias = dict[str, object]


class SatOut(NamedTuple):
    """A seat that sits out at the end: its place in turn order, 1-based, and its total."""

    place: int
    name: str
    points: Points


class Told(NamedTuple):
    """What the row of a match does not say.

    ``game``: its name, and how it is told from others; ``noted``: when the last entry that counts
    was made (UTC, ISO 8601); ``first``: the place of the first player in turn order, 1-based, or
    None; ``teams``: the first seat of the team, by place; ``left``: who sits out at the end.
    ``points``: whether points decide it. ``people``: who has the seat, by place, 1-based.
    """

    group: str
    game: tuple[str, str]
    noted: str
    points: bool
    fewest: bool
    people: Mapping[int, int] = {}
    first: int | None = None
    teams: Mapping[int, str] = {}
    left: tuple[SatOut, ...] = ()
    place: str = ""
    comments: str = ""


def play(match: PlayedMatch, told: Told) -> Play:
    """The match as BG Stats takes it in."""
    title, key = told.game
    found: Play = {
        "sourceName": SOURCE,
        "sourcePlayId": match.match,
        "playDate": told.noted[:19].replace("T", " "),
        "game": {
            "name": title,
            "sourceGameId": key,
            "highestWins": not told.fewest,
            "noPoints": not told.points,
        },
        "players": [
            *(_player(placing, told) for placing in _in_turn(match)),
            *(_left(one, told) for one in told.left),
        ],
    }
    if match.stopped:
        found["incomplete"] = True
    if match.millis:
        found["durationMin"] = round(match.millis / 60_000)
    if told.place:
        found["location"] = told.place
    if told.comments:
        found["comments"] = told.comments[:MOST_COMMENTS]
    return found


def link(found: Play) -> str:
    """The address that adds this play; "" if the play is too long for one.

    It leaves out the comments, then the roles, if it would be too long with them.
    """
    bare = {key: value for key, value in found.items() if key != "comments"}
    players = bare["players"]
    assert isinstance(players, list)
    plain = [{k: v for k, v in player.items() if k != "role"} for player in players]
    for each in (found, bare, {**bare, "players": plain}):
        text = json.dumps(each, ensure_ascii=False, separators=(",", ":"))
        address = ADDRESS + quote(text, safe=PLAIN)
        if len(address) <= MOST_LINK:
            return address
    return ""


def _in_turn(match: PlayedMatch) -> list[Placing]:
    return sorted(match.placings, key=lambda placing: placing.place)


def _player(placing: Placing, told: Told) -> Play:
    # the app for Android fails if one of the two is missing
    found: Play = {
        "name": placing.name,
        "sourcePlayerId": _id(told, told.people.get(placing.place), placing.name),
        "winner": bool(placing.won),
        "startPlayer": placing.place == told.first,
        "rank": placing.rank,
    }
    if told.points:
        found["score"] = as_json(placing.points)
    if placing.place in told.teams:
        found["role"] = told.teams[placing.place]
    return found


def _left(one: SatOut, told: Told) -> Play:
    """Who sat out at the end: without a place."""
    found: Play = {
        "name": one.name,
        "sourcePlayerId": _id(told, told.people.get(one.place), one.name),
        "winner": False,
        "startPlayer": one.place == told.first,
    }
    if told.points:
        found["score"] = as_json(one.points)
    return found


def _id(told: Told, person: int | None, name: str) -> str:
    """What names a person there, always the same: lower-case, because capitals count there."""
    text = f"{told.group}:{name if person is None else person}"
    return sha256(text.encode()).hexdigest()[:32]
