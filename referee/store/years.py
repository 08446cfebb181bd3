"""What a group did in a year, from the derived tables (see ``statistics``). Reads only.

Games are finished matches that were opened in the year. As in ``past``, a person who was deleted
on request is in no line about people.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from referee.store.engine import marks
from referee.store.log import Store
from referee.store.statistics import COUNTED, WORD


class Games(NamedTuple):
    """The matches of one game. ``plays`` and ``millis`` are sums over all seats.

    ``closest``: for each unit of points, the smallest difference between a winner and a seat that
    did not win, its match (the latest of several), and the unit. Empty if no match has both.
    """

    game: str
    matches: int
    plays: int
    millis: int
    closest: tuple[tuple[int, str, str], ...]


class YearMember(NamedTuple):
    """A person, and how many games of the year they finished."""

    person: int
    name: str
    matches: int
    won: int


class Best(NamedTuple):
    """The highest value of a kind of feat, or a word: the person and the match."""

    game: str
    kind: str
    label: str
    value: int
    name: str
    match: str


class YearEvening(NamedTuple):
    """An evening, and how many games were finished in it."""

    session: int
    began: str
    place: str
    note: str
    matches: int


OURS = "digests.circle = ? AND digests.opened >= ? AND digests.opened < ? AND digests.over = 1"
# by people first: the index of feats begins with them, and leaves out cards that were led
FEATS = (
    "FROM people JOIN feats ON feats.person = people.id AND feats.kind != 'led'"
    " JOIN digests ON digests.match = feats.match"
    " WHERE people.circle = ? AND digests.opened >= ? AND digests.opened < ? AND digests.over = 1"
)


class Year:
    """Matches of ``circle`` opened from ``since`` on and before ``until``, both stored times."""

    def __init__(self, store: Store, circle: str, since: str, until: str) -> None:
        self._rows, self._values = store._rows, (circle, since, until)

    def neighbours(self) -> tuple[str | None, str | None]:
        """When the last game before the year was opened, and the first one after it."""
        circle, since, until = self._values
        begin = "SELECT opened FROM digests WHERE circle = ? AND over = 1 AND opened"
        before = self._rows(f"{begin} < ? ORDER BY opened DESC LIMIT 1", (circle, since))
        after = self._rows(f"{begin} >= ? ORDER BY opened LIMIT 1", (circle, until))
        return before[0][0] if before else None, after[0][0] if after else None

    def between(self, since: str, until: str) -> int:
        """How many finished games were opened from ``since`` on and before ``until``."""
        found = self._rows(
            "SELECT count(*) FROM digests"
            " WHERE circle = ? AND opened >= ? AND opened < ? AND over = 1",
            (self._values[0], since, until),
        )
        return int(found[0][0])

    def games(self) -> list[Games]:
        """Each game that was played, the most played first."""
        counted = self._rows(
            "SELECT digests.game, count(DISTINCT digests.match), sum(results.plays),"
            " coalesce(sum(results.millis), 0) FROM digests"
            f" JOIN results ON results.match = digests.match WHERE {OURS}"
            " GROUP BY digests.game ORDER BY 2 DESC, 1",
            self._values,
        )
        closest = self._rows(
            "SELECT game, apart, match, unit FROM (SELECT game, apart, match, unit, row_number()"
            " OVER (PARTITION BY game, unit ORDER BY apart, opened DESC, match DESC) AS nth FROM"
            " (SELECT digests.game, digests.match, digests.opened, digests.unit,"
            " min(abs(best.points - other.points)) AS apart FROM digests"
            " JOIN results AS best ON best.match = digests.match AND best.won = 1"
            " JOIN results AS other ON other.match = digests.match AND other.won = 0"
            f" WHERE {OURS} GROUP BY digests.game, digests.match, digests.opened, digests.unit)"
            " AS distances) AS ranked WHERE nth = 1 ORDER BY unit",
            self._values,
        )
        near: dict[str, list[tuple[int, str, str]]] = {}
        for game, apart, match, unit in closest:
            near.setdefault(game, []).append((int(apart), match, unit))
        return [
            Games(game, int(matches), int(plays), int(millis), tuple(near.get(game, ())))
            for game, matches, plays, millis in counted
        ]

    def members(self) -> list[YearMember]:
        """All people who finished a game, the most games first."""
        rows = self._rows(
            "SELECT people.id, name, count(*), sum(won) FROM people"
            " JOIN results ON person = people.id"
            " WHERE people.circle = ? AND over = 1 AND opened >= ? AND opened < ?"
            " GROUP BY people.id, name ORDER BY 3 DESC, 4 DESC, name",
            self._values,
        )
        return [YearMember(person, name, matches, int(won)) for person, name, matches, won in rows]

    def bests(self, games: Sequence[str]) -> list[Best]:
        """The highest value of each kind in each of ``games``, the first one of the year."""
        counted = ", ".join(f"'{kind}'" for kind in (*COUNTED, WORD))
        rows = self._rows(
            "SELECT game, kind, label, value, name, match FROM (SELECT feats.game, kind, label,"
            " value, name, feats.match, row_number() OVER (PARTITION BY feats.game, kind"
            " ORDER BY value DESC, digests.opened, feats.match, label) AS nth"
            f" {FEATS} AND kind NOT IN ({counted}) AND feats.game IN ({marks(games)})) AS ranked"
            " WHERE nth = 1 ORDER BY game, kind",
            (*self._values, *games),
        )
        return [Best(*row) for row in rows]

    def words(self, games: Sequence[str], most: int) -> tuple[int, int, list[Best]]:
        """How many words were made in ``games``, how many different ones, and the rarest."""
        among = f"{FEATS} AND kind = '{WORD}' AND feats.game IN ({marks(games)})"
        values = (*self._values, *games)
        made, different = self._rows(f"SELECT count(*), count(DISTINCT label) {among}", values)[0]
        rows = self._rows(
            "SELECT game, kind, label, value, name, match FROM (SELECT feats.game, kind, label,"
            " value, name, feats.match, row_number() OVER (PARTITION BY label"
            f" ORDER BY digests.opened, feats.match) AS nth {among}) AS once"
            " WHERE nth = 1 ORDER BY value DESC, label LIMIT ?",
            (*values, most),
        )
        return made, different, [Best(*row) for row in rows]

    def evenings(self, most: int) -> tuple[int, list[YearEvening]]:
        """The number of evenings, and ``most`` of them, oldest first.

        Those with a note are preferred, then those with most games.
        """
        rows = self._rows(
            "SELECT sessions.id, began, place, note, count(*) FROM digests"
            f" JOIN sessions ON sessions.id = digests.session WHERE {OURS}"
            " GROUP BY sessions.id, began, place, note ORDER BY began",
            self._values,
        )
        found = [YearEvening(*row) for row in rows]
        kept = sorted(found, key=lambda met: (not met.note, -met.matches))[:most]
        return len(found), sorted(kept, key=lambda met: met.began)
