"""Plays a game file to see which of its rules come up, and whether it ends.

Random players meet some rules rarely, so all plays of small deals are tried, too: with the lowest
and the highest card of each suit, two in each hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, takewhile
from random import Random

from referee.core.drawn import DrawnHands
from referee.core.game import Table
from referee.core.hands import Hands
from referee.core.log import Log
from referee.core.verdict import Illegal
from referee.kit.families.trick_taking import judging
from referee.kit.families.trick_taking.effects import apply
from referee.kit.families.trick_taking.evidence import rules_of
from referee.kit.families.trick_taking.player import entries
from referee.kit.families.trick_taking.plays import Cover, Lay, Play
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.scoring import changing
from referee.kit.families.trick_taking.state import PLAY, Laid, State, ended_trick
from referee.kit.game import KitGame
from referee.kit.scored import each_given, newest_first
from referee.kit.text.faults import Path
from referee.kit.text.formula import MOST

BIDDERS = (slice(None), slice(0, 2), slice(-2, None))  # at random, timid, bold
LONGEST = 5000  # entries of a match, at most
FEW_CARDS = 2  # in each hand, if all plays are tried
BRANCHES = 1500  # plays that are tried, at most


@dataclass
class SeenInGame:
    """The keys of the file that came up, and whether a match ended.

    ``limited``: the keys of scores and counters that reached the limit of all numbers. ``decided``:
    whether a match ended with winners who are not all seats. ``stuck``: the number of a deal in
    which no play was legal any more; 0 if there was none. ``unscored``: the highest bids after
    which a deal was played that gave nobody any points, if one player has to have the highest bid.
    """

    keys: set[Path] = field(default_factory=set)
    limited: set[Path] = field(default_factory=set)
    unscored: set[str] = field(default_factory=set)
    ended: bool = False
    decided: bool = False
    stuck: int = 0

    def add(self, other: SeenInGame) -> None:
        """What was seen at another table, too: bids without points count where they are seen."""
        self.keys |= other.keys
        self.limited |= other.limited
        self.ended = self.ended or other.ended
        self.decided = self.decided or other.decided


def tried(game: KitGame, table: Table, matches: int = 3) -> SeenInGame:
    """Play ``matches`` random matches with each kind of bidder, and all plays of small deals."""
    seen = SeenInGame()
    for number in range(matches):
        kinds = BIDDERS if game.rules(table).bidding.made else BIDDERS[:1]
        for kind, bidders in enumerate(kinds):
            log = Log(game, table)
            rng = Random(number + matches * kind)
            for entry in entries(log, rng, 0, 0, bids_from=bidders):
                before: State = log.state
                if isinstance(log.push(entry), Illegal):  # no legal entry is left
                    seen.stuck = seen.stuck or before.deal
                    break
                seen.keys |= _met(before, entry) | _gone(before, log.state)
                seen.unscored |= _unscored(before, log.state)
                if len(log) >= LONGEST:
                    break
            if outcome := game.outcome(log.state):
                seen.ended = True
                seen.decided = seen.decided or set(outcome.winners) < set(table.seats)
            seen.keys |= _terms(log.state)
            seen.limited |= _limited(log.state)
        if not seen.ended:
            break
    for state, play in islice(_branches(game, table), BRANCHES):
        seen.keys |= _met(state, play) | _terms(apply(state, play))
    return seen


def _met(state: State, play: Play) -> set[Path]:
    """The keys that a card shows in use: its step, the classes that win and lead, no trump suit."""
    rules = rules_of(state)
    if not isinstance(play, Lay | Cover) or state.phase != PLAY or state.leader is None:
        return set()
    card = play.card if isinstance(play, Lay) else ""
    ladder, k, _ = rules.play.climb(state, rules.cards.bits[card] if card else 0, play.seat)
    found: set[Path] = {("play", ladder, k - 1)}
    if rules.trump.without(state):
        found.add(("trump", "none_when"))
    if len(state.due) == 1:
        lying = rules.trick.lying(state, Laid(play.seat, card, state.at + 1, not card, not card))
        decided = rules.trick.decided(lying)
        if decided is not None:
            found.add(("trick", "best", decided[0]))
        if (leads := rules.trick.leading(lying)) is not None:
            found.add(("trick", "next", leads[0]))
    return found | _changes(state, play)


def _changes(state: State, play: Lay | Cover) -> set[Path]:
    """The rows by which a card, or the trick that it ends, changes the trump suit."""
    rules = rules_of(state)
    if not isinstance(play, Lay):
        return set()
    lying = rules.trick.lying(state, Laid(play.seat, play.card, state.at + 1))
    change = rules.trump.change(lying)
    found: set[Path] = {("trump", "change", change.number)} if change else set()
    last = ended_trick(state, apply(state, play)) if rules.trump.after_trick else None
    if last is not None:
        after = changing(lying, last)
        found |= {("trump", "change", after[0].number)} if after else set()
    return found


def _gone(before: State, after: State) -> set[Path]:
    """The keys of the file by which seats have left the deal or the match."""
    found: set[Path] = set()
    if len(after.score.out) > len(before.score.out):
        found.add(("match", "out"))
    if after.deal == before.deal and len(after.round.left) > len(before.round.left):
        found.add(("leave", "when" if before.phase == PLAY else "first"))
    return found


def _unscored(before: State, after: State) -> set[str]:
    """The highest bid of a deal that has ended without points, if it was one player's."""
    rules = rules_of(before)
    if before.phase != PLAY or after.phase == PLAY or not rules.one_bids_highest:
        return set()
    groups = newest_first(after.score.lines)
    of_deal = takewhile(lambda group: group.deal == before.deal, groups)
    if any(given.points for group in of_deal for given in group.given):
        return set()
    highest = max(before.round.bids, key=rules.bidding.worth)
    return {highest} if highest and rules.bidding.worth(highest) > 0 else set()


