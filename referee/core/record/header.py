"""The head of a record: the game, the seats, the house rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from referee.core.game import COMMON_OPTIONS, TABLE, Find, Game, Option, Options, Table, clash
from referee.core.record.text import (
    Unreadable,
    at_line,
    normal,
    quoted,
    unquoted,
    without_comment,
    words,
)
from referee.core.verdict import Seat

FILE_KEY = "kit"
"""The header key of the hash of the file that is the game (SHA-256, hexadecimal)."""

UNTIL = "until"
"""The header key of a former player: an entry, the seat, the name of who had it up to there."""

CALLED = "called"
"""The header key of what the people call their game, for a game that stands for any."""

MOST_CALLED = 60  # characters

GameFile: TypeAlias = Callable[[str, str, Find], Game]
"""Returns the game of a file, from its key, its hash and a way to find files; raises
``Unreadable``.
"""

MOST_HEAD = 1_000  # lines

KEYS = ("referee", "game", "tally", "seats", UNTIL, "option", "deck", "words", FILE_KEY, CALLED)
"""All header keys but those of free texts."""
FREE_TEXT = ("title", "date", "place", "note")
_HEADER = re.compile(r"([^\s:]+)\s*:(.*)", re.DOTALL)


class FormerPlayer(NamedTuple):
    """The person who had ``seat`` up to entry ``until``; ``name``: None if it was removed."""

    seat: Seat
    until: int
    name: str | None


@dataclass(frozen=True, slots=True)
class Header:
    """The head of a record. ``tally`` marks a sheet that holds only the end of a game.

    ``seats``: the names of those who have the seats at the end; ``former``: who had them before, by
    seat and entry.

    ``named``: the names of the table's own equipment, by header key; ``kit``: that equipment.
    ``own``: the game of a file that the header names under ``FILE_KEY``.
    """

    game: str
    seats: tuple[Seat, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    tally: bool = False
    named: Mapping[str, str] = field(default_factory=dict)
    kit: object = field(default=None, compare=False)
    own: Game | None = field(default=None, compare=False)
    former: tuple[FormerPlayer, ...] = ()

    def table(self, game: Game) -> Table:
        """The table that this header describes."""
        return Table(self.seats, self.options, {**COMMON_OPTIONS, **game.OPTIONS}, self.kit)


def no_game_file(name: str, digest: str, find: Find) -> Game:
    """A ``GameFile`` that knows no games of files; raises ``Unreadable``."""
    raise Unreadable("kit_file_missing", hash=digest[:12])


def nothing(name: str) -> None:
    """A ``Find`` for records with no files beside them: None for every name."""


def print_header(header: Header) -> list[str]:
    """The lines of ``header``, without the blank one that ends it."""
    return [
        "referee: 1",
        f"{'tally' if header.tally else 'game'}: {header.game}",
        "seats: " + " ".join(map(quoted, header.seats)),
        *map(_until, header.former),
        *(_named(key, text) for key, text in header.named.items()),
        *(f"option: {key}={value}" for key, value in header.options.items()),
        *(f"{key}: {text}".rstrip() for key, text in header.texts.items()),
    ]


def _until(former: FormerPlayer) -> str:
    names = (former.seat,) if former.name is None else (former.seat, former.name)
    return f"{UNTIL}: {former.until} " + " ".join(map(quoted, names))


def parse_header(
    text: str, games: Mapping[str, Game], find: Find = nothing, files: GameFile = no_game_file
) -> Header:
    """The header in ``text``, as ``print_header`` writes it; raises ``Unreadable``."""
    return read_head([normal(line) for line in text.split("\n")], games, find, files)[0]


def read_head(
    lines: list[str], games: Mapping[str, Game], find: Find, files: GameFile = no_game_file
) -> tuple[Header, int]:
    """The header, and the number of lines that it takes, the blank line after it included.

    Raises ``Unreadable``.
    """
    first = _HEADER.fullmatch(without_comment(lines[0])) if lines else None
    if not first or (first[1], first[2].strip()) != ("referee", "1"):
        raise Unreadable("read_first_line", line=1)
    found: dict[str, tuple[int, str]] = {"referee": (1, "1")}
    options: dict[str, tuple[int, str]] = {}
    until: list[tuple[int, str]] = []
    end = body = len(lines)
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            end = body = number
            break
        if number > MOST_HEAD:
            raise Unreadable("read_head_length", line=number, most=MOST_HEAD)
        key, text = _header_line(number, line)
        if key == "option":
            name, sign, value = (part.strip() for part in text.partition("="))
            if not sign:
                raise Unreadable("read_option_form", line=number, text=text)
            if name in options:
                raise Unreadable("read_repeated", line=number, key=name)
            options[name] = (number, value)
        elif key == UNTIL:
            until.append((number, text))
        elif key in found:
            raise Unreadable("read_repeated", line=number, key=key)
        elif key:
            found[key] = (number, text)
    if FILE_KEY in found:
        games = _of_file(found, find, files)
    header = _checked(found, options, end, games, find)
    return (replace(header, former=_former(until, header)) if until else header), body


def _former(lines: list[tuple[int, str]], header: Header) -> tuple[FormerPlayer, ...]:
    """The former players in these lines, (line number, text), by seat; raises ``Unreadable``."""
    found: list[FormerPlayer] = []
    known: set[tuple[Seat, int]] = set()
    for number, text in lines:
        if header.tally:
            raise Unreadable("read_unknown_key", line=number, key=UNTIL)
        until, *names = at_line(number, words, text) or [""]
        if not re.fullmatch("[1-9][0-9]{0,5}", until) or not 1 <= len(names) <= 2:
            raise Unreadable("read_until", line=number, text=text)
        seat, *name = map(unquoted, names)
        if seat not in header.seats:
            raise Unreadable("read_seat", line=number, name=seat)
        if name and (not name[0] or name[0] == TABLE):
            raise Unreadable("read_seat_name", line=number, name=name[0])
        if (seat, int(until)) in known:
            raise Unreadable("read_repeated", line=number, key=f"{UNTIL}: {until} {quoted(seat)}")
        known.add((seat, int(until)))
        found.append(FormerPlayer(seat, int(until), name[0] if name else None))
    return tuple(sorted(found, key=lambda one: (header.seats.index(one.seat), one.until)))


def _of_file(
    found: Mapping[str, tuple[int, str]], find: Find, files: GameFile
) -> Mapping[str, Game]:
    """The game of the file that the header names, by its name in the header.

    Raises ``Unreadable`` if the file is missing or makes no game.
    """
    line, digest = found[FILE_KEY]
    name = found.get("game", found.get("tally", (0, "")))[1]
    if not re.fullmatch("[0-9a-f]{12,64}", digest):
        raise Unreadable("kit_file_missing", line=line, hash=digest)
    return {name: at_line(line, files, name, digest, find)}


def _header_line(number: int, line: str) -> tuple[str, str]:
    """Key and text of a header line; an empty key for a comment."""
    if not without_comment(line):
        return "", ""
    match = _HEADER.fullmatch(line.strip())
    if not match:
        raise Unreadable("read_header_line", line=number, text=line.strip())
    key, text = match.groups()
    if key in FREE_TEXT:
        return key, text.strip()
    if key not in KEYS:
        raise Unreadable("read_unknown_key", line=number, key=key)
    text = without_comment(text)
    return key, at_line(number, _called, text) if key == CALLED else text


def _called(text: str) -> str:
    """What the people call the game, in double quotes or not; raises ``Unreadable``."""
    quoted_whole = re.fullmatch('"([^"]*)"', text)
    name = " ".join((quoted_whole[1] if quoted_whole else text).split())
    if not 1 <= len(name) <= MOST_CALLED:
        raise Unreadable("read_called", most=MOST_CALLED)
    return name


def _named(key: str, text: str) -> str:
    """The header line ``key``; a name that would read as a comment is in double quotes."""
    hidden = key == CALLED and '"' not in text and re.search(r"(?:^|\s)#", text)
    return f'{key}: "{text}"' if hidden else f"{key}: {text}"


def _checked(
    found: Mapping[str, tuple[int, str]],
    options: Mapping[str, tuple[int, str]],
    end: int,
    games: Mapping[str, Game],
    find: Find,
) -> Header:
    """The header of these lines, key → (line number, text); raises ``Unreadable``.

    ``end``: the line number of an error about a missing line.
    """
    if "game" in found and "tally" in found:
        raise Unreadable("read_repeated", line=max(found["game"][0], found["tally"][0]), key="game")
    kind = "tally" if "tally" in found else "game"
    for key in (kind, "seats"):
        if key not in found:
            raise Unreadable("read_missing", line=end, key=key)
    line, name = found[kind]
    if name not in games:
        raise Unreadable("read_game", line=line, name=name, games=tuple(games))
    game = games[name]
    if kind == "tally" and game.HOOKS.tally is None:
        raise Unreadable("read_tally_none", line=line)
    equipment = game.HOOKS.equipment
    for key in ("deck", "words", CALLED):
        if key in found and key not in equipment:
            raise Unreadable("read_unknown_key", line=found[key][0], key=key)
    if CALLED in equipment and CALLED not in found:
        raise Unreadable("read_missing", line=end, key=CALLED)
    seats = at_line(found["seats"][0], _seats, found["seats"][1], game)
    chosen = _chosen(options, {**COMMON_OPTIONS, **game.OPTIONS})
    _require_fitting(game, seats, chosen, {**options, "seats": found["seats"]})
    header = Header(
        name,
        seats,
        chosen,
        {key: text for key, (_, text) in found.items() if key in FREE_TEXT},
        kind == "tally",
        {key: found[key][1] for key in (*equipment, FILE_KEY) if key in found},
        own=game if FILE_KEY in found else None,
    )
    return replace(header, kit=_equipped(header, game, found, end, find)) if equipment else header


def _require_fitting(
    game: Game,
    seats: Sequence[Seat],
    chosen: Mapping[str, str],
    lines: Mapping[str, tuple[int, str]],
) -> None:
    """Raise ``Unreadable``, at the line at fault, if seats and house rules make no table."""
    try:
        game.HOOKS.fits(seats, chosen)
    except Unreadable as fault:
        line = lines[str(fault.values["key"])][0]
        raise Unreadable(fault.fact, line=line, **fault.values) from None


def _chosen(options: Mapping[str, tuple[int, str]], known: Options) -> dict[str, str]:
    """The values of these house rules, key → (line number, value); raises ``Unreadable``."""
    chosen: dict[str, str] = {}
    for key, (number, value) in options.items():
        if key not in known:
            raise Unreadable("read_option", line=number, key=key, options=tuple(known))
        try:
            chosen[key] = known[key].read(value)
        except ValueError:
            raise _no_value(known[key], key, value, number) from None
    if pair := clash(chosen, known):
        key, other = pair
        raise Unreadable(
            "read_option_clash",
            line=max(options[key][0], options[other][0]),
            key=key,
            value=chosen[key],
            other=other,
            barred=chosen[other],
        )
    return chosen


def _no_value(option: Option, key: str, value: str, line: int) -> Unreadable:
    fact = "read_option_value" if option.number is None else "read_option_number"
    return Unreadable(fact, line=line, key=key, value=value, values=option.values)


def _equipped(
    header: Header, game: Game, found: Mapping[str, tuple[int, str]], end: int, find: Find
) -> object:
    """The table's equipment; an error gets the number of the line that names the equipment."""
    named = {key: header.named.get(key, "") for key in game.HOOKS.equipment}
    try:
        return game.HOOKS.equip(named, header.table(game).option, find)
    except Unreadable as fault:
        if fault.file:
            raise
        line = found.get(str(fault.values.get("key")), (end, ""))[0]
        raise Unreadable(fault.fact, line=line, **fault.values) from None


def _seats(text: str, game: Game) -> tuple[Seat, ...]:
    seats = tuple(map(unquoted, words(text)))
    few, many = game.SEATS[0], game.SEATS[-1]
    if len(seats) > many:  # before their names are compared
        raise Unreadable("read_seat_count", count=len(seats), few=few, many=many)
    for i, name in enumerate(seats):
        if not name or name == TABLE:
            raise Unreadable("read_seat_name", name=name)
        if name in seats[:i]:
            raise Unreadable("read_seat_twice", name=name)
    if len(seats) not in game.SEATS:
        raise Unreadable("read_seat_count", count=len(seats), few=few, many=many)
    return seats
