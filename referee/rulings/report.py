"""The JSON answer of ``referee judge``, as defined by the record format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from referee.core import adjusting
from referee.core.adjusting import Adjust
from referee.core.agreeing import result
from referee.core.book import Book
from referee.core.corrections import NO_PLAYS
from referee.core.game import TABLE, Game, Line, ScoreSheet, SheetLines
from referee.core.log import Log
from referee.core.naming import facts_then, names_then
from referee.core.record import FormerPlayer, Grammar, Header, Record, TallyFile, Unreadable
from referee.core.record.text import at_line
from referee.core.steps import Step, adjustments, steps
from referee.core.verdict import Facts, Illegal, Outcome, Seat, Verdict, word_of
from referee.core.written import as_json, whole
from referee.games import game_of
from referee.rulings import book, book_of
from referee.rulings.sentences import (
    MOST,
    Sentence,
    brought_about,
    carrying,
    gathered,
    in_sentences,
    says,
)

ADJUST = "adjust"
"""The key of the adjustments in a tally sheet."""


def report(source: Record | TallyFile, lang: str) -> dict[str, Any]:
    """The answer to a record or a tally sheet, ready for JSON; sentences in ``lang``.

    Raises ``Unreadable`` for a tally sheet whose lines can't be read.
    """
    return _tallied(source, lang) if isinstance(source, TallyFile) else _replayed(source, lang)


def stands(answer: dict[str, Any]) -> bool:
    """Whether no illegal entry is in force, apart from those that the table accepted."""
    return all(row["verdict"] != "illegal" or "ruled" in row for row in answer["entries"])


def replay(record: Record) -> Log:
    """The log of a record."""
    game = game_of(record.header)
    log = Log(game, record.header.table(game))
    for written in record.entries:
        log.push(written.entry)
    return log


def _replayed(record: Record, lang: str) -> dict[str, Any]:
    log, rules = replay(record), book_of(game_of(record.header))
    told = _Teller(rules, lang, _gone(record.header))
    in_force = log.in_force()
    played = {step.seq: step for step in steps(log.now.step)}
    grammar = Grammar(log.game, record.header.seats)
    rows = []
    for seq, written in enumerate(record.entries, 1):
        verdict, last = _verdict(log, seq, in_force, played)
        step = played.get(seq) if seq in in_force else None
        row: dict[str, Any] = {"seq": seq, "text": written.text}
        if then := told.player(getattr(written.entry, "seat", ""), seq):
            row["player"] = then
        if step is None or step.play == written.entry:
            row |= _of_play(log, verdict, last, step, told, seq)
        elif isinstance(written.entry, NO_PLAYS):  # a play that this correction inserted
            row |= _opinion(verdict, last, (), told, seq)
            inserted = _of_play(log, step.verdict, step, step, told, seq)
            row["inserted"] = {"text": grammar.print(step.play), **inserted}
            row |= log.game.HOOKS.answered(log.before(step), step.play)
        else:
            row["now"] = grammar.print(step.play)
            row |= _of_play(log, verdict, last, step, told, seq)
        if step is not None and step.ruled is not None:
            row["ruled"] = step.ruled
        rows.append(row)
    findings = []
    for found in log.findings():
        sentences = told.sentences(gathered(found.evidence), found.at)
        then = told.player(found.seat, found.at)
        findings.append(
            {
                "clause": found.clause,
                "seat": found.seat,
                **({"player": then} if then else {}),
                "seq": found.at,
                "proof": list(found.proof),
                "says": says(sentences, lang, most=len(sentences)),
            }
        )
    state = log.state
    return {
        "referee": 1,
        "game": record.header.game,
        "seats": list(log.seats_at(state)),
        "entries": rows,
        "findings": findings,
        "to_act": list(log.game.to_act(state)),
        "score": _score(log.game.score(state)),
        "outcome": _ended(log.game.outcome(state), rules, lang),
        "public": log.game.public(state),
        **_adjustments(log),
        **({"agreed": list(agreed(log))} if log.agreements() else {}),
    }


def _adjustments(log: Log) -> dict[str, Any]:
    """What the table has adjusted; nothing if it has not."""
    rows = [
        {
            "seq": seq,
            "points": {seat: as_json(points) for seat, points in play.points},
            "because": play.reason,
        }
        for seq, play in adjustments(log.now.step)
    ]
    return {"adjustments": rows} if rows else {}


def agreed(log: Log) -> tuple[Seat, ...]:
    """The seats that agree with the result as it is and object to nothing, in seat order."""
    counting = log.agreeing_with(result(log.game, log.state))
    objecting = {one.contest.seat for one in log.open_contests()}
    seats = log.seats_at(log.state)
    return tuple(seat for seat in seats if seat in counting and seat not in objecting)


def _score(sheet: ScoreSheet) -> dict[Seat, int | float]:
    return {seat: as_json(points) for seat, points in sheet.totals.items()}


class _Teller(NamedTuple):
    """Puts facts into sentences; ``gone``: the former players of seats."""

    rules: Book
    lang: str
    gone: Mapping[Seat, Sequence[FormerPlayer]]

    def sentences(self, facts: Facts, seq: int) -> list[Sentence]:
        """``facts`` about entry ``seq``, with the names of those who had the seats then."""
        then = facts_then(self.gone, facts, seq, self._somebody)
        return in_sentences(then, self.rules, self.lang)

    def player(self, seat: Seat, seq: int) -> str:
        """Who had ``seat`` at entry ``seq``; "" for the one who has it at the end."""
        return names_then(self.gone, seq, self._somebody).get(seat, "")

    @property
    def _somebody(self) -> str:
        return "だれか" if self.lang == "ja" else "someone"


def _gone(header: Header) -> dict[Seat, list[FormerPlayer]]:
    found: dict[Seat, list[FormerPlayer]] = {}
    for one in header.former:
        found.setdefault(one.seat, []).append(one)
    return found


def _of_play(
    log: Log, verdict: Verdict | None, last: Step | None, step: Step | None, told: _Teller, seq: int
) -> dict[str, Any]:
    """The verdict on entry ``seq``, and what its play ``step``, if it is one in force, has
    changed.
    """
    said = _opinion(verdict, last, brought_about(log, step), told, seq)
    if step is not None:
        said |= log.game.HOOKS.answered(log.before(step), step.play)
    return said


def _verdict(
    log: Log, seq: int, in_force: set[int], played: dict[int, Step]
) -> tuple[Verdict | None, Step | None]:
    """The present verdict on entry ``seq``, and the last step that its evidence can refer to.

    Both are None if the entry was undone. For a correction the step is the newest of its timeline.
    """
    entry, step = log.entries[seq - 1], played.get(seq)
    if seq not in in_force:
        return None, None
    if not isinstance(entry, NO_PLAYS):
        return (step.verdict, step) if step else (None, None)
    if step and isinstance(step.verdict, Illegal):
        return step.verdict, step
    verdict = log.moments[seq].verdict
    located = any(fact.at is not None for fact in verdict.evidence)
    return verdict, log.moment(seq).step if located else None


def _opinion(
    verdict: Verdict | None, last: Step | None, effect: Facts, told: _Teller, seq: int
) -> dict[str, Any]:
    """The verdict on entry ``seq`` with its sentences, followed by those about what the play has
    changed.
    """
    if verdict is None:
        return {"verdict": None, "clause": None, "says": "", "evidence": []}
    sentences = told.sentences(carrying(verdict, last), seq)
    changed = told.sentences(effect, seq)
    return {
        "verdict": word_of(verdict),
        "clause": verdict.clause,
        "says": says([*sentences[:MOST], *changed], told.lang, most=MOST + len(changed)),
        "evidence": [_fact(sentence) for sentence in (*sentences, *changed)],
    }


def _fact(sentence: Sentence) -> dict[str, object]:
    return {"fact": sentence.text, "seq": sentence.seq}


def _ended(ended: Outcome | None, rules: Book, lang: str) -> dict[str, Any] | None:
    if ended is None:
        return None
    sentences = in_sentences(ended.evidence, rules, lang)
    return {
        "winners": list(ended.winners),
        **({"losers": list(ended.losers)} if ended.losers else {}),
        "clause": ended.clause,
        "says": says(sentences, lang, most=len(sentences)),
    }


def _adjusted(game: Game, sheet: TallyFile) -> tuple[SheetLines, list[Adjust]]:
    """The lines of a sheet without its adjustments, and these; raises ``Unreadable``."""
    table, lines = sheet.header.table(game), dict(sheet.lines)
    if ADJUST in table.seats or not adjusting.possible(game, table):
        return lines, []
    reads = Grammar(game, table.seats)
    return lines, [
        cast(Adjust, at_line(number, reads.parse, f"{TABLE} {ADJUST} {text}"))
        for number, text in lines.pop(ADJUST, ())
    ]


def _lines_of(adjusted: Iterable[Adjust]) -> Iterator[Line]:
    """The arithmetic of the adjustments of a sheet."""
    for play in adjusted:
        for seat, points in play.points:
            yield adjusting.line(seat, points, play, 1)


def _tallied(sheet: TallyFile, lang: str) -> dict[str, Any]:
    game = game_of(sheet.header)
    rules = book(sheet.header.game)
    assert game.HOOKS.tally is not None  # otherwise the header would have been refused
    lines, adjusted = _adjusted(game, sheet)
    points = Counter[Seat]()
    for play in adjusted:
        points.update({seat: whole(given) for seat, given in play.points})
    try:
        tally = game.HOOKS.tally(sheet.header.table(game), lines, sheet.end, points)
    except Unreadable as fault:
        fault.game = sheet.header.game
        raise
    return {
        "referee": 1,
        "game": sheet.header.game,
        "seats": list(sheet.header.seats),
        "entries": [],
        "findings": [],
        "to_act": [],
        "score": _score(tally.sheet),
        "outcome": _ended(tally.outcome, rules, lang),
        "public": {},
        "arithmetic": [
            {
                "seat": line.seat,
                "points": as_json(line.points),
                "clause": line.clause,
                "says": says(in_sentences(line.evidence, rules, lang), lang),
            }
            for line in (*tally.sheet.lines, *_lines_of(adjusted))
        ],
        **tally.more,
    }
