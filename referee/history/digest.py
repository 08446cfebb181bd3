"""What a match comes to for the statistics: one value, folded from its log.

Points, places and winners are the game's own (``score``, ``outcome``); nothing is counted anew.
No name is kept: seats are told by their place in turn order (1-based), people belong to the store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import product
from typing import Any, NamedTuple

from referee.core.corrections import CORRECTIONS, Rule
from referee.core.log import Log, Step
from referee.core.ranking import ranking
from referee.core.verdict import Seat
from referee.games import jukugo_line
from referee.games.families.must_not_follow import Lay
from referee.games.pairs_daifugo import Lay as LayAlike
from referee.games.trumps import Lay as LayPair
from referee.jukugo import library
from referee.jukugo.equipment import Kit
from referee.jukugo.formations import Formation, Kind

BREAK_MS = 5 * 60_000
"""A longer pause than this is a break, not thinking."""


class SeatDigest(NamedTuple):
    """What one seat did; ``millis``: time over its ``plays``, None where no clock ran."""

    place: int
    points: int
    rank: int
    won: bool
    revokes: int
    plays: int
    millis: int | None


class Feat(NamedTuple):
    """Something worth remembering of a seat: ``led`` (the card, how often), ``formation`` (its
    kind, how often), ``run``, ``trick``, ``set`` (what it was, its points or length), ``word``
    (the rarest, how rare).
    """

    place: int
    kind: str
    label: str
    value: int


class Digest(NamedTuple):
    """A match in numbers, as it stands after its last entry; no feats before it is over."""

    over: bool
    deals: int
    corrections: int
    rulings: int
    seats: tuple[SeatDigest, ...]
    feats: tuple[Feat, ...]


class Tick(NamedTuple):
    """The score when something has been scored or a trick is over."""

    deal: int
    totals: Mapping[Seat, int]


def digest(log: Log, times: Sequence[str]) -> Digest:
    """The numbers of ``log``; ``times``: when each of its entries was told (ISO 8601)."""
    outcome = log.game.outcome(log.state)
    sheet = log.game.score(log.state)
    seats = log.table.seats
    revokes = Counter(finding.seat for finding in log.findings())
    plays = Counter(step.play.seat for step in log.steps() if hasattr(step.play, "seat"))
    thought = _thought(log, times)
    standing = log.in_force()
    kinds = [type(log.entries[seq - 1]) for seq in standing]
    return Digest(
        outcome is not None,
        getattr(log.state, "deal", 0),
        sum(kind in CORRECTIONS and kind is not Rule for kind in kinds),
        kinds.count(Rule),
        tuple(
            SeatDigest(
                seats.index(rank.seat) + 1,
                rank.points,
                rank.place,
                rank.won,
                revokes[rank.seat],
                plays[rank.seat],
                thought.get(rank.seat) if thought else None,
            )
            for rank in ranking(seats, sheet, outcome)
        ),
        tuple(_feats(log)) if outcome else (),
    )


def course(log: Log) -> list[Tick]:
    """The score from trick to trick, as far as tricks change it; first nothing for everybody."""
    ticks = [Tick(1, dict.fromkeys(log.table.seats, 0))]
    place = _place(log.start)
    for step in log.steps():
        reached = _place(step.state)
        if reached != place or log.game.outcome(step.state):
            totals = log.game.score(step.state).totals
            if totals != ticks[-1].totals:
                ticks.append(Tick(step.state.deal, totals))
        place = reached
    return ticks


def _place(state: Any) -> tuple[Any, ...]:
    """What changes with every trick, round or set."""
    number = getattr(state, "number", getattr(state, "round", None))
    return state.deal, number, len(getattr(state, "sets", ()))


def _thought(log: Log, times: Sequence[str]) -> dict[Seat, int]:
    """Milliseconds between the entry before and the own one, seat by seat; breaks left out."""
    if not times or times[0] == times[-1]:  # taken in from a record, which has no clock
        return {}
    at = [datetime.fromisoformat(time).timestamp() for time in times]
    spent: Counter[Seat] = Counter()
    for step in log.steps():
        if step.seq > 1 and hasattr(step.play, "seat"):
            pause = round((at[step.seq - 1] - at[step.seq - 2]) * 1000)
            spent[step.play.seat] += pause if 0 <= pause <= BREAK_MS else 0
    return dict(spent)


def _feats(log: Log) -> Iterator[Feat]:
    places = {seat: place for place, seat in enumerate(log.table.seats, 1)}
    led: Counter[tuple[Seat, str]] = Counter()
    for step in log.steps():
        card = _led(step, log)
        if card:
            led[step.play.seat, card] += 1
    for (seat, card), times in sorted(led.items()):
        yield Feat(places[seat], "led", card, times)
    for (seat, shape), times in sorted(Counter(_formations(log)).items()):
        yield Feat(places[seat], "formation", shape.label, times)
    best: dict[tuple[Seat, str], Feat] = {}
    find = BEST.get(log.game.NAME)
    for seat, kind, label, value in find(log) if find else ():
        known = best.get((seat, kind))
        if known is None or value > known.value:
            best[seat, kind] = Feat(places[seat], kind, label, value)
    yield from best.values()


def _led(step: Step, log: Log) -> str:
    """The card with which ``step`` led a trick, or ""."""
    before = step.before.state if step.before else log.start
    match step.play:
        case Lay(rank=rank) if not before.trick:
            return str(rank)
        case LayAlike(ranks=ranks) if not before.trick:
            return str(ranks[0])
        case LayPair(ranks=ranks) if not before.played:
            return str(ranks[0])
    return ""


def _shown(log: Log) -> Iterator[tuple[Seat, Formation]]:
    """What the full columns of 熟語ライン are worth; nothing where its cards are not known."""
    for seat, flag in product(log.table.seats, range(1, jukugo_line.FLAGS + 1)):
        shown = jukugo_line.formation(log.state, seat, flag)
        if shown is not None:
            yield seat, shown


def _formations(log: Log) -> Iterator[tuple[Seat, Kind]]:
    if log.game.NAME == jukugo_line.NAME:
        yield from ((seat, shown.kind) for seat, shown in _shown(log))


Found = Iterator[tuple[Seat, str, str, int]]


def _runs(log: Log) -> Found:
    """Longest runs: the lines that the score gives for them (Trumps, score.3)."""
    for line in log.game.score(log.state).lines:
        if line.clause == "score.3":
            yield line.seat, "run", str(line.evidence[0].values["run"]), line.points


def _tricks(log: Log) -> Found:
    """What single tricks were worth."""
    for line in log.game.score(log.state).lines:
        if line.trick is not None:
            yield line.seat, "trick", f"{line.deal}.{line.trick}", line.points


def _sets(log: Log) -> Found:
    """Sets that were taken (Three Kings; none where only the win counts)."""
    for line in log.game.score(log.state).lines:
        if line.clause == "score.1":
            yield line.seat, "set", "", line.points


def _words(log: Log) -> Found:
    """Words in the own columns, the rarest highest. What only the table knows is not ranked."""
    kit = log.table.kit
    listed = (isinstance(kit, Kit) and kit.words.listed) or library.word_list()
    for seat, shown in _shown(log):
        for word in shown.words:
            entry = listed.entry(word)
            if entry is not None:
                yield seat, "word", word, entry.rarity


BEST: Mapping[str, Callable[[Log], Found]] = {
    "fancy": _tricks,
    "perite": _tricks,
    "trumps": _runs,
    "three_kings": _sets,
    "jukugo_line": _words,
}
