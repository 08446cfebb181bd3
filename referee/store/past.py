"""Queries of the history pages: evenings, results, head-to-head counts, ratings. Reads only.

All of them read the derived tables (see ``statistics``) of one circle. A person who was deleted on
request appears in no statistics; the seat keeps the name that the record now has.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

from referee.store.careers import FOREVER, Career
from referee.store.engine import marks
from referee.store.folding import pattern
from referee.store.log import Store
from referee.store.played import (
    ALL,
    ESTABLISHED,
    Duel,
    Edition,
    Evening,
    EveningTally,
    MatchFilter,
    Placing,
    PlayedMatch,
    RankedPerson,
    SessionShare,
    with_losers,
)
from referee.store.seats import Seats
from referee.store.statistics import HUNDREDTHS, exact

SOME = 100  # matches that are read with one query
HEAD = (
    "match, session, opened, game, over, entries, corrections, rulings, millis, unit, stopped,"
    " by_sheet, team, kept"
)
"""The columns of ``digests`` with which a ``PlayedMatch`` begins."""
OF_CIRCLE = "circle || '' = ?"
"""The condition on the circle in queries that shall use another index than that of the circle."""


class Past:
    """Queries about one circle in ``store``; every ``person`` has to be one of this circle."""

    def __init__(self, store: Store, circle: str) -> None:
        self._store, self._rows, self._circle = store, store._rows, circle

    def sessions(self, wanted: MatchFilter = ALL, most: int = -1) -> list[tuple[int, int]]:
        """Evenings with matching matches, latest first: (id, number of these matches).

        ``most``: how many matches are searched, from the latest; -1: all.
        """
        where, values = self._where(wanted)
        found = f"SELECT session, opened FROM digests WHERE {where}"
        if most >= 0:
            found += f" ORDER BY opened DESC LIMIT {most:d}"
        return self._rows(
            f"SELECT session, count(*) FROM ({found}) AS found GROUP BY session"
            " ORDER BY max(opened) DESC",
            values,
        )

    def evenings(
        self, sessions: Sequence[tuple[int, int]], most: int, wanted: MatchFilter = ALL
    ) -> list[Evening]:
        """These evenings, as ``sessions`` gives them, each with its ``most`` latest matches."""
        if not sessions:
            return []
        where, values = self._where(wanted, OF_CIRCLE)
        ids = [session for session, _count in sessions]
        named = f"IN ({marks(ids)})"
        held: dict[int, list[PlayedMatch]] = {session: [] for session, _count in sessions}
        for match in self._filled(
            self._rows(
                f"SELECT {HEAD} FROM (SELECT {HEAD}, row_number() OVER (PARTITION BY session"
                f" ORDER BY opened DESC, match DESC) AS nth FROM digests WHERE session {named}"
                f" AND {where}) AS numbered WHERE nth <= ? ORDER BY opened DESC, match DESC",
                (*ids, *values, most),
            )
        ):
            held[match.session].append(match)
        about = self._rows(f"SELECT id, began, place, note FROM sessions WHERE id {named}", ids)
        said = {row[0]: row for row in about}
        return [
            Evening._make((*said[session], count, tuple(held[session])))
            for session, count in sessions
        ]

    def evening(self, session: int, most: int, skip: int = 0) -> list[PlayedMatch]:
        """``most`` matches of an evening, oldest first, from the index ``skip`` on."""
        where = f"{OF_CIRCLE} AND session = ?"
        return self._filled(self._heads(where, (self._circle, session), most, skip, "ASC"))

    def tally(self, session: int) -> list[EveningTally]:
        """Wins and losses in an evening: most wins first, then fewest losses."""
        rows = self._rows(
            "SELECT person, name, matches, won, lost FROM tallies JOIN people ON people.id = person"
            " WHERE session = ? AND circle = ? AND matches > 0"
            " ORDER BY won DESC, lost, matches, name",
            (session, self._circle),
        )
        return [EveningTally(*row) for row in rows]

    def shares(self, since: str, until: str) -> list[SessionShare]:
        """What people have of the evenings with matches opened from ``since`` to before ``until``.

        Both UTC, ISO 8601; "" leaves that end open. The first evening comes first, then the person
        who played first.
        """
        rows = self._rows(
            "SELECT session, person, name, count(*), CAST(sum(won) AS INTEGER),"
            " CAST(coalesce(sum(beaten), 0) AS INTEGER), count(beaten),"
            " min(results.opened) AS first FROM results"
            " JOIN digests USING (match) JOIN people ON people.id = person"
            " WHERE digests.circle = ? AND results.over = 1 AND results.seats > 1"
            " AND results.opened >= ? AND results.opened < ?"
            " GROUP BY session, person, name ORDER BY first, session, person",
            (self._circle, since, until or FOREVER),
        )
        return [SessionShare(*row[:-1]) for row in rows]

    def clocked(self, session: int, most: int) -> tuple[str, list[tuple[str, int]]]:
        """When an evening's first match was opened, and its ``most`` latest ones with a clock.

        These are given as (opened, milliseconds).
        """
        own = f"FROM digests WHERE {OF_CIRCLE} AND session = ?"
        [(first,)] = self._rows(f"SELECT min(opened) {own}", (self._circle, session))
        late = self._rows(
            f"SELECT opened, millis {own} AND millis > 0 ORDER BY opened DESC LIMIT ?",
            (self._circle, session, most),
        )
        return first or "", [(opened, millis) for opened, millis in late]

    def last(self, most: int) -> list[PlayedMatch]:
        """The newest finished matches, at most ``most``."""
        return self._played("circle = ? AND over = 1", (self._circle,), most)

    def each(self, session: int | None = None) -> Iterator[PlayedMatch]:
        """All matches, or those of one evening, oldest first; a few in memory at a time."""
        where: str = "circle = ?"
        values: list[object] = [self._circle]
        if session is not None:
            where, values = f"{OF_CIRCLE} AND session = ?", [self._circle, session]
        query = f"SELECT match FROM digests WHERE {where} ORDER BY opened, match"
        ids = [match for (match,) in self._rows(query, values)]
        for start in range(0, len(ids), SOME):
            yield from reversed(self.some(ids[start : start + SOME]))

    def some(self, matches: Sequence[str]) -> list[PlayedMatch]:
        """The matches with these ids, newest first; unknown ids are left out."""
        found: list[PlayedMatch] = []
        for start in range(0, len(matches), SOME):
            ids = matches[start : start + SOME]
            # found by their keys: with the index of circles, every match of this one would be read
            found += self._played(f"match IN ({marks(ids)}) AND {OF_CIRCLE}", (*ids, self._circle))
        return sorted(found, key=lambda played: (played.opened, played.match), reverse=True)

    def get(self, match: str) -> PlayedMatch | None:
        """One match; None if the circle doesn't have it."""
        found = self.some([match])
        return found[0] if found else None

    def latest_header(self, game: str) -> str | None:
        """The header of the newest match that counts as ``game``."""
        rows = self._rows(
            "SELECT header FROM digests JOIN matches ON id = match WHERE digests.circle = ?"
            " AND game = ? ORDER BY digests.opened DESC, match DESC LIMIT 1",
            (self._circle, game),
        )
        return rows[0][0] if rows else None

    def latest(self, game: str) -> str | None:
        """The newest match that counts as ``game``."""
        found = self._heads("circle = ? AND game = ?", (self._circle, game), 1)
        return str(found[0][0]) if found else None

    def alike(self, game: str, seats: int, most: int = 200) -> list[str]:
        """The newest finished matches of a game with ``seats`` seats, newest first."""
        rows = self._rows(
            "SELECT match FROM digests WHERE circle = ? AND game = ? AND seats = ? AND over = 1"
            " ORDER BY opened DESC LIMIT ?",
            (self._circle, game, seats, most),
        )
        return [match for (match,) in rows]

    def pace(self, game: str, seats: int) -> float | None:
        """Seconds over an entry, dealing included, in finished matches of ``game`` with ``seats``.

        The median of the newest, as a match may have had a break; None where no clock ran.
        """
        paces = self._rows(
            "SELECT digests.millis, entries - 1 FROM digests"
            " WHERE circle = ? AND game = ? AND seats = ? AND over = 1 AND digests.millis > 0"
            " AND entries > 1"
            " AND EXISTS (SELECT 1 FROM results"
            # matches with plays, not entered by sheets alone
            " WHERE results.match = digests.match AND results.millis > 0)"
            " ORDER BY opened DESC LIMIT ?",
            (self._circle, game, seats, SOME),
        )
        return median(millis / later for millis, later in paces) / 1000 if paces else None

    def editions(self, games: Sequence[str]) -> dict[str, Edition]:
        """Averages over the matches of each of ``games``; games without a match are left out."""
        rows = self._rows(
            "SELECT digests.game, count(DISTINCT digests.match),"
            " count(DISTINCT CASE WHEN digests.over = 1 THEN digests.match END),"
            " sum(CASE WHEN digests.over = 1 THEN points ELSE 0 END),"
            " max(CASE WHEN digests.over = 1 THEN points END),"
            " sum(CASE WHEN digests.over = 1 THEN digests.millis ELSE 0 END),"
            " sum(CASE WHEN digests.over = 1 THEN 1 ELSE 0 END),"
            " sum(CASE WHEN digests.over = 1 AND digests.millis IS NOT NULL THEN 1 ELSE 0 END)"
            " FROM digests JOIN results USING (match)"
            f" WHERE circle = ? AND digests.game IN ({marks(games)}) GROUP BY digests.game",
            (self._circle, *games),
        )
        return {
            game: Edition(
                matches,
                over,
                round(points / (results or 1), 1),
                best or 0,
                round((millis or 0) / (timed or 1) / 60_000),
            )
            for game, matches, over, points, best, millis, results, timed in rows
        }

    def career(self, person: int) -> Career:
        """The queries about one person."""
        return Career(self._store, person)

    def duels(self, *people: int) -> list[Duel]:
        """Head-to-head counts of these people, of all without any; each pair in both orders."""
        query = "circle = ? AND matches > 0"
        if people:
            query += f" AND person IN ({marks(people)})"
        rows = self._rows(
            f"SELECT person, other, matches, above, below FROM duels WHERE {query}",
            (self._circle, *people),
        )
        return [Duel(*row) for row in rows]

    def standings(self, most: int = -1, skip: int = 0) -> list[RankedPerson]:
        """People who have finished a match, best rating first; ``most`` (-1: all) from ``skip``.

        Those with a provisional rating come after the others.
        """
        rows = self._rows(
            "SELECT people.id, name, sum(matches), sum(won), sum(matches) - sum(unwon), sum(lost),"
            " (SELECT mu FROM ratings WHERE person = people.id"
            " ORDER BY opened DESC, match DESC LIMIT 1) AS mu,"
            " (SELECT sigma FROM ratings WHERE person = people.id"
            " ORDER BY opened DESC, match DESC LIMIT 1)"
            " FROM people JOIN totals ON person = people.id AND matches > 0"
            " WHERE people.circle = ? GROUP BY people.id"
            " ORDER BY CASE WHEN sum(matches) < ? THEN 1 ELSE 0 END, mu DESC NULLS LAST,"
            f" sum(matches) DESC, name LIMIT ? OFFSET {skip:d}",
            (self._circle, ESTABLISHED, most),
        )
        return [RankedPerson(*row) for row in rows]

    def _played(self, where: str, values: Sequence[object], most: int = -1) -> list[PlayedMatch]:
        """The matches for the condition ``where``, latest first; at most ``most`` (-1: all)."""
        return self._filled(self._heads(where, values, most))

    def _heads(
        self, where: str, values: Sequence[object], most: int, skip: int = 0, order: str = "DESC"
    ) -> list[tuple[Any, ...]]:
        """The rows of ``digests`` for ``where``, in this order, from the index ``skip`` on."""
        return self._rows(
            f"SELECT {HEAD} FROM digests WHERE {where} ORDER BY opened {order}, match {order}"
            f" LIMIT ? OFFSET {skip:d}",
            (*values, most),
        )

    def _filled(self, heads: Sequence[tuple[Any, ...]]) -> list[PlayedMatch]:
        """The matches of these rows with their seats and marks, in the same order."""
        before: dict[tuple[str, int], tuple[str, ...]] = {}
        for left in Seats(self._store).former([head[0] for head in heads]):
            at = left.match, left.place
            before[at] = (*before.get(at, ()), left.name or "")
        seats: dict[str, list[Placing]] = {}
        for match, *row in self._rows(
            "SELECT results.match, results.place, results.person, coalesce(name, seat),"
            " points, rank, won, adjusted, beaten FROM results JOIN players USING (match, place)"
            " LEFT JOIN people ON people.id = results.person"
            " WHERE results.match IN (SELECT value FROM json_each(?)) ORDER BY rank, place",
            (json.dumps([head[0] for head in heads]),),
        ):
            placing = Placing(*row)
            placing = placing._replace(before=before.get((match, placing.place), ()))
            seats.setdefault(match, []).append(placing)
        units = {head[0]: head[9] for head in heads if head[9].endswith(HUNDREDTHS)}
        for match in units.keys() & seats.keys():
            seats[match] = [_unscaled(one, units[match]) for one in seats[match]]
        over = {head[0] for head in heads if head[4]}
        for match in over & seats.keys():
            seats[match] = with_losers(seats[match])
        return [
            PlayedMatch._make(
                (
                    *head[:9],
                    head[9].removesuffix(HUNDREDTHS),
                    *head[10:],
                    tuple(seats.get(head[0], ())),
                )
            )
            for head in heads
        ]

    def _where(
        self, wanted: MatchFilter, circle: str = "circle = ?"
    ) -> tuple[str, tuple[object, ...]]:
        """The SQL condition on ``digests`` for a filter, with its values."""
        parts: list[tuple[str, tuple[object, ...]]] = [(circle, (self._circle,))]
        if wanted.game:
            parts.append(("game = ?", (wanted.game,)))
        if wanted.person is not None:
            person = (
                "(match IN (SELECT match FROM results WHERE person = ?)"
                " OR match IN (SELECT match FROM former_players WHERE person = ?))"
            )
            parts.append((person, (wanted.person, wanted.person)))
        if wanted.since:
            parts.append(("opened >= ?", (wanted.since,)))
        if wanted.until:
            parts.append(("opened < ?", (wanted.until,)))
        for word, games in zip(wanted.words, wanted.titled, strict=True):
            parts.append(self._says(word, games))
        where = " AND ".join(part for part, _ in parts)
        return where, tuple(value for _, values in parts for value in values)

    def _says(self, word: str, games: Sequence[str]) -> tuple[str, tuple[object, ...]]:
        """The SQL condition that a match contains ``word``, or that its game is in ``games``.

        The database checks it match by match, only for those that the other conditions leave.
        """
        like = pattern(word)
        people = self._rows(
            "SELECT id FROM people WHERE circle = ? AND folded(name) LIKE ? ESCAPE '\\'",
            (self._circle, like),
        )
        parts: list[tuple[str, tuple[object, ...]]] = [
            (
                "EXISTS (SELECT 1 FROM matches WHERE id = digests.match"
                " AND folded(header) LIKE ? ESCAPE '\\')",
                (like,),
            ),
            (
                "session IN (SELECT id FROM sessions WHERE circle = ?"
                " AND (folded(place) LIKE ? ESCAPE '\\' OR folded(note) LIKE ? ESCAPE '\\'))",
                (self._circle, like, like),
            ),
        ]
        if games:
            parts.append((f"game IN ({marks(games)})", tuple(games)))
        if people:
            seated = (
                "EXISTS (SELECT 1 FROM results WHERE results.match = digests.match"
                " AND CAST(person AS TEXT) IN (SELECT value FROM json_each(?)))"
            )
            parts.append((seated, (json.dumps([str(person) for (person,) in people]),)))
        either = " OR ".join(part for part, _ in parts)
        return f"({either})", tuple(value for _, values in parts for value in values)


def _unscaled(one: Placing, unit: str) -> Placing:
    """``one`` whose points were stored in hundredths, with its points as they are."""
    adjusted = None if one.adjusted is None else exact(int(one.adjusted), unit)
    return one._replace(points=exact(int(one.points), unit), adjusted=adjusted)
