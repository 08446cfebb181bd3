"""What a person has done, in numbers and charts; nothing is stored here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import NamedTuple

from babel.dates import format_date

from referee.games import GAMES
from referee.store.past import Duel, Part, Past, Played, Rated
from referee.web import charts, lang

SCALE = 60  # a newcomer's rating of 25 is shown as 1500
MOVED = 12  # matches in the table under the rating
MONTHS = 18  # bars of months; a longer history is shown by years
ENOUGH = 5  # matches together before somebody is a nemesis


class Line(NamedTuple):
    """A game at a number of seats; ``millis``: time over a play, None where no clock ran."""

    game: str
    seats: int
    matches: int
    won: int
    average: float
    best: int
    millis: float | None


class Moved(NamedTuple):
    """A match that moved the rating, from ``before`` by ``by`` (shown scale)."""

    match: str
    game: str
    day: date
    by: int
    after: int


class Feat(NamedTuple):
    """The best of its kind; ``label`` says what it was."""

    game: str
    kind: str
    label: str
    value: int
    match: str


class Numbers(NamedTuple):
    """All that the page of a person shows. Streaks are wins in a row, now and at most."""

    matches: int
    won: int
    revokes: int
    streak: int
    longest: int
    first: date | None
    lines: list[Line]
    rating: Rated | None
    curve: charts.Band | None
    moved: list[Moved]
    months: charts.Bars | None
    periods: list[tuple[str, int, int]]
    duels: list[Duel]
    nemesis: Duel | None
    victim: Duel | None
    partner: Duel | None
    feats: list[Feat]
    led: list[tuple[str, charts.Bars, list[tuple[str, int]]]]


def numbers(past: Past, person: int) -> Numbers:
    """Everything about ``person``, who belongs to the circle of ``past``."""
    parts = past.parts(person)
    days = [datetime.fromisoformat(part.opened).astimezone().date() for part in parts]
    ratings = past.ratings(person)
    duels = sorted(past.duels(person), key=lambda duel: -duel.matches)
    met = [duel for duel in duels if duel.matches >= ENOUGH and duel.above != duel.below]
    hardest = min(met, key=_margin, default=None)
    easiest = max(met, key=_margin, default=None)
    streak, longest = _streaks(parts)
    periods = _periods(parts, days)
    return Numbers(
        len(parts),
        sum(part.won for part in parts),
        sum(part.revokes for part in parts),
        streak,
        longest,
        days[0] if days else None,
        _lines(parts),
        ratings[-1] if ratings else None,
        _curve(ratings),
        _moved(ratings, parts),
        charts.bars(periods, 7) if len(periods) > 1 else None,
        periods,
        duels,
        hardest if hardest and _margin(hardest) < 0 else None,
        easiest if easiest and _margin(easiest) > 0 else None,
        duels[0] if duels else None,
        [Feat(*feat) for feat in past.feats(person)],
        _led(past, person),
    )


def rating(value: float) -> int:
    """A rating, or its deviation, on the scale of the screen."""
    return round(value * SCALE)


def tally(matches: Iterable[Played]) -> list[tuple[str, int | None, int, int]]:
    """Who won how many of ``matches``: (name, person, wins, matches), most wins first."""
    found: dict[tuple[str, int | None], list[bool]] = defaultdict(list)
    for match in matches:
        for placing in match.placings if match.over else ():
            found[placing.name, placing.person].append(placing.won)
    rows = [(name, person, sum(won), len(won)) for (name, person), won in found.items()]
    return sorted(rows, key=lambda row: (-row[2], row[3], row[0]))


def _margin(duel: Duel) -> float:
    """How much more often above than below, from -1 to 1."""
    return (duel.above - duel.below) / duel.matches


def _streaks(parts: Sequence[Part]) -> tuple[int, int]:
    streak = longest = 0
    for part in parts:
        streak = streak + 1 if part.won else 0
        longest = max(longest, streak)
    return streak, longest


def _lines(parts: Sequence[Part]) -> list[Line]:
    """By game and number of seats, those played most first."""
    found: dict[tuple[str, int], list[Part]] = defaultdict(list)
    for part in parts:
        found[part.game, part.seats].append(part)
    lines = []
    for (game, seats), own in found.items():
        timed = [part for part in own if part.millis is not None]
        plays = sum(part.plays for part in timed)
        lines.append(
            Line(
                game,
                seats,
                len(own),
                sum(part.won for part in own),
                sum(part.points for part in own) / len(own),
                max(part.points for part in own),
                sum(part.millis or 0 for part in timed) / plays if plays else None,
            )
        )
    order = list(GAMES)
    return sorted(lines, key=lambda line: (order.index(line.game), line.seats))


def _curve(ratings: Sequence[Rated]) -> charts.Band | None:
    if len(ratings) < 2:
        return None
    thin = charts.thinned(ratings)
    return charts.band(
        [
            (
                _short(datetime.fromisoformat(r.opened).astimezone().date()),
                r.mu * SCALE,
                r.sigma * SCALE,
            )
            for r in thin
        ]
    )


def _short(day: date) -> str:
    return f"{day.month}/{day.day}" if lang.current() == "ja" else f"{day.day}.{day.month}."


def _moved(ratings: Sequence[Rated], parts: Sequence[Part]) -> list[Moved]:
    """The last matches and what each did to the rating, the latest first."""
    games = {part.match: part.game for part in parts[-2 * MOVED :]}
    before = [25.0, *(r.mu for r in ratings)]
    rows = [
        Moved(
            r.match,
            games.get(r.match, ""),
            datetime.fromisoformat(r.opened).astimezone().date(),
            rating(r.mu) - rating(old),
            rating(r.mu),
        )
        for old, r in list(zip(before, ratings, strict=False))[-MOVED:]
    ]
    return rows[::-1]


def _periods(parts: Sequence[Part], days: Sequence[date]) -> list[tuple[str, int, int]]:
    """Months, or years of a long history: (label, matches, wins), none left out between."""
    if not days:
        return []
    months = (days[-1].year - days[0].year) * 12 + days[-1].month - days[0].month + 1
    yearly = months > MONTHS
    found: dict[int, list[bool]] = defaultdict(list)
    for part, day in zip(parts, days, strict=True):
        found[day.year if yearly else day.year * 12 + day.month - 1].append(part.won)
    return [
        (
            str(key) if yearly else _month(date(key // 12, key % 12 + 1, 1)),
            len(found.get(key, ())),
            sum(found.get(key, ())),
        )
        for key in range(min(found), max(found) + 1)
    ]


def _month(day: date) -> str:
    if lang.current() == "ja":
        return f"{day.month}月"
    return format_date(day, "MMM", lang.current())


def _led(past: Past, person: int) -> list[tuple[str, charts.Bars, list[tuple[str, int]]]]:
    """For each game the cards led, as a chart and as numbers."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for game, card, times in past.led(person):
        found[game][card] = times
    rows = []
    for game in (name for name in GAMES if name in found):
        highest = max(10, *(int(card) for card in found[game]))
        cards = [(str(n), found[game].get(str(n), 0)) for n in range(1, highest + 1)]
        rows.append((game, charts.bars([(card, n, 0) for card, n in cards]), cards))
    return rows
