"""A play of another program's file, as a match of the score pad."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from hashlib import sha256
from typing import NamedTuple, TypeAlias

from referee.core.naming import NAME_LENGTH, clean_name, skeleton, usable
from referee.core.record.header import CALLED
from referee.core.record.kinds import as_key
from referee.core.record.text import Unreadable, normal, quoted
from referee.core.written import Points, points_of, points_text
from referee.games import GAMES

MOST_SEATS = 20
MOST_CALLED = 60  # characters of a game's name
MOST_NOTE = 500  # characters
PAD = next(game.NAME for game in GAMES.values() if CALLED in game.HOOKS.equipment)
"""The game that stands for any."""
ANONYMOUS = "匿名"
_TERMS = re.compile(r"\+?(-?[0-9]+(?:[.,][0-9]+)?)((?:[+-][0-9]+(?:[.,][0-9]+)?)*)")
_MORE = re.compile(r"[+-][0-9]+(?:[.,][0-9]+)?")


class NoPlays(Unreadable):
    """Nothing of a file can come in; ``text`` is quoted in what is said about it."""

    def __init__(self, fact: str, text: str = "") -> None:
        super().__init__(fact, text=text)


class PlayFault(NamedTuple):
    """What is wrong with a play. ``number``: its line, or its place in the file, 1-based;
    ``column``: 1-based, 0 for all of it. ``fact`` and ``text``: what is said about it.
    """

    number: int
    column: int
    fact: str
    text: str = ""


class ForeignPlayer(NamedTuple):
    """Who sat at a seat: the name in the file; ``known``: what the file calls the person, always
    the same; "" for somebody who stays unnamed and is no person of the group.
    """

    name: str
    known: str


class ByPoints(NamedTuple):
    """The points of each team, or of each seat where there are none."""

    points: tuple[Points, ...]
    least: bool = False

    def winners(self) -> frozenset[int]:
        """Who has won by these points, 0-based."""
        best = (min if self.least else max)(self.points)
        return frozenset(i for i, points in enumerate(self.points) if points == best)


class ByPlaces(NamedTuple):
    """The places of each team, or of each seat where there are none; 1-based."""

    places: tuple[int, ...]


class AllTogether(NamedTuple):
    """All won, or all lost."""

    won: bool
    points: Points | None = None


Outcome: TypeAlias = ByPoints | ByPlaces | AllTogether


class ForeignPlay(NamedTuple):
    """One match. ``number``: its line, or its place in the file, 1-based. ``keys``: each of them
    says that it is the same play, if it comes once more. ``clock``: when it was played, without an
    offset. ``teams``: how seats make teams, "" or a value of the pad's house rule.
    """

    number: int
    keys: tuple[str, ...]
    called: str
    clock: datetime
    players: tuple[ForeignPlayer, ...]
    outcome: Outcome
    teams: str = ""
    stopped: bool = False
    place: str = ""
    note: str = ""

    def record(self, names: Sequence[str], day: date) -> str:
        """The match as a record of this day, with these names in turn order.

        The names must be usable, and look different.
        """
        heads = [names[i] for i in self._firsts()]
        options, entries = [], []
        match self.outcome:
            case ByPoints(points, least):
                options += ["wins=least"] if least else []
                entries.append(f"table round {_pairs(heads, map(points_text, points))}")
                entries.append("table stop" if self.stopped else "table end")
            case ByPlaces(places):
                options.append("wins=places")
                said = f"table places {_pairs(heads, map(str, places))}"
                entries.append("table stop" if self.stopped else said)
            case AllTogether(won, common):
                options.append("wins=together")
                said = f"table {'won' if won else 'lost'}"
                said += "" if common is None else f" points={points_text(common)}"
                entries.append("table stop" if self.stopped else said)
        options += [f"teams={self.teams}"] if self.teams else []
        head = ["referee: 1", f"game: {PAD}", f'called: "{self.called}"']
        head.append("seats: " + " ".join(map(quoted, names)))
        head += [f"option: {option}" for option in options]
        head.append(f"date: {day.isoformat()}")
        head += [
            f"{key}: {text}" for key, text in (("place", self.place), ("note", self.note)) if text
        ]
        return "\n".join([*head, "", *entries]) + "\n"

    def _firsts(self) -> Sequence[int]:
        """The first seat of each team, in the order of the outcome's values; 0-based."""
        count = len(self.players)
        if self.teams == "alternate":
            return range(2)
        return range(count // 2 if self.teams == "opposite" else count)


def _pairs(names: Iterable[str], values: Iterable[str]) -> str:
    return " ".join(f"{as_key(name)}={value}" for name, value in zip(names, values, strict=True))


def called(text: str) -> str:
    """``text`` as the name of a game: without what nobody sees, cut if it is too long; or ""."""
    return clean_name(text)[:MOST_CALLED].rstrip()


def one_line(text: str, most: int = MOST_NOTE) -> str:
    """``text`` as the value of a header line, cut if it is too long."""
    return clean_name(text)[:most].rstrip()


def told_apart(players: Sequence[ForeignPlayer]) -> tuple[ForeignPlayer, ...]:
    """``players`` with names that can be those of seats, and that look different.

    A name that is no name, and a player who is nobody, becomes 匿名 1, 匿名 2 …; the second Ken is
    Ken 2.
    """
    found: list[ForeignPlayer] = []
    taken: set[str] = set()
    unnamed = 0
    for player in players:
        name = clean_name(player.name)[:NAME_LENGTH].rstrip()
        if not player.known or not usable(name):
            unnamed += 1
            name, player = f"{ANONYMOUS} {unnamed}", player._replace(known="")
        if skeleton(name) in taken:
            name = _another(name, taken)
        taken.add(skeleton(name))
        found.append(player._replace(name=name))
    return tuple(found)


def _another(name: str, taken: set[str]) -> str:
    """``name`` with the first number that makes it another one."""
    for number in range(2, MOST_SEATS + 2):
        end = f" {number}"
        other = name[: NAME_LENGTH - len(end)].rstrip() + end
        if skeleton(other) not in taken:
            return other
    raise ValueError(name)


def is_ranking(places: Sequence[int]) -> bool:
    """Whether each place is one more than the number of better ones (1 2 2 4)."""
    return all(place == 1 + sum(other < place for other in places) for place in places)


def by_winners(won: Sequence[bool]) -> tuple[int, ...]:
    """Places where all that is known is who has won: the others share the next one.

    Without a winner all share the first place.
    """
    behind = 1 + sum(won)
    return tuple(1 if each else behind for each in won)


def number(text: str, *, comma: bool = True) -> Points:
    """The number that ``text`` is: 7, -3, 7.5, 7,5 unless not ``comma``; else raises ValueError."""
    plain = normal(text).strip().replace("\N{MINUS SIGN}", "-")
    return points_of(plain.replace(",", ".") if comma else plain)


def added_up(text: str) -> Points:
    """The points that a person wrote as a sum, such as ``3+20+5`` or ``10-3``; else raises
    ValueError.
    """
    plain = "".join(normal(text).split()).replace("\N{MINUS SIGN}", "-")
    found = _TERMS.fullmatch(plain)
    if not found:
        raise ValueError(text)
    terms = [found[1], *_MORE.findall(found[2])]
    total: Points = 0
    for term in terms:
        sign, digits = (-1, term[1:]) if term[0] == "-" else (1, term.removeprefix("+"))
        whole, dot, rest = digits.replace(",", ".").partition(".")
        total += sign * points_of((whole.lstrip("0") or "0") + dot + rest)
    return points_of(points_text(total))


def hashed(parts: Iterable[str]) -> str:
    """What names a play that has no name of its own in the file."""
    return sha256("\x1f".join(parts).encode()).hexdigest()
