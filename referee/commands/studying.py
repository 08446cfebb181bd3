"""``referee review``, ``protocol``, ``proof`` and ``simulate``."""

from __future__ import annotations

import json
import os
import sys
from contextlib import closing
from pathlib import Path

import click

from referee.commands.given import ID_WITH_DASH, beside_file, explained, no_match
from referee.core.game import Find
from referee.core.record import read
from referee.games import GAMES
from referee.kit.shipped import beside
from referee.upkeep import commands
from referee.upkeep.files import CannotRead, content
from referee.upkeep.language import error, in_one, language


@click.command()
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

    with explained(file, lang):
        record = read(content(file), GAMES, beside_file(file), beside)
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


@click.command(context_settings=ID_WITH_DASH)
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
    source, find = (content(match), beside_file(match)) if given else _stored(match)
    with explained(match, lang):
        record = read(source, GAMES, find, beside)
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

    with closing(commands.opened()) as store:
        try:
            texts = records.files_beside(store, match)
            return records.export(store, match).encode(), texts.get
        except NoSuchMatch:
            raise no_match(match) from None


@click.command()
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


@click.command()
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
