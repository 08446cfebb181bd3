"""Fancy (ファンシー): eight tricks of different numbers, points for the gap below one's card.

Source: seed text S003, section 『Fancy』の紹介, itself a summary (ruling F13). Rulings F1–F13.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from referee.core.cards import pairs_deck
from referee.core.game import Feat, Hooks, Line, Options, ScoreSheet, SheetLines, Table, Tally
from referee.core.record import Unreadable, rank_and_copies, unquoted, words
from referee.core.verdict import Evidence, Finding, Outcome, Seat, Verdict
from referee.games.families import must_not_follow as family
from referee.games.families.feats import led, tricks
from referee.games.families.must_not_follow import Deal, Laid, Lay, Show, State
from referee.games.families.must_not_follow_situation import trick_lying

NAME = "fancy"
SEATS = range(3, 7)
VERSION = "1"
OPTIONS: Options = {"rounds": family.ROUNDS, "round_starter": family.ROUND_STARTER}
PLAYS = family.PLAYS

HAND = 8
DECK = pairs_deck(10)


def setup(table: Table) -> State:
    return family.setup(table, DECK, HAND)


to_act = family.to_act
candidates = family.candidates


def judge(state: State, play: Any) -> Verdict:
    return family.judge(state, play, lambda state, seat: False)


def apply(state: State, play: Any) -> State:
    return _after(state, play, believed=True)


def situation(table: Table, cards: Iterable[int]) -> State:
    """The trick that ``cards`` make, led by the first seat (see ``trick_lying``)."""
    return trick_lying(setup(table), cards, judge, apply)


def let_stand(state: State, play: Any) -> State | None:
    return _after(state, play, believed=False) if family.can_stand(state, play) else None


def _after(state: State, play: Any, *, believed: bool) -> State:
    if isinstance(play, Deal):
        return family.deal(state, play, HAND)
    if isinstance(play, Show):
        return family.show(state, play)
    return _lay(state, play, believed)


def _lay(state: State, play: Lay, believed: bool) -> State:
    abstains = play.rank in state.showing
    card = Laid(play.seat, play.rank, abstains, state.at + 1)
    showing = state.showing if abstains else {**state.showing, play.rank: card}
    state = family.laid(state, play, believed, (*state.trick, card), showing)
    return state if state.due else _close(state)


def _close(state: State) -> State:
    points = {seat: value for seat, value, _, _ in _points(state.trick)}
    lowest = state.showing[min(state.showing)]
    state = family.closed(state, lowest.seat, lowest.rank, points)
    if state.number > HAND:
        return family.deal_over(state)
    return state._replace(leader=lowest.seat, due=state.table.starting(lowest.seat))


def _points(cards: tuple[Laid, ...]) -> Iterator[tuple[Seat, int, str, Evidence]]:
    """Seat, points, clause and arithmetic of each card of a full trick, in playing order.

    An abstainer's number always repeats an earlier one, so those in the trick are all different.
    """
    ranks = sorted(card.rank for card in cards if not card.out)
    below = dict(zip(ranks[1:], ranks, strict=False))
    for card in cards:
        if card.out:
            yield card.seat, 0, "score.3", Evidence("abstained", {}, card.at)
        elif card.rank == ranks[0]:
            fact = Evidence("lowest", {"rank": card.rank}, card.at)
            yield card.seat, card.rank, "score.1", fact
        else:
            lower = below[card.rank]
            values = {"rank": card.rank, "lower": lower, "points": card.rank - lower}
            yield card.seat, card.rank - lower, "score.2", Evidence("difference", values, card.at)


def score(state: State) -> ScoreSheet:
    lines = [
        Line(seat, points, clause, (fact,), trick.deal, trick.number)
        for trick in family.tricks(state)
        for seat, points, clause, fact in _points(trick.cards)
    ]
    return ScoreSheet(tuple(lines), state.totals)


def outcome(state: State) -> Outcome | None:
    return family.outcome(state)


def audit(state: State) -> tuple[Finding, ...]:
    return family.audit(state)


def public(state: State) -> dict[str, Any]:
    return family.public(state, down=False)


def feats(state: State) -> Iterator[Feat]:
    return tricks(score(state))


def tally(table: Table, lines: SheetLines, end: int) -> Tally:
    """``trick: A5 B2 C4``, a line a trick in playing order; eight of them make a deal."""
    for key, told in lines.items():
        if key != "trick":
            raise Unreadable("read_tally_key", line=told[0][0], key=key)
    totals = dict.fromkeys(table.seats, 0)
    sheet: list[Line] = []
    seen: Counter[int] = Counter()
    for i, (number, text) in enumerate(lines.get("trick", [])):
        if i % HAND == 0:
            seen.clear()
        cards = _told_trick(table, number, text, seen)
        for seat, points, clause, fact in _points(cards):
            totals[seat] += points
            fact = fact._replace(at=None)
            sheet.append(Line(seat, points, clause, (fact,), i // HAND + 1, i % HAND + 1))
    return Tally(ScoreSheet(tuple(sheet), totals), family.decided(table, totals, ()))


def _told_trick(table: Table, line: int, text: str, seen: Counter[int]) -> tuple[Laid, ...]:
    """The cards of one line; counts them into ``seen``."""
    cards: list[Laid] = []
    for word in words(text):
        match = re.fullmatch(r"(.*?[^0-9])([0-9]+)(?:\*1)?", unquoted(word))
        if not match or match[1] not in table.seats:
            raise Unreadable("read_tally_card", line=line, text=word)
        try:
            [rank] = rank_and_copies(match[2])
        except Unreadable as fault:
            raise Unreadable(fault.fact, line=line, **fault.values) from None
        family.count_copy(DECK, seen, rank, line)
        cards.append(Laid(match[1], rank, rank in {card.rank for card in cards}, 0))
    if sorted(card.seat for card in cards) != sorted(table.seats):
        raise Unreadable("read_tally_trick", line=line, text=text)
    return tuple(cards)


HOOKS = Hooks(tally=tally, led=led, feats=feats)
