"""Fancy (ファンシー): eight tricks of different numbers; a card scores the gap below it.

Source: seed text S003, section 『Fancy』の紹介, itself a summary (ruling F13). Rulings F1–F14.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from referee.core.adjusting import added
from referee.core.cards import pairs_deck
from referee.core.game import (
    Dealing,
    DealSheet,
    Feat,
    Hooks,
    Impossible,
    Line,
    Options,
    ScoreSheet,
    SheetLine,
    SheetLines,
    Table,
    Tally,
)
from referee.core.record import Unreadable, rank_and_copies, unquoted, words
from referee.core.sheets import in_order
from referee.core.verdict import Evidence, Facts, Seat, Verdict
from referee.core.written import whole
from referee.games.families import must_not_follow as family
from referee.games.families.dealing import dealt_out, pairs_dealing
from referee.games.families.feats import led, tricks
from referee.games.families.must_not_follow import Deal, Laid, Lay, Play, Show, State
from referee.games.families.must_not_follow_situation import trick_lying

NAME = "fancy"
SEATS = range(3, 7)
VERSION = "1"
OPTIONS: Options = {"rounds": family.ROUNDS, "round_starter": family.ROUND_STARTER}
PLAYS = family.PLAYS

LOWEST, ABSTAINED = "lowest", "abstained"
"""Kinds of lines: of the lowest card of a trick, and of a card that forfeits."""
HAND = 8
DECK = pairs_deck(10)


def setup(table: Table) -> State:
    return family.setup(table, DECK, HAND)


to_act = family.to_act
candidates = family.candidates
outcome = family.outcome
audit = family.audit


def judge(state: State, play: Play) -> Verdict:
    return family.judge(state, play, lambda state, seat: False)


def apply(state: State, play: Play) -> State:
    return _after(state, play, believed=True)


def situation(table: Table, cards: Iterable[int]) -> State:
    """The trick that ``cards`` make, led by the first seat (see ``trick_lying``)."""
    return trick_lying(setup(table), cards, judge, apply)


def let_stand(state: State, play: Play) -> State | None:
    return _after(state, play, believed=False) if family.can_stand(state, play) else None


def _after(state: State, play: Play, *, believed: bool) -> State:
    if isinstance(play, Deal):
        return family.deal(state, play, HAND)
    if isinstance(play, Show):
        return family.show(state, play)
    return _lay(state, play, believed)


def _lay(state: State, play: Lay, believed: bool) -> State:
    forfeits = play.rank in state.showing
    card = Laid(play.seat, play.rank, forfeits, state.at + 1)
    showing = state.showing if forfeits else {**state.showing, play.rank: card}
    state = family.laid(state, play, believed, (*state.trick, card), showing)
    return state if state.due else _close(state)


def _close(state: State) -> State:
    below, totals = _below(state.showing), dict(state.totals)
    for rank, lower in below.items():
        totals[state.showing[rank].seat] += rank - lower
    lowest = state.showing[next(iter(below))]
    if state.number == HAND:
        return family.deal_over(family.closed(state, lowest.seat, lowest.rank, totals))
    due = state.table.starting(lowest.seat)
    return family.closed(state, lowest.seat, lowest.rank, totals, due)


def _below(ranks: Iterable[int]) -> dict[int, int]:
    """Each number, from the lowest on, with the one below it; 0 is below the lowest."""
    ordered = sorted(ranks)
    return dict(zip(ordered, (0, *ordered), strict=False))


def _lines(cards: tuple[Laid, ...], deal: int, trick: int) -> Iterator[Line]:
    """The arithmetic of each card of a full trick, in playing order.

    A card that forfeits repeats an earlier number and is left out, so the numbers are all
    different.
    """
    below = _below([card.rank for card in cards if not card.out])
    for seat, rank, out, at in cards:
        if out:
            yield Line(seat, 0, "score.3", (Evidence("abstained", {}, at),), deal, trick, ABSTAINED)
        elif lower := below[rank]:
            points = rank - lower
            values = {"rank": rank, "lower": lower, "points": points}
            why = Evidence("difference", values, at)
            yield Line(seat, points, "score.2", (why,), deal, trick)
        else:
            why = Evidence("lowest", {"rank": rank}, at)
            yield Line(seat, rank, "score.1", (why,), deal, trick, LOWEST)


def score(state: State) -> ScoreSheet:
    lines = [
        line
        for trick in family.tricks(state)
        for line in _lines(trick.cards, trick.deal, trick.number)
    ]
    return ScoreSheet(in_order(lines, state.from_sheets), state.totals)


def brought_about(before: State, after: State) -> Facts:
    """The card that forfeits its trick; at the end of a trick everybody's points."""
    facts: list[Evidence] = []
    card = family.newest_card(before, after)
    if card is not None and card.out:
        facts.append(Evidence("abstains", {"seat": card.seat, "rank": card.rank}))
    if ended := family.ended_trick(before, after):
        lines = _lines(ended.cards, ended.deal, ended.number)
        sums = tuple(f"{line.seat} {_sum(whole(line.points), *line.evidence)}" for line in lines)
        facts.append(Evidence("trick_points", {"points": sums}))
    return (*facts, *family.next_lead(before, after))


def _sum(points: int, fact: Evidence) -> str:
    """The points of a card, written as a difference where they are one."""
    lower = fact.values.get("lower")
    return str(points) if lower is None else f"{fact.values['rank']} − {lower} = {points}"


