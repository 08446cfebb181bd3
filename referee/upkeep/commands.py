"""Commands for maintenance: rebuild, backup, restore, export and import of histories."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

import click

from referee import paths
from referee.history import counting, exchange
from referee.kept import require_kept
from referee.paths import data_dir
from referee.store import Circles, Clash, Store
from referee.store.archive import Archive
from referee.store.at_rest import lacks_journal
from referee.store.past import Past
from referee.store.statistics import Digests
from referee.upkeep import backup as backups
from referee.upkeep.language import error, in_one, in_words

INCOMPLETE = (
    "{0}：使用中にコピーされたようです。{0}-wal が隣にないので、最後のほうの記録が欠けているかも"
    "しれません。元のフォルダーが残っていれば、そこで `referee backup` を実行し、そのファイルを"
    " `referee restore` で戻してください。",
    "{0} seems to have been copied while it was in use: {0}-wal is not beside it, so the latest"
    " entries may be missing. If the original folder still exists, run `referee backup` there and"
    " put that file back with `referee restore`.",
)
"""A sentence about a file that ``lacks_journal``; {0}: its path."""
COPIED_IN_USE = (
    "{0}：使用中のファイルのコピーです。手でコピーして {0}-wal がないなら、"
    "最後のほうの記録が欠けているかもしれません。",
    "{0} is a copy of a file that was in use. If it was copied by hand, without {0}-wal, the latest"
    " entries may be missing.",
)
"""The same about a copy that is restored: programs for copying make whole ones."""
KEY_MISSING = (
    "secret.key がありません。前に送った招待や結果のリンクは、もう開きません。"
    "元のフォルダーが残っていれば、札見を止めて secret.key をコピーしてください。",
    "secret.key is missing: invitations and links to results that were sent before no longer open."
    " If the original folder still exists, stop referee and copy secret.key from there.",
)
"""A sentence about a folder that ``lacks_key``."""


@click.command()
def rebuild() -> None:
    """Compute all statistics again from the log."""
    with closing(opened()) as store:
        for _batch in counting.reread(store):
            pass  # what is deleted next could no longer be compared with the present rules
        total = Digests(store).forget()
        with _bar(total, in_one("数え直しています", "recounting")) as done:
            counting.catch_up(store, done=done)
    matches = "match" if total == 1 else "matches"
    click.echo(in_one(f"{total}ゲームを数え直しました。", f"{total} {matches} recounted."))


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
def backup(file: Path | None) -> None:
    """Copy the database to FILE, even while the server runs.

    Without FILE, the copy goes into `backups` in the data folder (see `referee --help`).
    """
    database = _file()
    warn(database)
    require_kept(database)
    if not database.exists():
        raise error(
            f"{database}：このファイルはありません。バックアップするものがまだありません",
            f"{database}: no such file, so there is nothing to back up yet",
        )
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    to = file or data_dir() / backups.FOLDER / f"by-hand-{stamp}.db"
    try:
        with _pages() as progress:
            backups.back_up(database, to, progress)
    except OSError as fault:
        raise error(
            f"{to}：書き込めません（{fault.strerror}）。ほかのファイル名を指定してください",
            f"{to}: {fault.strerror}; name another file",
        ) from fault
    click.echo(to)
    click.echo(in_one("バックアップができました。", "The backup is complete."), err=True)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def restore(file: Path, yes: bool) -> None:
    """Replace the database by the backup FILE.

    The replaced database is backed up first. A running server continues with the restored data.
    """
    database = _file()
    if lacks_journal(file):
        ja, en = COPIED_IN_USE
        click.echo(in_words(ja.format(file), en.format(file), "\n"), err=True)
    try:
        if not yes:
            backups.check(file)
            asked = in_one(
                "そのバックアップより後の記録は、すべて置き換わります。続けますか",
                "This replaces everything recorded since that backup. Continue?",
            )
            click.confirm(asked, abort=True)
        with _pages() as progress:
            before = backups.restore(file, database, progress)
    except backups.NotABackup as fault:
        raise error(
            f"{file}：完全なバックアップではありません（{fault.args[1]}）。何も変更していません",
            f"{file}: not a complete backup ({fault.args[1]}); nothing was changed",
        ) from fault
    click.echo(in_one(f"復元しました：{file}", f"Restored: {file}"))
    if before.exists():
        click.echo(in_one(f"置き換える前のデータ：{before}", f"The replaced data: {before}"))


def export_history(circle: str | None, file: Path) -> None:
    """Write the whole history of a circle to ``file``; gzipped if its name ends in .gz."""
    with closing(opened()) as store:
        known = Circles(store)
        if circle is None and len(known.all()) > 1:
            raise error(
                "サークルが複数あります。--circle で選んでください（一覧は `referee circles`）",
                "there are several groups; choose one with --circle (`referee circles` lists all)",
            )
        chosen = known.only() if circle is None else circle
        archive, past = Archive(store, chosen), Past(store, chosen)
        counting.catch_up(store)
        name = known.get(chosen).name
        pieces = exchange.write(archive, past, name)
        with file.open("wb") as to, _bar(len(archive.ids()), in_one("ゲーム", "matches")) as done:
            counted = _counted(pieces, done)
            for chunk in exchange.packed(counted) if file.suffix == ".gz" else _utf8(counted):
                to.write(chunk)
    click.echo(file)


def import_history(source: bytes, name: str) -> None:
    """Import a history into the circle of this installation; raises ``Unreadable``."""
    with closing(opened()) as store:
        circle = Circles(store).only()
        whole = exchange.read(source, Circles(store).zone(circle))
        total = sum(1 for _match in whole.matches)
        with _bar(total, in_one("ゲーム", "matches")) as done:
            try:
                fresh = exchange.take_in(Archive(store, circle), whole, done)
            except exchange.Elsewhere as fault:
                raise error(
                    f"{name}：このゲームは、もう別のサークルにあります。何も取り込んでいません",
                    f"{name}: its matches are here already, in another group; nothing was imported",
                ) from fault
            except Clash as fault:
                raise error(
                    f"{name}：ゲーム {fault} は、もう違う記録で入っています",
                    f"{name}: match {fault} is here already, with a different log",
                ) from fault
        if circle and whole.circle and not Circles(store).get(circle).name:
            Circles(store).call(circle, whole.circle)
        with _bar(Digests(store).pending(), in_one("数えています", "counting")) as done:
            counting.catch_up(store, done=done)
        store.engine.analyse()
    new = f"{name}：{total}ゲームのうち、新しいのは{fresh}ゲームです。"
    click.echo(in_one(new, f"{name}: {fresh} of {total} matches are new."))


def opened() -> Store:
    """The data of this installation; raises ``LostData`` instead of beginning anew in its place."""
    database = paths.database(data_dir())
    warn(database)
    require_kept(database)
    return Store(database)


def warn(database: Path | str) -> None:
    """Say on the error stream if the last entries may be missing."""
    if isinstance(database, Path) and lacks_journal(database):
        ja, en = INCOMPLETE
        click.echo(in_words(ja.format(database), en.format(database), "\n"), err=True)


def _file() -> Path:
    """The file of the database; an error for a database on a server."""
    database = paths.database(data_dir())
    if isinstance(database, Path):
        return database
    raise error(
        "このコマンドは SQLite 専用です。PostgreSQL では `pg_dump` と `pg_restore` を"
        "使ってください（docs/postgresql.md）",
        "this command is for SQLite only; for PostgreSQL use `pg_dump` and `pg_restore`"
        " (docs/postgresql.md)",
    )


@contextmanager
def _bar(total: int, label: str) -> Iterator[Callable[[int], object]]:
    """A progress bar on the error stream, apart from the output."""
    with click.progressbar(length=total, label=label, file=sys.stderr, show_pos=True) as bar:
        yield bar.update


@contextmanager
def _pages() -> Iterator[backups.Progress]:
    """A progress bar for a backup, whose length is known only after it has begun."""
    with click.progressbar(length=1, label=in_one("コピー中", "copying"), file=sys.stderr) as bar:

        def progress(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield progress


def _counted(pieces: Iterator[str], done: Callable[[int], object]) -> Iterator[str]:
    """``pieces`` of a history; ``done`` is called with 1 after a match, with 0 after the rest."""
    for piece in pieces:
        yield piece
        done(piece.lstrip(",\n").startswith('{"id"'))


def _utf8(pieces: Iterator[str]) -> Iterator[bytes]:
    return (piece.encode() for piece in pieces)
