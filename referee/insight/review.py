"""A finished deal in review: what everybody could see at each entry, and what it proves.

There is no review of a running deal, not even from public facts, which a player would have to count
in the head. But the end of a deal can be undone after its review was opened, to correct an error or
on purpose: then the table shows it (see ``seen_before``).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from threading import Lock
from typing import NamedTuple

from referee.core.draws import Draws
from referee.core.generic import GameState
from referee.core.hands import HandClaim, Hands
from referee.core.hidden import SURE, Knowledge, held_then
from referee.core.log import Log
from referee.core.sheets import stopped
from referee.core.steps import Moment, Step, steps
from referee.core.verdict import Card, Finding, Seat
from referee.insight.believed import believed
from referee.insight.grid import Cell, Grid, grid
from referee.weight import weight

KEPT = 8  # cached reviews, with what was computed for each: a megabyte or two
KEPT_BYTES = 30_000_000  # that their matches take, about; the last one used stays in any case


class NotOver(Exception):
    """The deal is not over, or it has not begun: there is no review of it."""

    def __init__(self, deal: int) -> None:
        super().__init__(deal)
        self.deal = deal


class Declaration(NamedTuple):
    """A declaration by an entry: ``seat`` holds nothing but ``only``, so none of ``lacked``.

    ``odds``: the probability that it was true, by what everybody had seen with this entry;
    ``known``: the same after the last entry of the deal. None where it is not computed.
    """

    seat: Seat
    only: tuple[Card, ...]
    lacked: tuple[Card, ...]
    odds: Fraction | None
    known: Fraction | None


@dataclass(frozen=True, eq=False)
class Read:
    """An entry in force under review; ``place`` is the index of ``step`` in the deal.

    What takes long is computed on first use and cached. An entry names its review, but does not
    hold it: a review that is no longer cached is freed at once, without the garbage collector.
    """

    log: Log
    deal: int
    reviewed_at: int
    place: int
    step: Step

    @property
    def review(self) -> Review:
        """The review of its deal, as of entry ``reviewed_at``."""
        return _reviewed(self.log, self.deal, self.reviewed_at)

    @property
    def seq(self) -> int:
        return self.step.seq

    @property
    def before(self) -> GameState:
        """The state before the entry."""
        state: GameState = self.log.before(self.step)
        return state

    @cached_property
    def knowledge(self) -> Knowledge | None:
        """What everybody can know of hidden cards after this entry; None where it is not known."""
        if self.review.by_sheet:
            return None
        return self.log.game.HOOKS.knowledge(self.step.state)

    @cached_property
    def grid(self) -> Grid | None:
        """Who can hold what after this entry; None where it is not computed."""
        return grid(self.knowledge) if self.knowledge else None

    @cached_property
    def believed(self) -> Grid | None:
        """Who can hold what after this entry if all declarations so far are true.

        None where nobody has declared anything, and where it is not computed.
        """
        return believed(self.knowledge) if self.knowledge else None

    @cached_property
    def could_beat(self) -> dict[str, object] | None:
        """See ``Hooks.could_beat``."""
        return self.log.game.HOOKS.could_beat(self.before, self.step.play)

    @property
    def declarations(self) -> tuple[Declaration, ...]:
        """What this entry declares about hands."""
        if self.knowledge is None or not self.step.took_effect:
            return ()
        cards = self.knowledge.deck.cards
        return tuple(
            Declaration(
                claim.seat,
                tuple(card for card in cards if card in claim.only),
                tuple(card for card in cards if card not in claim.only),
                odds,
                self.review.entries[-1].odds_of(claim),
            )
            for claim, odds in self.knowledge.said
            if claim.at == self.step.depth
        )

    def odds_of(self, claim: HandClaim) -> Fraction | None:
        """The probability that ``claim`` was true, by all that everybody had seen up to this entry.

        None where it is not computed.
        """
        said = self.knowledge.said if self.knowledge else ()
        return next((odds for each, odds in said if each == claim), None)

    @property
    def course(self) -> tuple[Odds, ...]:
        """The probability of what this entry declared, after this entry and each later one.

        If it made several declarations, the first; empty where it is not computed.
        """
        said = self.knowledge.said if self.knowledge and self.step.took_effect else ()
        claim = next((each for each, _ in said if each.at == self.step.depth), None)
        if claim is None:
            return ()
        later = self.review.entries[self.place :]
        counted = ((read, read.odds_of(claim)) for read in later if read.step.took_effect)
        return tuple(Odds(read, odds) for read, odds in counted if odds is not None)

    @cached_property
    def hindsight(self) -> Grid | None:
        """The hands after this entry, by all that the whole deal has shown.

        None where it is not computed.
        """
        then, end = self.review.hands[self.place], self.review.hands[-1]
        seen = self.grid
        if then is None or end is None or not seen or not seen.rows:
            return None
        rows = []
        for row in seen.rows:
            if row.kind != "hand" or row.seat is None:
                continue
            cells = []
            for card in end.deck.cards:
                odds = held_then(then, end, row.seat, card, self.step.depth)
                if odds is None:
                    return None
                cells.append(Cell(card, int(odds == SURE), row.cards if odds else 0, odds))
            rows.append(row._replace(cells=tuple(cells)))
        return Grid(seen.ways, tuple(rows))


class Odds(NamedTuple):
    """A probability by what everybody had seen after the entry ``read``."""

    read: Read
    odds: Fraction


class Revoke(NamedTuple):
    """An infraction, the entry that completed its proof, and the entry itself."""

    finding: Finding
    provable: int
    offence: Read

    @property
    def doubt(self) -> tuple[Odds, ...]:
        """The probability that the declaration was false, from the offence to the proof.

        Empty where it is not computed.
        """
        course, entries = self.offence.course, self.offence.review.entries
        end = next((read.place for read in entries if read.seq == self.provable), len(entries))
        return tuple(Odds(read, 1 - odds) for read, odds in course if read.place <= end)


class Review:
    """The finished deal number ``deal``, 1-based, as of entry ``seq``."""

    def __init__(self, log: Log, deal: int, seq: int) -> None:
        self.log, self.deal, self.moment = log, deal, log.moment(seq)
        played = (step for step in steps(self.moment.step) if step.state.deal == deal)
        self.entries = tuple(
            Read(log, deal, seq, place, step) for place, step in enumerate(reversed(list(played)))
        )

    @cached_property
    def by_sheet(self) -> bool:
        """Whether the deal was entered as a sheet, so that nothing is known of its cards."""
        return any(read.step.by_sheet for read in self.entries)

    @cached_property
    def hands(self) -> tuple[Hands | Draws | None, ...]:
        """What is known of hands after each entry; None where they are not tracked."""
        return tuple(_hands(self))

    @cached_property
    def revokes(self) -> tuple[Revoke, ...]:
        """The infractions in this deal that are proven at ``moment``."""
        entries = {read.seq: read for read in self.entries}
        return tuple(
            Revoke(finding, finding.proof[-1] if finding.proof else finding.at, entries[finding.at])
            for finding in self.log.findings(self.moment)
            if finding.at in entries
        )

    def held(self, seat: Seat, card: Card) -> tuple[Odds, ...]:
        """The probability that ``seat`` held ``card``, after each entry that took effect."""
        return tuple(
            Odds(read, cell.odds)
            for read in self.entries
            for row in (read.grid.rows if read.grid and read.step.took_effect else ())
            for cell in row.cells
            if row.kind == "hand" and row.seat == seat and cell.card == card
        )


def finished(log: Log, moment: Moment | None = None) -> tuple[int, ...]:
    """The deals that are over at ``moment`` (now), 1-based.

    If cards of one deal stay in the next, none is over before the match. A stop ends no deal: the
    table can undo it and go on, and nobody may look at the hands in between.
    """
    step = (moment or log.now).step
    state = step.state if step else log.start
    ended = log.game.outcome(state)
    while step and stopped(ended):
        step = step.before
        state = step.state if step else log.start
        ended = log.game.outcome(state)
    last = int(state.deal)
    if ended and log.game.HOOKS.cards:
        return tuple(range(1, last + 1))
    if log.game.HOOKS.carried or not log.game.HOOKS.cards:
        return ()
    goes_on = log.game.to_act(state) or log.game.HOOKS.exchanging(state)
    return tuple(range(1, last + (not goes_on)))


def last_shown(log: Log, deal: int) -> int:
    """The first entry of the last deal about whose cards the review of ``deal`` says something.

    If cards of one deal stay in the next, it says something about all of them.
    """
    if log.game.HOOKS.carried:
        deal = finished(log)[-1]
    return _first(log.now, deal)


def seen_before(log: Log, moment: Moment, reviewed: int) -> bool:
    """Whether a review was opened while the deal that goes on now was over.

    ``reviewed``: the greatest ``last_shown`` of the reviews opened in this match; 0: none.
    """
    deal = int(log.state_at(moment).deal) if reviewed else 0
    if not deal or deal in finished(log, moment):
        return False
    return 0 < _first(moment, deal) <= reviewed


def _first(moment: Moment, deal: int) -> int:
    """The first entry in force of ``deal``; 0 if there is none."""
    return min((step.seq for step in steps(moment.step) if step.state.deal == deal), default=0)


def review(log: Log, deal: int, seq: int | None = None) -> Review:
    """Deal number ``deal`` as of entry ``seq`` (the last); raises ``NotOver``."""
    seq = len(log) if seq is None else seq
    if deal not in finished(log, log.moment(seq)):
        raise NotOver(deal)
    return _reviewed(log, deal, seq)


_kept: OrderedDict[tuple[Log, int, int], Review] = OrderedDict()
_lock = Lock()


def _reviewed(log: Log, deal: int, seq: int) -> Review:
    """The review, from the cache if it is there. The cache holds its match as well."""
    key = (log, deal, seq)
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    made = Review(log, deal, seq)
    with _lock:
        made = _kept.setdefault(key, made)
        _make_room()
    return made


def _make_room() -> None:
    """Let go of the reviews that nobody has used for longest."""
    sizes = {log: weight(log) for log, _deal, _seq in _kept}
    while len(_kept) > 1 and (len(_kept) > KEPT or sum(sizes.values()) > KEPT_BYTES):
        _kept.popitem(last=False)
        held = {log for log, _deal, _seq in _kept}
        sizes = {log: size for log, size in sizes.items() if log in held}


def _hands(review: Review) -> Iterator[Hands | Draws | None]:
    """What is known of hands after each entry, from the state or tracked play by play.

    None from an entry on that the table accepted against the cards, and while cards are passed.
    """
    hooks, followed = review.log.game.HOOKS, True
    draws: Draws | None = None
    for read in review.entries:
        state = read.step.state
        if hooks.exchanging(state):
            yield None
            continue
        if (hands := hooks.hands(state)) is not None:
            yield hands
            continue
        if hooks.happened and followed and read.step.took_effect and read.knowledge:
            draws = draws or Draws.dealt(read.knowledge.deck, review.log.table.seats, 0)
            facts = hooks.happened(read.before, read.step.play, state)
            followed = draws.allows(*facts)
            draws = draws.add(*facts) if followed else None
        yield draws
