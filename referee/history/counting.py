"""Brings the digests and ratings up to date with the log.

Ratings are OpenSkill's Plackett-Luce model (Weng and Lin 2011), over all games of a group in the
order in which the matches were opened. Tied seats count as tied, so a shared win counts as one.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from time import monotonic

from openskill.models import PlackettLuce

from referee.core.log import Log
from referee.core.naming import restored
from referee.core.record import Grammar
from referee.core.verdict import Seat
from referee.games import game_of
from referee.headers import header_of
from referee.history.digest import digest
from referee.history.edition import edition
from referee.store import People, Seats, Store, Unavailable
from referee.store.gathering import of_earlier_day
from referee.store.played import Placing, PlayedMatch, with_losers
from referee.store.statistics import (
    HUNDREDTHS,
    DerivedRows,
    Digests,
    ResultRow,
    Unrated,
    exact,
)

LOG = logging.getLogger(__name__)
BATCH = 50  # matches per transaction
MODEL = PlackettLuce()


def catch_up(
    store: Store,
    seconds: float | None = None,
    done: Callable[[int], object] = lambda count: None,
    match: str | None = None,
    batch: int = BATCH,
) -> int:
    """Update outdated digests for about ``seconds`` (None: all); returns how many are left.

    ``done``: called after each batch with the number of matches counted. ``match``: only this one,
    without its ratings.
    """
    digests, start = Digests(store), monotonic()
    met: set[str] = set()

    def in_time() -> bool:
        return seconds is None or monotonic() - start < seconds

    while in_time() and (some := digests.outdated(batch, match)):
        # stop: they get new entries faster than they are counted
        if {row.match for row in some} <= met:
            break
        met.update(row.match for row in some)
        digests.write(
            {row.match: _counted(store, row.match) if row.replay else None for row in some}
        )
        done(len(some))
    while match is None and in_time() and not digests.outdated(1) and (due := digests.unrated()):
        for unrated in due:
            digests.rate(unrated, list(rated(unrated)))
            done(0)
    return digests.pending()


def reread(store: Store, batch: int = BATCH) -> Iterator[int]:
    """Count again what an earlier program has counted; yields after each batch, with its number.

    Results that differ are stored (see ``Revisions``). Callers rest between the batches.
    """
    digests, met = Digests(store), set[str]()
    while some := digests.by_other_rules(edition(), batch):
        if met.issuperset(some):  # they get entries faster, or a server of another version counts
            return
        met.update(some)
        digests.write({match: _counted(store, match) for match in some})
        yield len(some)


def _counted(store: Store, match: str) -> DerivedRows:
    """``count``; a match on which it fails counts as one without a result: it stops no other."""
    try:
        return count(store, match)
    except Unavailable:
        raise
    except Exception as fault:
        LOG.error("match %s cannot be counted", match, exc_info=fault)
        seats = range(1, len(header_of(store, match).seats) + 1)
        tail = len(store.read(match))
        game = header_of(store, match).game
        return DerivedRows(
            game=game,
            entries=tail,
            over=False,
            deals=0,
            corrections=0,
            rulings=0,
            millis=None,
            results=[ResultRow(place, 0, 1, False) for place in seats],
            feats=(),
            rules=edition(),
        )


def count(store: Store, match: str) -> DerivedRows:
    """The digest of one match, as database rows."""
    return _digested(store, match)[0]


def _digested(store: Store, match: str) -> tuple[DerivedRows, tuple[Seat, ...]]:
    """The digest of one match as database rows, and its seats by the recorded names."""
    header = header_of(store, match)
    game, rows = game_of(header), store.read(match)
    log, grammar = Log(game, header.table(game)), Grammar(game, header.seats)
    times = [row.at for row in rows]
    # it was recorded on a later day, so the times say nothing about the plays
    if of_earlier_day(store.opened_at(match)):
        times = times[:1] * len(times)
    for row in rows:
        log.push(restored(grammar, row.line))
    since = {header.seats[f.place - 1]: f.until for f in Seats(store).former([match])}
    found = digest(log, times, since)._replace(rules=edition())
    return found, log.seats_at(log.state)


def uncounted(store: Store, match: str) -> PlayedMatch:
    """A match as ``Past`` would return it after counting; writes nothing.

    ``place`` of a seat is its place in turn order, and seats are not linked to people.
    """
    found, seats = _digested(store, match)
    names = People(store).names(match)
    placings = [
        Placing(
            row.place,
            None,
            names.get(seats[row.place - 1], seats[row.place - 1]),
            exact(row.points, found.unit),
            row.rank,
            row.won,
            None if row.adjusted is None else exact(row.adjusted, found.unit),
        )
        for row in found.results
    ]
    placings.sort(key=lambda placing: (placing.rank, placing.place))
    return PlayedMatch(
        match=match,
        session=0,
        opened=store.opened_at(match),
        game=found.game,
        over=found.over,
        entries=found.entries,
        corrections=found.corrections,
        rulings=found.rulings,
        millis=found.millis,
        unit=found.unit.removesuffix(HUNDREDTHS),
        stopped=found.stopped,
        by_sheet=found.by_sheet,
        team=found.team,
        kept=False,
        placings=tuple(with_losers(placings) if found.over else placings),
    )


def rated(unrated: Unrated) -> Iterable[tuple[str, str, int, float, float]]:
    """The ratings after each match in ``unrated``: (opened, match, person, mu, sigma)."""
    known = {
        person: MODEL.rating(mu=mu, sigma=sigma) for person, (mu, sigma) in unrated.before.items()
    }
    for match, opened, ranks in unrated.placed:
        if len(ranks) < 2:
            continue
        teams = [[known.get(person) or MODEL.rating()] for person in ranks]
        after = MODEL.rate(teams, ranks=[float(rank) for rank in ranks.values()])
        for person, [rating] in zip(ranks, after, strict=True):
            known[person] = rating
            yield opened, match, person, rating.mu, rating.sigma
