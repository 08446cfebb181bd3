"""The ``referee`` command."""

from __future__ import annotations

import ipaddress
import json
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import click

from referee import zones
from referee.core.game import Find
from referee.core.record import Record, Unreadable, read, text_of
from referee.evenings.table import By
from referee.games import GAMES
from referee.kept import lacks_key
from referee.kit import command
from referee.kit.shipped import beside
from referee.pack.command import pack
from referee.paths import KEY, data_dir, data_location, database
from referee.rulings import COMMON, book
from referee.rulings.report import report, stands
from referee.store import Store
from referee.tonight.command import seating, standings
from referee.upkeep import commands, copying
from referee.upkeep.command_help import LocalGroup
from referee.upkeep.files import CannotRead, content
from referee.upkeep.language import LANGUAGE, error, in_one, in_words, language

MARKS = {
    "ja": {"legal": "○", "illegal": "×", "unprovable": "△", None: "－"},
    "en": {"legal": "✓", "illegal": "✕", "unprovable": "?", None: "-"},
}
ID_WITH_DASH = {"ignore_unknown_options": True}
"""Settings of commands that take an id: ids of older versions can begin with "-"."""

DAMAGED = (
    "データが壊れています：{}\n何も変更していません。このデータを使う札見をすべて止め、フォルダー全体を"
    "コピーしてから、`referee restore` でバックアップを戻してください。",
    "The data is damaged: {}\nNothing was changed. Stop every referee that uses this data, copy the"
    " whole folder, then put back a backup with `referee restore`.",
)
LOST = (
    "{} に記録がありません。前に使われたフォルダーなので、新しく始めずに止まりました。"
    "何も変更していません。\n{}新しく始めるなら、このフォルダーの名前を変えてください。",
    "{} contains no records, although its folder was used before, so nothing was begun anew and"
    " nothing was changed.\n{}To begin anew, rename this folder.",
)
FROM_BACKUP = (
    "最後のバックアップを戻すには：`referee restore {}`\n",
    "To put back the latest backup: `referee restore {}`\n",
)
FROM_ELSEWHERE = (
    "バックアップがほかにあれば、`referee restore` で戻してください。",
    "If there is a backup elsewhere, put it back with `referee restore`. ",
)
FOREIGN_JOURNAL = (
    "隣にあるデータベースのものではないジャーナルがあります：{0}\n使用中だったファイルの上に、別の"
    "ファイルがコピーされたようです。何も変更していません。隣のファイルを使うなら、このジャーナルを別の場所に"
    "移してください。バックアップを戻すには、コピーではなく `referee restore` を使います。",
    "{0} does not belong to the database beside it: a file seems to have been copied over one that"
    " was in use. Nothing was changed.\nTo use the file beside it, move {0} elsewhere. To put back"
    " a backup, use `referee restore` instead of copying.",
)
UNAVAILABLE = (
    "データを読み書きできません：{}\nファイルなら、ネットワークドライブ（NFS、SMB）にないか、ディスクの空きと"
    "フォルダーの持ち主を、サーバーなら、動いているかとアドレスを確かめてください。"
    "`referee doctor` が調べます。",
    "The data cannot be read or written: {}\nA file: check that it is on no network drive (NFS,"
    " SMB), the free disk space, and who owns the folder. A server: check that it runs and that the"
    " address is right. `referee doctor` examines both.",
)
LOCKED = (
    "データがほかから使われていて、開けません：{}\nほかのプログラムが使っていなければ、フォルダーがネットワーク"
    "ドライブ（NFS、SMB）にあるのかもしれません。そこではファイルを正しくロックできないので、フォルダーを"
    "このパソコンのディスクに移してください（場所は REFEREE_DATA で変えられます）。",
    "The data is in use and cannot be opened: {}\nIf no other program uses it, the folder may be on"
    " a network drive (NFS, SMB), where files cannot be locked reliably: move the folder to a disk"
    " of this computer (REFEREE_DATA names another place).",
)
WRONG_PATH = (
    "{}\nフォルダーがあるか、名前が正しいか、このアカウントで読み書きできるかを確かめてください。",
    "{}\nCheck that the folder exists, that the name is right, and that this account may read and"
    " write there.",
)
WRONG_ADDRESS = (
    "データベースを開けません：{}\nREFEREE_DATABASE、--from、--to には sqlite:PATH か"
    " postgresql://USER@HOST/NAME と書きます。",
    "The database cannot be opened: {}\nREFEREE_DATABASE, --from and --to take sqlite:PATH or"
    " postgresql://USER@HOST/NAME.",
)
NEWER = (
    "このデータは、札見の新しいバージョンで書かれています：{}\n何も変更していません。そのバージョンを"
    "インストールするか、それより前のバックアップを `referee restore` で戻してください。",
    "This data was written by a newer version of referee: {}\nNothing was changed. Install that"
    " version, or put back an earlier backup with `referee restore`.",
)
OLDER = (
    "このデータは、最初のリリースより前のプログラムで書かれていて、引き継げません：{}\n何も変更して"
    "いません。そのプログラムの `referee export --history` で書き出し、このデータを別の場所に移して"
    "から、`referee import` で読み込んでください。",
    "This data was written by a program of before the first release: {}\nNothing was changed. Write"
    " it into a file with that program (`referee export --history`), move this data elsewhere, and"
    " read the file with `referee import`.",
)
NO_RIGHTS = (
    "このアカウントには、データベースに表を作る権限がありません（{}）。データベースかスキーマの所有者にしてから、もう一度お試しください。",
    "The account may not make or change tables ({}). Make it the owner of the database or of its"
    " schema, then try again.",
)
WEAK_KEY = (
    "REFEREE_KEY が短すぎます。32文字以上の乱数にしてください（`openssl rand -hex 32`）。",
    "REFEREE_KEY is too short. Use 32 random characters or more (`openssl rand -hex 32`).",
)
AT_FAULT = (
    "札見のプログラムの誤りで、答えを出せません（{}）。判定ではありません。この行と、読ませたファイルが"
    "あればそれを、開発者に知らせてください。",
    "An error in the program prevents an answer ({}). This is no verdict: please report this line,"
    " and the file, if you named one.",
)


