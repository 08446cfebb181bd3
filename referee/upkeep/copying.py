"""`referee copy`: copies all stored data from one database to another."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import click

from referee.history import counting, exchange
from referee.paths import place
from referee.store import NOBODYS, Circles, Store, moving
from referee.store.archive import Archive
from referee.store.opening import examine, in_use
from referee.store.past import Past
from referee.store.statistics import Digests
from referee.upkeep.language import error, in_one

PLACE = "sqlite:PATH or postgresql://…"


@click.command()
@click.option("--from", "source", required=True, metavar="ADDRESS", help=PLACE)
@click.option("--to", "target", required=True, metavar="ADDRESS", help=PLACE)
def copy(source: str, target: str) -> None:
    """Copy all data into an empty database, and compare the two.

    Stop all servers first: while one is running, nothing is copied. A copy that was stopped after
    its rows were written continues with the comparison. The key that signs invitations is not in
    the database: copy it, too (docs/postgresql.md).
    """
    origin, goal = _usable(source, target)
    ours, theirs = Store(origin), Store(goal)
    try:
        total = _copy_rows(ours, theirs)
        _count(ours, in_one("コピー元を数えています", "counting the source"))
        _count(theirs, in_one("コピー先を数えています", "counting the target"))
        theirs.engine.analyse()
        different = list(_differences(ours, theirs))
    finally:
        ours.close()
        theirs.close()
    if different:
        where = ", ".join(different)
        raise error(
            f"コピーが元と違います：{where}。コピー先を空にして、もう一度コピーしてください",
            f"the copy differs in: {where}. Empty the target and copy again",
        )
    click.echo(
        in_one(
            f"{total}行をコピーしました。表も、全サークルの書き出しも、元と一致します。",
            f"{total} rows copied; the tables and the exports of all groups are equal.",
        )
    )


def _usable(source: str, target: str) -> tuple[Path | str, Path | str]:
    """Where the two databases are; raises an error if one of them cannot be used as it is."""
    origin, goal = place(source), place(target)
    if isinstance(origin, Path) and not origin.exists():
        raise error(f"{origin}：このファイルはありません", f"{origin}: no such file")
    if origin == goal:
        raise error(
            "--from と --to が同じデータベースです。別の場所を指定してください",
            "--from and --to are the same database; name another target",
        )
    for side in (origin, goal):  # both are examined before opening either changes it
        examine(side)
    _refuse_in_use(origin, "コピー元", "the source")
    _refuse_in_use(goal, "コピー先", "the target")
    return origin, goal


def _refuse_in_use(side: Path | str, ja: str, en: str) -> None:
    """Raise an error if ``side`` is in use: entries recorded meanwhile would not be copied."""
    if in_use(side):
        raise error(
            f"{ja}を、ほかの札見が使っています。何も変更していません。すべて止めてから、もう一度お試しください",
            f"another referee uses {en}; nothing was changed. Stop all of them, then try again",
        )


def _copy_rows(ours: Store, theirs: Store) -> int:
    """Copy all rows into the empty database; the number of rows.

    If the rows are there already, an earlier copy was stopped after them, and nothing is written.
    Raises an error if there are other ones.
    """
    total = moving.count(ours)
    if moving.is_empty(theirs):
        with click.progressbar(
            length=total, label=in_one("行", "rows"), file=sys.stderr, show_pos=True
        ) as bar:
            moving.copy(ours, theirs, bar.update)
    elif moving.count(theirs) != total or list(_other_tables(ours, theirs)):
        raise error(
            "コピー先に、ほかのデータがあります。何も変更していません。空のデータベースを使ってください",
            "the target is not empty and holds other data; nothing was changed. Use an empty"
            " database",
        )
    else:
        click.echo(
            in_one(
                "コピー先に、同じ行がもうあります。数えて比べます。",
                "The target has these rows already; they are counted and compared.",
            )
        )
    return total


def _count(store: Store, label: str) -> None:
    """Compute the statistics of ``store``: exports contain results, so both sides need them."""
    pending = Digests(store).pending()
    with click.progressbar(length=pending, label=label, file=sys.stderr, show_pos=True) as bar:
        counting.catch_up(store, done=bar.update)


def _differences(ours: Store, theirs: Store) -> Iterator[str]:
    """The names of tables with different rows, then of circles with different exports."""
    yield from _other_tables(ours, theirs)
    for circle in (NOBODYS, *(circle.id for circle in Circles(ours).all())):
        if _exported(ours, circle) != _exported(theirs, circle):
            yield f"the history of group {circle or '-'}"


def _other_tables(ours: Store, theirs: Store) -> Iterator[str]:
    """The names of the tables of facts whose rows differ."""
    for table in moving.KEYS:
        if moving.fingerprint(ours, table) != moving.fingerprint(theirs, table):
            yield table


def _exported(store: Store, circle: str) -> str:
    """SHA-256 of the history that `referee export --history` writes."""
    found = sha256()
    name = Circles(store).get(circle).name
    for piece in exchange.write(Archive(store, circle), Past(store, circle), name):
        found.update(piece.encode())
    return found.hexdigest()
