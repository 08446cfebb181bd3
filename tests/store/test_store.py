"""What every store does, in memory, in a file and on a PostgreSQL server: append-only, all or
nothing, and never two entries in one place."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from inspect import unwrap
from pathlib import Path

import pytest
from cluster import Schemas
from waiting import PATIENCE, wait_for

from referee.games.simulation import WIDEST
from referee.store import (
    Clash,
    NewEntry,
    NoSuchMatch,
    People,
    Store,
    Unavailable,
    postgres,
    schema,
    sqlite,
)
from referee.store.sqlite import MEMORY, Sqlite

HEADER = f"referee: 1\ngame: {WIDEST}\nseats: A B"


@pytest.fixture(params=["memory", "file", "postgresql"])
def place(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path | str]:
    """Where the store lies, on each engine."""
    if request.param == "postgresql":
        # no test here is about a server that does not answer, and a busy one may take its time
        monkeypatch.setattr(postgres, "WAIT_SECONDS", PATIENCE)
        monkeypatch.setitem(postgres.SETTINGS, "connect_timeout", str(int(PATIENCE)))
        schemas: Schemas = request.getfixturevalue("schemas")
        schema = schemas.take()
        yield schemas.cluster.address(schema)
        schemas.give_back(schema)
    elif request.config.getoption("--database") == "postgresql":
        pytest.skip("this run is about PostgreSQL")
    else:
        yield MEMORY if request.param == "memory" else tmp_path / "referee.sqlite"


@pytest.fixture
def store(place: Path | str) -> Iterator[Store]:
    store = Store(place)
    store.open("m", HEADER)
    yield store
    store.close()


@pytest.fixture
def shared(place: Path | str) -> Path | str:
    """A place at which there can be two stores."""
    if place == MEMORY:
        pytest.skip("what is in memory has one process")
    return place


@pytest.fixture
def other(shared: Path | str, store: Store) -> Iterator[Store]:
    """Another server's store at the same place."""
    other = Store(shared)
    yield other
    other.close()


def entry(line: str, key: str | None = None) -> NewEntry:
    return NewEntry(line, key or f"key of {line}", "legal", "follow.1", "1")


DIES = """
import sys, time
from referee.paths import place
from referee.store import NewEntry, Store

class Slow(NewEntry):
    def __iter__(self):  # asked for when it is to be written
        print("half of it", flush=True)
        time.sleep(60)

quick = NewEntry("two", "k2", "legal", "follow.1", "1")
Store(place(sys.argv[1])).append("m", 1, [quick, Slow(*quick)])
"""


def lines(store: Store, match: str = "m") -> list[str]:
    return [stored.line for stored in store.read(match)]


def known(store: Store) -> list[str]:
    return [person.name for person in People(store).of()]


def test_entries_come_back_in_the_order_in_which_they_were_written(store: Store) -> None:
    store.append("m", 0, [entry("one"), entry("two")])
    store.append("m", 2, [entry("three")])
    assert [(s.seq, s.line) for s in store.read("m")] == [(1, "one"), (2, "two"), (3, "three")]
    assert [s.seq for s in store.read("m", 2)] == [3]
    assert store.read("m", 3) == []
    assert store.tails(["m"]) == {"m": 3}
    first = store.read("m")[0]
    assert (first.key, first.verdict, first.clause, first.rules) == (
        "key of one",
        "legal",
        "follow.1",
        "1",
    )
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", first.at)


def test_one_query_returns_how_long_many_logs_are(store: Store) -> None:
    for name, count in (("a", 12), ("b", 1)):
        store.add(name, HEADER, [entry(str(number)) for number in range(count)])
    assert store.tails(["b", "m", "nowhere", "a", "b"]) == {"a": 12, "b": 1}
    assert store.tails([]) == {}


def test_more_than_nine_entries_stay_in_order(store: Store) -> None:
    for i in range(25):
        store.append("m", i, [entry(f"{i}")])
    assert lines(store) == [str(i) for i in range(25)]


def test_an_empty_match(store: Store) -> None:
    assert (store.tails(["m"]), store.read("m"), store.header("m")) == ({}, [], HEADER)


@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_writer_who_does_not_know_the_last_entry_clashes(store: Store, after: int) -> None:
    store.append("m", 0, [entry("one"), entry("two")])
    with pytest.raises(Clash):
        store.append("m", after, [entry("three")])
    assert lines(store) == ["one", "two"]


