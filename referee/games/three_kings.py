"""Three Kings（スリー・キングス）: a hand card takes two from the table, three kings end the game.

Source: seed text S002. Rulings K1–K34. n seats play with 26n + 1 cards: 2n of every rank from ace
to queen, 2n + 1 kings (a joker is one of them).

Draws are implied: ① is counted with the entry of the seat whose turn it is, the extra card with
its set. What everybody knows about the hands is kept by ``core.draws``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from referee.core.cards import Deck, copies_in
from referee.core.draws import Draws, Sight
from referee.core.game import (
    TABLE,
    Line,
    Option,
    Options,
    ScoreSheet,
    SheetLines,
    Table,
    Tally,
)
from referee.core.hands import Claim, Refutation, Truth
from referee.core.moves import Drew, Fact, Gained, Held, Played, Turned
from referee.core.record import Unreadable, unquoted, words
from referee.core.verdict import (
    Card,
    Evidence,
    Facts,
    Finding,
    Illegal,
    Lacks,
    Legal,
    Outcome,
    Seat,
    Unprovable,
    Verdict,
    evidence,
)
from referee.core.worlds import Hand

NAME = "three_kings"
FAMILY = "fishing"
SEATS = range(2, 101)
VERSION = "1"
OPTIONS: Options = {
    "method": Option(("2", "1", "3")),
    "fifth_king": Option(("joker", "king")),
    "initial_table_kings": Option(("stay", "replace", "to_first_player")),
    "dealt_three_kings": Option(("end", "redeal")),
    "set_compulsory": Option(("on", "off")),
    "replace_refill_kings": Option(("off", "on")),
    "stock_out": Option(("continue", "stop")),
    "end": Option(("three_kings", "all_cards"), {"all_cards": {"method": "1"}}),
    "all_cards_end": Option(("hands_empty", "stock_empty")),
    "all_cards_bonus": Option(("holders", "none")),
}

KING = "K"
NUMBERS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q")
VALUE = {face: value for value, face in enumerate(NUMBERS, 1)}
HAND = 4
TABLEAU = 4
KINGS_TO_END = 3
KINGS_ONLY = frozenset((KING,))
KINDS = frozenset((*NUMBERS, KING))
BONUS = {"1": 1, "2": 15, "3": -15}


@cache
def deck_for(n: int) -> Deck:
    """The cards of n seats."""
    return Deck((*NUMBERS, KING), (2 * n,) * len(NUMBERS) + (2 * n + 1,))


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards are dealt; ``tableau`` lies face up."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "deal dealer={dealer:seat} tableau={tableau:row_of_faces}"
    dealer: Seat
    tableau: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Capture:
    """A set: ``rank`` from the hand with two cards of the tableau."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "capture {rank:face} with {pair:two_faces}"
    seat: Seat
    rank: str
    pair: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Discard:
    """A card to the tableau: "nothing in my hand makes a set" (ruling K8)."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "discard {rank:face}"
    seat: Seat
    rank: str


@dataclass(frozen=True, slots=True)
class King:
    """A king of the hand and one of the tableau, both into the hand."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "king"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Pass:
    """The seat can do nothing: "I hold nothing but kings", or no card at all (ruling K21)."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "pass"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Refill:
    """New cards for an empty tableau, the kings among them included."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "refill {ranks:faces}"
    ranks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Declare:
    """Three kings, or ``count`` of them, shown to the table."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "declare [{count}]"
    seat: Seat
    count: int | None = None

    @property
    def kings(self) -> int:
        return KINGS_TO_END if self.count is None else self.count


PLAYS = (Deal, Capture, Discard, King, Pass, Refill, Declare)


class Taken(NamedTuple):
    """A set in the pile of ``seat``; ``cards`` with the hand card first, ``deal`` 1-based."""

    seat: Seat
    cards: tuple[str, str, str]
    deal: int
    at: int | None

    @property
    def points(self) -> int:
        return sum(VALUE[card] for card in self.cards)


class Takers(NamedTuple):
    """The ``ranks`` that make a set with a pair of the tableau: one pair each, and all others."""

    pairs: Mapping[str, tuple[str, str]]
    ranks: tuple[str, ...]
    others: frozenset[Card]


class Bonus(NamedTuple):
    """Three kings at the end of a deal: ±15 points, or with method 1 the win."""

    seat: Seat
    deal: int
    at: int | None


class State(NamedTuple):
    """Between two entries.

    ``turn`` is None before the first deal and when a deal is over. ``due``: cards that the turn
    player still has to turn up. ``fresh``: no seat has made an entry in this deal. ``late``:
    seats that may still show their kings when the deal is over. ``rivals``: the seats that were
    level before this deal; empty unless a tie is replayed. ``at`` counts the entries that took
    effect.
    """

    table: Table
    deck: Deck
    deal: int
    dealer: Seat | None
    turn: Seat | None
    tableau: tuple[str, ...]
    stock: int
    hands: Draws
    sets: tuple[Taken, ...]
    bonuses: tuple[Bonus, ...]
    due: int
    passes: int
    fresh: bool
    late: tuple[Seat, ...]
    rivals: tuple[Seat, ...]
    ended: Outcome | None
    found: tuple[Finding, ...]
    at: int


def setup(table: Table) -> State:
    deck = deck_for(len(table.seats))
    return State(
        table=table,
        deck=deck,
        deal=0,
        dealer=None,
        turn=None,
        tableau=(),
        stock=len(deck),
        hands=Draws.dealt(deck, table.seats, 0),
        sets=(),
        bonuses=(),
        due=0,
        passes=0,
        fresh=False,
        late=(),
        rivals=(),
        ended=None,
        found=(),
        at=0,
    )


def to_act(state: State) -> tuple[Seat, ...]:
    return () if state.turn is None else (state.turn,)


def candidates(state: State) -> Iterator[Any]:
    kinds, seats = (*NUMBERS, KING), state.table.seats
    if state.turn is not None and state.due:
        yield from (Refill(c) for c in combinations_with_replacement(kinds, state.due))
    elif state.turn is not None:
        pairs = sorted(set(combinations(state.tableau, 2)))
        sets = ((rank, pair) for rank in NUMBERS for pair in pairs if is_set((rank, *pair)))
        yield from (Capture(state.turn, rank, pair) for rank, pair in sets)
        yield from (Discard(state.turn, rank) for rank in kinds)
        yield King(state.turn)
        yield Pass(state.turn)
    elif not state.ended:
        for tableau in combinations_with_replacement(kinds, TABLEAU):
            yield from (Deal(seat, tableau) for seat in seats)
    if state.turn is not None:
        yield from (Declare(seat) for seat in seats)


def judge(state: State, play: Any) -> Verdict:
    if isinstance(play, Declare):
        return _judge_declare(state, play)
    if state.ended:
        return Illegal("end.1", evidence("match_over"))
    if isinstance(play, Deal):
        return _judge_deal(state, play)
    if state.turn is None:
        return Illegal("deal.1", evidence("no_deal"))
    if isinstance(play, Refill):
        return _judge_refill(state, play)
    if state.due:
        return Illegal("refill.1", evidence("refill_due", seat=state.turn, cards=state.due))
    if play.seat != state.turn:
        return Illegal("turn.1", evidence("not_turn", seat=play.seat, due=(state.turn,)))
    match play:
        case Capture():
            return _judge_capture(state, play)
        case Discard():
            return _judge_discard(state, play)
        case King():
            return _judge_king(state, play.seat, _drawn(state, play.seat))
        case _:
            return _judge_pass(play.seat, _drawn(state, play.seat))


def _judge_deal(state: State, play: Deal) -> Verdict:
    if state.turn is not None and not _may_redeal(state):
        return Illegal("deal.2", evidence("deal_running"))
    if len(play.tableau) != TABLEAU:
        wrong = evidence("tableau_size", told=len(play.tableau), size=TABLEAU)
        return Illegal("setup.3", wrong)
    if KING in play.tableau and state.table.option("initial_table_kings") == "replace":
        return Illegal("setup.4", evidence("kings_replaced"))
    first = state.table.from_left_of(play.dealer)[0]
    return Legal("turn.2", evidence("dealt", dealer=play.dealer, first=first))


def _may_redeal(state: State) -> bool:
    return state.fresh and state.table.option("dealt_three_kings") == "redeal"


def _judge_capture(state: State, play: Capture) -> Verdict:
    cards = (play.rank, *play.pair)
    if KING in cards:
        return Illegal("king.1", evidence("king_in_set"))
    if not is_set(cards):
        return Illegal("set.1", evidence("adds_not_up", ranks=cards))
    pair, tableau = play.pair, state.tableau
    missing = _without(pair, tableau)
    if missing:
        ranks = tuple(dict.fromkeys(missing))
        return Illegal("set.1", evidence("not_on_table", ranks=ranks))
    return _not_in_hand(state, play.seat, play.rank) or Legal("set.1", (_sum_of(cards),))


def _judge_discard(state: State, play: Discard) -> Verdict:
    seat, rank = play.seat, play.rank
    if rank == KING:
        return Illegal("king.1", evidence("king_discarded"))
    takers = _must_have(state)
    if not takers.ranks or rank in takers.pairs:
        impossible = _not_in_hand(state, seat, rank)
        if impossible:
            return impossible
        if rank in takers.pairs:
            return Illegal("discard.1", (_sum_of((rank, *takers.pairs[rank]), "makes_set"),))
        if state.table.option("set_compulsory") == "off":
            return Legal("discard.2", evidence("discarded", rank=rank))
        return Legal("discard.1", evidence("no_set_possible"))
    laid = Played(seat, (rank,), state.at)
    match state.hands.truth(seat, takers.others, *_draw(state, seat), laid):
        case Truth.OPEN:
            return Unprovable("discard.1", Lacks(seat, takers.ranks))
        case Truth.IMPOSSIBLE:
            counting = _counting(_drawn(state, seat), seat, takers.ranks)
            return _not_in_hand(state, seat, rank) or Illegal("discard.1", counting)
        case _ if state.hands.unseen(takers.ranks):
            return Legal("discard.1", evidence("one_number", seat=seat))
        case _:
            return Legal("discard.1", evidence("takers_seen", ranks=takers.ranks))


def _judge_king(state: State, seat: Seat, hands: Draws) -> Verdict:
    if KING not in state.tableau:
        return Illegal("king.2", evidence("no_king_on_table"))
    if not hands.allows(Held(seat, (KING,), state.at)):
        if hands.size(seat) == 0:
            return Illegal("king.2", evidence("hand_empty", seat=seat))
        return Illegal("deck.2", _copies_gone(hands, KING))
    return Legal("king.2", evidence("king_taken", seat=seat))


def _judge_pass(seat: Seat, hands: Draws) -> Verdict:
    match hands.truth(seat, KINGS_ONLY):
        case Truth.OPEN:
            return Unprovable("pass.1", Lacks(seat, NUMBERS))
        case Truth.IMPOSSIBLE:
            return Illegal("pass.1", _counting(hands, seat, NUMBERS))
    if hands.size(seat) == 0:
        return Legal("pass.1", evidence("hand_empty", seat=seat))
    if hands.unseen(NUMBERS) == 0:
        return Legal("pass.1", evidence("numbers_seen"))
    return Legal("pass.1", evidence("kings_only", seat=seat, held=hands.size(seat)))


def _judge_refill(state: State, play: Refill) -> Verdict:
    if not state.due:
        return Illegal("refill.1", evidence("no_refill_due"))
    told, kings = len(play.ranks), play.ranks.count(KING)
    if told != state.due and not _may_be_longer(state, told, kings):
        wrong = evidence("refill_size", told=told, due=state.due, stock=state.stock)
        return Illegal("refill.1", wrong)
    for rank, count in Counter(play.ranks).items():
        if count > state.hands.unseen((rank,)):
            return Illegal("deck.2", _copies_gone(state.hands, rank))
    if kings:
        return Legal("refill.2", evidence("kings_turned", seat=state.turn, kings=kings))
    return Legal("refill.1", evidence("refilled", cards=told))


def _may_be_longer(state: State, told: int, kings: int) -> bool:
    """Whether the kings among the cards told account for all beyond those due (ruling K17)."""
    replaced = state.table.option("replace_refill_kings") == "on"
    return replaced and state.due < told <= min(state.due + kings, state.stock)


def _judge_declare(state: State, play: Declare) -> Verdict:
    seat, n = play.seat, play.kings
    if state.turn is None and seat not in state.late:
        if state.ended:
            return Illegal("end.1", evidence("match_over"))
        return Illegal("deal.1", evidence("no_deal"))
    if state.turn is not None and state.table.option("end") == "all_cards":
        return Illegal("variant.1", evidence("declared_in_variant"))
    if n < KINGS_TO_END:
        return Illegal("declare.1", evidence("too_few_kings", kings=n))
    hands = _drawn(state, seat) if seat == state.turn and not state.due else state.hands
    most = _most_kings(hands, seat)
    if n > most:
        elsewhere = state.deck.copies[-1] - hands.unseen(KINGS_ONLY) - _kings(hands, seat)
        held = hands.size(seat)
        counted = Evidence(
            "kings_counted", {"seat": seat, "held": held, "elsewhere": elsewhere, "most": most}
        )
        return Illegal("declare.1", (counted, *_where(hands, KINGS_ONLY)))
    return Legal("declare.1", evidence("kings_shown", seat=seat, kings=n))


def _not_in_hand(state: State, seat: Seat, rank: str) -> Illegal | None:
    """Why ``seat`` can't hold the number ``rank`` when it has drawn; None if it can."""
    laid = Played(seat, (rank,), state.at)
    if state.hands.allows(laid):  # whatever is drawn
        return None
    hands = _drawn(state, seat)
    if hands.allows(laid):
        return None
    if not hands.unseen((rank,)):
        return Illegal("deck.2", _copies_gone(hands, rank))
    if hands.size(seat) == 0:
        return Illegal("pass.1", evidence("hand_empty", seat=seat))
    return Illegal("king.1", evidence("kings_only", seat=seat, held=hands.size(seat)))


