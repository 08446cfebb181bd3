"""A person's record in numbers and charts, computed from the derived tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from babel.dates import format_date

from referee import zones
from referee.games import GAMES, KIND
from referee.history.digest import MILLION
from referee.http import language
from referee.http.local_time import local_time, zone
from referee.screens import screen
from referee.screens.base import Count
from referee.store.careers import Career
from referee.store.past import Past
from referee.store.played import Duel, Rated, Totals
from referee.web.group import charts

NEW = 25.0  # the rating of a newcomer
SCALE = 60  # a newcomer's rating of 25 is shown as 1500
MOVED = 12  # matches in the table below the rating
MONTHS = 18  # months with a bar each; a longer history is shown by years
DUELS = 50  # opponents in the table of duels, the most frequent ones
ENOUGH = 5  # matches together before an opponent counts as nemesis or victim


class Moved(NamedTuple):
    """A match that changed the rating by ``by`` to ``after``, both on the displayed scale."""

    match: str
    game: str
    day: date
    by: int
    after: int


class BestFeat(NamedTuple):
    """The highest value of one kind of feat in a game, as text, and the match with it."""

    game: str
    text: str
    match: str


class PersonCount(NamedTuple):
    """How often a person did each thing that a game counts, such as leading a card; a chart."""

    game: str
    shown: Count
    bars: charts.Bars


class Numbers(NamedTuple):
    """All values on the page of a person.

    ``streak`` and ``longest``: wins in a row, at present and the most ever. ``first``: the local
    day of the first finished match. ``periods``: (label, matches, wins). ``declared``: (game,
    declarations, finished matches of this game). ``luck``: (game, cards drawn openly, how many of
    them were bad, how many bad ones were to be expected).
    """

    matches: int
    won: int
    lost: int
    revokes: int
    streak: int
    longest: int
    first: date | None
    lines: list[Totals]
    rating: Rated | None
    curve: charts.Band | None
    moved: list[Moved]
    months: charts.Bars | None
    periods: list[tuple[str, int, int]]
    duels: list[Duel]
    nemesis: Duel | None
    victim: Duel | None
    partner: Duel | None
    feats: list[BestFeat]
    counted: list[PersonCount]
    declared: list[tuple[str, int, int]]
    luck: list[tuple[str, int, int, float]]

    def others(self) -> set[int]:
        """The people who are named on the page."""
        named = (self.nemesis, self.victim, self.partner)
        return {duel.other for duel in (*self.duels, *named) if duel}


def numbers(past: Past, person: int) -> Numbers:
    """All values about ``person``, who belongs to the circle of ``past``."""
    career = past.career(person)
    lines, span = _by_key(career.lines()), career.span()
    ratings = career.ratings(charts.MOST, MOVED + 1)
    duels = sorted(past.duels(person), key=lambda duel: -duel.matches)
    met = [duel for duel in duels if duel.matches >= ENOUGH and duel.above != duel.below]
    hardest = min(met, key=_margin, default=None)
    easiest = max(met, key=_margin, default=None)
    wins, periods = career.wins(), _periods(career, span)
    return Numbers(
        matches=sum(line.matches for line in lines),
        won=sum(line.won for line in lines),
        lost=sum(line.lost for line in lines),
        revokes=sum(line.revokes for line in lines),
        streak=len(wins) - len(wins.rstrip("1")),
        longest=max(map(len, wins.split("0"))),
        first=_day(span[0]) if span else None,
        lines=sorted(lines, key=lambda line: (*_order(line.game), line.seats)),
        rating=ratings[-1] if ratings else None,
        curve=_curve(ratings),
        moved=_moved(past, ratings),
        months=charts.bars(periods, 7) if len(periods) > 1 else None,
        periods=periods,
        duels=duels[:DUELS],
        nemesis=hardest if hardest and _margin(hardest) < 0 else None,
        victim=easiest if easiest and _margin(easiest) > 0 else None,
        partner=duels[0] if duels else None,
        feats=_feats(career),
        counted=_counts(career),
        declared=_declared(career, lines),
        luck=_luck(career),
    )


def rating(value: float) -> int:
    """A rating, or its deviation, on the displayed scale."""
    return round(value * SCALE)


def _order(game: str) -> tuple[int, str]:
    """Sort key: built-in games in the order of ``GAMES``, then those of files by name."""
    name = game.partition(KIND)[0]
    return (list(GAMES).index(name) if name in GAMES else len(GAMES), game)


def _by_key(lines: Sequence[Totals]) -> list[Totals]:
    """``lines`` with the versions of a game file as one game, named by the most played one."""
    found: dict[tuple[str, int, str], list[Totals]] = defaultdict(list)
    for line in lines:
        found[_key(line.game), line.seats, line.unit].append(line)
    merged = []
    for (_, seats, unit), same in found.items():
        game = max(same, key=lambda line: (line.matches, line.game)).game
        sums = (sum(values) for values in zip(*(line[2:-1] for line in same), strict=True))
        best = (min if unit == "fewest" else max)(line.best for line in same)
        merged.append(Totals._make((game, seats, *sums, unit))._replace(best=best))
    return merged


def _key(game: str) -> str:
    """The name of a game without its version; what people call it has none."""
    return game if KIND in game else game.partition("-")[0]


def _margin(duel: Duel) -> float:
    """The difference of the shares of games above and below, from -1 to 1."""
    return (duel.above - duel.below) / duel.matches


def _curve(ratings: Sequence[Rated]) -> charts.Band | None:
    if len(ratings) < 2:
        return None
    return charts.band(
        [(_short(_day(r.opened)), r.mu * SCALE, r.sigma * SCALE) for r in charts.thinned(ratings)]
    )


def _day(moment: str) -> date:
    return local_time(moment).date()


def _short(day: date) -> str:
    return (
        f"{day.month}/{day.day}" if language.current() == "ja" else format_date(day, "d MMM", "en")
    )


def _moved(past: Past, ratings: Sequence[Rated]) -> list[Moved]:
    """The last ``MOVED`` rated matches with the change of the rating, the latest first."""
    late = [r for r in ratings if r.late][-MOVED:]
    before = {r.nth + 1: r.mu for r in ratings} | {1: NEW}
    games = {match.match: match.game for match in past.some([r.match for r in late])}
    return [
        Moved(
            r.match,
            games[r.match],
            _day(r.opened),
            rating(r.mu) - rating(before[r.nth]),
            rating(r.mu),
        )
        for r in reversed(late)
    ]


def _periods(career: Career, span: tuple[str, str] | None) -> list[tuple[str, int, int]]:
    """Months, or years of a long history: (label, matches, wins), without gaps."""
    if span is None:
        return []
    first, last = map(_day, span)
    begin, end = (day.year * 12 + day.month - 1 for day in (first, last))
    if end - begin >= MONTHS:
        years = range(first.year, last.year + 1)
        labels, starts = [str(year) for year in years], [date(year, 1, 1) for year in years]
    else:
        starts = [date(nth // 12, nth % 12 + 1, 1) for nth in range(begin, end + 1)]
        labels = [month(day) for day in starts]
    counts = career.periods([zones.begins(day, zone()) for day in starts])
    return [(label, *count) for label, count in zip(labels, counts, strict=True)]


def month(day: date) -> str:
    """The month of ``day`` as text, short enough for a chart or for the heading of a column."""
    if language.current() == "ja":
        return f"{day.month}月"
    return format_date(day, "MMM", language.current())


def _feats(career: Career) -> list[BestFeat]:
    """The best of each kind in each game; the versions of a game file count as one game."""
    best: dict[tuple[str, str], tuple[int, BestFeat]] = {}
    for game, kind, label, value, match in career.feats():
        feat = value, BestFeat(game, screen(game).feat(kind, label, value), match)
        before = best.setdefault((_key(game), kind), feat)
        if value > before[0]:
            best[_key(game), kind] = feat
    return [feat for _value, feat in best.values()]


def _declared(career: Career, lines: Sequence[Totals]) -> list[tuple[str, int, int]]:
    """``Numbers.declared``, without games that know no declarations; ``lines``: see ``_by_key``."""
    times: Counter[str] = Counter()
    for game, declared in career.declared().items():
        times[_key(game)] += declared
    matches: Counter[str] = Counter()
    for line in lines:
        matches[line.game] += line.matches
    games = (game for game in matches if _key(game) in times)
    return [(game, times[_key(game)], matches[game]) for game in sorted(games, key=_order)]


def _luck(career: Career) -> list[tuple[str, int, int, float]]:
    """``Numbers.luck``, in the order of the games."""
    found = career.luck()
    return [
        (game, sums["drawn"], sums.get("bad", 0), sums.get("likely", 0) / MILLION)
        for game, sums in sorted(found.items(), key=lambda each: _order(each[0]))
    ]


def _counts(career: Career) -> list[PersonCount]:
    """``PersonCount`` of each game, in their order; versions of a game file are added up."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    named: dict[str, str] = {}  # key → the game, or one of its versions
    for game, label, times in career.led():
        found[_key(game)][label] += times
        named[_key(game)] = game
    names = sorted(named.values(), key=_order)
    counts = [(name, screen(name).counted(found[_key(name)])) for name in names]
    return [
        PersonCount(
            game, count, charts.bars([(short, times, 0) for _name, short, times in count.rows])
        )
        for game, count in counts
    ]
