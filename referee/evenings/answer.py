"""The answer of ``referee evening``: as JSON data, and as lines for people."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from referee.core.record import CALLED, Record
from referee.evenings.table import By, CountableMatch, TableRow, counted, result, table
from referee.rulings.report import replay


class CountedFile(NamedTuple):
    """A record: the file as it was named, its game, what the people call that, and the match."""

    file: str
    game: str
    called: str | None
    match: CountableMatch


def counted_file(file: str, record: Record) -> CountedFile:
    header = record.header
    return CountedFile(file, header.game, header.named.get(CALLED), result(replay(record)))


def answer(files: Sequence[CountedFile], by: By) -> dict[str, object]:
    """The answer, ready for JSON; raises ``Differing``."""
    rows = table([one.match for one in files], by)
    return {
        "referee": 1,
        "by": by,
        "matches": [_match(one, by) for one in files],
        "table": [_row(row) for row in rows],
    }


def _match(one: CountedFile, by: By) -> dict[str, object]:
    why, places, points = counted(one.match, by)
    return {
        "file": one.file,
        "game": one.game,
        "called": one.called,
        "counted": not why,
        "why": why or None,
        "places": dict(places),
        "points": {seat: str(worth) for seat, worth in points.items()},
    }


def _row(row: TableRow) -> dict[str, object]:
    return {**row._asdict(), "points": str(row.points)}


WHY = {
    "open": ("終わっていないので数えません", "not counted: not over"),
    "stopped": ("途中で終わったので数えません", "not counted: stopped early"),
    "alone": (
        "順位のある人が2人より少ないので数えません",
        "not counted: fewer than two have a place",
    ),
    "together": ("協力するゲームなので数えません", "not counted: all win or lose together"),
}


def lines(files: Sequence[CountedFile], by: By, lang: str) -> list[str]:
    """The table for people, with a line for each match that does not count; as ``answer``."""
    matches, ja = [one.match for one in files], lang == "ja"
    said = []
    for one in files:
        why = counted(one.match, by).why
        if why:
            said.append(f"{one.file}: {WHY[why][0 if ja else 1]}")
    of = sum(not counted(match, by).why for match in matches)
    for place, name, points, wins, games in table(matches, by):
        each = (
            f"{mixed(points)}点　{wins}勝　{games}/{of}ゲーム"
            if ja
            else f"{mixed(points)} points  {wins} won  {games} of {of} games"
        )
        said.append(f"{place:>3}  {name}  {each}")
    return said


def mixed(points: Fraction) -> str:
    """``points`` as people write them: 1½, −2, 12.25."""
    whole, rest = divmod(points, 1)
    if rest == 0:
        return str(whole).replace("-", "−")
    if rest == Fraction(1, 2) and points > 0:
        return f"{whole or ''}½"
    return f"{float(points):g}".replace("-", "−")
