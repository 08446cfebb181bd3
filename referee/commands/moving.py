"""``referee export``, ``referee import`` and ``referee circles``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click

from referee import zones
from referee.commands.given import ID_WITH_DASH, beside_file, explained, no_match, unreadable
from referee.core.game import Find
from referee.core.record import Record, Unreadable
from referee.paths import data_dir
from referee.store import Store
from referee.upkeep import commands
from referee.upkeep.files import content
from referee.upkeep.language import error, in_one, language


@click.command(context_settings=ID_WITH_DASH)
@click.argument("match", required=False)
@click.option("--to", type=click.Path(path_type=Path), help="Folder for one file per match.")
@click.option(
    "--history",
    type=click.Path(path_type=Path),
    help="One file (.json or .json.gz) with all matches, people and sessions of a group.",
)
@click.option("--circle", help="The group (see `referee circles`), if there are several.")
def export(match: str | None, to: Path | None, history: Path | None, circle: str | None) -> None:
    """Print MATCH as a record, or write it into a folder.

    Without MATCH, --to writes all matches into the folder. With neither, all matches are listed.
    """
    from referee.headers import read_header
    from referee.history import records
    from referee.store import Circles, NoSuchCircle, NoSuchMatch
    from referee.upkeep.commands import export_history

    if history is not None:
        if match is not None or to is not None:
            raise click.UsageError(
                in_one(
                    "--history はサークル全体を書き出します。ゲームや --to と一緒には使えません",
                    "--history writes the whole group: leave out MATCH and --to",
                )
            )
        try:
            export_history(circle, history)
        except NoSuchCircle:
            raise _no_circle(circle) from None
        return
    with closing(commands.opened()) as store:
        if match is not None:
            try:
                _write(records.export(store, match), match, to)
            except NoSuchMatch:
                raise no_match(match) from None
        elif not (kept := store.matches()):
            click.echo(in_one("ゲームはまだありません。", "There are no matches yet."), err=True)
        elif to is not None:
            for path in records.export_all(store, to):
                click.echo(path)
        else:
            of_match = Circles(store).zones()
            for listed in kept:
                opened = zones.local(listed.opened, of_match[listed.id])
                seats = listed.header.partition("seats: ")[2].partition("\n")[0]
                game = read_header(store, listed.header).game
                click.echo(f"{listed.id}  {opened:%Y-%m-%d %H:%M}  {game}  {seats}")


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option("--keep-illegal", is_flag=True, help="Import illegal entries, too.")
@language
def import_(files: tuple[str, ...], keep_illegal: bool, lang: str) -> None:
    """Import records, ZIP archives of records, exported histories, or files of other programs.

    Histories are files of `referee export --history`. One illegal entry or unreadable line cancels
    the import: nothing is imported.

    Other programs' files are exports of BG Stats (BGStatsExport.json), and tables (CSV) with a line
    for each match. They become matches of the score pad; people are those of the same name.

    With exactly one group on this server, matches go to it. Otherwise they wait until a phone
    claims them: a browser on this computer, a phone that scans the QR code of `referee serve`, or
    one that opens the link of `referee circles -`.
    """
    from referee.foreign.command import import_plays
    from referee.history import records
    from referee.store import Circles
    from referee.upkeep.commands import import_history

    loaded, histories, others = _loaded(files, keep_illegal, lang)
    fresh_ones = 0
    with closing(commands.opened()) as store:
        circle = Circles(store).only()
        known = records.Known(store, circle)
        for file, record in loaded:
            match, fresh = known.take_in(records.ready(record))
            before = "" if fresh else in_one("取り込み済み ", "here already: ", lang)
            click.echo(f"{file}: {before}{match}")
            fresh_ones += fresh
    if loaded:
        new = f"{len(loaded)}ゲームのうち、新しいのは{fresh_ones}ゲームです。"
        counted = in_one(new, f"{fresh_ones} of {len(loaded)} matches are new.", lang)
        click.echo(counted, err=True)
    for file, source in histories.items():
        with explained(file, lang, status=1):
            import_history(source, file)
    for file, source in others.items():
        with explained(file, lang, status=1), closing(commands.opened()) as store:
            import_plays(store, source, file, lang)


def _loaded(
    files: tuple[str, ...], keep_illegal: bool, lang: str
) -> tuple[list[tuple[str, Record]], dict[str, bytes], dict[str, bytes]]:
    """The records in ``files`` as (name, record), then the histories and the files of other
    programs: file name → content.

    Prints all faults, and raises ``ClickException`` if there are any.
    """
    from io import BytesIO

    from referee.foreign import files as foreign
    from referee.history import records
    from referee.history.exchange import looks_like

    loaded, faults, illegal = [], [], 0
    sources: dict[str, bytes] = {}
    histories: dict[str, bytes] = {}
    others: dict[str, bytes] = {}
    find: dict[str, Find] = {}
    for file in files:
        try:
            source = content(file)
            if foreign.recognised(file, source[: foreign.GLANCE]):
                others[file] = source
                continue
            if looks_like(source):
                histories[file] = source
                continue
            inside = records.unpacked(file, BytesIO(source), records.Budget(len(source)))
            sources |= {name: read() for name, read in inside.records.items()}
            find |= dict.fromkeys(inside.records, inside.find(beside_file(file)))
        except Unreadable as fault:
            faults.append(unreadable(file, fault, lang))
    for file, source in sources.items():
        try:
            record = records.load(source, lang, find[file], keep_illegal=keep_illegal)
            loaded.append((file, record))
        except Unreadable as fault:
            faults.append(unreadable(file, fault, lang))
        except records.NotARecord as found:
            faults.extend(f"{file}:{fault.line}: {fault.text}" for fault in found.faults)
            illegal += 1
    if faults:
        click.echo("\n".join(faults), err=True)
        kept = in_one(
            "。--keep-illegal を付けると、反則の記録も取り込みます",
            "; --keep-illegal imports illegal entries, too",
            lang,
        )
        none = in_one("何も取り込んでいません", "nothing was imported", lang)
        raise click.ClickException(none + kept * (illegal > 0))
    return loaded, histories, others


@click.command(context_settings=ID_WITH_DASH)
@click.argument("circle", required=False)
def circles(circle: str | None) -> None:
    """List the groups on this server, or print a link to one.

    With CIRCLE, the id of a group, a link is printed that lets a new phone into it, for a group
    whose phones are all lost. "-" prints a link that claims imported matches. Add the link to the
    address of the server, and treat it as a password.
    """
    from referee.store import NoSuchCircle

    with closing(commands.opened()) as store:
        if circle:
            try:
                click.echo(_link(store, circle))
            except NoSuchCircle:
                raise _no_circle(circle) from None
            advice = in_one(
                "サーバーのアドレスの後ろに付けて開いてください（例：http://192.168.0.5:8321/c/…）。",
                "Open this path at the address of the server, as in http://192.168.0.5:8321/c/…",
            )
            click.echo(advice, err=True)
        else:
            lines = list(_groups(store))
            none = in_one("サークルはまだありません。", "There are no groups yet.")
            click.echo("\n".join(lines) if lines else none, err=not lines)


def _link(store: Store, circle: str) -> str:
    """The path that lets a phone into a group, or for "-" claims imported matches."""
    from referee.http.invites import Keeper, key_in
    from referee.store import NOBODYS, Circles, Doors

    keeper, known = Keeper(Doors(store), key_in(data_dir())), Circles(store)
    if circle != "-":
        return f"/c/{keeper.invitation('circle', known.get(circle).id).text}"
    if not known.unclaimed():
        raise error(
            "引き取りを待つゲームはありません",
            "no imported matches wait to be claimed",
        )
    return f"/c/{keeper.invitation('claim', NOBODYS).text}"


def _groups(store: Store) -> Iterator[str]:
    """A line for each group of the server, and one for the matches of none."""
    from referee.store import NOBODYS, Circles

    known = Circles(store)
    for each in known.all():
        phones, matches = len(known.members(each.id)), len(known.matches(each.id))
        en = f"{phones} {'phone' if phones == 1 else 'phones'}"
        en += f"  {matches} {'game' if matches == 1 else 'games'}"
        counts = in_one(f"スマホ{phones}台　{matches}ゲーム", en)
        yield f"{each.id}  {each.since[:10]}  {counts}  {each.name}"
    if known.unclaimed():
        waiting = len(known.matches(NOBODYS))
        yield in_one(
            f"-  引き取りを待つゲーム：{waiting}（`referee circles -`）",
            f"-  {waiting} matches wait for a phone to claim them (`referee circles -`)",
        )


def _no_circle(name: str | None) -> click.ClickException:
    return error(
        f"{name}：このサークルはありません。`referee circles` が一覧を出します",
        f"{name}: no such group; `referee circles` lists all",
    )


def _write(text: str, match: str, to: Path | None) -> None:
    if to is None:
        click.echo(text.encode(), nl=False)
        return
    to.mkdir(parents=True, exist_ok=True)
    path = to / f"{match}.txt"
    path.write_text(text, encoding="utf-8")
    click.echo(path)