def _terms(state: State) -> set[Path]:
    """The terms of the score that have given points."""
    return {("score", given.name) for given in each_given(state)}


def _limited(state: State) -> set[Path]:
    """The scores and counters that reached the limit."""
    found: set[Path] = {
        ("score", given.name) for given in each_given(state) if abs(given.points) >= MOST
    }
    counters = state.score.counters.items()
    return found | {("counters", name) for name, each in counters if max(map(abs, each)) >= MOST}


def _kinds(rules: Rules) -> list[str]:
    """The lowest and the highest card of two suits, and a special card of each kind."""
    cards = rules.cards
    masks = [*cards.suits.values()] or [cards.full ^ cards.special]
    trump = cards.suits.get(rules.trump.suit)
    if trump in masks:
        masks.remove(trump)
        masks.insert(0, trump)
    ends = [(suit[0], suit[-1]) for suit in map(cards.kinds, masks[:2]) if suit]
    return [*dict.fromkeys((*sum(ends, ()), *cards.kinds(cards.special)))][:6]


def _branches(game: KitGame, table: Table) -> Iterator[tuple[State, Play]]:
    """Every play of a small deal, with the state before it."""
    rules = game.rules(table)
    if rules.deal.first == "holder" or rules.play.cannot == "down":
        return  # the lead depends on a card of the whole deck, or cards are played face down
    state = game.setup(table)
    for play in _opening(state):
        state = apply(state, play)
    hands = (DrawnHands if rules.deal.draws else Hands).dealt(
        rules.cards.deck, table.seats, FEW_CARDS
    )
    small = state.round._replace(size=FEW_CARDS, stock=0)
    state = state._replace(hands=hands, round=small)
    cards = _kinds(rules)

    def below(state: State) -> Iterator[tuple[State, Play]]:
        for card in cards if state.phase == PLAY and state.due else ():
            play = Lay(state.due[0], card)
            if not isinstance(judging.judge(state, play), Illegal):
                yield state, play
                yield from below(apply(state, play))

    yield from below(state)


def _opening(state: State) -> Iterator[Play]:
    """The plays before the first trick, each of them the first that is legal."""
    for _step in range(3 * len(state.table.seats) + 4):
        if state.phase == PLAY:
            return
        for play in judging.candidates(state):
            if not isinstance(judging.judge(state, play), Illegal):
                yield play
                state = apply(state, play)
                break