def public(state: State) -> dict[str, object]:
    return family.public(state, down=False)


def feats(state: State) -> Iterator[Feat]:
    return tricks(score(state))


def tally(table: Table, lines: SheetLines, end: int, adjusted: Mapping[Seat, int]) -> Tally:
    """The score from a sheet with a line for each trick.

    ``trick: A5 B2 C4`` has the cards in playing order; eight lines make a deal.
    """
    for key, entered in lines.items():
        if key != "trick":
            raise Unreadable("read_tally_key", line=entered[0][0], key=key)
    totals = dict.fromkeys(table.seats, 0)
    sheet: list[Line] = []
    seen: Counter[int] = Counter()
    for i, (number, text) in enumerate(lines.get("trick", [])):
        if i % HAND == 0:
            seen.clear()
        try:
            cards = _trick(table, _read_trick(table, text), seen)
        except (Unreadable, Impossible) as fault:
            raise Unreadable(fault.fact, line=number, **fault.values) from None
        sheet += _trick_lines(cards, i // HAND + 1, i % HAND + 1)
    for line in sheet:
        totals[line.seat] += whole(line.points)
    totals = added(totals, adjusted)
    return Tally(ScoreSheet(tuple(sheet), totals), family.decided(table, totals, ()))


def _read_trick(table: Table, text: str) -> Iterator[tuple[Seat, int]]:
    """Seats and numbers on one line of a tally sheet, in playing order."""
    for word in words(text):
        match = re.fullmatch(r"(.*?[^0-9])([0-9]+)(?:\*1)?", unquoted(word))
        if not match or match[1] not in table.seats:
            raise Unreadable("read_tally_card", text=word)
        [rank] = rank_and_copies(match[2])
        yield match[1], rank


def _trick(
    table: Table, entered: Iterable[tuple[Seat, int]], seen: Counter[int]
) -> tuple[Laid, ...]:
    """A trick of a sheet; counts its cards into ``seen``. Raises ``Impossible``."""
    cards: list[Laid] = []
    for seat, rank in entered:
        family.count_copy(DECK, seen, rank, "trick")
        cards.append(Laid(seat, rank, rank in {card.rank for card in cards}, 0))
    if sorted(card.seat for card in cards) != sorted(table.seats):
        text = " ".join(f"{card.seat}{card.rank}" for card in cards)
        raise Impossible("order.1", "read_tally_trick", "trick", text=text)
    return tuple(cards)


def _trick_lines(cards: tuple[Laid, ...], deal: int, trick: int) -> Iterator[Line]:
    """``_lines`` of a trick from a sheet, which no entry shows."""
    for line in _lines(cards, deal, trick):
        yield line._replace(evidence=tuple(fact._replace(at=None) for fact in line.evidence))


def dealing(state: State) -> Dealing:
    """How to deal: eight cards each from the whole pack."""
    return pairs_dealing(DECK, dealt_out(DECK, len(state.table.seats), HAND))


def entered_as_sheet(state: State, lines: tuple[SheetLine, ...]) -> State:
    """The state after a deal that has just begun, by the tricks of its sheet."""
    tricks = [line.words for line in lines if line.key == "trick"]
    if len(tricks) != HAND:
        raise Impossible("setup.1", "sheet_tricks", "trick", entered=len(tricks), tricks=HAND)
    seen: Counter[int] = Counter()
    won = dict.fromkeys(state.table.seats, tuple[int, ...]())
    arithmetic: list[Line] = []
    for number, entered in enumerate(tricks, 1):
        cards = _trick(state.table, ((str(seat), int(card)) for seat, card in entered), seen)
        lowest = _lowest(cards)
        won[lowest.seat] += (lowest.rank,)
        arithmetic += _trick_lines(cards, state.deal, number)
    return family.entered_as_sheet(state, won, arithmetic)


def _lowest(cards: Iterable[Laid]) -> Laid:
    return min((card for card in cards if not card.out), key=lambda card: card.rank)


def leads_next(table: Table, entered: Iterable[tuple[Seat | None, str]]) -> Seat:
    """Who leads after a full trick, given as its seats and their cards in playing order."""
    return _lowest(_read(table, entered)).seat


def trick_lines(
    table: Table, entered: Iterable[tuple[Seat | None, str]], deal: int, trick: int
) -> tuple[Line, ...]:
    """The arithmetic of a full trick, given as its seats and their cards in playing order."""
    return tuple(_trick_lines(_read(table, entered), deal, trick))


def _read(table: Table, entered: Iterable[tuple[Seat | None, str]]) -> tuple[Laid, ...]:
    """A full trick of a sheet, alone in its deal; raises ``Impossible``."""
    return _trick(table, ((str(seat), int(card)) for seat, card in entered), Counter())


SHEET: DealSheet[State, Play] = DealSheet(
    family.begun, entered_as_sheet, rank_and_copies, first="leader", seats=False, cards="trick"
)
HOOKS: Hooks[State, Play] = Hooks(
    tally=tally,
    sheet=SHEET,
    stopped=family.stopped,
    adjusted=family.adjusted,
    led=led,
    feats=feats,
    brought_about=brought_about,
    knowledge=family.knowledge,
    hands=lambda state: state.hands,
    trick=lambda state: state.number,
    starter=lambda state: state.starter,
    dealing=dealing,
)
