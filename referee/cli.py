"""The ``referee`` command."""

from __future__ import annotations

import ipaddress
import sys
from contextlib import nullcontext
from pathlib import Path

import click

from referee.commands.faults import Answering
from referee.commands.judging import evening, judge
from referee.commands.moving import circles, export, import_
from referee.commands.studying import proof, protocol, review, simulate
from referee.kept import lacks_key
from referee.kit import command
from referee.pack.command import pack
from referee.paths import KEY, data_dir, data_location, database
from referee.tonight.command import seating, standings
from referee.upkeep import commands, copying
from referee.upkeep.language import in_one, in_words


@click.group(cls=Answering)
@click.version_option(package_name="referee")
def main() -> None:
    """札見: a referee for card games played with real cards.

    The commands work on the data folder: `referee doctor` prints where it is, and the environment
    variable REFEREE_DATA names another.
    """


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


@main.command()
def doctor() -> None:
    """Print versions and the state of the data, and how to fix it."""
    from referee.upkeep import doctor as examination

    checks = examination.report(data_location())
    click.echo(examination.as_text(checks))
    sys.exit(examination.exit_status(checks))


main.add_command(command.game)
for added in (
    judge,
    evening,
    export,
    import_,
    circles,
    review,
    protocol,
    proof,
    simulate,
    copying.copy,
    commands.rebuild,
    commands.backup,
    commands.restore,
    pack,
    seating,
    standings,
):
    main.add_command(added)