def test_a_key_is_used_once_in_a_match(store: Store) -> None:
    store.open("other", HEADER)
    store.append("m", 0, [entry("one", "k")])
    with pytest.raises(Clash):
        store.append("m", 1, [entry("two", "k")])
    store.append("other", 0, [entry("one", "k")])
    assert (store.find("m", "k"), store.find("other", "k"), store.find("m", "x")) == (1, 1, None)
    assert lines(store) == ["one"]


def test_entries_are_written_all_or_none(store: Store) -> None:
    store.append("m", 0, [entry("one", "k")])
    with pytest.raises(Clash):
        store.append("m", 1, [entry("two"), entry("three"), entry("four", "k")])
    assert lines(store) == ["one"]
    store.append("m", 1, [entry("two")])
    assert lines(store) == ["one", "two"]


def test_a_match_that_does_not_exist(store: Store) -> None:
    with pytest.raises(NoSuchMatch):
        store.append("x", 0, [entry("one")])
    with pytest.raises(NoSuchMatch):
        store.header("x")
    assert (store.tails(["x"]), store.read("x")) == ({}, [])


def test_a_match_is_opened_once(store: Store) -> None:
    with pytest.raises(Clash):
        store.open("m", "referee: 1")
    assert store.header("m") == HEADER


def test_a_whole_match_is_added_at_once_or_not_at_all(store: Store) -> None:
    store.add("whole", HEADER, [entry("one"), entry("two")])
    assert lines(store, "whole") == ["one", "two"]
    with pytest.raises(Clash):
        store.add("broken", HEADER, [entry("one", "k"), entry("two", "k")])
    with pytest.raises(NoSuchMatch):
        store.header("broken")
    with pytest.raises(Clash):
        store.add("m", HEADER, [entry("one")])
    assert lines(store) == []


def test_matches_are_listed_last_opened_first(store: Store) -> None:
    for name in "abc":
        store.open(name, HEADER)
    listed = store.matches()
    assert {match.id for match in listed} == {"m", "a", "b", "c"}
    assert [match.opened for match in listed] == sorted((m.opened for m in listed), reverse=True)
    assert len(store.matches(2)) == 2