def apply(state: State, play: Any) -> State:
    return _after(state, play, believed=True)


def let_stand(state: State, play: Any) -> State | None:
    return _after(state, play, believed=False) if _can_stand(state, play) else None


def _can_stand(state: State, play: Any) -> bool:
    """Whether the cards of an illegal play can lie and go where it says."""
    if isinstance(play, Declare) or state.ended:
        return False
    if isinstance(play, Deal):
        fits = 0 < len(play.tableau) <= state.deck.copies[0]
        return fits and (state.turn is None or _may_redeal(state))
    if state.turn is None:
        return False
    if isinstance(play, Refill):
        exist = state.hands.allows(Turned(play.ranks, state.at))
        return state.due > 0 and len(play.ranks) <= state.stock and exist
    hands = _drawn(state, play.seat)
    if isinstance(play, Pass):
        return True
    if isinstance(play, King):
        return not isinstance(_judge_king(state, play.seat, hands), Illegal)
    if not hands.allows(Played(play.seat, (play.rank,), state.at)):
        return False
    if isinstance(play, Discard):
        return True
    return KING not in (play.rank, *play.pair) and not Counter(play.pair) - Counter(state.tableau)


def _after(state: State, play: Any, *, believed: bool) -> State:
    """The state after ``play``; ``believed``: what it says about a hand counts as a declaration."""
    match play:
        case Deal():
            return _deal(state._replace(at=state.at + 1), play)
        case Refill():
            return _refill(state._replace(at=state.at + 1), play)
        case Declare():
            return _declare(state._replace(at=state.at + 1), play)
        case _:
            return _played(state, play, believed)


