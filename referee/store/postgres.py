"""The engine on PostgreSQL 15 or newer, for several servers on one database.

Transactions are SERIALIZABLE, so that their result is the same as in SQLite, where they wait for
each other. One that can't be serialized is rolled back and repeated (``engine.retried``). Queries
outside of transactions go to the primary, never to a replica, so that they see every commit.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import count
from typing import Any, TypeAlias

import psycopg
from psycopg import Connection, RawCursor, errors
from psycopg.adapt import Dumper, Loader
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.types.string import StrDumper
from psycopg_pool import ConnectionPool, PoolTimeout

from referee.store import schema
from referee.store.engine import Contended, Missing, NoRights, Taken, Transaction, Unavailable
from referee.store.hints import Hints

Speaker: TypeAlias = Connection[tuple[Any, ...]]

PREPARED_FROM = 5  # a statement that was executed so often is prepared
MOST_CONNECTIONS = 8  # four threads answer requests, others serve streams and histories
WAIT_SECONDS = 2.0  # how long to wait for a server that does not answer, before the page says so
MIGRATION_SECONDS = 60.0  # the same while another server brings the tables up to date
KNOWN_AWAY_SECONDS = 0.3  # the same for requests that come after a failed one
ENDING_SECONDS = 2.0  # how long a server's process may take to end after its connection
RECONNECT_SECONDS = 1.0  # the pool gives up then; the next request begins anew
SETTINGS: dict[str, str | int | None] = {
    "target_session_attrs": "read-write",  # of several hosts, the one that is no replica
    "connect_timeout": "2",
    "application_name": "referee",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}

OPEN_NAME = "left('referee ' || current_schema(), 63)"
"""SQL: the name of connections that stay open; each schema has its own."""

BUSY = (
    errors.UniqueViolation,  # another server has just created its name or (for a table) its type
    errors.DuplicateTable,
    errors.DuplicateObject,
    errors.SerializationFailure,
    errors.DeadlockDetected,
)
"""Errors that can occur while another server brings the tables up to date at the same time."""
AGAIN = (errors.SerializationFailure, errors.DeadlockDetected)  # 40001, 40P01

DIALECT = (
    # as ``folding.folded``; the columns' collation "C" has capitals of ASCII letters alone
    (r"\bfolded\((\w+)\)", r'upper(normalize(\1, NFKC) COLLATE "und-x-icu")'),
    # SQLite's LIKE ignores the case of ASCII letters; the columns' collation "C" makes ILIKE equal
    # to it
    (r"\bLIKE\b", "ILIKE"),
    (r"LIMIT \?", "LIMIT nullif(?, -1)"),
    # an array: the planner then expects a few values, and uses the index for them
    (
        r"IN \(SELECT value FROM json_each\(\?\)\)",
        "= ANY(ARRAY(SELECT json_array_elements_text(CAST(? AS json))))",
    ),
    (r"FROM json_each\(\?\)", "FROM json_array_elements_text(CAST(? AS json)) AS value"),
    (r"group_concat\((\w+), ''\)", r"string_agg(CAST(\1 AS TEXT), '')"),
)
"""Regular expressions for the store's queries, each with its replacement for PostgreSQL."""


@lru_cache(maxsize=1024)
def translated(query: str) -> str:
    """A query of the store as PostgreSQL reads it, with placeholders ``$1``, ``$2``."""
    for ours, theirs in DIALECT:
        query = re.sub(ours, theirs, query)
    numbers = count(1)
    return re.sub(r"\?(\d*)", lambda found: f"${found[1] or next(numbers)}", query)


