"""The ``referee`` command."""

from __future__ import annotations

import json
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from referee.core.game import Find
from referee.core.record import Unreadable, read, text_of
from referee.games import GAMES
from referee.paths import data_dir, data_location, database
from referee.rulings import COMMON, book
from referee.rulings.report import report, stands
from referee.upkeep import commands, copying

MARKS = {"legal": "可", "illegal": "否", "unprovable": "未", None: "－"}
ID_WITH_DASH = {"ignore_unknown_options": True}
"""For commands that take an id: some that older versions made begin with "-"."""

DAMAGED = (
    "データが壊れています。何も変えていません。/ The data is damaged; nothing was changed.\n  {}\n"
    "Stop every referee that uses it, keep a copy of the whole folder, and put back a backup."
)
UNAVAILABLE = (
    "データを読み書きできません。/ The data can't be read or written.\n  {}\n"
    "See whether the disk is full and whether the folder is yours: `referee doctor` tells."
)
NEWER = (
    "このデータは、新しいバージョンの札見で書かれています。何も変えていません。そのバージョンを"
    "インストールするか、それより前のバックアップを `referee restore` で戻してください。\n"
    "This data was written by a newer version of referee; nothing was changed. Install that"
    " version, or put back a backup of before with `referee restore`.\n  {}"
)
OLDER = (
    "このデータは、この札見が引き継げないほど古いバージョンで書かれています。何も変えていません。"
    "リビジョン b1bb07e で一度開いてから、もう一度どうぞ。\n"
    "This data was written by a version too old for this one; nothing was changed. Run"
    " `referee circles` of revision b1bb07e on it once, then try again.\n  {}"
)
WEAK_KEY = (
    "REFEREE_KEY が短すぎます。32 文字以上の乱数にしてください。\n"
    "REFEREE_KEY can be guessed: give it 32 random characters or more (`openssl rand -hex 32`)."
)


def _system_language() -> str:
    spoken = next((v for k in ("LC_ALL", "LC_MESSAGES", "LANG") if (v := os.environ.get(k))), "")
    return "ja" if spoken.startswith("ja") else "en"


language = click.option(
    "--lang", type=click.Choice(["ja", "en"]), default=_system_language, help="Language of answers."
)


class Answering(click.Group):
    """Says what to do where the data can't be had, instead of a stack trace."""

    def invoke(self, context: click.Context) -> Any:
        from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]

        from referee.store import Damaged, NewerData, OlderData, Unavailable
        from referee.web.http.invites import WeakKey

        try:
            return super().invoke(context)
        except Damaged as fault:
            raise click.ClickException(DAMAGED.format(fault)) from fault
        except NewerData as fault:
            raise click.ClickException(NEWER.format(fault)) from fault
        except OlderData as fault:
            raise click.ClickException(OLDER.format(fault)) from fault
        except (Unavailable, sqlite3.OperationalError) as fault:
            raise click.ClickException(UNAVAILABLE.format(fault)) from fault
        except (FileExistsError, NotADirectoryError, PermissionError) as fault:
            told = f"{fault.filename}: {fault.strerror}"
            raise click.ClickException(UNAVAILABLE.format(told)) from fault
        except WeakKey as fault:
            raise click.ClickException(WEAK_KEY) from fault


@click.group(cls=Answering)
@click.version_option(package_name="referee")
def main() -> None:
    """札見: a referee for card games played with real cards."""


@main.command()
@click.argument("file", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="For programs instead of people.")
@language
def judge(file: str, as_json: bool, lang: str) -> None:
    """Replay a record with the referee's eyes.

    Exit status 0: everything in force stands; 1: something illegal is in force; 2: unreadable.
    """
    try:
        answer = report(read(_bytes(file), GAMES, _beside(file)), lang)
    except Unreadable as fault:
        click.echo(_unreadable(file, fault, lang), err=True)
        sys.exit(2)
    if as_json:
        click.echo(json.dumps(answer, ensure_ascii=False, indent=1).encode())
    else:
        click.echo("\n".join(_lines(answer)).encode())
    sys.exit(0 if stands(answer) else 1)