class AtFault(click.ClickException):
    """The program itself is at fault; the command exits with 3, which no answer does."""

    exit_code = 3

    def __init__(self, fault: Exception, lang: str | None) -> None:
        place = traceback.extract_tb(fault.__traceback__)[-1]
        where = f"{type(fault).__name__}: {fault}, {Path(place.filename).name}:{place.lineno}"
        ja, en = (each.format(where) for each in AT_FAULT)
        super().__init__(in_one(ja, en, lang))


class Answering(LocalGroup):
    """A command group that explains unusable data in a sentence, instead of a stack trace.

    An unexpected exception becomes a sentence, too: its exit status 1 would read as an answer.
    """

    def invoke(self, context: click.Context) -> Any:
        from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]

        from referee.store import (
            Damaged,
            ForeignJournal,
            LostData,
            NewerData,
            NoRights,
            OlderData,
            Unavailable,
            WrongAddress,
        )
        from referee.web.http.invites import WeakKey

        try:
            return super().invoke(context)
        except LostData as fault:
            raise _lost(*fault.args) from fault
        except ForeignJournal as fault:
            raise _refused(FOREIGN_JOURNAL, fault) from fault
        except Damaged as fault:
            raise _refused(DAMAGED, fault) from fault
        except NewerData as fault:
            raise _refused(NEWER, fault) from fault
        except OlderData as fault:
            raise _refused(OLDER, fault) from fault
        except WrongAddress as fault:
            raise _refused(WRONG_ADDRESS, fault) from fault
        except NoRights as fault:
            raise _refused(NO_RIGHTS, fault) from fault
        except (Unavailable, sqlite3.OperationalError) as fault:
            raise _refused(LOCKED if "lock" in str(fault) else UNAVAILABLE, fault) from fault
        except (FileExistsError, FileNotFoundError, NotADirectoryError, PermissionError) as fault:
            raise _refused(WRONG_PATH, f"{fault.filename}: {fault.strerror}") from fault
        except WeakKey as fault:
            raise _refused(WEAK_KEY) from fault
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except Exception as fault:
            raise AtFault(fault, context.meta.get(LANGUAGE)) from fault


@click.group(cls=Answering)
@click.version_option(package_name="referee")
def main() -> None:
    """札見: a referee for card games played with real cards.

    The commands work on the data folder: `referee doctor` prints where it is, and the environment
    variable REFEREE_DATA names another.
    """


