"""``referee seating`` and ``referee standings``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from typing import TypeVar

import click

from referee.tonight.lines import seating_lines, standing_lines
from referee.tonight.proposal import Proposal
from referee.tonight.reading import Faulty
from referee.tonight.seating import seating as search
from referee.tonight.seating_file import read_call
from referee.tonight.standing import standing
from referee.tonight.standings_file import read_tonight, standing_as_json
from referee.upkeep.files import content
from referee.upkeep.language import in_one, language

Read = TypeVar("Read")


@click.command()
@click.argument("file", type=click.Path())
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="The same seed makes the same proposal.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@language
def seating(file: str, seed: int, as_json: bool, lang: str) -> None:
    """Propose who sits at which table in each round.

    FILE names people, tables, rounds and wishes; "-" reads standard input.

    Exit status 0: every wish holds; 1: at least one does not; 2: FILE cannot be used.
    """
    call = _read(file, read_call, lang)
    found = Proposal(call, seed, search(call, seed))
    _print(found.as_json() if as_json else seating_lines(found, lang))
    sys.exit(1 if found.broken else 0)


@click.command()
@click.argument("file", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@language
def standings(file: str, as_json: bool, lang: str) -> None:
    """Print who leads after the rounds of a session.

    FILE names people and the places at each table; "-" reads standard input. Each sum follows line
    by line.

    Exit status 0: printed; 2: FILE cannot be used.
    """
    tonight = _read(file, read_tonight, lang)
    rows = standing(tonight)
    _print(standing_as_json(tonight, rows) if as_json else standing_lines(tonight, rows, lang))


def _read(file: str, read: Callable[[bytes], Read], lang: str) -> Read:
    """The content of a file; a fault ends the command with exit status 2."""
    try:
        return read(content(file))
    except Faulty as fault:
        said = in_one(fault.ja, fault.en, lang)
        path = " ".join(fault.path.split())
        click.echo(f"{file}: {path}: {said}", err=True)
        sys.exit(2)


def _print(answer: dict[str, object] | Iterable[str]) -> None:
    if isinstance(answer, dict):
        click.echo(json.dumps(answer, ensure_ascii=False, indent=1).encode())
    else:
        click.echo("\n".join(answer).encode())
