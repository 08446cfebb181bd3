"""How likely the winner of a finished deal was to win at each entry: an estimate by playing on.

The hidden cards are dealt again at random, in a way that agrees with what everybody could know at
that entry, and the simulated players of the game play the rest: each takes what pays most at once,
or any card where such players would take too long. So this says little about people who plan ahead,
and nothing about who played well. Declarations are not used. A deal always gets the same estimate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import sqrt
from random import Random
from typing import NamedTuple
from weakref import WeakKeyDictionary

from referee.core.generic import GameState
from referee.core.hidden import Knowledge
from referee.core.verdict import Card, Seat
from referee.games import GAMES
from referee.games.players import HiddenCards
from referee.games.simulation import resuming, room_of
from referee.insight.playing import Chooser, SimulatedMatch
from referee.insight.review import Read, Review

PLAYS = 7_000  # simulated plays for one search, about
FEWEST, MOST = 8, 60  # times that the rest is played from one entry in a search
LOOKS = 40  # entries from which it is played in one search, at most
AGAIN = 150  # times from either side of the entry that was found; these numbers are shown
LONGEST = 1_000  # plays after which one attempt is given up
LEAST = 0.1  # a smaller move of the chance is not worth a sentence
SURE = 2  # standard deviations that a move must exceed, so that it is not mere chance

OUT_OF_PLAY = ("rest", "aside")


class TurningPoint(NamedTuple):
    """The play after which the chance of the ``winners`` moved most: from ``before`` to ``after``.

    ``tries``: how often the rest was played, from each of the two. ``match``: what they won is the
    match; else the deal, in which they have the best points. ``greedy``: each seat took what pays
    most at once; else all played at random.
    """

    read: Read
    winners: tuple[Seat, ...]
    before: float
    after: float
    tries: int
    match: bool
    greedy: bool


class _PlayedOn:
    """A finished deal, from whose entries the rest can be played again."""

    def __init__(self, found: Review) -> None:
        self.log, self.reads = found.log, [read for read in found.entries if _resumable(read)]
        self.start: GameState = found.entries[0].before
        last = found.entries[-1].step.state
        # a player of a file rates a card by playing it, which would take several seconds
        self.greedy = found.log.game.NAME in GAMES
        self.match = self.start.deal == 0 and bool(self.log.game.outcome(last))
        shares = self.shares(last)
        self.winners = tuple(seat for seat, share in shares.items() if share)

    def shares(self, state: GameState) -> Mapping[Seat, float]:
        """The share of each seat in the win at the end of the deal; they add up to 1, or to 0."""
        game, seats = self.log.game, self.log.table.seats
        ended = game.outcome(state)
        if self.match:
            best = ended.winners if ended else ()
        else:
            sheet, before = game.score(state), game.score(self.start).totals
            gained = {seat: sheet.totals[seat] - before[seat] for seat in seats}
            most = (min if sheet.fewest else max)(gained.values())
            best = tuple(seat for seat in seats if gained[seat] == most)
        everybody = len(best) == len(seats) > 1
        return {seat: 0.0 if everybody else (seat in best) / len(best) for seat in seats}

    def chance(self, read: Read, tries: int, salt: str) -> float:
        """How often the winners win if the rest after ``read`` is played ``tries`` times."""
        rng, won = Random(f"{salt} {read.seq}"), 0.0
        for _ in range(tries):
            shares = self.shares(self._played_on(read, rng))
            won += sum(shares[seat] for seat in self.winners)
        return won / tries

    def _played_on(self, read: Read, rng: Random) -> GameState:
        log = self.log
        seats = log.table.seats
        course = SimulatedMatch(log.game, log.table, log.start)
        course.state = read.step.state
        players = ("ahead" if self.greedy else "random",) * len(seats)
        player = resuming(room_of(log.game))
        assert player
        assert read.knowledge
        hidden = dealt_again(read.knowledge, rng)
        chooser = Chooser(log.game, players, seats, rng)
        entries = player(course, rng, 0, 0, chooser, hidden=hidden)
        for _ in range(LONGEST):
            if not self.goes_on(course.state):
                break
            course.state = log.game.apply(course.state, next(entries))
        return course.state

    def goes_on(self, state: GameState) -> bool:
        """Whether the deal is not over at ``state``."""
        game = self.log.game
        return not game.outcome(state) and (self.match or bool(game.to_act(state)))


def dealt_again(knowledge: Knowledge, rng: Random) -> HiddenCards:
    """The hidden cards at random, so that everything known of them holds."""
    deck, found = knowledge.deck, knowledge.placements
    placement = rng.choices(found, [float(each.weight) for each in found])[0]
    unseen = list(deck.listed(placement.unseen))
    rng.shuffle(unseen)
    hands: dict[Seat, list[Card]] = {}
    pyramids: dict[Seat, list[Card]] = {}
    stock: list[Card] = []
    for kind, seat, known, hidden in placement.places:
        cards = [*deck.listed(known), *(unseen.pop() for _ in range(hidden))]
        if kind == "stock":
            stock += cards
        elif kind in OUT_OF_PLAY:
            stock[:0] = cards
        elif seat is not None:
            (hands if kind == "hand" else pyramids)[seat] = cards
    return HiddenCards(hands, stock, pyramids)


_FOUND: WeakKeyDictionary[Review, TurningPoint | None] = WeakKeyDictionary()
"""What was computed, as long as its review is cached."""


def is_known(found: Review) -> bool:
    """Whether ``turning_point`` answers at once; else it takes up to about a second."""
    return found in _FOUND or not resumable(found)


def turning_point(found: Review) -> TurningPoint | None:
    """The turning point of a finished deal.

    None if no single play moved the chance clearly, if nobody or everybody won, or if the game has
    no player that can go on in the middle of a deal.
    """
    if not is_known(found):
        _FOUND[found] = _turning_point(_PlayedOn(found))
    return _FOUND.get(found)


def resumable(found: Review) -> bool:
    """Whether the rest of a deal can be played again from its entries."""
    return resuming(room_of(found.log.game)) is not None and not found.by_sheet


def _turning_point(course: _PlayedOn) -> TurningPoint | None:
    if not course.winners or len(course.reads) < 2:
        return None
    before, after = _steepest(course, course.reads)
    was, now = (course.chance(read, AGAIN, "again") for read in (before, after))
    spread = sqrt((was * (1 - was) + now * (1 - now)) / AGAIN)
    if abs(now - was) < max(LEAST, SURE * spread):
        return None
    return TurningPoint(after, course.winners, was, now, AGAIN, course.match, course.greedy)


def _steepest(course: _PlayedOn, reads: Sequence[Read]) -> tuple[Read, Read]:
    """Two entries, one right after the other, between which the chance moves most.

    Of a long deal first some entries are looked at, then those between the two that differ most.
    """
    while True:
        apart = -(-(len(reads) - 1) // LOOKS)
        looks = [*reads[:-1:apart], reads[-1]]
        rest = (len(reads) + course.reads[-1].place - reads[-1].place) // 2 + 1
        tries = min(max(PLAYS // (len(looks) * rest), FEWEST), MOST)
        chances = [course.chance(read, tries, "search") for read in looks]
        moves = [abs(b - a) for a, b in pairwise(chances)]
        steepest = moves.index(max(moves))
        if apart == 1:
            return looks[steepest], looks[steepest + 1]
        first = reads.index(looks[steepest])
        reads = reads[first : reads.index(looks[steepest + 1]) + 1]


def _resumable(read: Read) -> bool:
    """Whether the rest can be played from here: what is hidden can be dealt again."""
    hooks, known = read.log.game.HOOKS, read.knowledge
    return bool(
        read.step.took_effect
        and known
        and known.placements
        and not hooks.exchanging(read.step.state)
    )
