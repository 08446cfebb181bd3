"""ペリテ（仮）: equal cards turn each other down, the lowest visible card wins, two wins and out.

Source: seed text S003, section 新しい『Pairs』トリテの試作. Rulings P1–P23. n seats play with the
numbers 1…2n, 2n cards each; everything follows from n.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.core.cards import pairs_deck
from referee.core.game import (
    Feat,
    Hooks,
    Line,
    Option,
    Options,
    ScoreSheet,
    SheetLines,
    Table,
    Tally,
)
from referee.core.record import Unreadable, rank_and_copies, seat_lines, words
from referee.core.verdict import Finding, Outcome, Seat, Verdict, evidence
from referee.games.families import must_not_follow as family
from referee.games.families.feats import led, tricks
from referee.games.families.must_not_follow import Deal, Laid, Lay, Show, State
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


def setup(table: Table) -> State:
    size = 2 * len(table.seats)
    return family.setup(table, pairs_deck(size), size)


to_act = family.to_act
candidates = family.candidates


def judge(state: State, play: Any) -> Verdict:
    return family.judge(state, play, _gone)


def _gone(state: State, seat: Seat) -> bool:
    return len(state.won[seat]) == WINS


def apply(state: State, play: Any) -> State:
    return _after(state, play, believed=True)


def situation(table: Table, cards: Iterable[int]) -> State:
    """The trick that ``cards`` make, led by the first seat (see ``trick_lying``)."""
    return trick_lying(setup(table), cards, judge, apply)


def let_stand(state: State, play: Any) -> State | None:
    return _after(state, play, believed=False) if family.can_stand(state, play) else None


def _after(state: State, play: Any, *, believed: bool) -> State:
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
        turned = tuple(c._replace(out=True) if c is partner else c for c in state.trick)
        trick = (*turned, card)
        showing = {rank: c for rank, c in state.showing.items() if c is not partner}
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
    points = {}
    if winner is not None and rank is not None:
        points[winner] = sum(_win(state, winner, rank, len(state.trick)))
    state = family.closed(state, winner, rank, points)
    playing = [seat for seat in state.table.seats if not _gone(state, seat)]
    if not playing or state.number > 2 * len(state.table.seats):
        return family.deal_over(state)
    leader = _next_leader(state, leader, winner)
    waiting = set(playing)
    due = tuple(seat for seat in state.table.starting(leader) if seat in waiting)
    return state._replace(leader=leader, due=due)


def _next_leader(state: State, leader: Seat, winner: Seat | None) -> Seat:
    """Rulings P1, P2 and P4."""
    if winner is None:
        if state.table.option("no_winner_lead") == "same":
            return leader
    elif state.table.option("lead") == "winner":
        if not _gone(state, winner):
            return winner
        leader = winner
    return next(s for s in state.table.from_left_of(leader) if not _gone(state, s))


def _win(state: State, seat: Seat, rank: int, cards: int) -> tuple[int, int]:
    """Points for winning a trick of so many cards, and the bonus if it makes a pair."""
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
            why = evidence("pair_bonus", at, rank=rank, points=2 * n)
            lines.append(Line(seat, 2 * n, "score.2", why, trick.deal, trick.number))
        won[trick.deal, seat] = rank
    return ScoreSheet(tuple(lines), state.totals)


def _line(
    n: int, seat: Seat, rank: int, cards: int, deal: int, trick: int | None, at: int | None
) -> Line:
    if rank > 1:
        return Line(seat, rank, "score.1", evidence("won_with", at, rank=rank), deal, trick)
    points = n + 1 - cards
    why = evidence("won_with_one", at, n=n, cards=cards, points=points)
    return Line(seat, points, "score.3", why, deal, trick)


def outcome(state: State) -> Outcome | None:
    return family.outcome(state)


def audit(state: State) -> tuple[Finding, ...]:
    return family.audit(state)


def public(state: State) -> dict[str, Any]:
    return family.public(state, down=True)


def feats(state: State) -> Iterator[Feat]:
    return tricks(score(state))


def tally(table: Table, lines: SheetLines, end: int) -> Tally:
    """``A: 3 3``, ``B: 1/3 5``: the numbers of the tricks won; a 1 with the cards in its trick."""
    n = len(table.seats)
    totals = dict.fromkeys(table.seats, 0)
    sheet: list[Line] = []
    told: dict[Seat, list[tuple[int, int]]] = {}
    seen: Counter[int] = Counter()
    for seat, (number, text) in seat_lines(lines, table.seats, end).items():
        try:
            told[seat] = [win for word in words(text) for win in _told_wins(n, word)]
        except Unreadable as fault:
            raise Unreadable(fault.fact, line=number, **fault.values) from None
        if len(told[seat]) > WINS:
            raise Unreadable("read_tally_wins", line=number, text=text, most=WINS)
        for rank, _cards in told[seat]:
            family.count_copy(pairs_deck(2 * n), seen, rank, number)
    for seat in table.seats:
        wins = told[seat]
        sheet += (_line(n, seat, rank, cards, 1, None, None) for rank, cards in wins)
        if len(wins) == WINS and wins[0][0] == wins[1][0]:
            why = evidence("pair_bonus", rank=wins[0][0], points=2 * n)
            sheet.append(Line(seat, 2 * n, "score.2", why, 1, None))
    for line in sheet:
        totals[line.seat] += line.points
    return Tally(ScoreSheet(tuple(sheet), totals), family.decided(table, totals, ()))


def next_wins(table: Table, wins: Mapping[Seat, Iterable[str]], seat: Seat) -> frozenset[int]:
    """The numbers with which ``seat`` can win another trick of the deal.

    ``wins``: the words of each seat, as ``tally`` reads them without a fault.
    """
    n = len(table.seats)
    ranks = {of: [rank for word in wins[of] for rank, _cards in _told_wins(n, word)] for of in wins}
    if len(ranks[seat]) >= WINS:
        return frozenset()
    seen = Counter(rank for told in ranks.values() for rank in told)
    deck = pairs_deck(2 * n)
    copies = zip(range(1, 2 * n + 1), deck.copies, strict=True)
    return frozenset(rank for rank, count in copies if seen[rank] < count)


def _told_wins(n: int, word: str) -> list[tuple[int, int]]:
    """Winning numbers and the cards in the trick (0 where it does not matter)."""
    rank, slash, cards = word.partition("/")
    ranks = rank_and_copies(rank)
    if (ranks[0] == 1) != bool(slash):
        raise Unreadable("read_tally_one", text=word)
    count = rank_and_copies(cards)[0] if slash else 0
    if count > n or "*" in cards:
        raise Unreadable("read_tally_one", text=word)
    return [(rank, count) for rank in ranks]


HOOKS = Hooks(tally=tally, led=led, feats=feats)