def _played(state: State, play: Capture | Discard | King | Pass, believed: bool) -> State:
    """A seat has drawn the card of ① and made its play.

    A declaration that is certain goes in, too: it can't be refuted, and changes no other's fate.
    """
    seat, at, passes = play.seat, state.at + 1, 0
    tableau, sets, stock = state.tableau, state.sets, max(0, state.stock - 1)
    facts = [*_draw(state, seat)]
    match play:
        case Capture(_, rank, pair):
            tableau = _without(tableau, pair)
            sets = (*sets, Taken(seat, (rank, *pair), state.deal, at))
            facts.append(Played(seat, (rank,), at))
            if stock:  # the extra card
                facts.append(Drew(seat, 1))
                stock -= 1
        case Discard(_, rank):
            takers = _must_have(state)
            if believed and takers.ranks:
                facts.append(Claim(seat, at, takers.others))
            facts.append(Played(seat, (rank,), at))
            tableau = (*tableau, rank)
        case King():
            tableau = _without(tableau, (KING,))
            facts += (Held(seat, (KING,), at), Gained(seat, KING))
        case _:
            passes = state.passes + 1
            if believed:
                facts.append(Claim(seat, at, KINGS_ONLY))
    due = 0 if tableau or isinstance(play, Pass) else min(TABLEAU, stock)
    ends = _ends(state.table, stock, passes)
    state = State(
        state.table,
        state.deck,
        state.deal,
        state.dealer,
        seat if due or ends else state.table.from_left_of(seat)[0],
        tableau,
        stock,
        state.hands.add(*facts),
        sets,
        state.bonuses,
        due,
        passes,
        False,
        state.late,
        state.rivals,
        state.ended,
        state.found,
        at,
    )
    return _deal_over(state) if ends and not due else state


