"""Years of evenings: matches really played, with slips and their corrections, for tests and
measurements of the history.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random

from referee.core.log import Amend, Log, Rewind
from referee.core.record import Grammar, Header, print_header
from referee.core.verdict import Illegal, word_of
from referee.games import GAMES, ON_CARDS
from referee.games.simulation import player, table
from referee.store import Store, Stored
from referee.store.archive import Archive, ArchivedEvening, ArchivedMatch, ArchivedPerson, batches

SIX = ("あかね", "源五郎", "みどり子", "ほしの", "シホ", "北大路ロマネスク三世閣下")
START = datetime(2025, 1, 8, 10, 0, 0, 250_000, tzinfo=UTC)  # a Wednesday, 19 o'clock in Japan
AN_EVENING = 8
SLIPS = 0.02
LEFT_OPEN = 30  # one match in thirty is unfinished
SHORT = 32  # entries of a match of a large group, at most
BUSY_EVENING = 12
DIFFERENT = 3  # logs for a game and a number of seats; the seats change


def year(
    matches: int, people: Sequence[str] = SIX, seed: int = 0
) -> tuple[list[ArchivedPerson], list[ArchivedEvening], list[ArchivedMatch]]:
    """This number of matches by these people, eight an evening, in as many weeks as that takes.

    The games alternate, each at its largest table of these people first, so that all people meet.
    """
    chance = Random(seed)
    evenings: list[ArchivedEvening] = []
    played: list[ArchivedMatch] = []
    apart = timedelta(days=364) * AN_EVENING / max(matches, 1)
    for number in range(matches):
        if number % AN_EVENING == 0:
            began = START + apart * len(evenings)
            evenings.append(ArchivedEvening(stamp(began), "", ""))
            clock = began
        match, clock = _match(number, clock, evenings[-1].began, people, chance)
        played.append(match)
        clock += timedelta(minutes=chance.randint(2, 9))
    last = {name: match.opened for match in played for name in match.seats}
    return [ArchivedPerson(name, last[name], False) for name in sorted(last)], evenings, played


def keep(store: Store, circle: str, matches: int, seed: int = 0) -> list[ArchivedMatch]:
    """Store a year; answers its matches."""
    people, evenings, played = year(matches, seed=seed)
    archive = Archive(store, circle)
    archive.settle(people, evenings)
    for batch in batches(played, 100):
        archive.put(batch)
    return played


def large(matches: int, people: int = 60, seed: int = 0) -> Iterator[ArchivedMatch]:
    """Write ``matches`` short matches of ``people`` people, oldest first.

    Every evening has twelve matches, the last one a fiftieth of all.
    """
    chance = Random(seed)
    names = [f"{SIX[n % len(SIX)][:3]}{n}" for n in range(people)]
    logs = [
        log
        for rules in ON_CARDS.values()
        for seats in rules.SEATS
        if 2 <= seats <= len(SIX)
        for n in range(DIFFERENT)
        if len(log := slipped(rules.NAME, seats, n)) <= SHORT
    ]
    began = clock = START
    for number in range(matches):
        if number % BUSY_EVENING == 0 and number < matches - matches // 50:
            began = clock = START + timedelta(hours=10) * (number // BUSY_EVENING)
        log = logs[number % len(logs)]
        seats = tuple(chance.sample(names, len(log.table.seats)))
        match, _end = _recorded(number, log, len(log), seats, clock, stamp(began), chance)
        clock += timedelta(minutes=chance.randint(1, 5))
        yield match


def settle(archive: Archive, played: Sequence[ArchivedMatch]) -> None:
    """Store the people and evenings of matches that come in the order in which they were opened."""
    last = {name: match.opened for match in played for name in match.seats}
    evenings = dict.fromkeys(match.session for match in played if match.session)
    archive.settle(
        [ArchivedPerson(name, opened, False) for name, opened in sorted(last.items())],
        [ArchivedEvening(began, "", "") for began in evenings],
    )


def _match(
    number: int, clock: datetime, session: str, people: Sequence[str], chance: Random
) -> tuple[ArchivedMatch, datetime]:
    names = list(ON_CARDS)
    turn, place = divmod(number, len(names))
    game = GAMES[names[place]]
    sizes = [size for size in reversed(game.SEATS) if size <= len(people)]
    seats = tuple(chance.sample(people, sizes[turn % len(sizes)]))
    log = slipped(game.NAME, len(seats), turn % DIFFERENT)
    length = len(log) // 2 if (number + 1) % LEFT_OPEN == 0 else len(log)
    return _recorded(number, log, length, seats, clock, session, chance)


def _recorded(
    number: int,
    log: Log,
    length: int,
    seats: tuple[str, ...],
    clock: datetime,
    session: str,
    chance: Random,
) -> tuple[ArchivedMatch, datetime]:
    """The first entries of ``log`` as a match of ``seats``, and when it ended."""
    game = log.game
    header = Header(game.NAME, seats, {}, {"date": clock.date().isoformat()})
    opened = clock
    entries = []
    sits = dict(zip(log.table.seats, seats, strict=True))
    for seq, (line, said, clause) in enumerate(_lines(log)[:length], 1):
        clock += timedelta(seconds=chance.randint(2, 20))
        entries.append(
            Stored(
                seq, renamed(line, sits), f"year-{seq}", said, clause, game.VERSION, stamp(clock)
            )
        )
    text = "\n".join(print_header(header))
    return (
        ArchivedMatch(
            f"match-{number:06}", stamp(opened), session, text, {s: s for s in seats}, entries
        ),
        clock,
    )


@cache
def _lines(log: Log) -> list[tuple[str, str, str]]:
    """The entries of ``log`` as lines, each with the word and the clause of its verdict."""
    grammar = Grammar(log.game, log.table.seats)
    lines = []
    for seq, entry in enumerate(log.entries, 1):
        line, verdict = grammar.print(entry), log.moments[seq].verdict
        assert seq > 1 or grammar.print(grammar.parse(line)) == line
        lines.append((line, word_of(verdict), verdict.clause))
    return lines


def renamed(line: str, names: dict[str, str]) -> str:
    """``line`` with other seats; the placeholders occur as whole words only."""
    words = line.split(" ")
    for i, token in enumerate(words):
        key, sign, value = token.rpartition("=")
        words[i] = f"{key}{sign}{names.get(value, value)}"
    return " ".join(words)


@cache
def slipped(game: str, seats: int, seed: int) -> Log:
    """A match from real hands with occasional wrong taps, which are corrected."""
    rules = GAMES[game]
    log = Log(rules, table(rules, [f"seat{n}" for n in range(seats)]))
    chance = Random(f"{game} {seats} {seed}")
    for entry in player(game)(log, chance, 0.03, 0):
        wrong = _slip(log, entry, chance) if chance.random() < SLIPS else None
        if wrong is None:
            log.push(entry)
            continue
        before = len(log)
        log.push(wrong)
        if chance.random() < 0.5:
            log.push(Rewind(before))
            log.push(entry)
        else:
            log.push(Amend(before + 1, entry))
    return log


def _slip(log: Log, entry: object, chance: Random) -> object | None:
    """Another play that the referee would not refuse."""
    others = [
        play
        for play in log.game.candidates(log.state)
        if play != entry and not isinstance(log.game.judge(log.state, play), Illegal)
    ]
    return chance.choice(others) if others else None


def stamp(moment: datetime) -> str:
    """A time as the store has it."""
    return moment.isoformat(timespec="milliseconds")


def lines(matches: Sequence[ArchivedMatch]) -> Iterator[str]:
    """All entry lines, for counts that know nothing of digests."""
    for match in matches:
        yield from (entry.line for entry in match.entries)
