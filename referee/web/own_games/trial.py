"""A game file tried on screen: its first deal, by chance, and what the referee says to it."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from referee.core.log import Log, Step
from referee.core.record import Grammar
from referee.core.verdict import Illegal, Seat
from referee.games.kit.loading import KitGame, seat_names
from referee.games.kit.player import entries
from referee.games.kit.state import BETWEEN, State
from referee.games.simulation import table
from referee.rulings import sentences
from referee.rulings.of_files import book_of
from referee.web.http import language

MOST = 120  # entries that are shown
LIES = 0.1  # so that declarations are seen, and what comes of them


class TrialEntry(NamedTuple):
    """An entry: its number, its line in a record, the verdict's word, and the sentences."""

    seq: int
    line: str
    word: str
    says: str


class Trial(NamedTuple):
    """What happened. ``found``: the sentences of each revoke that was proven, and its entry;
    ``points``: seat, total, and how it came about.
    """

    entries: list[TrialEntry]
    found: list[tuple[int, str]]
    points: list[tuple[Seat, int, str]]


def trial(game: KitGame) -> Trial:
    """The first deal for the fewest players, but four where the game is for four."""
    seats = seat_names(4 if 4 in game.SEATS else game.SEATS[0])
    log = Log(game, table(game, seats))
    for entry in entries(log, Random(), LIES, 0):
        if not isinstance(game.judge(log.state, entry), Illegal):
            log.push(entry)
        state: State = log.state
        if len(log) >= MOST or (state.phase == BETWEEN and state.deal):
            break
    return _as_trial(log, game)


def _as_trial(log: Log, game: KitGame) -> Trial:
    rules, lang, grammar = book_of(game), language.current(), Grammar(game, log.table.seats)

    def said(step: Step) -> TrialEntry:
        facts = sentences.evidence(step.verdict, step, rules, lang)
        line = grammar.print(step.play)
        return TrialEntry(step.seq, line, sentences.word(step.verdict), sentences.says(facts, lang))

    found = []
    for finding in log.findings():
        facts = sentences.finding(finding, rules, lang)
        found.append((finding.at, sentences.says(facts, lang, most=len(facts))))
    points = []
    for seat, total in game.score(log.state).totals.items():
        lines = [line for line in game.score(log.state).lines if line.seat == seat]
        whys = [
            sentences.says(sentences.in_sentences(line.evidence, rules, lang), lang)
            for line in lines
        ]
        points.append((seat, total, (" " if lang == "en" else "　").join(whys[:8])))
    return Trial([said(step) for step in log.steps()], found, points)