class Postgres:
    """The database at ``address``, brought up to date when it is opened.

    Raises ``NewerData``, ``OlderData``, and ``Unavailable`` where no server answers that may be
    written to.
    """

    def __init__(self, address: str) -> None:
        self._lost = 0
        self._patience = WAIT_SECONDS
        # connect once in this thread: errors in the address are reported at once instead of retried
        with _translated():
            self._address = _completed(address)
            with _connect(self._address) as connection:
                _migrate(connection)
                pooled = is_pooled(connection)
        self._pool: ConnectionPool[Speaker] = ConnectionPool(
            self._address,
            kwargs={
                "autocommit": True,
                "cursor_factory": RawCursor,
                "prepare_threshold": None if pooled else PREPARED_FROM,
            },
            configure=_prepare if pooled else _named,
            min_size=1,
            max_size=MOST_CONNECTIONS,
            timeout=WAIT_SECONDS,
            reconnect_timeout=RECONNECT_SECONDS,
            open=True,
        )
        # the pool connects in a thread of its own: ``in_use`` has to see this program from now on
        with suppress(PoolTimeout), self._pool.connection():
            pass
        self._hints = Hints(lambda: _connect(self._address))

    def close(self) -> None:
        self._hints.close()
        self._pool.close()

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        for _ in range(MOST_CONNECTIONS):  # each connection of the pool may have lost its server
            try:
                with self._speaking() as connection:
                    return connection.execute(translated(query), values).fetchall()
            except Contended:
                continue
        raise Unavailable("the server is lost again and again")

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        with self._speaking() as connection:
            # in the same round trip: nothing is written to tables that a newer program has changed
            begun = connection.execute(
                "BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT name FROM migrations"
            )
            try:
                begun.nextset()
                names = [name for (name,) in begun]
                schema.require_current(names, "postgresql", _name(connection))
                yield _Translating(connection)
            except BaseException:
                if not connection.closed:
                    connection.rollback()
                raise
            self._commit(connection)

    @contextmanager
    def snapshot(self) -> Iterator[Transaction]:
        with self._speaking() as connection:
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try:
                yield _Translating(connection)
            finally:
                if not connection.closed:
                    connection.rollback()  # there is nothing to keep

    def generation(self) -> int:
        """Changes with each lost connection: a replica that became the primary can lack entries.

        What a process has in memory is then read again from the database.
        """
        return self._lost

    def foreign_commits(self) -> int | None:
        return self._hints.polled()

    def notify(self, match: str, seq: int) -> None:
        self._hints.give(match, seq)

    def subscribe(self, listener: Callable[[str, int], object]) -> None:
        self._hints.subscribe(listener)

    def ready(self) -> None:
        [(readonly, _)] = self.rows(
            "SELECT current_setting('transaction_read_only'), (SELECT id FROM matches LIMIT 1)"
        )
        if readonly != "off":
            raise Unavailable("the server takes no entries: it is a replica, or set to read only")
        with self._speaking() as connection:
            schema.require_current(_recorded(connection), "postgresql", _name(connection))

    def renumber(self, tables: Sequence[str]) -> None:
        for table in tables:
            self.rows(
                "SELECT setval(pg_get_serial_sequence(?, 'id'), coalesce(max(id), 0) + 1, false)"
                f" FROM {table}",
                (table,),
            )

    def analyse(self) -> None:
        """Run ANALYZE; autovacuum would within minutes, and queries are slow until then."""
        ours = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        for (table,) in self.rows(ours):
            with self._speaking() as connection:
                connection.execute(f"ANALYZE {table}")

    def compact(self) -> None:
        """Does nothing: rewriting tables would block other servers; autovacuum does it later."""

    def _commit(self, connection: Speaker) -> None:
        try:
            connection.execute("COMMIT")
        except AGAIN:
            raise
        except psycopg.OperationalError as fault:
            # It may have been committed or not. Nothing was acknowledged: the phone repeats the
            # request with the same key, and learns which.
            self._lost += 1
            raise Unavailable(f"the server was lost in a commit: {_reason(fault)}") from fault

    @contextmanager
    def _speaking(self) -> Iterator[Speaker]:
        """A connection of the pool; translates errors of the driver into those of the store."""
        try:
            connection = self._pool.getconn(self._patience)
            self._patience = WAIT_SECONDS
        except psycopg.Error as fault:  # the pool gave up waiting
            self._patience = KNOWN_AWAY_SECONDS
            raise Unavailable(_reason(fault)) from fault
        try:
            yield connection
        except AGAIN as fault:
            raise Contended(_reason(fault)) from fault
        except errors.UniqueViolation as fault:
            raise Taken(_reason(fault)) from fault
        except errors.ForeignKeyViolation as fault:
            raise Missing(_reason(fault)) from fault
        except psycopg.Error as fault:
            if connection.closed:
                self._lost += 1
                raise Contended(_reason(fault)) from fault
            # the server is no longer the primary
            if isinstance(fault, errors.ReadOnlySqlTransaction):
                self._lost += 1
                connection.close()
            raise Unavailable(_reason(fault)) from fault
        finally:
            self._pool.putconn(connection)


class _Translating:
    """A ``Transaction`` on a connection."""

    def __init__(self, connection: Speaker) -> None:
        self._connection = connection

    def execute(self, query: str, values: Sequence[Any] = (), /) -> psycopg.Cursor[Any]:
        return self._connection.execute(translated(query), values)

    def executemany(self, query: str, rows: Iterable[Sequence[Any]], /) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(translated(query), rows)


