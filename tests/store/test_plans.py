"""What is asked at every play, and for every page of the history, is found by an index.

The questions are caught as the store asks them; each engine then says how it would go about them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import crowd
import pytest
from cluster import Schemas

from referee.games.simulation import WIDEST
from referee.store import Circles, Doors, NewEntry, People, Store, engine, log, opening
from referee.store.archive import Archive
from referee.store.careers import Career
from referee.store.past import Past
from referee.store.played import MatchFilter
from referee.store.revisions import Revisions
from referee.store.statistics import Digests

CIRCLES = 150
LARGE = "entries|matches|players|people|digests|results|feats|ratings|sessions|seatings|members"
FULL = re.compile(
    rf"SCAN (?:{LARGE})\b|Seq Scan on (?:{LARGE})\b"
    # an index, too, can be read from end to end
    rf"|Index (?:Only )?Scan (?:Backward )?using \w+ on (?:{LARGE})\b[^\n]*\n(?! *Index Cond)"
)
MATCH = "c7m3"


class Watched:
    """An engine that records its queries."""

    def __init__(self, place: Path | str) -> None:
        self._engine = opening.opened(place)
        self.asked: list[tuple[str, Sequence[Any]]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        self.asked.append((query, values))
        return self._engine.rows(query, values)

    @contextmanager
    def transaction(self) -> Iterator[Any]:
        with self._engine.transaction() as within:
            noted = self.asked

            class Noting:
                def execute(self, query: str, values: Sequence[Any] = ()) -> engine.Cursor:
                    noted.append((query, values))
                    return within.execute(query, values)

                executemany = staticmethod(within.executemany)

            yield Noting()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """A store with many circles, of which one is asked about."""
    if request.param == "sqlite":
        if request.config.getoption("--database") != "sqlite":
            pytest.skip("this run is about PostgreSQL")
        place: Path | str = tmp_path_factory.mktemp("plans") / "referee.db"
    else:
        schemas: Schemas = request.getfixturevalue("schemas")
        # so few rows may be read from end to end: whether an index could serve is what counts
        place = schemas.cluster.address(schemas.take()) + "%20-c%20enable_seqscan%3Doff"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log, "opened", Watched)
        store = Store(place)
    crowd.fill(store, CIRCLES)
    with store._transaction() as db:  # of a table without a row PostgreSQL expects ten pages
        db.execute("INSERT INTO outdated VALUES (?, 1)", (MATCH,))
    store.engine.analyse()
    yield store
    store.close()


QUESTIONS: dict[str, Callable[[Store], object]] = {
    "read": lambda store: store.read(MATCH, 3),
    "tail": lambda store: store.tails([MATCH, "c1m1"]),
    "extent": lambda store: (store.extent(MATCH), store.extents([MATCH, "c1m1"])),
    "find": lambda store: store.find(MATCH, "key3"),
    "header": lambda store: (store.header(MATCH), People(store).names(MATCH)),
    "append": lambda store: store.append(
        MATCH,
        tail := store.tails([MATCH])[MATCH],
        [NewEntry("A lay 2", f"k{tail}", "legal", "", "")],
    ),
    "standing": lambda store: Doors(store).standing(MATCH, "p7"),
    "home": lambda store: (
        Circles(store).of("p7"),
        Circles(store).matches("c7", 20),
        store.tails([row.id for row in Circles(store).matches("c7", 20)]),
        Circles(store).sessions("c7", 5),
        Circles(store).held(7, 20),
        Circles(store).count("c7"),
        Doors(store).tables("p7", 5),
        People(store).of("c7", 20, 20),
        People(store).names_of("c7", 20),
        People(store).playing("c7", 20),
        People(store).called("c7", [71]),
        People(store).count("c7"),
        People(store).deleted([MATCH, "c1m1"]),
    ),
    "archive": lambda store: (
        Archive(store, "c7").ids(),
        Archive(store, "c7").get(MATCH, Archive(store, "c7").contents()),
        list(Past(store, "c7").each()),
    ),
    "evenings": lambda store: (
        Past(store, "c7").sessions(),
        Past(store, "c7").evenings([(7, 1)], 20),
        Past(store, "c7").evening(7, 20),
        Past(store, "c7").tally(7),
        Past(store, "c7").clocked(7, 20),
        Past(store, "c7").last(20),
        Past(store, "c7").get(MATCH),
    ),
    "search": lambda store: Past(store, "c7").sessions(
        MatchFilter(WIDEST, 71, "2026", "2027", ("n1",), ((WIDEST,),))
    ),
    "person": lambda store: (
        Career(store, 73).lines(),
        Career(store, 73).wins(),
        Career(store, 73).span(),
        Career(store, 73).periods(["2025", "2026"]),
        Past(store, "c7").duels(73),
        Career(store, 73).feats(),
        Career(store, 73).ratings(100, 10),
        People(store).matches(73),
    ),
    "standings": lambda store: Past(store, "c7").standings(20, 20),
    "outdated": lambda store: Digests(store).outdated(50),
    "unrated": lambda store: Digests(store).unrated(),
    "of other rules": lambda store: (
        Digests(store).by_other_rules("1", 50),
        Revisions(store).get(MATCH),
    ),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_table_is_read_from_end_to_end(store: Store, question: str) -> None:
    watched = store.engine
    assert isinstance(watched, Watched)
    watched.asked.clear()
    QUESTIONS[question](store)
    asked = list(watched.asked)
    assert asked
    explain = "EXPLAIN " if type(watched._engine).__name__ == "Postgres" else "EXPLAIN QUERY PLAN "
    for query, values in asked:
        plan = "\n".join(str(row[-1]) for row in watched._engine.rows(explain + query, values))
        assert not FULL.search(plan), f"{query}\n{plan}"


def test_a_match_is_found_without_a_look_at_the_others_of_its_circle(store: Store) -> None:
    watched = store.engine
    assert isinstance(watched, Watched)
    if type(watched._engine).__name__ == "Postgres":
        pytest.skip("its planner goes by numbers, and decides anew where a circle is large")
    watched.asked.clear()
    assert Past(store, "c7").get(MATCH) is not None
    Archive(store, "c7").some([MATCH], Archive(store, "c7").contents(match=MATCH))
    for query, values in list(watched.asked):
        rows = watched._engine.rows(f"EXPLAIN QUERY PLAN {query}", values)
        assert not any("circle=" in str(row[-1]) for row in rows), query
