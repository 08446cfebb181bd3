"""Projection of a match for statistics, computed from its log.

Points, places and winners are those of the game (``score``, ``outcome``). No names are kept: a seat
is its place in turn order (1-based); the store links seats to people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import NamedTuple

from referee.core.adjusting import by_seat
from referee.core.corrections import Amend, Decide, Insert, Rule, Strike, Together, Void
from referee.core.game import Feat, Game
from referee.core.generic import Entry, GameState
from referee.core.infractions import settled
from referee.core.log import Log
from referee.core.ranking import ranking
from referee.core.sheets import TableSheet, stopped
from referee.core.steps import Step, adjustments
from referee.core.verdict import Lacks, Seat, Unprovable
from referee.core.written import Points
from referee.evenings.table import counted, result
from referee.games import counted_as
from referee.store.statistics import (
    COUNTED,
    DECLARED,
    HUNDREDTHS,
    LUCK,
    WORD,
    DerivedRows,
    FeatRow,
    ResultRow,
)

NOBODY_LEFT: Mapping[Seat, int] = {}
BREAK_MS = 5 * 60_000
"""A longer pause than this is a break, not thinking."""


MILLION = 1_000_000
"""Probabilities are added up in millionths."""


def starter(log: Log) -> Seat | None:
    """Who began the first deal; None before the first play, or if its sheet does not say."""
    begun = log.game.HOOKS.starter
    for step in log.steps():
        if not step.took_effect:
            continue
        if isinstance(step.play, TableSheet):
            leaders = (line.words[0][0] for line in step.play.lines if line.key == "leader")
            return next(leaders, None)
        seat = begun(step.state) if begun else getattr(step.play, "seat", None)
        if seat is not None:
            return str(seat)
    return None


class Tick(NamedTuple):
    """The score after points were scored; ``deal``: the one to which the last of them belong."""

    deal: int
    totals: Mapping[Seat, Points]


def digest(log: Log, times: Sequence[str], since: Mapping[Seat, int] = NOBODY_LEFT) -> DerivedRows:
    """The digest of ``log``; ``times``: when each of its entries was recorded (ISO 8601).

    Points that can have decimals are whole hundredths in it.

    ``since``: the entry after which a seat passed to its present person. Plays before it count for
    nobody; points, place and win count for the present person.
    """
    outcome = log.game.outcome(log.state)
    sheet = log.game.score(log.state)
    seats, present = log.seats_at(log.state), log.present_at(log.state)
    proven = [*log.findings(), *(made.finding for made in settled(log, log.now))]
    found = {(finding.seat, finding.at) for finding in proven}
    revokes = Counter(seat for seat, at in found if at > since.get(seat, 0))
    own = [step for step in log.steps() if _is_own(step, since)]
    plays = Counter(step.play.seat for step in own)
    thought, adjusted = _thought(own, times), _adjusted(log)
    standing = log.in_force()
    made = [log.entries[seq - 1] for seq in standing]
    worth = counted(result(log), "beaten").points
    early = stopped(outcome)
    over = outcome is not None and not early
    scale = 100 if log.game.HOOKS.decimals else 1
    return DerivedRows(
        game=counted_as(log.game, log.table),
        entries=len(times),
        over=over,
        deals=log.state.deal,
        corrections=sum(map(_corrects, made)),
        rulings=sum(isinstance(entry, Rule) for entry in made),
        millis=_took(times),
        results=[
            ResultRow(
                place=seats.index(rank.seat) + 1,
                points=int(scale * rank.points),
                rank=rank.place,
                won=rank.won,
                revokes=revokes[rank.seat],
                plays=plays[rank.seat],
                millis=thought.get(rank.seat) if thought else None,
                adjusted=int(scale * adjusted[rank.seat]) if rank.seat in adjusted else None,
                beaten=int(2 * worth[rank.seat]) if rank.seat in worth else None,
            )
            for rank in ranking(present, sheet, outcome)
        ],
        feats=[*_feats(log, own, since)] if over else [],
        unit=log.game.HOOKS.unit(log.table) + HUNDREDTHS * log.game.HOOKS.decimals,
        stopped=early,
        by_sheet=any(step.by_sheet for step in log.steps()),
        team=outcome is not None and outcome.team,
    )


def _took(times: Sequence[str]) -> int | None:
    """Milliseconds from the first entry to the last; None if no times were recorded."""
    if not times or times[0] == times[-1]:
        return None
    first, last = (datetime.fromisoformat(times[i]) for i in (0, -1))
    return round((last - first).total_seconds() * 1000)


def _adjusted(log: Log) -> dict[Seat, Points]:
    """The sum of the adjustments in force of every seat that has some; partners share theirs."""
    teams, sums = log.game.HOOKS.teams(log.state), dict[Seat, Points]()
    for _, play in adjustments(log.now.step):
        for seat, points in by_seat(play, teams).items():
            sums[seat] = sums.get(seat, 0) + points
    return sums


def _corrects(entry: Entry) -> bool:
    """Whether it puts entries right; an undo, an objection or a vote does not."""
    if isinstance(entry, Decide):
        return entry.right
    return isinstance(entry, Amend | Strike | Insert | Together | Void)


def _is_own(step: Step, since: Mapping[Seat, int]) -> bool:
    """Whether a seat made this play, and already belonged to its present person."""
    seat = getattr(step.play, "seat", None)
    return seat is not None and step.seq > since.get(seat, 0)


def course(log: Log) -> list[Tick]:
    """The score after each trick, round or set that changed it; first 0 for every seat."""
    ticks = [Tick(1, dict.fromkeys(log.table.seats, 0))]
    before = _progress(log.game, log.start)
    for step in log.steps():
        reached = _progress(log.game, step.state)
        if reached != before or log.game.outcome(step.state):
            score = log.game.score(step.state)
            if score.totals != ticks[-1].totals:
                # not the state's deal: that of the next one may be the entry with which one ends
                deal = max((line.deal for line in score.lines), default=1)
                ticks.append(Tick(deal, score.totals))
        before = reached
    return ticks


def _progress(game: Game, state: GameState) -> tuple[int, int | None, object]:
    """A key that changes with every deal, trick, round or set."""
    return state.deal, game.HOOKS.trick(state), game.HOOKS.scored(state)


def _thought(own: Sequence[Step], times: Sequence[str]) -> dict[Seat, int]:
    """Milliseconds from the previous entry to each own one, by seat; breaks are left out."""
    if not times or times[0] == times[-1]:  # imported from a record, which has no times
        return {}
    at = [datetime.fromisoformat(time).timestamp() for time in times]
    spent: Counter[Seat] = Counter()
    for step in own:
        if step.seq > 1:
            pause = round((at[step.seq - 1] - at[step.seq - 2]) * 1000)
            spent[step.play.seat] += pause if 0 <= pause <= BREAK_MS else 0
    return dict(spent)


def _feats(log: Log, own: Sequence[Step], since: Mapping[Seat, int]) -> Iterator[FeatRow]:
    """The feats: counted kinds added up, every word, and the best of each other kind."""
    places = {seat: place for place, seat in enumerate(log.seats_at(log.state), 1)}
    counts: Counter[tuple[Seat, str, str]] = Counter()
    best: dict[tuple[Seat, str, str], Feat] = {}
    found = _led(log, own), _declared(own), _luck(log, own), _counted(log, since)
    for feat in chain(*found, log.game.HOOKS.feats(log.state)):
        if feat.kind in COUNTED:
            counts[feat.seat, feat.kind, feat.label] += feat.value
            continue
        one = feat.seat, feat.kind, feat.label if feat.kind == WORD else ""
        if one not in best or feat.value > best[one].value:
            best[one] = feat
    for (seat, kind, label), times in sorted(counts.items()):
        yield FeatRow(places[seat], kind, label, times)
    for feat in best.values():
        yield FeatRow(places[feat.seat], feat.kind, feat.label, feat.value)


def _led(log: Log, own: Sequence[Step]) -> Iterator[Feat]:
    """The cards that led tricks, one by one."""
    for step in own:
        card = log.game.HOOKS.led(log.before(step), step.play)
        if card is not None and step.took_effect:
            yield Feat(step.play.seat, "led", str(card), 1)


def _declared(own: Sequence[Step]) -> Iterator[Feat]:
    """The plays with which a seat declared something about its hand, one by one."""
    for step in own:
        premise = step.verdict.premise if isinstance(step.verdict, Unprovable) else None
        if isinstance(premise, Lacks) and step.took_effect:
            yield Feat(premise.seat, DECLARED, "", 1)


def _luck(log: Log, own: Sequence[Step]) -> Iterator[Feat]:
    """Three feats for each card drawn openly: the draw, its probability to be bad, if it was."""
    for step in own:
        drawn = log.game.HOOKS.luck(log.before(step), step.play)
        if drawn is None or not step.took_effect:
            continue
        likely, bad = drawn
        yield Feat(step.play.seat, LUCK, "drawn", 1)
        yield Feat(step.play.seat, LUCK, "likely", round(likely * MILLION))
        yield Feat(step.play.seat, LUCK, "bad", int(bad))


def _counted(log: Log, since: Mapping[Seat, int]) -> Iterator[Feat]:
    """What the game counts of each entry, for seats that already belonged to their people."""
    for step in log.steps():
        if step.took_effect:
            for feat in log.game.HOOKS.counted(log.before(step), step.play, step.state):
                if step.seq > since.get(feat.seat, 0):
                    yield feat