@main.command()
@click.option(
    "--host", default=None, help="Address to listen on.  [default: 0.0.0.0; 127.0.0.1 if public]"
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
    help="0: no scheduled backup.",
)
@click.option(
    "--https", is_flag=True, help="With a certificate of its own, which phones trust once."
)
@click.option("--public", is_flag=True, help="On the internet, behind a proxy that does HTTPS.")
@click.option(
    "--proxy",
    default="127.0.0.1,::1",
    show_default=True,
    metavar="ADDRESSES",
    help="Whose word about scheme and address is believed.",
)
@click.option("--log-json", is_flag=True, help="Log requests as JSON lines; always if public.")
def serve(
    host: str | None,
    port: int,
    data: Path | None,
    backup_every: float,
    https: bool,
    public: bool,
    proxy: str,
    log_json: bool,
) -> None:
    """Serve the tables to the phones of the local network, or to the internet."""
    if public and https:
        raise click.UsageError("--public leaves HTTPS to the proxy: it does not go with --https")
    from referee.server.serve import serve as run
    from referee.upkeep.backup import FOLDER, scheduled

    folder = data_dir(data)
    file = database(folder)
    copies = scheduled(file, folder / FOLDER, backup_every) if isinstance(file, Path) else None
    with copies or nullcontext():
        run(
            host or ("127.0.0.1" if public else "0.0.0.0"),
            port,
            folder,
            https=https,
            public=public,
            proxy=proxy,
            log_json=log_json or public,
        )


@main.command(context_settings=ID_WITH_DASH)
@click.argument("match", required=False)
@click.option("--to", type=click.Path(path_type=Path), help="Folder for one file per match.")
@click.option(
    "--history",
    type=click.Path(path_type=Path),
    help="One file (.json or .json.gz) for another installation, people and evenings included.",
)
@click.option("--circle", help="Whose history, if there are several circles.")
def export(match: str | None, to: Path | None, history: Path | None, circle: str | None) -> None:
    """Write matches as record files: one to the screen, or all of them into a folder.

    Without MATCH and without a folder: list what there is.
    """
    from referee.headers import read_header
    from referee.history import records
    from referee.store import NoSuchCircle, NoSuchMatch
    from referee.upkeep.commands import export_history

    if history is not None:
        try:
            export_history(circle, history)
        except NoSuchCircle:
            click.echo(f"{circle}: no such circle", err=True)
            sys.exit(1)
        return
    store = _store()
    try:
        if match is None and to is None:
            for listed in store.matches():
                seats = listed.header.partition("seats: ")[2].partition("\n")[0]
                game = read_header(store, listed.header).game
                click.echo(f"{listed.id}  {listed.opened[:16]}  {game}  {seats}")
        elif match is None:
            assert to is not None
            for path in records.export_all(store, to):
                click.echo(path)
        else:
            _write(records.export(store, match), match, to)
    except NoSuchMatch:
        click.echo(f"{match}: no such match; `referee export` lists them", err=True)
        sys.exit(1)
    finally:
        store.close()


@main.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option("--keep-illegal", is_flag=True, help="Take illegal entries as they are.")
@language
def import_(files: tuple[str, ...], keep_illegal: bool, lang: str) -> None:
    """Take in record files, archives of them (.zip), or what `referee export --history` wrote.

    If a record does not replay, none is taken.

    They go to the circle of this installation; while it has none, or several, to the next phone
    that claims them: a browser on this computer, or whoever scans what `referee serve` shows.
    """
    from referee.history import records
    from referee.history.exchange import looks_like
    from referee.store import Circles
    from referee.upkeep.commands import import_history

    loaded, faults = [], []
    sources: dict[str, bytes] = {}
    find: dict[str, Find] = {}
    for file in files:
        try:
            inside = records.unpacked(file, _bytes(file))
            sources |= inside.records
            find |= dict.fromkeys(inside.records, inside.find(_beside(file)))
        except Unreadable as fault:
            faults.append(_unreadable(file, fault, lang))
    histories = {file: source for file, source in sources.items() if looks_like(source)}
    files = tuple(file for file in sources if file not in histories)
    for file in files:
        try:
            loaded.append(records.load(sources[file], lang, find[file], keep_illegal=keep_illegal))
        except Unreadable as fault:
            faults.append(_unreadable(file, fault, lang))
        except records.NotARecord as found:
            faults.extend(f"{file}:{fault.line}: {fault.text}" for fault in found.faults)
    if faults:
        click.echo("\n".join(faults), err=True)
        sys.exit(1)
    store = _store()
    try:
        circle = Circles(store).only()
        lengths = records.lengths(store, circle)
        for file, record in zip(files, loaded, strict=True):
            match, fresh = records.take_in(store, record, lengths, circle)
            click.echo(f"{file}: {'' if fresh else 'here already: '}{match}")
    finally:
        store.close()
    for file, source in histories.items():
        try:
            import_history(source, file)
        except Unreadable as fault:
            click.echo(_unreadable(file, fault, lang), err=True)
            sys.exit(1)


