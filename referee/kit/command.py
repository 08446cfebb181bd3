"""``referee game``: checks, plays and begins game files, and prints their reference."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random

import click

from referee.core.log import Log
from referee.core.verdict import Illegal
from referee.games.simulation import player, room_of, table
from referee.kit import beginning
from referee.kit.check import check
from referee.kit.game import KitGame, seat_names
from referee.kit.notes.written import Note
from referee.kit.reference import markdown
from referee.rulings import COMMON, book
from referee.rulings.sentences import wrong_option
from referee.upkeep.language import in_one, language

LONGEST = 20_000  # entries of a match, at most


@click.group()
def game() -> None:
    """Check and play a game that is written as one file."""


@game.command("check")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@language
def check_command(file: Path, lang: str) -> None:
    """Print each fault of a game file as FILE:LINE:COLUMN and a sentence.

    Lines with “note:” are notes, not faults. Exit status 0: no fault; 1: at least one.
    """
    found, notes = check(file.read_bytes())
    for note in notes:
        click.echo(f"{file}:{note.wrong.line}:{note.wrong.column}: {sentence(note, lang)}")
    if found is not None:
        click.echo(f"{found.KEY}  kit: {found.hash}")
    sys.exit(any(not note.only_note for note in notes))


@game.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--seats", type=click.IntRange(1, 100), help="Number of players.  [default: the fewest]"
)
@click.option(
    "--games",
    "--matches",
    "matches",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Games to play.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="The same seed plays the same games."
)
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="A house rule.")
@language
def play(
    file: Path, seats: int | None, matches: int, seed: int, options: tuple[str, ...], lang: str
) -> None:
    """Play random games of a game file.

    The command prints wins, points and how often each score was given.
    """
    found, notes = check(file.read_bytes(), quick=True)
    if found is None or any(not note.only_note for note in notes):
        for note in notes:
            click.echo(f"{file}:{note.wrong.line}: {sentence(note, lang)}", err=True)
        sys.exit(1)
    chosen = {key: value for key, _, value in (each.partition("=") for each in options)}
    count = seats or found.SEATS[0]
    for key, value in chosen.items():
        if fault := wrong_option(found.OPTIONS, key, value, lang):
            raise click.UsageError(f"--option {key}: {fault}")
    if count not in found.SEATS:
        fewest, most = found.SEATS[0], found.SEATS[-1]
        ja, en = f"{fewest}人から{most}人まで", f"{fewest} to {most} players"
        if fewest == most:
            ja, en = f"{most}人用", f"{most} players"
        raise click.UsageError(
            in_one(
                f"--seats {count}：このゲームは{ja}です",
                f"--seats {count}: the game is for {en}",
                lang,
            )
        )
    label = in_one(f"{matches:,}ゲーム", f"{matches:,} games", lang)
    numbers = range(matches)
    with click.progressbar(numbers, label=label, file=sys.stderr, show_pos=True) as bar:
        lines = simulated(found, count, bar, seed, chosen, lang)
    for line in lines:
        click.echo(line)


@game.command()
@language
def docs(lang: str) -> None:
    """Print the reference of game files as Markdown."""
    click.echo(markdown(lang), nl=False)


@game.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@language
def new(file: Path, lang: str) -> None:
    """Ask questions and write a game file.

    FILE must not exist yet.
    """
    if file.exists():
        raise click.UsageError(
            in_one(f"{file}：このファイルはもうあります", f"{file}: the file exists already", lang)
        )
    if not file.absolute().parent.is_dir():
        raise click.UsageError(
            in_one(f"{file}：フォルダーがありません", f"{file}: its folder does not exist", lang)
        )
    answers: dict[str, str] = {}
    for question in beginning.QUESTIONS:
        if question.only_if is None or answers.get(question.only_if[0]) in question.only_if[1]:
            answers[question.key] = _asked(question, lang)
    text = beginning.written(answers)
    file.write_text(text, encoding="utf-8")
    for note in check(text.encode(), quick=True)[1]:
        click.echo(f"{file}:{note.wrong.line}:{note.wrong.column}: {sentence(note, lang)}")
    click.echo(f"{file}\nreferee game check {file}\nreferee game play {file}")


def _asked(question: beginning.AskedQuestion, lang: str) -> str:
    """The answer to a question; choices are answered by number."""
    text = question.text.in_(lang)
    if not question.choices:
        return _typed(text, question, lang)
    for number, choice in enumerate(question.choices, 1):
        click.echo(f"  {number}  {choice.text.in_(lang)}")
    number = click.prompt(text, type=click.IntRange(1, len(question.choices)), default=1)
    return question.choices[number - 1].value


def _typed(text: str, question: beginning.AskedQuestion, lang: str) -> str:
    while True:
        said = str(click.prompt(text, default=question.default or None)).strip()
        if question.pattern.fullmatch(said):
            return said
        click.echo(question.allowed.in_(lang))


def sentence(note: Note, lang: str) -> str:
    """A fault as a sentence, with its key if the sentence does not name it."""
    wrong = note.wrong
    words = book(COMMON).says(wrong.fact, wrong.values, lang)
    if note.table is not None:
        chosen = [f"{name}.{value}" for name, value in note.table.chosen.items()]
        values = {"options": chosen, "n": len(note.table.seats), "says": words}
        fact = "kit_with_options" if chosen else "kit_with_seats"
        words = book(COMMON).says(fact, values, lang)
    named = words if not wrong.path or wrong.path in words else f"{wrong.path}: {words}"
    if not note.only_note:
        return named
    return f"注意：{named}" if lang == "ja" else f"note: {named}"


def simulated(
    found: KitGame,
    count: int,
    numbers: Iterable[int],
    seed: int,
    options: dict[str, str],
    lang: str,
) -> list[str]:
    """The lines that ``play`` prints: counts, then each seat, then each term of the score."""
    seats = seat_names(count)
    wins: Counter[str] = Counter()
    points: Counter[str] = Counter()
    terms: Counter[str] = Counter()
    matches = deals = unfinished = 0
    for number in numbers:
        matches += 1
        log = Log(found, table(found, seats, **options))
        for entry in player(room_of(found))(log, Random(f"{seed} {number}"), 0, 0):
            no_legal_entry = isinstance(log.push(entry), Illegal)
            if no_legal_entry or len(log) >= LONGEST:
                break
        ended = found.outcome(log.state)
        unfinished += ended is None
        wins.update(ended.winners if ended else ())
        deals += log.state.deal
        sheet = found.score(log.state)
        points.update(sheet.totals)
        terms.update(line.clause for line in sheet.lines)
    played, length = f"{matches:,}", f"{deals / matches:.2f}"
    rows = [
        in_one(
            f"{played}ゲーム　1ゲームの配札 {length}　終わらなかったゲーム {unfinished}",
            f"{played} {'game' if matches == 1 else 'games'}, {length} deals each,"
            f" {unfinished} unfinished",
            lang,
        )
    ]
    for seat in seats:
        mean = f"{points[seat] / matches:.2f}".replace("-", "−")
        ja, en = f"平均 {mean}点", f"{mean} points on average"
        rows.append(
            in_one(f"{seat}　{wins[seat]}勝　{ja}", f"{seat}: wins {wins[seat]}, {en}", lang)
        )
    for term, number in sorted(terms.items()):
        rows.append(in_one(f"{term}　{number}回", f"{term}: scored {number} times", lang))
    return rows