class _Text(StrDumper):
    """Replaces U+0000, which PostgreSQL can't store, by U+FFFD."""

    def dump(self, obj: str) -> Any:
        return super().dump(obj.replace("\0", "\ufffd"))


class _Flag(Dumper):
    """Writes booleans as 0 or 1, as in SQLite."""

    oid = psycopg.adapters.types["int2"].oid

    def dump(self, obj: bool) -> bytes:
        return b"1" if obj else b"0"


class _Sum(Loader):
    """Reads decimals as int: the only ones are sums of whole numbers."""

    def load(self, data: Any) -> int:
        return int(bytes(data))


def examined(address: str) -> str:
    """Describe the server at ``address``: version, host, database, bytes; writes nothing.

    Raises what opening a ``Postgres`` raises.
    """
    with _translated(), _connect(_completed(address)) as connection:
        [(version, name, size)] = connection.execute(
            "SELECT current_setting('server_version'), current_database(),"
            " pg_database_size(current_database())"
        )
        host = connection.info.host
        schema.due(_recorded(connection), "postgresql", _name(connection))
        pooled = is_pooled(connection)
    described = f"PostgreSQL {version} on {host}, {name}, {size:,} bytes"
    return f"{described}; through a pooler, so nothing is prepared" if pooled else described


def in_use(address: str) -> bool:
    """Whether another program has these tables open; always False through a pooler.

    A connection that was closed is listed until its server process has ended, so one that is found
    is looked for again for ``ENDING_SECONDS``.
    """
    until = time.monotonic() + ENDING_SECONDS
    with _translated(), _connect(_completed(address)) as connection:
        while True:
            found = connection.execute(
                f"SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
                f" AND application_name = {OPEN_NAME} LIMIT 1"
            )
            if found.fetchone() is None:
                return False
            if time.monotonic() > until:
                return True
            time.sleep(0.05)


def _migrate(connection: Speaker) -> None:
    """Bring the tables up to date, all or nothing.

    Several servers may do so at once: the first to insert the name of a migration makes it, and
    the others wait for that row. (There is no advisory lock, because not every engine that speaks
    this protocol has them.)
    """
    until = time.monotonic() + MIGRATION_SECONDS
    while True:
        try:
            with connection.transaction():
                for statement in schema.due(_recorded(connection), "postgresql", _name(connection)):
                    connection.execute(statement)
            return
        except BUSY:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def _recorded(connection: Speaker) -> list[str]:
    """The names of the migrations that are recorded, [] for none."""
    if connection.execute("SELECT to_regclass('migrations')").fetchone() == (None,):
        return []
    return [name for (name,) in connection.execute("SELECT name FROM migrations")]


def _name(connection: Speaker) -> str:
    """The name of the database for errors; the address may contain a password."""
    return f"{connection.info.dbname} on {connection.info.host}"


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except errors.InsufficientPrivilege as fault:
        raise NoRights(_reason(fault)) from fault
    except (psycopg.Error, UnicodeError) as fault:
        raise Unavailable(_reason(fault)) from fault


def _completed(address: str) -> str:
    return make_conninfo("", **(SETTINGS | conninfo_to_dict(address)))


def _connect(address: str) -> Speaker:
    connection = Connection.connect(
        address, autocommit=True, cursor_factory=RawCursor, prepare_threshold=None
    )
    _prepare(connection)
    return connection


def _prepare(connection: Speaker) -> None:
    connection.adapters.register_dumper(str, _Text)
    connection.adapters.register_dumper(bool, _Flag)
    connection.adapters.register_loader("numeric", _Sum)


def _named(connection: Speaker) -> None:
    _prepare(connection)
    connection.execute(f"SELECT set_config('application_name', {OPEN_NAME}, false)")


def is_pooled(connection: Speaker) -> bool:
    """Whether a pooler such as PgBouncer answers instead of the server.

    It may give each transaction another server process, in which statements prepared in the
    previous one are unknown. The process number that it reports is not that of the server.
    """
    [(process,)] = connection.execute("SELECT pg_backend_pid()", prepare=False)
    return bool(process != connection.info.backend_pid)


def _reason(fault: Exception) -> str:
    """The first line of a driver's error: the others can quote texts that people entered."""
    return str(fault).partition("\n")[0] or type(fault).__name__
