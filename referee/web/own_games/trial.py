"""Trying a game file on a table's pad; the entries so far are in the address.

Nothing is stored, so a trial costs nothing, and the browser's back button undoes an entry.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from random import Random
from typing import NamedTuple, cast
from zlib import compress, decompressobj, error

from referee.core.log import Log
from referee.core.record import Grammar, Header, Unreadable
from referee.core.steps import Step
from referee.core.verdict import Illegal, Legal, Seat, word_of
from referee.core.written import Points
from referee.games.simulation import player, room_of, table
from referee.http import language
from referee.kit.game import KitGame, seat_names
from referee.ledger import Answer, View
from referee.rulings import book_of, sentences

MOST = 120  # entries of a random deal, at most
LIES = 0.1  # chance of a lie, so that false declarations and their consequences occur
LONGEST, LINES = 20_000, 400  # bytes of an unpacked part of an address; entries of a trial
IN_ADDRESS = 4_000  # characters of a packed file in an address; proxies accept some 8,000 in all


class TrialEntry(NamedTuple):
    """An entry: its number, its line in a record, the word of its verdict, and the sentences."""

    seq: int
    line: str
    word: str
    says: str


class Trial(NamedTuple):
    """The result of a trial.

    ``found``: (entry, sentences) of each proven revoke; ``points``: (seat, total, arithmetic).
    """

    entries: list[TrialEntry]
    found: list[tuple[int, str]]
    points: list[tuple[Seat, Points, str]]


def packed(lines: Sequence[str]) -> str:
    """Entries, or the lines of a file, compressed for an address; "" for none."""
    return urlsafe_b64encode(compress("\n".join(lines).encode())).decode() if lines else ""


def unpacked(played: str) -> list[str]:
    """The entries in a part of an address; raises ``ValueError`` if it is invalid."""
    if not played:
        return []
    lines = file_in(played).split("\n")
    if len(lines) > LINES:
        raise ValueError(played)
    return lines


def file_in(encoded: str) -> str:
    """The text in a part of an address: the inverse of ``packed``, with line breaks.

    Raises ``ValueError`` if the part is invalid, or longer than ``LONGEST`` bytes when unpacked.
    """
    try:
        unpacking = decompressobj()
        text = unpacking.decompress(urlsafe_b64decode(encoded), LONGEST)
    except error as fault:
        raise ValueError(encoded) from fault
    if unpacking.unconsumed_tail or not unpacking.eof:
        raise ValueError(encoded)
    return text.decode()


def seats_of(game: KitGame) -> tuple[Seat, ...]:
    """The seats of a trial: four if the game allows it, else its lowest number."""
    return seat_names(4 if 4 in game.SEATS else game.SEATS[0])


def view(game: KitGame, lines: Sequence[str]) -> View:
    """The table after these entries; raises ``ValueError`` if one is impossible."""
    seats = seats_of(game)
    log, grammar = Log(game, table(game, seats)), Grammar(game, seats)
    for line in lines:
        try:
            entry = grammar.parse(line)
        except Unreadable as fault:
            raise ValueError(line) from fault
        if not isinstance(entry, game.PLAYS) or isinstance(log.push(entry), Illegal):
            raise ValueError(line)
    return View("", Header(game.KEY, seats, own=game), log, grammar, len(log), log.now)


def answer(now: View, line: str) -> Answer:
    """The answer to one more line; raises ``Unreadable``."""
    play = now.grammar.parse(line)
    if not isinstance(play, now.game.PLAYS):  # a correction, a sheet, the end of a match
        subject, verb = line.split()[:2]
        raise Unreadable("read_verb", subject=subject, verb=verb)
    verdict = now.game.judge(now.state, play)
    return Answer(now, verdict, None if isinstance(verdict, Illegal) else now.seq + 1)


def by_chance(now: View) -> list[str]:
    """Random legal lines up to the end of the trick, or of the phase before the tricks.

    With a chance of ``LIES``, and where nothing else is possible, a line declares something about
    the hand.
    """
    rng, lines = Random(), list[str]()
    first = state = now.state
    game, seats = cast(KitGame, now.game), now.header.seats
    while len(lines) < 4 * len(seats) and not game.outcome(state):
        verdicts = [(play, game.judge(state, play)) for play in game.candidates(state)]
        legal = [play for play, verdict in verdicts if isinstance(verdict, Legal)]
        declares = [p for p, v in verdicts if not isinstance(v, Legal | Illegal)]
        if not legal or (declares and rng.random() < LIES):
            legal = declares
        if not legal:
            break
        play = rng.choice(legal)
        lines.append(now.grammar.print(play))
        state = game.apply(state, play)
        if game.rests(first, state):
            break
    return lines


def trial(game: KitGame) -> Trial:
    """The first deal of ``game``, played at random, with occasional lies.

    It ends early where no entry is legal: such a file can pass the quick check.
    """
    log = Log(game, table(game, seats_of(game)))
    for entry in player(room_of(game))(log, Random(), LIES, 0):
        if isinstance(game.judge(log.state, entry), Illegal):  # no bid is allowed any more
            break
        log.push(entry)
        if len(log) >= MOST or game.dealt_out(log.state):
            break
    return as_trial(log, game)


def as_trial(log: Log, game: KitGame) -> Trial:
    """The verdict on each entry, the findings, and the points."""
    rules, lang, grammar = book_of(game), language.current(), Grammar(game, log.table.seats)

    def said(step: Step) -> TrialEntry:
        facts = sentences.evidence(step.verdict, step, rules, lang)
        line = grammar.print(step.play)
        return TrialEntry(step.seq, line, word_of(step.verdict), sentences.says(facts, lang))

    found = []
    for finding in log.findings():
        facts = sentences.finding(finding, rules, lang)
        found.append((finding.at, sentences.says(facts, lang, most=len(facts))))
    points, sheet = [], game.score(log.state)
    for seat, total in sheet.totals.items():
        whys = [
            sentences.says(sentences.in_sentences(line.evidence, rules, lang), lang)
            for line in sheet.lines
            if line.seat == seat
        ]
        points.append((seat, total, (" " if lang == "en" else "　").join(whys[:8])))
    return Trial([said(step) for step in log.steps()], found, points)
