"""The answers of ``referee seating`` and ``referee standings`` as lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from referee.tonight.proposal import Proposal
from referee.tonight.standing import RoundScore, StandingRow, Tonight
from referee.upkeep.language import columns, in_one

MEASURES = {
    "wishes": ("守れない希望", "broken wishes"),
    "sit_outs": ("休みの回数の2乗の和", "times sat out, squared"),
    "low": ("休む人の得点", "points of those who sit out"),
    "repeats": ("同じ相手と会う回数", "repeated meetings"),
    "spread": ("同じテーブルの得点差の2乗の和", "differences of points, squared"),
    "season": ("シーズン中に会った回数", "meetings in the season"),
}


def seating_lines(found: Proposal, lang: str) -> Iterator[str]:
    """Each round with its tables and who sits out, then how good all of it is."""
    for number, seated in enumerate(found.rounds, 1):
        yield in_one(f"ラウンド{number}", f"Round {number}", lang)
        for at, people in enumerate(seated.tables):
            if people:
                table, names = _flat(found.table(at)), _names(found.names(people), lang)
                yield in_one(f"  テーブル {table}：{names}", f"  Table {table}: {names}", lang)
        if seated.sits_out:
            names = _names(found.names(seated.sits_out), lang)
            yield in_one(f"  休み：{names}", f"  Sits out: {names}", lang)
    yield from (_measure(name, value, lang) for name, value in found.measure.items())
    for number, wish in found.broken:
        one, other = map(_flat, found.names(wish.people))
        ja = "一緒に座れません" if wish.together else "離れて座れません"
        en = "are not at one table" if wish.together else "are at one table"
        yield in_one(
            f"ラウンド{number + 1}：{one}と{other}は{ja}",
            f"Round {number + 1}: {one} and {other} {en}",
            lang,
        )
    for pair, count in found.again:
        one, other = map(_flat, found.names(pair))
        yield in_one(f"{one}と{other}：{count}回目", f"{one} and {other}: meeting {count}", lang)


def _measure(name: str, value: int | Fraction, lang: str) -> str:
    ja, en = MEASURES[name]
    return in_one(f"{ja}：{value}", f"{en[0].upper()}{en[1:]}: {value}", lang)


def _names(names: Sequence[str], lang: str) -> str:
    return in_one("、", ", ", lang).join(map(_flat, names))


def _flat(name: str) -> str:
    """A name in one line."""
    return " ".join("".join(each if each.isprintable() else " " for each in name).split())


def standing_lines(tonight: Tonight, rows: Sequence[StandingRow], lang: str) -> Iterator[str]:
    """The standing as a table, then the sum of each person line by line."""
    yield in_one(f"{len(tonight.rounds)}ラウンド", f"Rounds: {len(tonight.rounds)}", lang)
    yield from _table([_heading(lang), *(_cells(row, lang) for row in rows)])
    for row in rows:
        yield ""
        yield in_one(f"{_flat(row.name)}：{row.points}点", f"{_flat(row.name)}: {row.points}", lang)
        yield from (_score(score, lang) for score in row.scores)
        yield in_one(f"  1位の回数：{row.firsts}", f"  First places: {row.firsts}", lang)
        met = _names([f"{name} {points}" for name, points in row.met], lang) or "-"
        yield in_one(
            f"  会った人の得点の和：{row.strength}（{met}）",
            f"  Points of people met: {row.strength} ({met})",
            lang,
        )


def _heading(lang: str) -> list[str]:
    ja = ["順位", "名前", "得点", "1位", "会った人の得点", "プレイ", "休み", ""]
    en = ["Place", "Name", "Points", "Firsts", "Strength", "Played", "Sat out", ""]
    return ja if lang == "ja" else en


def _cells(row: StandingRow, lang: str) -> list[str]:
    numbers = (row.points, row.firsts, row.strength, row.played, row.sat_out)
    dropped = in_one("途中で抜けました", "dropped", lang) if row.dropped else ""
    return [str(row.place), _flat(row.name), *map(str, numbers), dropped]


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows with every column as wide as its widest cell."""
    wide = [max(map(columns, cells)) for cells in zip(*rows, strict=True)]
    for row in rows:
        cells: Iterable[str] = (
            cell + " " * (width - columns(cell)) for cell, width in zip(row, wide, strict=True)
        )
        yield "  ".join(cells).rstrip()


def _score(score: RoundScore, lang: str) -> str:
    number, points = score.round, score.points
    if score.table is not None:
        ja = f"テーブル {score.table}で{score.place}位"
        en = f"table {score.table}, place {score.place}"
    elif score.before:
        ja, en = "参加前", "not there yet"
    else:
        ja, en = "休み", "sits out"
    says = in_one(f"ラウンド{number}：{ja}、{points}点", f"Round {number}: {en}, {points}", lang)
    return f"  {says}"
