"""What commands are given: records in files, and the files beside them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from referee.core.game import Find
from referee.core.record import Record, Unreadable, read, text_of
from referee.games import GAMES
from referee.kit.shipped import beside
from referee.rulings import COMMON, book
from referee.upkeep.files import content
from referee.upkeep.language import error

ID_WITH_DASH = {"ignore_unknown_options": True}
"""Settings of commands that take an id: ids of older versions can begin with "-"."""


def record_in(file: str, lang: str) -> Record:
    """The record in ``file``; says what is wrong and exits with 2 if there is none."""
    with explained(file, lang):
        found = read(content(file), GAMES, beside_file(file), beside)
        if not isinstance(found, Record):
            raise Unreadable("read_tally_import", line=2)
    return found


@contextmanager
def explained(file: str, lang: str, status: int = 2) -> Iterator[None]:
    """Say what is wrong with ``file`` if it is ``Unreadable``, and exit with ``status``."""
    try:
        yield
    except Unreadable as fault:
        click.echo(unreadable(file, fault, lang), err=True)
        sys.exit(status)


def beside_file(file: str) -> Find:
    """A function that reads a file beside ``file``; None for other folders and missing files."""

    def find(name: str) -> str | None:
        path = Path(file).with_name(name) if name == Path(name).name else None
        try:
            return text_of(path.read_bytes(), name) if path and path.is_file() else None
        except OSError:
            return None

    return find


def no_match(match: str) -> click.ClickException:
    """The error that the server has no such match."""
    return error(
        f"{match}：このゲームはありません。`referee export` が一覧を出します",
        f"{match}: no such match; `referee export` lists all",
    )


def unreadable(file: str, fault: Unreadable, lang: str) -> str:
    place = Path(file).with_name(fault.file) if fault.file else file
    says = book(fault.game or COMMON).says(fault.fact, fault.values, lang)
    return f"{place}:{fault.line}: {says}"
