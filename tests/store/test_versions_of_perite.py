"""Databases of other versions: of before the first release, newer ones, and the next migration."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier
from typing import Any, TypeAlias

import pytest
from click.testing import CliRunner, Result
from cluster import Schemas
from parsed import parsed
from waiting import wait_for

from referee.app import create_app
from referee.cli import main
from referee.commands.faults import NEWER, OLDER
from referee.paths import place
from referee.store import NewEntry, NewerData, OlderData, Store, Unavailable, schema, sqlite
from referee.store.schema import BASELINE, BEFORE_RELEASE, MIGRATIONS, Migration
from referee.store.sqlite import sqlite3
from referee.upkeep import backup

BEFORE = BEFORE_RELEASE.split()
RECORDED = sorted((migration.name,) for migration in MIGRATIONS)
LAST_ENTRY = "SELECT max(at) FROM entries JOIN matches ON id = match WHERE session = sessions.id"
NEXT = Migration(
    "sessions_end",
    f"""
    ALTER TABLE sessions ADD COLUMN ended TEXT NOT NULL DEFAULT '';
    UPDATE sessions SET ended = coalesce(({LAST_ENTRY}), began);
    """,
    sqlite=(
        """
        CREATE TRIGGER session_ended AFTER INSERT ON entries BEGIN
            UPDATE sessions SET ended = new.at
                WHERE id = (SELECT session FROM matches WHERE id = new.match);
        END
        """,
    ),
    postgresql=(
        """
        CREATE FUNCTION session_ended() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            UPDATE sessions SET ended = new.at
                WHERE id = (SELECT session FROM matches WHERE id = new.match);
            RETURN NULL;
        END $$;
        CREATE TRIGGER session_ended AFTER INSERT ON entries
            FOR EACH ROW EXECUTE FUNCTION session_ended()
        """,
    ),
)
"""How the next migration will look: shared statements, then those in which the engines differ."""


Rows: TypeAlias = list[tuple[Any, ...]]


class Database:
    """A database of the tests on one engine; ``address`` is what ``REFEREE_DATABASE`` says."""

    def __init__(self, dialect: schema.Dialect, address: str, ask: Callable[[str], Rows]) -> None:
        self.dialect, self.address, self.ask = dialect, address, ask

    def open(self) -> Store:
        return Store(place(self.address))

    def recorded(self) -> Rows:
        return self.ask("SELECT name FROM migrations ORDER BY name")

    def contents(self) -> object:
        """Everything in the file, or what a start would have changed on the server."""
        path = place(self.address)
        if isinstance(path, Path):
            journal = path.with_name(path.name + "-wal")
            return path.read_bytes(), journal.read_bytes() if journal.exists() else b""
        rows = "SELECT (SELECT count(*) FROM matches), (SELECT count(*) FROM entries)"
        return self.recorded(), self.tables(), self.ask(rows)

    def tables(self) -> Rows:
        """The names of all tables."""
        if self.dialect == "sqlite":
            return self.ask("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        return self.ask(
            "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"
        )


@pytest.fixture(params=["sqlite", "postgresql"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Database]:
    """Makes empty databases on one engine."""
    if request.param == "postgresql":
        schemas: Schemas = request.getfixturevalue("schemas")

        def on_server() -> Database:
            name = schemas.fresh()  # never given back: its tables are not those of the others
            address = schemas.cluster.address(name)
            return Database("postgresql", address, lambda query: schemas.cluster.ask(query, name))

        return on_server
    if request.config.getoption("--database") == "postgresql":
        pytest.skip("this run is about PostgreSQL")

    def in_file() -> Database:
        folder = tmp_path / f"database-{len(list(tmp_path.glob('database-*')))}"
        folder.mkdir()

        def ask(query: str) -> Rows:
            with closing(sqlite3.connect(folder / "referee.db")) as db:
                if not query.startswith("SELECT"):
                    db.executescript(query)
                    return []
                return list(db.execute(query))

        return Database("sqlite", f"sqlite:{folder / 'referee.db'}", ask)

    return in_file


@pytest.fixture
def current(make: Callable[[], Database]) -> Database:
    """A database of this version, with one match."""
    database = make()
    store = database.open()
    store.open("m", "referee: 1\ngame: perite\nseats: A B")
    store.close()
    return database


@pytest.fixture
def file(current: Database) -> Path:
    path = place(current.address)
    if not isinstance(path, Path):
        pytest.skip("is about the file that SQLite keeps")
    return path


@pytest.fixture
def before(make: Callable[[], Database], monkeypatch: pytest.MonkeyPatch) -> Database:
    """A database of just before the first release, with one match."""
    database = make()
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (BASELINE,))
        store = database.open()
        store.open("m", "referee: 1\ngame: perite\nseats: A B")
        store.close()
    record(database, BEFORE)
    return database


DEFINITIONS: Mapping[schema.Dialect, str] = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL",
    "postgresql": """
        SELECT relname, concat_ws(' ', attname, attnum, format_type(atttypid, NULL), attnotnull,
            attidentity, attcollation::regcollation, pg_get_expr(adbin, adrelid))
            FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0
            LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
            WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
        UNION SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
            WHERE connamespace = current_schema()::regnamespace
        UNION SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema()
        UNION SELECT tgname, pg_get_triggerdef(pg_trigger.oid)
            FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
            WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal
        UNION SELECT proname, prosrc FROM pg_proc
            WHERE pronamespace = current_schema()::regnamespace
    """,
}


def definitions(database: Database) -> set[tuple[str, str]]:
    """All tables, indexes, triggers and functions, without white space and names of schemas."""
    found = database.ask(DEFINITIONS[database.dialect].strip())
    return {(name, re.sub(r"\s+|(?<= ON )\w+\.", "", text)) for name, text in found}


def record(database: Database, names: Iterable[str]) -> None:
    """Let it look as if these migrations, and no others, had been made."""
    database.ask("DELETE FROM migrations;")
    for name in sorted(names):
        database.ask(f"INSERT INTO migrations VALUES ('{name}');")


def test_a_database_of_just_before_the_first_release_is_played_on(before: Database) -> None:
    for _ in range(2):
        store = before.open()
        assert [match.id for match in store.matches()] == ["m"]
        store.append("m", len(store.read("m")), [NewEntry("line", str(_), "legal", "-", "-")])
        store.close()
        assert before.recorded() == RECORDED


@pytest.mark.parametrize("missing", ["desks", "baseline"])
def test_one_that_lacks_a_part_of_the_tables_is_refused(before: Database, missing: str) -> None:
    record(before, {*BEFORE} - {missing})
    known = before.contents()
    with pytest.raises(OlderData, match="game_files"):
        before.open()
    assert before.contents() == known


def test_a_file_that_has_the_oldest_record_of_migrations_is_not_taken_as_empty(
    file: Path, current: Database
) -> None:
    record(current, ["m001_matches_and_entries"])
    current.ask("ALTER TABLE migrations RENAME TO _sqlite_migrations;")
    known = current.contents()
    with pytest.raises(OlderData, match="m001_matches"):
        current.open()
    assert current.contents() == known


@pytest.mark.parametrize("start", ["before", "current"])
def test_the_next_migration_is_made_once_and_keeps_the_data(
    start: str, before: Database, current: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = {"before": before, "current": current}[start]
    monkeypatch.setattr(schema, "MIGRATIONS", (*MIGRATIONS, NEXT))
    together = Barrier(4)

    def begin(_: int) -> Store:
        together.wait()
        return database.open()

    with ThreadPoolExecutor(4) as servers:
        stores = list(servers.map(begin, range(4)))
    assert database.recorded() == sorted([*RECORDED, ("sessions_end",)])
    [*_, match] = stores[0].matches()
    last = stores[0].read(match.id)
    [(ended,)] = stores[1]._rows("SELECT ended FROM sessions")
    assert ended >= last[-1].at if last else ended == match.opened
    stores[2].append(match.id, len(last), [NewEntry("line", "key", "legal", "-", "-")])
    assert stores[3]._rows("SELECT ended FROM sessions") == [
        (stores[3].read(match.id)[-1].at,),
    ]
    for store in stores:
        store.close()


def test_an_upgrade_that_fails_half_way_changes_nothing(
    current: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = definitions(current)
    broken = Migration("broken", "INSERT INTO nowhere VALUES (1);")
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (*MIGRATIONS, NEXT, broken))
        with pytest.raises(Unavailable, match="nowhere"):
            current.open()
    assert definitions(current) == known
    current.open().close()
    assert current.recorded() == RECORDED


def test_an_upgrade_that_fails_leaves_no_file_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    def connect(path: Path) -> Any:
        made.append(real(path))
        return made[-1]

    real = sqlite._connect
    monkeypatch.setattr(sqlite, "_connect", connect)
    monkeypatch.setattr(schema, "MIGRATIONS", (Migration("broken", "INSERT INTO nowhere;"),))
    with pytest.raises(Unavailable):
        sqlite.Sqlite(tmp_path / "referee.db")
    assert len(made) == 2
    for connection in made:
        with pytest.raises(sqlite.sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")


def newer(database: Database) -> None:
    """A later program was here."""
    database.ask("INSERT INTO migrations VALUES ('of_tomorrow');")


def older(database: Database) -> None:
    """A program of long before the first release has made the tables."""
    record(database, ["m001_matches_and_entries"])


VERSIONS = pytest.mark.parametrize(
    ("become", "sentence", "fault"),
    [(newer, NEWER, NewerData), (older, OLDER, OlderData)],
    ids=["newer", "older"],
)


def says(done: Result, sentences: tuple[str, str]) -> None:
    assert (done.exit_code, type(done.exception)) == (1, SystemExit), done.output
    for sentence in sentences:
        for part in sentence.split("{}"):
            assert part.strip() in done.output


@VERSIONS
def test_every_command_refuses_data_of_another_version(
    current: Database,
    make: Callable[[], Database],
    become: Callable[[Database], None],
    sentence: tuple[str, str],
    fault: type[Exception],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    become(current)
    other = make()
    monkeypatch.setenv("REFEREE_DATABASE", current.address)
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    record = tmp_path / "a.txt"
    record.write_text("referee: 1\ngame: perite\nseats: A B\n", encoding="utf-8")
    copy = tmp_path / "copy.db"
    refused = [
        ["circles"],
        ["export"],
        ["export", "--history", str(tmp_path / "all.json")],
        ["import", str(record)],
        ["rebuild"],
        ["serve", "--host", "127.0.0.1", "--port", "0"],
        ["copy", "--from", current.address, "--to", other.address],
        ["copy", "--from", other.address, "--to", current.address],
    ]
    free = {"judge", "proof", "review", "simulate", "game", "pack"}  # need no database
    free |= {"evening", "protocol", "seating", "standings"}
    apart = {"doctor", "backup", "restore"}  # tested below
    assert {*main.commands} == free | apart | {command for command, *_ in refused}
    if current.dialect == "sqlite":
        refused.append(["backup", str(copy)])
    other.ask("CREATE TABLE beside (id INTEGER)")  # so that there is a file to copy from
    known = current.contents()
    for command in refused:
        says(CliRunner().invoke(main, command), sentence)
        assert current.contents() == known, command
    assert other.tables() == [("beside",)]
    assert not copy.exists()
    with pytest.raises(fault):
        current.open()


def test_the_source_of_a_copy_that_is_refused_is_not_brought_up_to_date(
    make: Callable[[], Database], current: Database
) -> None:
    source = make()
    source.open().close()
    record(source, BEFORE)
    newer(current)
    known = source.contents()
    says(
        CliRunner().invoke(main, ["copy", "--from", source.address, "--to", current.address]), NEWER
    )
    assert source.contents() == known


@VERSIONS
def test_the_doctor_names_the_migration(
    current: Database,
    become: Callable[[Database], None],
    sentence: tuple[str, str],
    fault: type[Exception],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REFEREE_DATABASE", current.address)
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path))
    assert CliRunner().invoke(main, ["doctor"]).exit_code == 0
    become(current)
    known = current.contents()
    done = CliRunner().invoke(main, ["doctor"])
    assert done.exit_code == 1
    [line] = [line for line in done.output.splitlines() if line.startswith("!!")]
    words = "of_tomorrow.*newer version" if become is newer else "m001_.*before the first release"
    assert re.search(words, line)
    assert current.contents() == known


OPENED = {"game": "perite", "name": ["A", "B"], "leader": "A"}


@VERSIONS
def test_a_server_whose_data_was_changed_writes_nothing_and_says_so(
    current: Database,
    become: Callable[[Database], None],
    sentence: tuple[str, str],
    fault: type[Exception],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REFEREE_DATABASE", current.address)
    app = create_app(tmp_path, TESTING=True)
    phone, store = app.test_client(), app.extensions["ledger"].store
    assert phone.post("/new", data=OPENED).status_code == 303
    assert phone.get("/healthz").status_code == 200
    become(current)
    for language, word in (("ja", "バージョン"), ("en", "version of Fudami")):
        headers = {"Accept-Language": language}
        answer = phone.post("/new", data=OPENED, headers=headers)
        assert answer.status_code == 503
        assert word in parsed(answer.text).text
        health = phone.get("/healthz", headers=headers)
        assert (health.status_code, health.json["status"]) == (503, "unavailable")
        assert word in health.json["message"]
    assert len(store.matches()) == 2
    record(current, [migration.name for migration in MIGRATIONS])
    assert phone.get("/healthz").status_code == 200
    assert phone.post("/new", data=OPENED).status_code == 303
    store.close()


@VERSIONS
def test_a_backup_of_another_version_is_not_restored(
    file: Path,
    current: Database,
    make: Callable[[], Database],
    become: Callable[[Database], None],
    sentence: tuple[str, str],
    fault: type[Exception],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    good = make()
    good.open().close()
    live = place(good.address)
    assert isinstance(live, Path)
    monkeypatch.setenv("REFEREE_DATABASE", good.address)
    become(current)
    known = good.contents()
    says(CliRunner().invoke(main, ["restore", "--yes", str(file)]), sentence)
    assert good.contents() == known


@VERSIONS
def test_a_backup_of_this_version_takes_the_place_of_another(
    file: Path,
    current: Database,
    make: Callable[[], Database],
    become: Callable[[Database], None],
    sentence: tuple[str, str],
    fault: type[Exception],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    copy = tmp_path / "copy.db"
    backup.back_up(file, copy)
    become(current)
    monkeypatch.setenv("REFEREE_DATABASE", current.address)
    done = CliRunner().invoke(main, ["restore", "--yes", str(copy)])
    assert done.exit_code == 0, done.output
    store = current.open()
    assert [match.id for match in store.matches()] == ["m"]
    store.close()


def test_a_backup_of_just_before_the_first_release_is_restored(
    before: Database, make: Callable[[], Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = place(before.address)
    if not isinstance(file, Path):
        pytest.skip("is about the file that SQLite keeps")
    empty = make()
    monkeypatch.setenv("REFEREE_DATABASE", empty.address)
    done = CliRunner().invoke(main, ["restore", "--yes", str(file)])
    assert done.exit_code == 0, done.output
    store = empty.open()
    assert [match.id for match in store.matches()] == ["m"]
    store.close()
    assert empty.recorded() == RECORDED


def test_scheduled_backups_of_newer_data_push_no_other_out(
    file: Path,
    current: Database,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    newer(current)
    folder = tmp_path / backup.FOLDER
    folder.mkdir()
    (folder / "referee-20250101-120000.db").touch()
    monkeypatch.setattr(backup, "_wait", lambda folder, hours: 0.01)
    with backup.scheduled(file, folder, 24, kept=1):
        wait_for(lambda: "of_tomorrow" in caplog.text)
    assert [path.name for path in folder.iterdir()] == ["referee-20250101-120000.db"]
