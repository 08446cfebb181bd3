"""Files of other programs that were read and wait for a yes: in memory, and in the data folder.

There a restart of the server leaves them.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from time import time
from typing import NamedTuple

from referee.core.written import points_of, points_text
from referee.foreign.plays import (
    AllTogether,
    ByPlaces,
    ByPoints,
    ForeignPlay,
    ForeignPlayer,
    Outcome,
)
from referee.history.parts import decode
from referee.web.group.sent_files import ForeignHead, SaidFault

MOST_KEPT, KEPT_SECONDS = 4, 86_400.0
"""Files that wait on one server, and how long."""
FOLDER = "waiting"


class Waiting(NamedTuple):
    """A file that was read and waits for a yes."""

    id: str
    head: ForeignHead
    plays: tuple[ForeignPlay, ...]


class WaitingFiles:
    """What waits for a yes, at most one file for each group; ``data``: the data folder."""

    def __init__(self, data: Path) -> None:
        self._folder = data / FOLDER
        self._read: OrderedDict[str, Waiting] = OrderedDict()

    def keep(self, circle: str, waiting: Waiting) -> None:
        """Keep ``waiting`` instead of what waited for this group."""
        self.drop(circle)
        self._folder.mkdir(mode=0o700, exist_ok=True)
        latest_first = sorted(self._folder.glob("*.json"), key=_age, reverse=True)
        for late in latest_first[MOST_KEPT - 1 :]:
            late.unlink(missing_ok=True)
        path = self._path(circle)
        part = path.with_suffix(".part")
        with part.open("w", encoding="utf-8") as file:
            file.writelines(_lines(waiting))
        part.replace(path)
        self._remember(circle, waiting)

    def get(self, circle: str) -> Waiting | None:
        """What waits for this group; None if nothing does, or if it was sent too long ago."""
        path = self._path(circle)
        try:
            if time() - path.stat().st_mtime > KEPT_SECONDS:
                return None
            if circle not in self._read:
                with path.open("rb") as file:
                    self._remember(circle, _waiting(file))
        except (OSError, ValueError):  # gone, or of another version
            return None
        return self._read[circle]

    def drop(self, circle: str) -> None:
        """Nothing waits for this group any more."""
        self._read.pop(circle, None)
        with suppress(OSError):
            self._path(circle).unlink()

    def _path(self, circle: str) -> Path:
        return self._folder / f"{sha256(circle.encode()).hexdigest()[:32]}.json"

    def _remember(self, circle: str, waiting: Waiting) -> None:
        self._read[circle] = waiting
        while len(self._read) > MOST_KEPT:
            self._read.popitem(last=False)


def _age(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0


@dataclass
class _Play:
    """A play in the file. ``numbers``: points or places; ``yes``: fewest points win, or all won."""

    number: int
    keys: list[str]
    called: str
    clock: str
    players: list[tuple[str, str]]
    kind: str
    numbers: list[str]
    yes: bool
    teams: str
    stopped: bool
    place: str
    note: str


@dataclass
class _FirstLine:
    """The first line of the file; each further line is a play."""

    id: str
    table: bool
    local: bool
    faults: list[tuple[int, int, str]]


def _lines(waiting: Waiting) -> Iterator[str]:
    """The file, line by line, so that no play at a table waits for all of it."""
    head = waiting.head
    faults = [(fault.number, fault.column, fault.text) for fault in head.faults]
    yield _line(_FirstLine(waiting.id, head.table, head.local, faults))
    for play in waiting.plays:
        yield _line(_as_written(play))


def _line(row: _FirstLine | _Play) -> str:
    return json.dumps(asdict(row), ensure_ascii=False) + "\n"


def _waiting(lines: Iterable[bytes]) -> Waiting:
    """Raises ``ValueError``."""
    first, *rest = lines
    kept = decode(_FirstLine, first)
    faults = [SaidFault(*fault) for fault in kept.faults]
    head = ForeignHead(kept.table, kept.local, faults, whole=False)
    return Waiting(kept.id, head, tuple(_play(decode(_Play, line)) for line in rest))


def _as_written(play: ForeignPlay) -> _Play:
    match play.outcome:
        case ByPoints(points, yes):
            kind, numbers = "points", [points_text(one) for one in points]
        case ByPlaces(places):
            kind, numbers, yes = "places", [str(place) for place in places], False
        case AllTogether(yes, common):
            kind, numbers = "together", [] if common is None else [points_text(common)]
    return _Play(
        number=play.number,
        keys=list(play.keys),
        called=play.called,
        clock=play.clock.isoformat(),
        players=[(player.name, player.known) for player in play.players],
        kind=kind,
        numbers=numbers,
        yes=yes,
        teams=play.teams,
        stopped=play.stopped,
        place=play.place,
        note=play.note,
    )


def _play(row: _Play) -> ForeignPlay:
    numbers = tuple(map(points_of, row.numbers))
    outcome: Outcome
    if row.kind == "points":
        outcome = ByPoints(numbers, row.yes)
    elif row.kind == "places":
        outcome = ByPlaces(tuple(map(int, numbers)))
    else:
        outcome = AllTogether(row.yes, numbers[0] if numbers else None)
    return ForeignPlay(
        number=row.number,
        keys=tuple(row.keys),
        called=row.called,
        clock=datetime.fromisoformat(row.clock),
        players=tuple(ForeignPlayer(*player) for player in row.players),
        outcome=outcome,
        teams=row.teams,
        stopped=row.stopped,
        place=row.place,
        note=row.note,
    )