def _draw(state: State, seat: Seat) -> tuple[Fact, ...]:
    """``seat`` draws the card of ①, if there is one."""
    return (Drew(seat, 1),) if state.stock else ()


def _drawn(state: State, seat: Seat) -> Draws:
    """What is known when ``seat`` has drawn the card of ①."""
    return state.hands.add(*_draw(state, seat))


def _deal(state: State, play: Deal) -> State:
    seats = state.table.seats
    first = state.table.from_left_of(play.dealer)[0]
    tableau = play.tableau
    hands = Draws.dealt(state.deck, seats, HAND).add(Turned(tableau, state.at))
    if state.table.option("initial_table_kings") == "to_first_player":
        hands = hands.add(*[Gained(first, KING)] * tableau.count(KING))
        tableau = _without(tableau, (KING,) * tableau.count(KING))
    return state._replace(
        deal=state.deal + 1,
        dealer=play.dealer,
        turn=first,
        tableau=tableau,
        stock=len(state.deck) - HAND * len(seats) - len(play.tableau),
        hands=hands,
        due=0,
        passes=0,
        fresh=True,
        late=(),
        rivals=state.rivals if state.turn else _level(state),
        found=audit(state),
    )


def _refill(state: State, play: Refill) -> State:
    seat = state.turn
    assert seat is not None
    kings = play.ranks.count(KING)
    tableau = (*state.tableau, *_without(play.ranks, (KING,) * kings))
    stock = state.stock - len(play.ranks)
    due = 0
    if not tableau or (kings and state.table.option("replace_refill_kings") == "on"):
        due = min(TABLEAU - len(tableau), stock)
    hands = state.hands.add(Turned(play.ranks, state.at), *[Gained(seat, KING)] * kings)
    state = state._replace(tableau=tableau, stock=stock, hands=hands, due=due)
    if due:
        return state
    if _ends(state.table, stock, state.passes):
        return _deal_over(state)
    return state._replace(turn=state.table.from_left_of(seat)[0])


