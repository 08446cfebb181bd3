"""Queries about one person: totals, ratings, feats, and what the person declared. Reads only.

All of them read the derived tables (see ``statistics``).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from referee.store.log import Store
from referee.store.played import Rated, Totals
from referee.store.statistics import COUNTED, DECLARED, HUNDREDTHS, LUCK, exact

FOREVER = "~"  # after every stored time


class Career:
    """Queries about a ``person`` in ``store``."""

    def __init__(self, store: Store, person: int) -> None:
        self._rows, self._person = store._rows, person

    def lines(self) -> list[Totals]:
        """Totals of a person's finished matches, for each game, number of seats and unit."""
        best = (
            "SELECT CASE WHEN totals.unit = 'fewest' OR totals.unit LIKE 'fewest/%'"
            " OR totals.unit LIKE 'places/%' THEN min(points) ELSE max(points) END"
            " FROM results WHERE results.person = totals.person AND over = 1"
            " AND results.game = totals.game AND results.seats = totals.seats"
            " AND results.unit = totals.unit"
        )
        rows = self._rows(
            f"SELECT game, seats, matches, won, points, ({best}), revokes, timed, millis, lost,"
            " unit FROM totals WHERE person = ? AND matches > 0",
            (self._person,),
        )
        return [_exactly(Totals(*row)) for row in rows]

    def wins(self) -> str:
        """The person's finished matches that have a winner, oldest first: "1" won, "0" not."""
        rows = self._rows(
            "SELECT group_concat(won, '') FROM (SELECT won FROM results"
            " WHERE person = ? AND over = 1 AND unwon = 0 ORDER BY opened, match) AS finished",
            (self._person,),
        )
        return rows[0][0] or ""

    def span(self) -> tuple[str, str] | None:
        """When the first and the last finished match of a person were opened; None without one."""
        first, last = self._rows(
            "SELECT min(opened), max(opened) FROM results WHERE person = ? AND over = 1",
            (self._person,),
        )[0]
        return (first, last) if first else None

    def periods(self, starts: Sequence[str]) -> list[tuple[int, int]]:
        """Finished matches and wins of a person from each of these times to the next one."""
        counts = (
            "SELECT count(*), coalesce(sum(won), 0) FROM results"
            " WHERE person = ? AND over = 1 AND opened >= ? AND opened < ?"
        )
        return [
            (int(matches), int(won))
            for since, until in pairwise((*starts, FOREVER))
            for matches, won in self._rows(counts, (self._person, since, until))
        ]

    def ratings(self, most: int, last: int) -> list[Rated]:
        """Ratings of a person, oldest first: about ``most``, evenly spaced, and the ``last``."""
        [(total,)] = self._rows("SELECT count(*) FROM ratings WHERE person = ?", (self._person,))
        step = 1 + int(total) // most
        late = self._rows(
            "SELECT match, opened, mu, sigma FROM ratings WHERE person = ?"
            " ORDER BY opened DESC, match DESC LIMIT ?",
            (self._person, last),
        )
        found = [Rated._make((*row, total - back, True)) for back, row in enumerate(late)]
        # one query for each, from the previous one on: numbering all takes ten times as long
        known: tuple[object, ...] = ("", "")
        for nth in range(step, total - len(late) + 1, step):
            [row] = self._rows(
                "SELECT match, opened, mu, sigma FROM ratings WHERE person = ?"
                f" AND (opened, match) > (?, ?) ORDER BY opened, match LIMIT 1 OFFSET {step - 1}",
                (self._person, *known),
            )
            known = (row[1], row[0])
            found.append(Rated._make((*row, nth, False)))
        return sorted(found, key=lambda rated: rated.nth)

    def feats(self) -> list[tuple[str, str, str, int, str]]:
        """The best of each kind in each game: (game, kind, label, value, match)."""
        own, found = "FROM feats WHERE person = ? AND kind != 'led'", []
        at: tuple[object, ...] = (self._person, "", "")
        # a query for each kind, with the index, instead of one over all feats of the person
        while rows := self._rows(
            f"SELECT person, game, kind {own} AND (game, kind) > (?, ?)"
            " ORDER BY game, kind LIMIT 1",
            at,
        ):
            at = rows[0]
            [(best,)] = self._rows(f"SELECT max(value) {own} AND game = ? AND kind = ?", at)
            if at[2] not in COUNTED:
                found += self._rows(
                    f"SELECT game, kind, label, value, match {own} AND game = ? AND kind = ?"
                    " AND value = ? ORDER BY match, label LIMIT 1",
                    (*at, best),
                )
        return found

    def led(self) -> list[tuple[str, str, int]]:
        """The totals of a person's feats in ``statistics.LED``: (game, label, count)."""
        return self._rows(
            "SELECT game, card, times FROM leads WHERE person = ? AND times > 0", (self._person,)
        )

    def declared(self) -> dict[str, int]:
        """Game → how often a person has declared something about the own hand."""
        rows = self._rows(
            "SELECT game, sum(value) FROM feats WHERE person = ? AND kind = ? AND kind != 'led'"
            " GROUP BY game",
            (self._person, DECLARED),
        )
        return {game: int(times) for game, times in rows}

    def luck(self) -> dict[str, dict[str, int]]:
        """Game → "drawn", "likely" (millionths) and "bad" → their sum (see ``Hooks.luck``)."""
        rows = self._rows(
            "SELECT game, label, sum(value) FROM feats WHERE person = ? AND kind = ?"
            " AND kind != 'led' GROUP BY game, label",
            (self._person, LUCK),
        )
        found: dict[str, dict[str, int]] = {}
        for game, label, total in rows:
            found.setdefault(game, {})[label] = int(total)
        return found


def _exactly(totals: Totals) -> Totals:
    """``totals`` whose points were stored in hundredths, as they are."""
    unit = totals.unit
    if not unit.endswith(HUNDREDTHS):
        return totals
    points, best = exact(int(totals.points), unit), exact(int(totals.best), unit)
    return totals._replace(points=points, best=best, unit=unit.removesuffix(HUNDREDTHS))