def test_people_are_remembered_those_who_played_last_first(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = iter(f"2024-01-0{day}T20:00:00.000+00:00" for day in (1, 2, 3))
    monkeypatch.setattr("referee.store.log.now", lambda: next(days))
    store.open("a", HEADER, ["Anna", "Ben"])
    store.open("b", HEADER, ["シホ"])
    store.open("c", HEADER, ["Ben"])
    assert known(store) == ["Ben", "シホ", "Anna"]
    assert [person.name for person in People(store).of(most=1)] == ["Ben"]


def test_nobody_is_remembered_for_a_match_that_was_not_opened(store: Store) -> None:
    with pytest.raises(Clash):
        store.open("m", HEADER, ["Anna"])
    assert known(store) == []


def test_what_was_written_is_there_when_it_is_opened_again(shared: Path | str) -> None:
    store = Store(shared)
    store.open("m", HEADER, ["A"])
    store.append("m", 0, [entry("one")])
    store.close()
    again = Store(shared)
    assert (lines(again), known(again), again.header("m")) == (["one"], ["A"], HEADER)
    again.close()


def test_two_stores_at_one_place_see_each_other(store: Store, other: Store) -> None:
    store.append("m", 0, [entry("one")])
    assert lines(other) == ["one"]
    with pytest.raises(Clash):
        other.append("m", 0, [entry("two")])
    other.append("m", 1, [entry("two")])
    assert lines(store) == ["one", "two"]


def test_writers_at_one_place_lose_nothing(store: Store, other: Store) -> None:
    """Whoever clashes reads again; then each entry is there exactly once."""

    def write(i: int) -> None:
        mine = (store, other)[i % 2]
        while True:
            try:
                mine.append("m", mine.tails(["m"]).get("m", 0), [entry(f"{i}")])
            except Clash:
                continue
            return

    with ThreadPoolExecutor(6) as people:
        list(people.map(write, range(60)))
    assert sorted(map(int, lines(store))) == list(range(60))
    assert [s.seq for s in store.read("m")] == list(range(1, 61))


def test_a_write_of_another_process_is_noticed(store: Store, other: Store) -> None:
    wait_for(lambda: store.foreign_commits() is not None)
    known = [store.foreign_commits()]
    other.append("m", 0, [entry("one")])
    wait_for(lambda: store.foreign_commits() not in (None, *known))
    assert store.tails(["m", "x"]) == {"m": 1}


def test_a_process_that_dies_within_an_append_has_written_nothing(
    store: Store, shared: Path | str
) -> None:
    store.append("m", 0, [entry("one")])
    address = shared if isinstance(shared, str) else f"sqlite:{shared}"
    with subprocess.Popen(
        [sys.executable, "-c", DIES, address], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "half of it\n"
        assert lines(store) == ["one"]
        writer.kill()
    store.append("m", 1, [entry("two"), entry("three")])
    assert lines(store) == ["one", "two", "three"]


def test_an_entry_is_never_changed_by_a_later_one(store: Store) -> None:
    store.append("m", 0, [entry("one")])
    before = store.read("m")
    store.append("m", 1, [entry("table rewind 0")])
    assert store.read("m")[:1] == before


@pytest.mark.file
def test_an_empty_file_gets_its_tables_once(tmp_path: Path) -> None:
    path = tmp_path / "referee.sqlite"
    sqlite3.connect(path).close()
    for _ in range(2):
        Store(path).close()
    with closing(sqlite3.connect(path)) as db:
        found = [name for (name,) in db.execute("SELECT name FROM migrations")]
    assert found == [migration.name for migration in schema.MIGRATIONS]


@pytest.mark.file
def test_the_file_waits_for_the_disk_and_checks_its_references(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_connect", unwrap(sqlite._connect))  # without the tests' haste
    engine = Sqlite(tmp_path / "referee.sqlite")
    for db in (engine.writer, engine.reader):
        assert db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert db.execute("PRAGMA synchronous").fetchone()[0] == 2
        assert db.execute("PRAGMA foreign_keys").fetchone()[0] == 1
    engine.close()


@pytest.fixture
def held(tmp_path: Path) -> Iterator[tuple[Path, sqlite3.Connection]]:
    """A file without a write-ahead log, as an earlier program or a backup leaves it; another
    connection to it, of the same library: locks of two in one process would not meet."""
    path = tmp_path / "referee.sqlite"
    Sqlite(path).close()
    connect = sqlite.sqlite3.connect
    with closing(connect(path, check_same_thread=False, isolation_level=None)) as other:
        assert other.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
        yield path, other


@pytest.mark.file
def test_a_file_that_another_program_writes_to_is_waited_for(
    held: tuple[Path, sqlite3.Connection], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", PATIENCE)
    path, other = held
    other.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor() as threads:
        opened = threads.submit(Sqlite, path)
        assert not wait([opened], 0.1).done
        other.execute("COMMIT")
        opened.result().close()


@pytest.mark.file
def test_a_locked_file_is_not_called_damaged(
    held: tuple[Path, sqlite3.Connection], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0)
    path, other = held
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Unavailable, match="database is locked"):
        Sqlite(path)


def test_an_entry_before_the_first_is_impossible(store: Store) -> None:
    with pytest.raises(Unavailable), store._transaction() as db:
        db.execute(
            "INSERT INTO entries (match, seq, line, key, verdict, clause, rules, at)"
            " VALUES ('m', 0, '', '', '', '', '', '')"
        )


@pytest.mark.file
def test_a_store_is_not_closed_in_the_middle_of_a_query(tmp_path: Path) -> None:
    engine = Sqlite(tmp_path / "referee.sqlite")
    with ThreadPoolExecutor() as threads:
        with engine.snapshot() as db:
            rows = db.execute("SELECT 1 UNION SELECT 2")
            first = next(rows)  # type: ignore[call-overload]
            closed = threads.submit(engine.close)
            assert not wait([closed], 0.05).done
            assert [first, *rows] == [(1,), (2,)]
        closed.result()
    with pytest.raises(Unavailable):
        engine.rows("SELECT 1")


@pytest.mark.file
def test_a_long_query_does_not_keep_a_store_from_closing(tmp_path: Path) -> None:
    engine = Sqlite(tmp_path / "referee.sqlite")
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    with ThreadPoolExecutor() as threads:
        asked = threads.submit(engine.rows, endless)
        assert not wait([asked], 0.05).done
        engine.close()
        with pytest.raises(Unavailable, match="interrupted"):
            asked.result()
    assert [file.name for file in tmp_path.iterdir()] == ["referee.sqlite"]


@pytest.mark.file
def test_the_database_and_its_journals_are_for_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    engine = Sqlite(tmp_path / "referee.db")
    os.umask(before)
    files = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    engine.close()
    assert files == dict.fromkeys(("referee.db", "referee.db-wal", "referee.db-shm"), 0o600)