@main.command(context_settings=ID_WITH_DASH)
@click.argument("circle", required=False)
def circles(circle: str | None) -> None:
    """List the circles; with CIRCLE: a link that opens it on a phone.

    For a circle whose phones are lost; "-" for matches that nobody has adopted. Whoever can run
    this can read the data anyway.
    """
    from referee.store import NOBODYS, Circles, Doors, NoSuchCircle
    from referee.web.http.invites import Keeper, key_in

    store = _store()
    known = Circles(store)
    try:
        if circle:
            keeper = Keeper(Doors(store), key_in(data_dir()))
            if circle == "-" and known.unclaimed():
                link = keeper.invitation("claim", NOBODYS)
            else:
                link = keeper.invitation("circle", known.get(circle).id)
            click.echo(f"/c/{link.text}")
            return
        for each in known.all():
            counts = f"{len(known.members(each.id))} phones  {len(known.matches(each.id))} matches"
            click.echo(f"{each.id}  {each.since[:10]}  {counts}  {each.name}")
        if known.unclaimed():
            click.echo(f"-  {len(known.matches(NOBODYS))} matches wait for a phone to adopt them")
    except NoSuchCircle:
        click.echo(f"{circle}: no such circle; `referee circles` lists them", err=True)
        sys.exit(1)
    finally:
        store.close()


@main.command()
def doctor() -> None:
    """Say which versions run, where the data lies, and whether all is well."""
    from referee.upkeep import doctor as examination

    checks = examination.report(data_location())
    click.echo(examination.as_text(checks))
    sys.exit(examination.exit_status(checks))


@main.command()
@click.argument("file", type=click.Path())
def proof(file: str) -> None:
    """Check a proof that was saved from a claim: try every hand that could still come.

    Exit status 0: it says what is true; 1: it does not; 2: it is no such file.
    """
    from referee.jukugo import proofs

    try:
        wrong = proofs.check(json.loads(_bytes(file)))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as fault:
        click.echo(f"{file}: no proof of a claim", err=True)
        raise SystemExit(2) from fault
    click.echo(wrong or "true")
    sys.exit(1 if wrong else 0)


for command in (copying.copy, commands.rebuild, commands.backup, commands.restore):
    main.add_command(command)


def _bytes(file: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as fault:
        click.echo(f"{file}: {fault.strerror}", err=True)
        sys.exit(2)


def _beside(file: str) -> Find:
    """Texts of files in the folder of ``file``; names that lead elsewhere are not followed."""

    def find(name: str) -> str | None:
        path = Path(file).with_name(name) if name == Path(name).name else None
        try:
            return text_of(path.read_bytes(), name) if path and path.is_file() else None
        except OSError:
            return None

    return find


def _unreadable(file: str, fault: Unreadable, lang: str) -> str:
    place = Path(file).with_name(fault.file) if fault.file else file
    return f"{place}:{fault.line}: {book(COMMON).says(fault.fact, fault.values, lang)}"


def _lines(answer: dict[str, Any]) -> list[str]:
    """The answer for people: a line an entry, then findings, standing and outcome."""
    lines = []
    for row in answer["entries"]:
        mark = MARKS[row["verdict"]] + ("*" if "ruled" in row else "")
        lines.append(f"{row['seq']:>4} {mark} {row['text']}  {row['clause'] or ''}  {row['says']}")
    for found in answer["findings"]:
        proof = ", ".join(map(str, found["proof"]))
        lines.append(f"! {found['seq']} ({proof}) {found['clause']}  {found['says']}")
    for told in answer.get("arithmetic", []):
        lines.append(f"  {told['seat']}  {told['points']}  {told['clause']}  {told['says']}")
    lines.append("  ".join(f"{seat} {points}" for seat, points in answer["score"].items()))
    if answer["outcome"]:
        ended = answer["outcome"]  # who loses is in what it says
        names = "" if "losers" in ended else f"{', '.join(ended['winners'])}: "
        lines.append(names + ended["says"])
    return lines


def _write(text: str, match: str, to: Path | None) -> None:
    if to is None:
        click.echo(text.encode(), nl=False)
        return
    to.mkdir(parents=True, exist_ok=True)
    path = to / f"{match}.txt"
    path.write_text(text, encoding="utf-8")
    click.echo(path)


def _store() -> Any:
    from referee.store import Store

    return Store(database(data_dir()))