def _declare(state: State, play: Declare) -> State:
    """Kings are shown; the card of ① is counted only where they could not be there without it."""
    seat, hands, stock = play.seat, state.hands, state.stock
    if play.kings > _most_kings(hands, seat):
        hands, stock = _drawn(state, seat), max(0, stock - 1)
    hands = hands.add(Held(seat, (KING,) * play.kings, state.at))
    state = state._replace(hands=hands, stock=stock)
    if state.table.option("end") == "all_cards":
        return _over(state, _holders(state), state.late)
    return _over(state, (seat,), ())


def _ends(table: Table, stock: int, passes: int) -> bool:
    """Whether the deal is over when a turn is (rulings K20, K22, K30)."""
    all_passed = passes >= len(table.seats)
    if stock:
        return all_passed and table.option("end") == "three_kings"
    if table.option("end") == "all_cards":
        return all_passed or table.option("all_cards_end") == "stock_empty"
    return all_passed or table.option("stock_out") == "stop"


def _deal_over(state: State) -> State:
    """The turn of ``state.turn`` was the last of the deal."""
    table, seat = state.table, state.turn
    assert seat is not None
    if table.option("end") == "all_cards":
        if table.option("all_cards_end") == "stock_empty":
            return _over(state, _holders(state), table.seats)
        full = (s for s in table.seats if state.hands.size(s) >= KINGS_TO_END)
        return _over(state, full, ())
    if state.stock == 0 and table.option("stock_out") == "stop":
        return _over(state, (), (seat,))  # with its last draw it may have got the third king (K24)
    return _over(state, (), ())


def _over(state: State, holders: Iterable[Seat], late: tuple[Seat, ...]) -> State:
    """The deal ends; ``holders`` have three kings, the seats ``late`` may still show some."""
    bonuses = tuple(bonus for bonus in state.bonuses if bonus.deal != state.deal)
    counts = state.table.option("end") == "three_kings"
    if counts or state.table.option("all_cards_bonus") == "holders":
        bonuses += tuple(Bonus(seat, state.deal, state.at) for seat in dict.fromkeys(holders))
    state = state._replace(turn=None, due=0, bonuses=bonuses, late=late)
    return state._replace(ended=_decided(state))


