"""The command ``referee pack``: writes the app as static files for a browser."""

from __future__ import annotations

from pathlib import Path

import click

from referee.pack import pyodide
from referee.upkeep.language import error


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--pyodide",
    "tarball",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Tarball of Pyodide; without it, it is downloaded once.",
)
@click.option(
    "--registry",
    envvar="npm_config_registry",
    default=pyodide.REGISTRY,
    show_default=True,
    metavar="ADDRESS",
    help="npm registry to download Pyodide from.",
)
def pack(folder: Path, tarball: Path | None, registry: str) -> None:
    """Write the app as static files that run in a browser.

    The app then needs no program on a server. Any web server or file host can serve the files, at
    the top of a host name and over HTTPS. Everything that is entered stays in the browser.
    """
    from referee.pack.folder import pack

    try:
        done = pack(tarball or pyodide.fetched(registry), folder)
    except pyodide.WrongTarball as fault:
        raise error(
            f"公開されている Pyodide {pyodide.VERSION} と違うファイルです（{fault}）。"
            f"`npm pack pyodide@{pyodide.VERSION}` で取得し直してください",
            f"this is not Pyodide {pyodide.VERSION} as it was published ({fault}); get it again"
            f" with `npm pack pyodide@{pyodide.VERSION}`",
        ) from fault
    except OSError as fault:
        if tarball or fault.filename:
            raise
        fetch = f"`npm pack pyodide@{pyodide.VERSION}`"
        raise error(
            f"Pyodide をダウンロードできません（{fault}）。"
            f"{fetch} で取得し、--pyodide に指定してください",
            f"Pyodide cannot be downloaded ({fault}); get it with {fetch} and name it with"
            " --pyodide",
        ) from fault
    click.echo(f"{folder}: {done.size / 1e6:.1f} MB to download")
    if not done.compiled:
        click.echo("Node.js was not found, so the app will start more slowly.", err=True)
