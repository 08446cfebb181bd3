"""``referee judge`` and ``referee evening``."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from referee.commands.given import beside_file, explained, record_in
from referee.core.record import read
from referee.evenings.table import By
from referee.games import GAMES
from referee.kit.shipped import beside
from referee.rulings.report import report, stands
from referee.upkeep.files import content
from referee.upkeep.language import in_one, language

MARKS = {
    "ja": {"legal": "○", "illegal": "×", "unprovable": "△", None: "－"},
    "en": {"legal": "✓", "illegal": "✕", "unprovable": "?", None: "-"},
}


@click.command()
@click.argument("file", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@language
def judge(file: str, as_json: bool, lang: str) -> None:
    """Judge a saved record again and print each verdict with its rule.

    FILE is a record or a tally sheet; "-" reads standard input.

    Exit status 0: no illegal entry is in force; 1: at least one is; 2: FILE cannot be read; 3: an
    error in the program, so there is no verdict.
    """
    with explained(file, lang):
        answer = report(read(content(file), GAMES, beside_file(file), beside), lang)
    if as_json:
        click.echo(json.dumps(answer, ensure_ascii=False, indent=1).encode())
    else:
        click.echo("\n".join(_lines(answer, lang)).encode())
    sys.exit(0 if stands(answer) else 1)


@click.command()
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
        found = [answer.counted_file(file, record_in(file, lang)) for file in files]
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