def _holders(state: State) -> tuple[Seat, ...]:
    """Seats that hold three kings for certain."""
    return tuple(s for s in state.table.seats if kings_known(state, s) >= KINGS_TO_END)


def _decided(state: State) -> Outcome | None:
    """Who has won; None if a tie asks for another deal."""
    holders = [bonus.seat for bonus in state.bonuses if bonus.deal == state.deal]
    return _outcome(state.table, _totals(state), holders, state.rivals)


def _outcome(
    table: Table, totals: Mapping[Seat, int], holders: Iterable[Seat], rivals: tuple[Seat, ...]
) -> Outcome | None:
    """By the method of this table; ``holders`` have three kings."""
    method, variant = table.option("method"), table.option("end") == "all_cards"
    fact = "holds_three" if variant else "declared"
    why = tuple(Evidence(fact, {"seat": seat}) for seat in holders)
    if not why and not variant:
        why = evidence("nobody_declared")
    if method == "1":
        winners = tuple(holders)
        return Outcome("method.1" if winners else "close.1", winners, why)
    first = _best(table, totals, rivals or table.seats)
    points = totals[first[0]]
    if len(first) == 1:
        best = Evidence("most_points" if method == "2" else "fewest_points", {"points": points})
        replayed = (Evidence("tie_replayed", {"seats": rivals}),) if rivals else ()
        return Outcome(f"method.{method}", first, (*why, best, *replayed))
    level = Evidence("tied", {"seats": first, "points": points})
    match table.option("final_tie"):
        case "replay":
            return None
        case "first_in_seat":
            alone = Evidence("tie_first", {"seat": first[0]})
            return Outcome("tie.1", first[:1], (*why, level, alone))
        case _:
            shared = Evidence("tie_shared", {"seats": first})
            return Outcome("tie.1", first, (*why, level, shared))


