"""The tables of both engines are the same, though some statements are written twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from cluster import Schemas

from referee.store import Store
from referee.store.moving import KEYS
from referee.store.sqlite import MEMORY, Sqlite
from referee.store.statistics import DERIVED

TYPES = {"text": "TEXT", "bigint": "INTEGER", "double precision": "REAL"}


class Table(NamedTuple):
    """Columns are (name, type, whether NULL is refused) in order, indexes (unique, columns)."""

    columns: list[tuple[Any, ...]]
    key: tuple[str, ...]
    indexes: set[tuple[Any, ...]]


@pytest.fixture(scope="module")
def on_sqlite() -> Iterator[dict[str, Table]]:
    engine = Sqlite(MEMORY)
    names = engine.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
    yield {name: _sqlite(engine, name) for (name,) in names}
    engine.close()


def _sqlite(engine: Sqlite, name: str) -> Table:
    found = engine.rows(f"SELECT name, type, \"notnull\", pk FROM pragma_table_info('{name}')")
    key = tuple(column for column, *_, pk in sorted(found, key=lambda row: row[3]) if pk)
    indexes = {(True, key)}
    for index, unique in engine.rows(f"SELECT name, \"unique\" FROM pragma_index_list('{name}')"):
        of = engine.rows(f"SELECT name FROM pragma_index_info('{index}') ORDER BY seqno")
        indexes.add((bool(unique), tuple(column for (column,) in of)))
    columns = [(column, kind, bool(refused or pk)) for column, kind, refused, pk in found]
    return Table(columns, key, indexes)


@pytest.fixture(scope="module")
def on_postgresql(schemas: Schemas) -> dict[str, Table]:
    schema = schemas.take()
    Store(schemas.cluster.address(schema)).close()
    ask = schemas.cluster.ask
    found: dict[str, Table] = {}
    for (name,) in ask(f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'"):
        columns = ask(
            "SELECT attname, format_type(atttypid, NULL), attnotnull, collname FROM pg_attribute"
            " LEFT JOIN pg_collation AS c ON c.oid = attcollation"
            f" WHERE attrelid = '{schema}.{name}'::regclass AND attnum > 0 ORDER BY attnum"
        )
        if name != "migrations":  # its names are only compared for equality
            assert {collation for *_, collation in columns} <= {None, "C"}, name
        indexes = ask(
            "SELECT indisprimary, indisunique, pg_get_indexdef(indexrelid) FROM pg_index"
            f" WHERE indrelid = '{schema}.{name}'::regclass"
        )
        spelled = [
            (primary, unique, tuple(re.findall(r"\w+", re.search(r"\((.*?)\)", text)[1])))  # type: ignore[index]
            for primary, unique, text in indexes
        ]
        found[name] = Table(
            [(column, TYPES[kind], refused) for column, kind, refused, _ in columns],
            next(columns for primary, _, columns in spelled if primary),
            {(unique, columns) for _, unique, columns in spelled},
        )
    return found


def test_tables_columns_keys_and_indexes_are_the_same(
    on_sqlite: dict[str, Table], on_postgresql: dict[str, Table]
) -> None:
    assert on_postgresql.keys() == on_sqlite.keys()
    for name, table in on_sqlite.items():
        assert on_postgresql[name] == table, name


def test_every_table_is_copied_by_its_key_or_counted_anew(on_sqlite: dict[str, Table]) -> None:
    assert on_sqlite.keys() == {*KEYS, *DERIVED, "migrations"}
    for name, key in KEYS.items():
        assert on_sqlite[name].key == key
