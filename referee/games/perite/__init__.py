"""ペリテ（仮）: equal cards turn face down, the lowest visible wins; two wins and a seat is out.

Source: seed text S003, section 新しい『Pairs』トリテの試作. Rulings P1–P23. n seats play with
the numbers 1…2n, 2n cards each; everything follows from n.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from referee.core.adjusting import added
from referee.core.cards import pairs_deck
from referee.core.game import (
    Dealing,
    DealSheet,
    Feat,
    Hooks,
    Impossible,
    Line,
    Option,
    Options,
    ScoreSheet,
    SheetLine,
    SheetLines,
    Table,
    Tally,
)
from referee.core.record import Unreadable, rank_and_copies, seat_lines, words
from referee.core.sheets import in_order, seat_words
from referee.core.verdict import Evidence, Facts, Seat, Verdict, evidence
from referee.core.written import whole
from referee.games.families import must_not_follow as family
from referee.games.families.dealing import dealt_out, pairs_dealing
from referee.games.families.feats import led, tricks
from referee.games.families.must_not_follow import Deal, Laid, Lay, Play, Show, State
from referee.games.families.must_not_follow_situation import trick_lying

NAME = "perite"
SEATS = range(1, 101)
VERSION = "1"
OPTIONS: Options = {
    "rounds": family.ROUNDS,
    "round_starter": family.ROUND_STARTER,
    "lead": Option(("winner", "left_of_leader")),
    "no_winner": Option(("void", "last_player")),
    "no_winner_lead": Option(("same", "left")),
}
PLAYS = family.PLAYS

WINS = 2
PAIR = "pair"
"""The kind of the line for two tricks won with one number."""


def setup(table: Table) -> State:
    size = 2 * len(table.seats)
    return family.setup(table, pairs_deck(size), size)


to_act = family.to_act
candidates = family.candidates
outcome = family.outcome
audit = family.audit


def judge(state: State, play: Play) -> Verdict:
    return family.judge(state, play, _gone)


def _gone(state: State, seat: Seat) -> bool:
    """Whether ``seat`` is out of the deal, as it has won two tricks."""
    return len(state.won[seat]) == WINS


def apply(state: State, play: Play) -> State:
    return _after(state, play, believed=True)


def situation(table: Table, cards: Iterable[int]) -> State:
    """The trick that ``cards`` make, led by the first seat (see ``trick_lying``)."""
    return trick_lying(setup(table), cards, judge, apply)


def let_stand(state: State, play: Play) -> State | None:
    return _after(state, play, believed=False) if family.can_stand(state, play) else None


def _after(state: State, play: Play, *, believed: bool) -> State:
    if isinstance(play, Deal):
        return family.deal(state, play, 2 * len(state.table.seats))
    if isinstance(play, Show):
        return family.show(state, play)
    return _lay(state, play, believed)


def _lay(state: State, play: Lay, believed: bool) -> State:
    partner = state.showing.get(play.rank)
    card = Laid(play.seat, play.rank, partner is not None, state.at + 1)
    if partner is None:
        trick = (*state.trick, card)
        showing = {**state.showing, play.rank: card}
    else:
        turned = tuple(c._replace(out=True) if c == partner else c for c in state.trick)
        trick = (*turned, card)
        showing = {rank: c for rank, c in state.showing.items() if rank != play.rank}
    state = family.laid(state, play, believed, trick, showing)
    return state if state.due else _close(state)


def _close(state: State) -> State:
    leader = state.leader
    assert leader is not None
    winner: Seat | None = None
    rank: int | None = None
    if state.showing:
        rank = min(state.showing)
        winner = state.showing[rank].seat
    elif state.table.option("no_winner") == "last_player":
        winner, rank = state.trick[-1].seat, state.trick[-1].rank
    totals = state.totals
    if winner is not None and rank is not None:
        gained = sum(_win(state, winner, rank, len(state.trick)))
        totals = {**totals, winner: totals[winner] + gained}
    state = family.closed(state, winner, rank, totals)
    playing = [seat for seat in state.table.seats if not _gone(state, seat)]
    if not playing or state.number > 2 * len(state.table.seats):
        return family.deal_over(state)
    leader = _next_leader(state, leader, winner)
    waiting = set(playing)
    due = tuple(seat for seat in state.table.starting(leader) if seat in waiting)
    return state._replace(leader=leader, due=due)


def _next_leader(state: State, leader: Seat, winner: Seat | None) -> Seat:
    """Who leads the next trick (rulings P1, P2 and P4)."""
    if winner is None:
        if state.table.option("no_winner_lead") == "same":
            return leader
    elif state.table.option("lead") == "winner":
        if not _gone(state, winner):
            return winner
        leader = winner
    return next(s for s in state.table.from_left_of(leader) if not _gone(state, s))


def _win(state: State, seat: Seat, rank: int, cards: int) -> tuple[int, int]:
    """Points for winning a trick of ``cards`` cards, and the bonus if it makes a pair."""
    n = len(state.table.seats)
    return n + 1 - cards if rank == 1 else rank, 2 * n if rank in state.won[seat] else 0


def score(state: State) -> ScoreSheet:
    n = len(state.table.seats)
    lines = []
    won: dict[tuple[int, Seat], int] = {}
    for trick in family.tricks(state):
        if trick.winner is None or trick.rank is None:
            continue
        seat, rank, cards = trick.winner, trick.rank, len(trick.cards)
        at = next(card.at for card in reversed(trick.cards) if card.seat == seat)
        lines.append(_line(n, seat, rank, cards, trick.deal, trick.number, at))
        if won.get((trick.deal, seat)) == rank:
            why = evidence("pair_bonus", at, rank=rank, n=n, points=2 * n)
            lines.append(Line(seat, 2 * n, "score.2", why, trick.deal, trick.number, PAIR))
        won[trick.deal, seat] = rank
    return ScoreSheet(in_order(lines, state.from_sheets), state.totals)


def _line(
    n: int, seat: Seat, rank: int, cards: int, deal: int, trick: int | None, at: int | None
) -> Line:
    """The points for a trick of ``cards`` cards, won with ``rank`` at position ``at``."""
    if rank > 1:
        return Line(seat, rank, "score.1", evidence("won_with", at, rank=rank), deal, trick)
    points = n + 1 - cards
    why = evidence("won_with_one", at, n=n, cards=cards, points=points)
    return Line(seat, points, "score.3", why, deal, trick)


def brought_about(before: State, after: State) -> Facts:
    """The facts of what a play has brought about.

    A pair that is turned face down; at the end of a trick its winner and points, and whether the
    winner is out of the deal with two wins.
    """
    facts: list[Evidence] = []
    card = family.newest_card(before, after)
    if card is not None and card.out:
        other = before.showing[card.rank].seat
        values = {"seat": card.seat, "other": other, "rank": card.rank}
        facts.append(Evidence("face_down", values))
    if last := family.ended_trick(before, after):
        if last.winner is None or last.rank is None:
            facts.append(Evidence("no_winner", {}))
        else:
            facts += _taken(before, last.winner, last.rank, len(last.cards))
    return (*facts, *family.next_lead(before, after))


def _taken(before: State, winner: Seat, rank: int, cards: int) -> Iterator[Evidence]:
    """The facts of a trick that ``winner`` has won with ``rank``."""
    n = len(before.table.seats)
    points, bonus = _win(before, winner, rank, cards)
    values = {"seat": winner, "rank": rank, "points": points, "n": n, "cards": cards}
    yield Evidence("takes_with_one" if rank == 1 else "takes", values)
    if bonus:
        yield Evidence("pair_bonus", {"rank": rank, "n": n, "points": bonus})
    if len(before.won[winner]) == WINS - 1:
        yield Evidence("leaves_deal", {"seat": winner})


def public(state: State) -> dict[str, object]:
    return family.public(state, down=True)


def feats(state: State) -> Iterator[Feat]:
    return tricks(score(state))


def tally(table: Table, lines: SheetLines, end: int, adjusted: Mapping[Seat, int]) -> Tally:
    """The score from lines such as ``A: 3 3`` and ``B: 1/3 5``.

    They hold the numbers of the tricks won; a 1 with the number of cards in its trick.
    """
    entered: dict[Seat, list[Won]] = {}
    for seat, (number, text) in seat_lines(lines, table.seats, end).items():
        try:
            entered[seat] = [win for word in words(text) for win in _read_wins(word)]
        except Unreadable as fault:
            raise Unreadable(fault.fact, line=number, **fault.values) from None
    try:
        sheet = _worth(table, entered)
    except Impossible as fault:
        raise Unreadable(fault.fact, line=lines[fault.at_fault][0][0], **fault.values) from None
    totals = dict.fromkeys(table.seats, 0)
    for line in sheet:
        totals[line.seat] += whole(line.points)
    totals = added(totals, adjusted)
    return Tally(ScoreSheet(tuple(sheet), totals), family.decided(table, totals, ()))


def dealing(state: State) -> Dealing:
    """How to deal with n seats: the numbers up to 2n, 2n cards each."""
    seats = len(state.table.seats)
    return pairs_dealing(state.deck, dealt_out(state.deck, seats, 2 * seats))


def entered_as_sheet(state: State, lines: tuple[SheetLine, ...]) -> State:
    """The end of the deal that has just begun, from the wins on its sheet."""
    entered = {
        seat: [win for word in piles for win in _read_wins(word)]
        for seat, piles in seat_words(lines, state.table.seats).items()
    }
    won = {seat: tuple(win.rank for win in wins) for seat, wins in entered.items()}
    return family.entered_as_sheet(state, won, _worth(state.table, entered))


def _worth(table: Table, entered: Mapping[Seat, list[Won]]) -> list[Line]:
    """The arithmetic of the tricks won in a deal, in turn order; raises ``Impossible``."""
    n = len(table.seats)
    seen: Counter[int] = Counter()
    for seat, wins in entered.items():
        if len(wins) > WINS:
            text = " ".join(str(win.rank) for win in wins)
            raise Impossible("win.2", "read_tally_wins", seat, text=text, most=WINS)
        for rank, cards in wins:
            if (rank == 1) != (cards is not None):
                text = str(rank) if cards is None else f"{rank}/{cards}"
                raise Impossible("score.3", "read_tally_one", seat, text=text)
            if cards is not None and not 1 <= cards <= n:
                raise Impossible("score.3", "sheet_trick_size", seat, entered=cards, most=n)
            family.count_copy(pairs_deck(2 * n), seen, rank, seat)
    lines: list[Line] = []
    for seat in table.seats:
        wins = entered[seat]
        lines += (_line(n, seat, rank, cards or 0, 1, None, None) for rank, cards in wins)
        if len(wins) == WINS and wins[0].rank == wins[1].rank:
            why = evidence("pair_bonus", rank=wins[0].rank, n=n, points=2 * n)
            lines.append(Line(seat, 2 * n, "score.2", why, 1, None, PAIR))
    return lines


def next_wins(table: Table, wins: Mapping[Seat, Iterable[str]], seat: Seat) -> frozenset[int]:
    """The numbers with which ``seat`` can win another trick of the deal.

    ``wins``: the words of each seat, as ``tally`` reads them without a fault.
    """
    n = len(table.seats)
    ranks = {of: [rank for word in wins[of] for rank, _ in _read_wins(word)] for of in wins}
    if len(ranks[seat]) >= WINS:
        return frozenset()
    seen = Counter(rank for entered in ranks.values() for rank in entered)
    deck = pairs_deck(2 * n)
    copies = zip(range(1, 2 * n + 1), deck.copies, strict=True)
    return frozenset(rank for rank, count in copies if seen[rank] < count)


class Won(NamedTuple):
    """The number that won a trick; ``cards``: how many cards were in it, if the sheet says."""

    rank: int
    cards: int | None


def _read_wins(word: str) -> list[Won]:
    """The won tricks in ``3*2`` or ``1/3``, possible or not; raises ``Unreadable``."""
    rank, slash, cards = word.partition("/")
    if slash and not re.fullmatch("0|[1-9][0-9]{0,3}", cards):
        raise Unreadable("read_tally_one", text=word)
    return [Won(each, int(cards) if slash else None) for each in rank_and_copies(rank)]


SHEET: DealSheet[State, Play] = DealSheet(
    family.begun, entered_as_sheet, _read_wins, first="leader"
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