def _best(table: Table, totals: Mapping[Seat, int], among: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Those ``among`` the seats whose points win by method 2 or 3."""
    pick = min if table.option("method") == "3" else max
    points = pick(totals[seat] for seat in among)
    return tuple(seat for seat in among if totals[seat] == points)


def _level(state: State) -> tuple[Seat, ...]:
    """The seats for whom a tied deal is played again; empty before the first deal."""
    if not state.deal:
        return ()
    return _best(state.table, _totals(state), state.rivals or state.table.seats)


def _totals(state: State) -> Mapping[Seat, int]:
    """The points of ``score`` without its arithmetic."""
    method = state.table.option("method")
    totals = dict.fromkeys(state.table.seats, 0)
    if method != "1":
        for taken in state.sets:
            totals[taken.seat] += taken.points
    for bonus in state.bonuses:
        totals[bonus.seat] += BONUS[method]
    return totals


def score(state: State) -> ScoreSheet:
    return _sheet(state.table, state.sets, state.bonuses)


def _sheet(table: Table, sets: Iterable[Taken], bonuses: Iterable[Bonus]) -> ScoreSheet:
    method = table.option("method")
    lines = []
    if method == "1":
        for seat, deal, at in bonuses:
            lines.append(
                Line(seat, BONUS[method], "method.1", (Evidence("won", {}, at),), deal, None)
            )
    else:
        for taken in sets:
            fact = _sum_of(taken.cards)._replace(at=taken.at)
            lines.append(Line(taken.seat, taken.points, "score.1", (fact,), taken.deal, None))
        for seat, deal, at in bonuses:
            points = BONUS[method]
            fact = Evidence("bonus", {"points": f"{points:+d}".replace("-", "−")}, at)
            lines.append(Line(seat, points, f"method.{method}", (fact,), deal, None))
    totals = dict.fromkeys(table.seats, 0)
    for line in lines:
        totals[line.seat] += line.points
    return ScoreSheet(tuple(lines), totals)


def outcome(state: State) -> Outcome | None:
    return state.ended


def audit(state: State) -> tuple[Finding, ...]:
    return (*state.found, *(_finding(state, refuted) for refuted in state.hands.refutations()))


def public(state: State) -> dict[str, Any]:
    seats = state.table.seats
    return {
        "tableau": list(state.tableau),
        "piles": piles(state),
        "hands": {seat: state.hands.size(seat) for seat in seats},
        "stock": state.stock,
        "kings_known": {seat: kings_known(state, seat) for seat in seats},
    }


def piles(state: State) -> dict[Seat, int]:
    """Points of the sets that each seat has taken in this deal."""
    points = dict.fromkeys(state.table.seats, 0)
    for taken in state.sets:
        if taken.deal == state.deal:
            points[taken.seat] += taken.points
    return points


def kings_known(state: State, seat: Seat) -> int:
    """The fewest kings that ``seat`` can hold, by what everybody has seen."""
    return state.hands.at_least(seat, KING)


def prompt(state: State) -> Evidence | None:
    """What the table is asked when three kings must be in a hand (K24, K-G9); None otherwise."""
    if state.turn is None or state.table.option("end") == "all_cards":
        return None
    holders = _holders(state)
    if holders:
        return Evidence("must_hold_three", {"seats": holders})
    spare = KINGS_TO_END - 1
    hands = (
        (_kings(state.hands, seat), _hand(state.hands, seat).hidden) for seat in state.table.seats
    )
    room = sum(min(hidden, spare - kings) for kings, hidden in hands)
    if room + state.stock < state.hands.unseen(KINGS_ONLY):
        return Evidence("somebody_holds_three", {})
    return None


def sets_with(tableau: tuple[str, ...], rank: str) -> tuple[tuple[str, str], ...]:
    """The different pairs of the tableau that make a set with ``rank``."""
    pairs = dict.fromkeys(combinations(tableau, 2))
    distinct = {tuple(sorted(pair, key=_value)): pair for pair in pairs if is_set((rank, *pair))}
    return tuple((low, high) for low, high in distinct)


@lru_cache(maxsize=4096)
def is_set(cards: tuple[str, ...]) -> bool:
    """Whether two of three cards add up to the third."""
    values = [VALUE[card] for card in cards if card != KING]
    return len(values) == 3 and sum(values) == 2 * max(values)


def tally(table: Table, lines: SheetLines, end: int) -> Tally:
    """``A: 4+8=Q A+5=6``: the sets of a seat; ``declarer: A`` or, in the variant, every holder."""
    for key, found in lines.items():
        if key != "declarer" and key not in table.seats:
            raise Unreadable("read_tally_key", line=found[0][0], key=key)
        if len(found) > 1:
            raise Unreadable("read_repeated", line=found[1][0], key=key)
    for seat in table.seats:
        if seat not in lines:
            raise Unreadable("read_missing", line=end, key=seat)
    seen: Counter[str] = Counter()
    sets: list[Taken] = []
    holders: list[Seat] = []
    for key, [(number, text)] in lines.items():
        try:
            if key == "declarer":
                holders = _told_declarers(table, text)
            else:
                sets += (Taken(key, _told_set(table, word, seen), 1, None) for word in words(text))
        except Unreadable as fault:
            raise Unreadable(fault.fact, line=number, **fault.values) from None
    if table.option("end") == "all_cards" and table.option("all_cards_bonus") == "none":
        holders = []
    sheet = _sheet(table, sets, [Bonus(seat, 1, None) for seat in holders])
    return Tally(sheet, _outcome(table, sheet.totals, holders, ()))


def _told_set(table: Table, word: str, seen: Counter[str]) -> tuple[str, str, str]:
    """The cards of ``4+8=Q``; counts them into ``seen``."""
    cards = tuple(re.split("[+=]", word))
    values = [VALUE.get(card, 0) for card in cards]
    if not re.fullmatch("[^+=]+[+][^+=]+=[^+=]+", word) or 0 in values:
        raise Unreadable("read_tally_set", text=word)
    low, middle, high = cards
    if VALUE[low] + VALUE[middle] != VALUE[high]:
        raise Unreadable("read_tally_set", text=word)
    for card in cards:
        seen[card] += 1
        if seen[card] > 2 * len(table.seats):
            raise Unreadable("read_too_many", text=card)
    return low, middle, high


def _told_declarers(table: Table, text: str) -> list[Seat]:
    seats = [unquoted(word) for word in words(text)]
    for i, seat in enumerate(seats):
        if seat not in table.seats:
            raise Unreadable("read_seat", name=seat)
        if seat in seats[:i]:
            raise Unreadable("read_repeated", key=seat)
    most = 1
    if table.option("end") == "all_cards":
        most = deck_for(len(table.seats)).copies[-1] // KINGS_TO_END
    if len(seats) > most:
        raise Unreadable("read_tally_declarers", text=text, most=most)
    return seats


def _must_have(state: State) -> Takers:
    """The numbers with which a seat may not discard now."""
    if state.table.option("set_compulsory") == "off":
        return _takers(())
    return _takers(tuple(sorted(state.tableau)))


@lru_cache(maxsize=4096)
def _takers(tableau: tuple[str, ...]) -> Takers:
    """``tableau``: sorted."""
    numbers = [card for card in tableau if card != KING]
    pairs = sorted({(a, b) for a, b in combinations(numbers, 2)})
    first = ((rank, next((p for p in pairs if is_set((rank, *p))), None)) for rank in NUMBERS)
    found = {rank: pair for rank, pair in first if pair}
    return Takers(MappingProxyType(found), tuple(found), _others(found))


def _others(ranks: Iterable[str]) -> frozenset[Card]:
    return KINDS.difference(ranks)


def _without(tableau: tuple[str, ...], cards: Iterable[str]) -> tuple[str, ...]:
    left = list(tableau)
    for card in cards:
        if card in left:
            left.remove(card)
    return tuple(left)


def _value(card: str) -> int:
    return VALUE.get(card, 0)


def _hand(hands: Draws, seat: Seat) -> Hand:
    """What everybody knows of a hand; cards never leave one unseen, so there is one world."""
    [world] = hands.worlds
    return world.hands[seat]


def _kings(hands: Draws, seat: Seat) -> int:
    """Kings that everybody has seen going into the hand of ``seat``."""
    return copies_in(_hand(hands, seat).known, hands.deck.one[KING])


def _most_kings(hands: Draws, seat: Seat) -> int:
    """The most kings that ``seat`` can hold."""
    return _kings(hands, seat) + min(_hand(hands, seat).hidden, hands.unseen(KINGS_ONLY))


@lru_cache(maxsize=4096)
def _sum_of(cards: tuple[str, ...], fact: str = "adds_up") -> Evidence:
    """The sum as people say it: 4 + 8 = Q, and its points."""
    low, middle, high = sorted(cards, key=_value)
    points = sum(map(_value, cards))
    return Evidence(fact, {"low": low, "middle": middle, "high": high, "points": points})


def _counting(hands: Draws, seat: Seat, lacking: tuple[str, ...]) -> Facts:
    """Why ``seat`` can't hold none of ``lacking``."""
    only = _others(lacking)
    held, unseen = _hand(hands, seat).hidden, hands.unseen(only)
    values = {"seat": seat, "held": held, "ranks": lacking, "unseen": unseen}
    return (Evidence("must_hold", values), *_where(hands, only))


def _copies_gone(hands: Draws, rank: str) -> Facts:
    copies = hands.deck.copies[hands.deck.place[rank]]
    values = {"rank": rank, "copies": copies}
    return (Evidence("copies_gone", values), *_where(hands, frozenset((rank,))))


def _where(hands: Draws, kinds: frozenset[Card]) -> Facts:
    """Where the cards of ``kinds`` were seen."""
    return tuple(map(_seen, hands.where(kinds)))


def _seen(sight: Sight) -> Evidence:
    if sight.seat is None:
        return Evidence("turned_up", {"rank": sight.card}, sight.at)
    return Evidence("shown", {"seat": sight.seat, "rank": sight.card}, sight.at)


def _finding(state: State, refuted: Refutation) -> Finding:
    claim, proof = refuted.claim, refuted.proof
    facts = [_claimed(state, claim)]
    for sight in state.hands.where(state.deck.cards):
        if sight.at not in proof:
            continue
        if sight.seat == claim.seat and sight.at > claim.at and sight.card not in claim.only:
            values = {"seat": sight.seat, "rank": sight.card}
            facts.append(Evidence("held_then", values, sight.at))
        else:
            facts.append(_seen(sight))
    facts += (_claimed(state, earlier) for earlier in refuted.against)
    clause = "pass.1" if claim.only == KINGS_ONLY else "discard.1"
    return Finding(clause, claim.seat, claim.at, proof, tuple(facts))


def _claimed(state: State, claim: Claim) -> Evidence:
    lacking = tuple(card for card in state.deck.cards if card not in claim.only)
    return Evidence("declares_none", {"seat": claim.seat, "ranks": lacking}, claim.at)