@main.command()
@click.argument("file", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@language
def judge(file: str, as_json: bool, lang: str) -> None:
    """Judge a saved record again and print each verdict with its rule.

    FILE is a record or a tally sheet; "-" reads standard input.

    Exit status 0: no illegal entry is in force; 1: at least one is; 2: FILE cannot be read; 3: an
    error in the program, so there is no verdict.
    """
    try:
        answer = report(read(content(file), GAMES, _beside(file), beside), lang)
    except Unreadable as fault:
        click.echo(_unreadable(file, fault, lang), err=True)
        sys.exit(2)
    if as_json:
        click.echo(json.dumps(answer, ensure_ascii=False, indent=1).encode())
    else:
        click.echo("\n".join(_lines(answer, lang)).encode())
    sys.exit(0 if stands(answer) else 1)


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option(
    "--by",
    type=click.Choice(["beaten", "wins", "points"]),
    default="beaten",
    show_default=True,
    help="beaten: one for each player that you stand before; wins; points of one game.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@language
def evening(files: tuple[str, ...], by: By, as_json: bool, lang: str) -> None:
    """Add up several games into one table.

    Each of FILES is the record of a game; people are the names of seats.

    Exit status 0: printed; 2: a record cannot be read, or points of different games would be added
    up.
    """
    from referee.evenings import answer
    from referee.evenings.table import Differing

    try:
        found = [answer.counted_file(file, _record(file, lang)) for file in files]
        if as_json:
            said = json.dumps(answer.answer(found, by), ensure_ascii=False, indent=1)
        else:
            said = "\n".join(answer.lines(found, by, lang))
    except Differing:
        ja = "点は、同じゲームどうしでないと足せません。--by beaten か --by wins を使います"
        en = "points of different games can't be added up: use --by beaten or --by wins"
        click.echo(in_one(ja, en, lang), err=True)
        sys.exit(2)
    click.echo(said.encode())


def _record(file: str, lang: str) -> Record:
    """The record in ``file``; says what is wrong and exits with 2 if there is none."""
    try:
        found = read(content(file), GAMES, _beside(file), beside)
        if not isinstance(found, Record):
            raise Unreadable("read_tally_import", line=2)
    except Unreadable as fault:
        click.echo(_unreadable(file, fault, lang), err=True)
        sys.exit(2)
    return found


def _networks(context: click.Context, option: click.Parameter, text: str) -> str:
    """``text`` as the server takes it: networks have no bits of a host."""
    names = [name.strip() for name in text.split(",")]
    try:
        return ",".join(
            str(
                ipaddress.ip_network(name, strict=False)
                if "/" in name
                else ipaddress.ip_address(name)
            )
            for name in names
        )
    except ValueError as fault:
        raise click.BadParameter(
            in_one(
                "IP アドレスかネットワークを、コンマで区切って書いてください"
                "：127.0.0.1,172.18.0.0/16",
                "write IP addresses or networks with commas, such as 127.0.0.1,172.18.0.0/16",
            )
        ) from fault


@main.command()
@click.option(
    "--host",
    default=None,
    help="Address to listen on.  [default: 0.0.0.0; with --public 127.0.0.1]",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8321, show_default=True, envvar="PORT"
)
@click.option("--data", type=click.Path(path_type=Path), default=None, help="Data folder.")
@click.option(
    "--backup-every",
    type=click.FloatRange(min=0),
    default=24.0,
    show_default=True,
    metavar="HOURS",
    help="Time between two backups; 0: no backups.",
)
@click.option(
    "--https",
    is_flag=True,
    help="Serve HTTPS with a certificate of its own; each phone installs it once (page /trust).",
)
@click.option("--public", is_flag=True, help="Run on the internet, behind an HTTPS proxy.")
@click.option(
    "--proxy",
    default="127.0.0.1,::1",
    show_default=True,
    metavar="ADDRESSES",
    callback=_networks,
    help="Trust X-Forwarded-For and X-Forwarded-Proto from these addresses only.",
)
@click.option(
    "--pack",
    metavar="FOLDER|ADDRESS",
    default="",
    help="Offer the app without a server (see `referee pack`): serve FOLDER at a port of its own,"
    " or name the https:// ADDRESS where it is served.",
)
@click.option("--log-json", is_flag=True, help="Log requests as JSON lines; always with --public.")
def serve(
    host: str | None,
    port: int,
    data: Path | None,
    backup_every: float,
    https: bool,
    public: bool,
    proxy: str,
    pack: str,
    log_json: bool,
) -> None:
    """Run the app on the local network or on the internet."""
    if public and https:
        raise click.UsageError(
            in_one(
                "--public と --https は一緒に使えません。--public の HTTPS はプロキシーの役目です",
                "--public and --https exclude each other: with --public the proxy does HTTPS",
            )
        )
    from referee.server.packed import START
    from referee.server.serve import serve as run
    from referee.upkeep.backup import FOLDER, scheduled
    from referee.upkeep.rereading import rereading

    elsewhere = pack.startswith("https://")
    if pack and not elsewhere and (public or not Path(pack, START).is_file()):
        raise click.UsageError(
            in_one(
                "--pack には `referee pack` で作ったフォルダーを指定します。--public では"
                "https:// で始まるアドレスです",
                "--pack wants a folder that `referee pack` has written; with --public, an https://"
                " address",
            )
        )
    folder = data_dir(data)
    file = database(folder)
    commands.warn(file)
    if lacks_key(folder / KEY, file):
        click.echo(in_words(*commands.KEY_MISSING, "\n"), err=True)
    copies = scheduled(file, folder / FOLDER, backup_every) if isinstance(file, Path) else None
    with copies or nullcontext(), rereading(file):
        run(
            host or ("127.0.0.1" if public else "0.0.0.0"),
            port,
            folder,
            https=https,
            public=public,
            proxy=proxy,
            pack=pack.rstrip("/") if elsewhere or not pack else Path(pack),
            log_json=log_json or public,
        )


@main.command(context_settings=ID_WITH_DASH)
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
    store = _store()
    try:
        if match is not None:
            _write(records.export(store, match), match, to)
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
    except NoSuchMatch:
        raise error(
            f"{match}：このゲームはありません。`referee export` が一覧を出します",
            f"{match}: no such match; `referee export` lists all",
        ) from None
    finally:
        store.close()


@main.command("import")
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
    store = _store()
    fresh_ones = 0
    try:
        circle = Circles(store).only()
        known = records.Known(store, circle)
        for file, record in loaded:
            match, fresh = known.take_in(records.ready(record))
            before = "" if fresh else in_one("取り込み済み ", "here already: ", lang)
            click.echo(f"{file}: {before}{match}")
            fresh_ones += fresh
    finally:
        store.close()
    if loaded:
        new = f"{len(loaded)}ゲームのうち、新しいのは{fresh_ones}ゲームです。"
        counted = in_one(new, f"{fresh_ones} of {len(loaded)} matches are new.", lang)
        click.echo(counted, err=True)
    for file, source in histories.items():
        try:
            import_history(source, file)
        except Unreadable as fault:
            click.echo(_unreadable(file, fault, lang), err=True)
            sys.exit(1)
    for file, source in others.items():
        try:
            with closing(_store()) as store:
                import_plays(store, source, file, lang)
        except Unreadable as fault:
            click.echo(_unreadable(file, fault, lang), err=True)
            sys.exit(1)


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
            find |= dict.fromkeys(inside.records, inside.find(_beside(file)))
        except Unreadable as fault:
            faults.append(_unreadable(file, fault, lang))
    for file, source in sources.items():
        try:
            record = records.load(source, lang, find[file], keep_illegal=keep_illegal)
            loaded.append((file, record))
        except Unreadable as fault:
            faults.append(_unreadable(file, fault, lang))
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


@main.command(context_settings=ID_WITH_DASH)
@click.argument("circle", required=False)
def circles(circle: str | None) -> None:
    """List the groups on this server, or print a link to one.

    With CIRCLE, the id of a group, a link is printed that lets a new phone into it, for a group
    whose phones are all lost. "-" prints a link that claims imported matches. Add the link to the
    address of the server, and treat it as a password.
    """
    from referee.store import NoSuchCircle

    store = _store()
    try:
        if circle:
            click.echo(_link(store, circle))
            advice = in_one(
                "サーバーのアドレスの後ろに付けて開いてください（例：http://192.168.0.5:8321/c/…）。",
                "Open this path at the address of the server, as in http://192.168.0.5:8321/c/…",
            )
            click.echo(advice, err=True)
        else:
            lines = list(_groups(store))
            none = in_one("サークルはまだありません。", "There are no groups yet.")
            click.echo("\n".join(lines) if lines else none, err=not lines)
    except NoSuchCircle:
        raise _no_circle(circle) from None
    finally:
        store.close()


def _link(store: Store, circle: str) -> str:
    """The path that lets a phone into a group, or for "-" claims imported matches."""
    from referee.store import NOBODYS, Circles, Doors
    from referee.web.http.invites import Keeper, key_in

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


@main.command()
def doctor() -> None:
    """Print versions and the state of the data, and how to fix it."""
    from referee.upkeep import doctor as examination

    checks = examination.report(data_location())
    click.echo(examination.as_text(checks))
    sys.exit(examination.exit_status(checks))


@main.command()
@click.argument("file", type=click.Path())
@click.option("--deal", type=click.IntRange(min=1), help="Only this deal, counted from 1.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@language
def review(file: str, deal: int | None, as_json: bool, lang: str) -> None:
    """Print what everybody could know about hidden cards.

    Goes through finished deals entry by entry. Odds are exact: every distribution
    of the unseen cards counts once; declarations are ignored.

    Exit status 0: printed; 1: no deal is over, or not the one asked for; 2: FILE cannot be read.
    """
    from referee.core.record import TallyFile
    from referee.insight import report as answers
    from referee.insight.review import NotOver, finished
    from referee.insight.review import review as reviewed
    from referee.rulings.report import replay

    try:
        record = read(content(file), GAMES, _beside(file), beside)
    except Unreadable as fault:
        click.echo(_unreadable(file, fault, lang), err=True)
        sys.exit(2)
    if isinstance(record, TallyFile):
        raise error(
            f"{file}：得点表には、検討する記録がありません。`referee judge` で読めます",
            f"{file}: a tally sheet has no entries to review; `referee judge` reads it",
            lang,
        )
    log = replay(record)
    deals = finished(log) if deal is None else (deal,)
    if not deals:
        raise error(f"{file}：終わった配札がまだありません", f"{file}: no deal is over yet", lang)
    try:
        found = [reviewed(log, number) for number in deals]
    except NotOver as fault:
        raise error(
            f"{file}：終わった配札の中に、配札{fault.deal}はありません",
            f"{file}: there is no deal {fault.deal} that is over",
            lang,
        ) from fault
    if as_json:
        listed = [answers.as_json(each, log, record.header, lang) for each in found]
        answer = {"referee": 1, "game": record.header.game, "deals": listed}
        click.echo(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode())
    else:
        for each in found:
            click.echo("\n".join(answers.lines(each, log, record.header, lang)).encode())


@main.command(context_settings=ID_WITH_DASH)
@click.argument("match")
@language
def protocol(match: str, lang: str) -> None:
    """Print the protocol of MATCH: its record, with a certificate for each proof.

    MATCH is a match of this server (`referee export` lists them) or the file of a record.
    `tools/check_protocol.py` checks a protocol without this program.

    Exit status 0: printed; 1: there is no such match; 2: the file cannot be read.
    """
    from referee.core.record import TallyFile
    from referee.protocol.document import written

    given = Path(match).exists() or match == "-"
    source, find = (content(match), _beside(match)) if given else _stored(match)
    try:
        record = read(source, GAMES, find, beside)
    except Unreadable as fault:
        click.echo(_unreadable(match, fault, lang), err=True)
        sys.exit(2)
    if isinstance(record, TallyFile):
        raise CannotRead(
            in_one(
                f"{match}：得点表には、証明する記録がありません",
                f"{match}: a tally sheet has no entries, so nothing to prove",
            )
        )
    click.echo(written(record).encode())


def _stored(match: str) -> tuple[bytes, Find]:
    """The record of a stored match, and the function that finds the files that it names."""
    from referee.history import records
    from referee.store import NoSuchMatch

    store = _store()
    try:
        texts = records.files_beside(store, match)
        return records.export(store, match).encode(), texts.get
    except NoSuchMatch:
        raise error(
            f"{match}：このゲームはありません。`referee export` が一覧を出します",
            f"{match}: no such match; `referee export` lists all",
        ) from None
    finally:
        store.close()


@main.command()
@click.argument("file", type=click.Path())
def proof(file: str) -> None:
    """Check a saved proof of a claim (Jukugo Line).

    The check tries every hand that could still come.

    Exit status 0: the proof is valid; 1: it is wrong; 2: FILE is not a proof.
    """
    from referee.jukugo import proofs

    try:
        wrong = proofs.check(json.loads(content(file)))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as fault:
        raise CannotRead(
            in_one(
                f"{file}：証明のファイルではありません。宣言のページから保存できます",
                f"{file}: not a proof; save one from the page of a claim",
            )
        ) from fault
    valid = in_one("証明は正しいです。", "The proof is valid.")
    click.echo(in_one("証明は誤りです：", "The proof is wrong: ") + wrong if wrong else valid)
    sys.exit(1 if wrong else 0)


def _points(context: click.Context, option: click.Parameter, text: str | None) -> tuple[int, ...]:
    """The numbers in the value of an option, such as "0,2,0"."""
    try:
        return tuple(map(int, text.split(","))) if text else ()
    except ValueError as fault:
        raise click.BadParameter(
            in_one(
                "席ごとの点を、コンマで区切って書いてください：0,2,0",
                "write numbers with commas, one for each seat: 0,2,0",
            )
        ) from fault


def _chosen(
    context: click.Context, option: click.Parameter, texts: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """The (key, value) pairs in the values "KEY=VALUE" of an option."""
    pairs = [text.partition("=") for text in texts]
    if not all(between and value for _, between, value in pairs):
        raise click.BadParameter(
            in_one(
                "KEY=VALUE の形で書いてください（例：rounds=1）",
                "write KEY=VALUE, such as rounds=1",
            )
        )
    return tuple((key, value) for key, _, value in pairs)


@main.command()
@click.argument("game")
@click.option(
    "--seats",
    type=click.IntRange(min=1),
    help="Number of players.  [default: 3 if possible, else the fewest]",
)
@click.option(
    "--games", type=click.IntRange(min=1), default=1000, show_default=True, help="Games to play."
)
@click.option(
    "--players",
    default="random",
    show_default=True,
    help="random, or ahead (looks one trick ahead); for all, or for each seat: ahead,random.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="The same seed plays the same games."
)
@click.option(
    "--option",
    "options",
    multiple=True,
    callback=_chosen,
    metavar="KEY=VALUE",
    help="A house rule; may be given several times.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Number of processes.  [default: one for each processor]",
)
@click.option(
    "--longest",
    type=click.IntRange(min=1),
    default=5000,
    help="Cut a game short after this many entries.",
)
@click.option(
    "--pace", type=click.FloatRange(min=0), help="Seconds for each play, to compute minutes."
)
@click.option(
    "--given",
    callback=_points,
    help="Points to add to each seat, to see whether the report finds them: 0,2,0.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@click.option(
    "--csv", "as_csv", is_flag=True, help="Print one line for each game instead of a report."
)
@language
def simulate(
    game: str,
    seats: int | None,
    games: int,
    players: str,
    seed: int,
    options: tuple[tuple[str, str], ...],
    jobs: int | None,
    longest: int,
    pace: float | None,
    given: tuple[int, ...],
    as_json: bool,
    as_csv: bool,
    lang: str,
) -> None:
    """Play a game many times with simulated players.

    The command prints statistics. GAME is a game of the app, an included game file (such as
    whist), or the path of a game file.

    Seats are counted from the one that begins the first deal. The players do not play like
    people: the report is about the rules, not about how good the game is.

    A progress bar (standard error) shows how many games are played. A game that does not end is
    cut short (--longest), so that the command ends.
    """
    from referee.insight import simulated

    found = simulated.game_named(game, lang)
    if isinstance(found, str):
        raise click.UsageError(found)
    count = seats or (3 if 3 in found.SEATS else found.SEATS[0])
    plan = simulated.plan(found, count, players, options, seed, longest, given, lang)
    if isinstance(plan, str):
        raise click.UsageError(plan)
    label = in_one(f"{games:,}ゲーム", f"{games:,} games", lang)
    with click.progressbar(length=games, label=label, file=sys.stderr, show_pos=True) as bar:
        batch = simulated.simulate(
            plan, games, jobs or os.cpu_count() or 1, lambda done: bar.update(done - bar.pos)
        )
    if as_csv:
        click.echo(simulated.as_csv(batch), nl=False)
    elif as_json:
        answer = simulated.described(plan, batch, pace)
        click.echo(json.dumps(answer, ensure_ascii=False, indent=1).encode())
    else:
        click.echo("\n".join(simulated.lines(plan, batch, pace, lang)).encode())


main.add_command(command.game)
for added in (
    copying.copy,
    commands.rebuild,
    commands.backup,
    commands.restore,
    pack,
    seating,
    standings,
):
    main.add_command(added)


def _refused(words: tuple[str, str], about: object = "") -> click.ClickException:
    """The error with ``words`` (Japanese, English) in the language of the locale."""
    ja, en = (each.format(about) for each in words)
    return click.ClickException(in_words(ja, en, "\n"))


def _lost(file: Path, backup: Path | str) -> click.ClickException:
    advice = FROM_BACKUP if backup else FROM_ELSEWHERE
    ja, en = (text.format(file, how.format(backup)) for text, how in zip(LOST, advice, strict=True))
    return click.ClickException(in_words(ja, en, "\n"))


def _no_circle(name: str | None) -> click.ClickException:
    return error(
        f"{name}：このサークルはありません。`referee circles` が一覧を出します",
        f"{name}: no such group; `referee circles` lists all",
    )


def _beside(file: str) -> Find:
    """A function that reads a file beside ``file``; None for other folders and missing files."""

    def find(name: str) -> str | None:
        path = Path(file).with_name(name) if name == Path(name).name else None
        try:
            return text_of(path.read_bytes(), name) if path and path.is_file() else None
        except OSError:
            return None

    return find


def _unreadable(file: str, fault: Unreadable, lang: str) -> str:
    place = Path(file).with_name(fault.file) if fault.file else file
    says = book(fault.game or COMMON).says(fault.fact, fault.values, lang)
    return f"{place}:{fault.line}: {says}"


def _lines(answer: dict[str, Any], lang: str) -> list[str]:
    """The answer as lines of text: entries, findings, arithmetic, score, and how it ended."""
    lines = []
    for row in answer["entries"]:
        lines.append(_line(f"{row['seq']:>4}", row, lang))
        if "inserted" in row:
            lines.append(_line("    ", row["inserted"], lang))
    for found in answer["findings"]:
        numbers = list(map(str, found["proof"]))
        by = f"（記録{'・'.join(numbers)}で証明）", f" (proven by {', '.join(numbers)})"
        proven = in_one(*by, lang)
        at = in_one(f"記録{found['seq']}", f"entry {found['seq']}", lang)
        lines.append(f"{MARKS[lang]['illegal']} {at}{proven}  {found['clause']}  {found['says']}")
    for line in answer.get("arithmetic", []):
        lines.append(f"  {line['seat']}  {line['points']}  {line['clause']}  {line['says']}")
    points = "  ".join(f"{seat} {points}" for seat, points in answer["score"].items())
    lines.append(in_one(f"得点：{points}", f"Score: {points}", lang))
    if answer["outcome"]:
        ended = answer["outcome"]  # the outcome's sentence names the losers already
        winners = ended.get("winners", ())
        if winners:
            many = "Winners" if len(winners) > 1 else "Winner"
            result = in_one(
                f"勝者：{'・'.join(winners)}。", f"{many}: {', '.join(winners)}. ", lang
            )
        else:
            result = "" if "losers" in ended else in_one("勝者なし。", "No winner. ", lang)
        lines.append(result + ended["says"])
    return lines


def _line(number: str, row: dict[str, Any], lang: str) -> str:
    """An entry as it counts now, its verdict, and what was recorded first if it was corrected."""
    mark = MARKS[lang][row["verdict"]] + ("*" if "ruled" in row else "")
    text = row["text"]
    if "player" in row:  # somebody else has the seat now
        text += in_one(f"（{row['player']}）", f" ({row['player']})", lang)
    if "now" in row:
        first = in_one(f"（最初の記録：{text}）", f" (recorded first: {text})", lang)
        text = row["now"] + first
    return f"{number} {mark} {text}  {row['clause'] or ''}  {row['says']}"


def _write(text: str, match: str, to: Path | None) -> None:
    if to is None:
        click.echo(text.encode(), nl=False)
        return
    to.mkdir(parents=True, exist_ok=True)
    path = to / f"{match}.txt"
    path.write_text(text, encoding="utf-8")
    click.echo(path)


def _store() -> Store:
    return commands.opened()
