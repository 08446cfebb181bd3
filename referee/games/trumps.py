"""Trumps（トランプス）: play for the right to take cards from the table, collect many of a kind.

Source: seed text S000. Rulings T1–T35. A round is ① cards, ② places, ③ taking, ④ what was played
joins the table, ⑤ everybody draws one; ④ and ⑤ follow by themselves from the last taking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, NamedTuple

from referee.core.cards import Deck, copies_in, pairs_deck
from referee.core.draws import Draws
from referee.core.game import TABLE, Line, Option, Options, ScoreSheet, SheetLines, Table, Tally
from referee.core.hands import Claim, Refutation, Truth
from referee.core.moves import Drew, Lost, Played, Shown
from referee.core.record import Unreadable, rank_and_copies, words
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

NAME = "trumps"
FAMILY = "collecting"
SEATS = range(2, 4)
VERSION = "1"
OPTIONS: Options = {
    "second_empty": Option(("none", "draw")),
    "last_may_pass": Option(("off", "on")),
    "facedown_to_field": Option(("open", "remove")),
    "exact_zero_triggers": Option(("on", "off")),
    "tie_chain": Option(("two_steps", "lexicographic")),
}

HAND = 7
TOP = {2: 9, 3: 10}  # the highest number by seats
ASIDE = {2: 4, 3: 3}
END = (TOP[3] + 1, 0)  # where a score pile ends; in a tie the longer one wins

Pile = Mapping[int, int]  # copies by number


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards are dealt."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "deal"


@dataclass(frozen=True, slots=True)
class Reveal:
    """A card for the start, turned up together with the others'."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "reveal {rank}"
    seat: Seat
    rank: int


@dataclass(frozen=True, slots=True)
class Starter:
    """The lot among seats that have tied with all their cards (ruling T3)."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "starter {named:seat}"
    named: Seat


@dataclass(frozen=True, slots=True)
class Lay:
    """A single or a pair, face up."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "lay {ranks}"
    seat: Seat
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cover:
    """One card face down: "I hold only forbidden numbers"; ``shows``: the hand, laid open."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "cover [{rank}] [shows {shows:ranks}]"
    seat: Seat
    rank: int | None = None
    shows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Take:
    """A number from the table: all its copies, or in the last place one."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "take {rank}"
    seat: Seat
    rank: int


@dataclass(frozen=True, slots=True)
class Draw:
    """A card from the stock into the hand instead of one from the table."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "draw"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Pass:
    """The last place takes nothing (ruling T20)."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "pass"
    seat: Seat


PLAYS = (Deal, Reveal, Starter, Lay, Cover, Take, Draw, Pass)


class Step(Enum):
    """What the table is doing."""

    IDLE = "idle"
    START = "start"
    LOT = "lot"
    PLAY = "play"
    TAKE = "take"


STEPS = {Reveal: Step.START, Starter: Step.LOT, Lay: Step.PLAY, Cover: Step.PLAY}


class Laid(NamedTuple):
    """Cards before a seat; ``down``: one face down, its number in ``ranks`` if it was told."""

    seat: Seat
    ranks: tuple[int, ...]
    at: int
    down: bool = False


class State(NamedTuple):
    """Between two entries.

    ``due``: the seats that still act in this step; ``contest``: those that reveal for the start,
    ``played``: what they have revealed, later what was played in this round; ``ranking``: the
    seats by their places. ``served``: how many refills came from the cards set aside at the end
    of the last round. ``at`` counts the entries that took effect.
    """

    table: Table
    deck: Deck
    deal: int
    step: Step
    due: tuple[Seat, ...]
    contest: tuple[Seat, ...]
    starter: Seat | None
    played: tuple[Laid, ...]
    ranking: tuple[Seat, ...]
    tableau: Pile
    piles: Mapping[Seat, Pile]
    hands: Draws
    stock: int
    widow: int
    served: int
    round: int
    final: bool
    tied: tuple[Seat, ...]
    ended: Outcome | None
    found: tuple[Finding, ...]
    at: int


def setup(table: Table) -> State:
    deck = pairs_deck(TOP[len(table.seats)])
    return State(
        table=table,
        deck=deck,
        deal=0,
        step=Step.IDLE,
        due=(),
        contest=(),
        starter=None,
        played=(),
        ranking=(),
        tableau={},
        piles={seat: {} for seat in table.seats},
        hands=Draws.dealt(deck, table.seats, 0),
        stock=len(deck),
        widow=0,
        served=0,
        round=0,
        final=False,
        tied=(),
        ended=None,
        found=(),
        at=0,
    )


def to_act(state: State) -> tuple[Seat, ...]:
    if state.step in (Step.START, Step.LOT):
        return state.due
    return state.due[:1]


def candidates(state: State) -> Iterator[Any]:
    ranks = range(1, len(state.deck.cards) + 1)
    if state.step is Step.IDLE:
        yield from () if state.ended else (Deal(),)
    for seat in to_act(state):
        match state.step:
            case Step.START:
                yield from (Reveal(seat, rank) for rank in ranks)
            case Step.LOT:
                yield Starter(seat)
            case Step.PLAY:
                yield from (Lay(seat, (rank,) * size) for size in (1, 2) for rank in ranks)
                yield from (Cover(seat, rank) for rank in ranks)
                yield from (Cover(seat),) if _removed(state) else ()
            case Step.TAKE:
                yield from (Take(seat, rank) for rank in ranks)
                yield Draw(seat)
                yield Pass(seat)


def judge(state: State, play: Any) -> Verdict:
    if state.ended:
        return Illegal("end.1", evidence("match_over"))
    if isinstance(play, Deal):
        if state.step is not Step.IDLE:
            return Illegal("deal.2", evidence("deal_running"))
        return Legal("setup.2", evidence("dealt", cards=HAND, aside=ASIDE[len(state.table.seats)]))
    if state.step is Step.IDLE:
        return Illegal("deal.1", evidence("no_deal"))
    if state.step is not STEPS.get(type(play), Step.TAKE):
        return Illegal("order.1", evidence(f"step_{state.step.value}", due=to_act(state)))
    if isinstance(play, Starter):
        if play.named not in state.due:
            return Illegal("start.3", evidence("not_tied", seat=play.named, tied=state.due))
        return Legal("start.3", evidence("lot_drawn", seat=play.named))
    if play.seat not in to_act(state):
        return _out_of_turn(state, play.seat)
    match play:
        case Reveal():
            wrong = _not_held(state, play.seat, (play.rank,))
            return wrong or Legal("start.1", evidence("revealed", rank=play.rank))
        case Lay():
            return _judge_lay(state, play)
        case Cover():
            return _judge_cover(state, play)
        case _:
            return _judge_taking(state, play)


def _judge_lay(state: State, play: Lay) -> Verdict:
    rank = play.ranks[0]
    if len(play.ranks) > 2 or rank != play.ranks[-1]:
        return Illegal("play.1", evidence("neither_single_nor_pair", ranks=play.ranks))
    wrong = _not_held(state, play.seat, play.ranks)
    if wrong:
        return wrong
    taken = next((laid for laid in _open(state) if rank in laid.ranks), None)
    if taken:
        fact = Evidence("number_used", {"rank": rank, "seat": taken.seat}, taken.at)
        return Illegal("play.2", (fact,))
    return Legal("play.2", evidence("number_free", rank=rank))


def _judge_cover(state: State, play: Cover) -> Verdict:
    seat, rank, only = play.seat, play.rank, _forbidden(state)
    if not only:
        return Illegal("cover.3", evidence("nothing_forbidden"))
    if rank is None and not _removed(state):
        return Illegal("cover.2", evidence("covered_untold"))
    wrong = _not_held(state, seat, () if rank is None else (rank,)) or _misshown(state, play)
    if wrong:
        return wrong
    used = tuple(
        Evidence("number_used", {"rank": r, "seat": laid.seat}, laid.at)
        for laid in _open(state)
        for r in laid.ranks[:1]
    )
    free = sorted({*play.shows, *((rank,) if rank else ())} - only)
    if free:
        return Illegal("cover.1", (*used, *evidence("could_lay", ranks=tuple(free))))
    if play.shows:
        return Legal("cover.1", (*used, *evidence("hand_shown", seat=seat, ranks=play.shows)))
    truth = state.hands.truth(seat, only, *(() if rank is None else (_played(state, seat, rank),)))
    if truth is Truth.CERTAIN and _removed(state):
        truth = state.hands.truth(seat, only)  # the number told is not seen
    if truth is Truth.OPEN:
        lacking = tuple(card for card in state.deck.cards if card not in only)
        return Unprovable("cover.1", Lacks(seat, lacking), used)
    held = state.hands.known(seat)
    if truth is Truth.IMPOSSIBLE:
        return Illegal("cover.1", (*used, *_counting(state, seat, only)))
    if held is not None:
        return Legal("cover.1", (*used, *evidence("hand_shown", seat=seat, ranks=held)))
    why = "last_card" if state.hands.size(seat) == 1 else "none_unseen"
    return Legal("cover.1", (*used, *evidence(why, seat=seat)))


def _misshown(state: State, play: Cover) -> Illegal | None:
    """What is wrong with the hand that is shown, apart from cards that could be laid."""
    if not play.shows:
        return None
    seat, held = play.seat, state.hands.size(play.seat)
    if len(play.shows) != held:
        wrong = evidence("shown_size", seat=seat, shown=len(play.shows), held=held)
        return Illegal("hand.3", wrong)
    if play.rank is not None and play.rank not in play.shows:
        return Illegal("hand.3", evidence("not_in_shown_hand", seat=seat, rank=play.rank))
    wrong_cards = _not_held(state, seat, play.shows)
    if wrong_cards or state.hands.allows(Shown(seat, play.shows, state.at)):
        return wrong_cards
    return Illegal("hand.3", _known(state, seat))


def _judge_taking(state: State, play: Take | Draw | Pass) -> Verdict:
    place, stock = place_of(state, play.seat), state.stock
    clause = f"take.{place}"
    match play:
        case Take(_, rank):
            copies = state.tableau.get(rank, 0)
            if not copies:
                joins = any(rank in laid.ranks for laid in state.played)
                if joins:
                    return Illegal("back.1", evidence("joins_later", rank=rank))
                return Illegal(clause, evidence("not_on_table", rank=rank))
            if place == 3:
                return Legal(clause, evidence("takes_one", rank=rank, copies=copies))
            return Legal(clause, evidence("takes_all", rank=rank, copies=copies, place=place))
        case Draw() if place == 3 and not stock:
            return Illegal(clause, evidence("stock_empty"))
        case Draw() if place == 3 or not state.tableau:
            return Legal(clause, evidence("draws_instead"))
        case Pass() if place == 3 and state.table.option("last_may_pass") == "on" and not stock:
            return Legal(clause, evidence("may_pass"))
    if place == 3 and state.tableau and stock:
        return Illegal(clause, evidence("take_or_draw"))
    return Illegal(clause, evidence("must_take" if state.tableau else "must_draw"))


def _out_of_turn(state: State, seat: Seat) -> Illegal:
    for laid in state.played:
        if laid.seat == seat and state.step is not Step.TAKE:
            return Illegal("turn.1", (Evidence("laid_already", {"seat": seat}, laid.at),))
    return Illegal("turn.1", evidence("not_turn", seat=seat, due=to_act(state)))


def _not_held(state: State, seat: Seat, ranks: tuple[int, ...]) -> Illegal | None:
    """Why ``seat`` can't hold these cards; None if it can."""
    for rank in ranks:
        if rank not in state.deck:
            top = state.deck.cards[-1]
            return Illegal("deck.1", evidence("not_in_deck", rank=rank, top=top))
    hands = state.hands
    if hands.allows(Played(seat, ranks, state.at)):
        return None
    if hands.size(seat) < len(ranks):
        held = hands.size(seat)
        return Illegal("play.3", evidence("too_many_cards", seat=seat, held=held, cards=len(ranks)))
    held_open = hands.known(seat)
    for rank, count in Counter(ranks).items():
        if held_open is not None and count > held_open.count(rank):
            facts = evidence("not_in_shown_hand", seat=seat, rank=rank)
            return Illegal("hand.3", (*facts, *_known(state, seat)))
        one = state.deck.one[rank]
        sure = max(copies_in(world.hands[seat].known, one) for world in hands.worlds)
        if count > sure + hands.unseen((rank,)):
            return Illegal("deck.2", _copies_short(state, rank, count))
    return Illegal("hand.3", _known(state, seat))


def apply(state: State, play: Any) -> State:
    return _after(state, play, believed=True)


def let_stand(state: State, play: Any) -> State | None:
    return _after(state, play, believed=False) if _can_stand(state, play) else None


def _can_stand(state: State, play: Any) -> bool:
    """Whether the table can let this illegal play stand with a sensible effect."""
    if state.ended or isinstance(play, Deal | Reveal):
        return False
    if isinstance(play, Starter):
        return state.step in (Step.START, Step.LOT)
    if state.step is not STEPS.get(type(play), Step.TAKE) or play.seat not in state.due:
        return False
    match play:
        case Lay(seat, ranks):
            cards = len(ranks) <= 2 and ranks[0] == ranks[-1] and ranks[0] in state.deck
            return cards and state.hands.allows(Played(seat, ranks, state.at))
        case Cover(seat, None):
            return _removed(state) and state.hands.size(seat) > 0
        case Cover(seat, int(rank)):
            return rank in state.deck and state.hands.allows(_played(state, seat, rank))
        case Take(_, rank):
            return rank in state.tableau
        case Draw():
            return state.stock > 0
    return True


def _after(state: State, play: Any, *, believed: bool) -> State:
    """The state after ``play``; ``believed``: what it says about a hand is a declaration."""
    at = state.at + 1
    match play:
        case Lay(seat, ranks):
            hands = state.hands.add(Played(seat, ranks, at))
            return _laid(state, Laid(seat, ranks, at), hands)
        case Take() | Draw() | Pass():
            return _took(state, play)
        case Cover():
            return _cover(state, play, judge(state, play) if believed else None)
        case Reveal(seat, rank):
            return _reveal(state._replace(at=at), seat, rank)
        case Starter(named):
            return _begin(state._replace(at=at), named)
        case _:
            return _deal(state._replace(at=at))


def _deal(state: State) -> State:
    seats = state.table.seats
    fresh = setup(state.table)
    aside = ASIDE[len(seats)]
    return fresh._replace(
        deal=state.deal + 1,
        step=Step.START,
        due=seats,
        contest=seats,
        hands=Draws.dealt(state.deck, seats, HAND),
        stock=len(state.deck) - HAND * len(seats) - aside,
        widow=aside,
        tied=_best(state.table, state.piles, state.tied) if state.deal else (),
        found=audit(state),
        at=state.at,
    )


def _reveal(state: State, seat: Seat, rank: int) -> State:
    state = state._replace(
        due=tuple(other for other in state.due if other != seat),
        played=(*state.played, Laid(seat, (rank,), state.at)),
        tableau=_with(state.tableau, (rank,)),
        hands=state.hands.add(_played(state, seat, rank)),
    )
    if state.due:
        return state
    lowest = min(laid.ranks for laid in state.played)
    tied = {laid.seat for laid in state.played if laid.ranks == lowest}
    if len(tied) == 1:
        return _begin(state, *tied)
    again = tuple(seat for seat in state.contest if seat in tied)
    step = Step.START if state.hands.size(again[0]) else Step.LOT
    return state._replace(step=step, due=again, contest=again, played=())


def _begin(state: State, starter: Seat) -> State:
    """The first round; a seat whose start cards were all it had is skipped (ruling T11)."""
    return _new_round(state._replace(starter=starter, contest=(), round=1))


def _new_round(state: State) -> State:
    assert state.starter is not None
    order = state.table.starting(state.starter)
    due = tuple(seat for seat in order if state.hands.size(seat))
    state = state._replace(step=Step.PLAY, due=due, played=(), ranking=())
    return state if due else _placed(state)


def _cover(state: State, play: Cover, verdict: Verdict | None) -> State:
    """``verdict``: what the judge says of it; None if the table lets it stand."""
    seat, at, hands = play.seat, state.at + 1, state.hands
    told = () if play.rank is None else (play.rank,)
    if verdict and play.shows:
        hands = hands.add(Shown(seat, play.shows, at))
    if isinstance(verdict, Unprovable) or (verdict and _removed(state)):
        hands = hands.add(Claim(seat, at, frozenset(_forbidden(state))))
    hands = hands.add(Lost(seat, at, play.rank) if _removed(state) else Played(seat, told, at))
    return _laid(state, Laid(seat, told, at, down=True), hands)


def _laid(state: State, laid: Laid, hands: Draws) -> State:
    due = tuple(seat for seat in state.due if seat != laid.seat)
    state = state._replace(played=(*state.played, laid), hands=hands, due=due, at=laid.at)
    return state if due else _placed(state)


def _placed(state: State) -> State:
    """②: everybody's place."""
    assert state.starter is not None
    order = state.table.starting(state.starter)
    laid = {laid.seat: laid for laid in state.played}
    best = sorted(order, key=lambda seat: weakness(laid.get(seat)))
    return _next_taker(state._replace(step=Step.TAKE, ranking=tuple(best), due=tuple(best)))


def weakness(laid: Laid | None) -> tuple[int, int]:
    """Sorts the strongest first; equal ones stay in turn order (ruling T13)."""
    if laid is None:
        return 3, 0
    if laid.down:
        return 2, 0
    return (1, -laid.ranks[0]) if len(laid.ranks) == 1 else (0, laid.ranks[0])


def _took(state: State, play: Take | Draw | Pass) -> State:
    seat, tableau, piles = play.seat, state.tableau, state.piles
    hands, stock = state.hands, state.stock
    match play:
        case Take(_, rank):
            held = tableau[rank]
            copies = 1 if place_of(state, seat) == 3 else held
            left = {**tableau, rank: held - copies}
            tableau = {r: n for r, n in left.items() if n}
            piles = {**piles, seat: _with(piles[seat], (rank,) * copies)}
        case Draw():
            hands, stock = hands.add(Drew(seat, 1)), stock - 1
    return _next_taker(
        state._replace(
            due=tuple([other for other in state.due if other != seat]),
            tableau=tableau,
            piles=piles,
            hands=hands,
            stock=stock,
            at=state.at + 1,
        )
    )


def _next_taker(state: State) -> State:
    """Skips who can take nothing (rulings T17, T21); after the last place the round is over."""
    while state.due:
        draws = place_of(state, state.due[0]) == 3 or (
            place_of(state, state.due[0]) == 2 and state.table.option("second_empty") == "draw"
        )
        if state.tableau or (draws and state.stock):
            return state
        state = state._replace(due=state.due[1:])
    return _round_over(state)


def place_of(state: State, seat: Seat) -> int:
    """1, 2, or 3 for the last place; of two seats the second is the last (ruling T35)."""
    place = state.ranking.index(seat) + 1
    return 3 if place == len(state.ranking) else place


def _round_over(state: State) -> State:
    """④ and, unless this was the final round, ⑤."""
    tableau = state.tableau
    for laid in state.played:
        if not (laid.down and _removed(state)):
            tableau = _with(tableau, laid.ranks)
    starter = state.ranking[0]
    if state.final:
        ended = _decided(state.table, state.piles, state.tied)
        return state._replace(
            step=Step.IDLE, tableau=tableau, starter=starter, played=(), ranking=(), ended=ended
        )
    seats = state.table.starting(starter)
    short = max(0, len(seats) - state.stock)
    stock = state.stock - len(seats) + short
    exhausted = short > 0 or (stock == 0 and state.table.option("exact_zero_triggers") == "on")
    return _new_round(
        state._replace(
            tableau=tableau,
            starter=starter,
            hands=state.hands.add(*(Drew(seat, 1) for seat in seats)),
            stock=stock,
            widow=state.widow - short,
            served=short,
            round=state.round + 1,
            final=exhausted,
        )
    )


def score(state: State) -> ScoreSheet:
    return _sheet(state.table, state.piles, max(state.deal, 1))


def _sheet(table: Table, piles: Mapping[Seat, Pile], deal: int) -> ScoreSheet:
    lines = []
    totals = dict.fromkeys(table.seats, 0)
    for seat in table.seats:
        for points, clause, fact in _points(piles[seat]):
            lines.append(Line(seat, points, clause, (fact,), deal, None))
            totals[seat] += points
    return ScoreSheet(tuple(lines), totals)


def _points(pile: Pile) -> Iterator[tuple[int, str, Evidence]]:
    """A and B with their arithmetic; one line for an empty pile."""
    if not pile:
        yield 0, "score.4", Evidence("pile_empty", {})
        return
    most = max(pile.values())
    ranks = sorted((rank for rank, n in pile.items() if n == most), reverse=True)
    shared = {"ranks": tuple(ranks), "copies": most}
    single = {"rank": ranks[0], "copies": most}
    yield (
        most,
        "score.2",
        Evidence("most_shared", shared) if ranks[1:] else Evidence("most", single),
    )
    run = longest_run(pile)
    values = {"run": "-".join(map(str, run)), "length": len(run)}
    yield len(run), "score.3", Evidence("longest", values)


def longest_run(pile: Pile) -> tuple[int, ...]:
    """The longest run of consecutive numbers, ascending; of equal ones the highest."""
    runs: list[tuple[int, ...]] = [()]
    for rank in sorted(pile):
        runs.append((*runs[-1], rank) if rank - 1 in runs[-1] else (rank,))
    return max(reversed(runs), key=len)


def outcome(state: State) -> Outcome | None:
    return state.ended


def _decided(table: Table, piles: Mapping[Seat, Pile], tied: tuple[Seat, ...]) -> Outcome | None:
    """Who has won; None if a tie asks for another deal. ``tied`` were level before this one."""
    totals = _sheet(table, piles, 1).totals
    points = max(totals[seat] for seat in tied or table.seats)
    level = tuple(seat for seat in tied or table.seats if totals[seat] == points)
    first = _best(table, piles, tied)
    facts = [*evidence("tie_replayed", seats=tied)] if tied else []
    if len(level) == 1:
        return Outcome("outcome.1", level, (*evidence("most_points", points=points), *facts))
    facts += evidence("tied", seats=level, points=points)
    smallest = {seat: min(piles[seat]) for seat in level if piles[seat]}
    if smallest:
        facts += evidence("smallest", cards=tuple(f"{s} {rank}" for s, rank in smallest.items()))
    rank = min(smallest.values(), default=0)
    copies = {seat: piles[seat][rank] for seat in smallest if smallest[seat] == rank}
    if len(copies) == 1:
        return Outcome("outcome.2", first, tuple(facts))
    if copies:
        told = tuple(f"{seat} {n}" for seat, n in copies.items())
        facts += evidence("smallest_copies", rank=rank, copies=told)
    if len(first) == 1 and smallest:
        if list(copies.values()).count(max(copies.values())) > 1:
            facts += evidence("next_smallest", seat=first[0])
        return Outcome("outcome.3", first, tuple(facts))
    match table.option("final_tie"):
        case "replay":
            return None
        case "first_in_seat":
            return Outcome("tie.1", first[:1], (*facts, *evidence("tie_first", seat=first[0])))
        case _:
            return Outcome("tie.1", first, (*facts, *evidence("tie_shared", seats=first)))


def _best(table: Table, piles: Mapping[Seat, Pile], among: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Those with most points, all at once compared by their smallest numbers (rulings T32–T34)."""
    totals = _sheet(table, piles, 1).totals
    steps = 1 if table.option("tie_chain") == "two_steps" else None
    keys = {
        seat: (-totals[seat], [*sorted((r, -n) for r, n in piles[seat].items()), END][:steps])
        for seat in among or table.seats
    }
    return tuple(seat for seat, key in keys.items() if key == min(keys.values()))


def audit(state: State) -> tuple[Finding, ...]:
    return (*state.found, *(_finding(state, refuted) for refuted in state.hands.refutations()))


def public(state: State) -> dict[str, Any]:
    start = state.step in (Step.START, Step.LOT)
    return {
        "tableau": _told(state.tableau),
        "played": []
        if start
        else [[laid.seat, "down" if laid.down else list(laid.ranks)] for laid in state.played],
        "piles": {seat: _told(pile) for seat, pile in state.piles.items()},
        "hands": {seat: state.hands.size(seat) for seat in state.table.seats},
        "stock": state.stock,
        "widow": state.widow,
        "starter": state.starter,
        "final_round": state.final,
    }


def _told(pile: Pile) -> dict[str, int]:
    return {str(rank): pile[rank] for rank in sorted(pile)}


def tally(table: Table, lines: SheetLines, end: int) -> Tally:
    """``A: 9*5 8*3``: the score pile of every seat; nothing after the colon is an empty one."""
    for key, found in lines.items():
        if key not in table.seats:
            raise Unreadable("read_tally_key", line=found[0][0], key=key)
        if len(found) > 1:
            raise Unreadable("read_repeated", line=found[1][0], key=key)
    deck = pairs_deck(TOP[len(table.seats)])
    seen: Counter[int] = Counter()
    piles: dict[Seat, Pile] = {}
    for seat in table.seats:
        if seat not in lines:
            raise Unreadable("read_missing", line=end, key=seat)
        [(number, text)] = lines[seat]
        try:
            cards = [rank for word in words(text) for rank in rank_and_copies(word)]
        except Unreadable as fault:
            raise Unreadable(fault.fact, line=number, **fault.values) from None
        seen.update(cards)
        for rank in cards:
            if rank not in deck or seen[rank] > deck.copies[deck.place[rank]]:
                raise Unreadable("read_too_many", line=number, text=str(rank))
        piles[seat] = Counter(cards)
    return Tally(_sheet(table, piles, 1), _decided(table, piles, ()))


def _with(pile: Pile, ranks: tuple[int, ...]) -> Pile:
    return {**pile, ranks[0]: pile.get(ranks[0], 0) + len(ranks)} if ranks else pile


def _open(state: State) -> Iterator[Laid]:
    """What lies face up in this round; only these numbers are forbidden (ruling T7)."""
    return (laid for laid in state.played if not laid.down)


def _forbidden(state: State) -> frozenset[Card]:
    return frozenset(rank for laid in _open(state) for rank in laid.ranks)


def _removed(state: State) -> bool:
    """Whether covered cards leave play unseen (ruling T22)."""
    return state.table.option("facedown_to_field") == "remove"


def _played(state: State, seat: Seat, rank: int) -> Played:
    return Played(seat, (rank,), state.at)


def _known(state: State, seat: Seat) -> Facts:
    """What everybody knows of a hand that has been shown."""
    hands = [state.deck.counts(world.hands[seat].known) for world in state.hands.worlds]
    counts = zip(state.deck.cards, map(min, *hands, hands[0]), strict=True)
    ranks = tuple(card for card, n in counts for _ in range(n))
    others = state.hands.size(seat) - len(ranks)
    return evidence("known_hand", seat=seat, ranks=ranks, others=others)


def _counting(state: State, seat: Seat, only: frozenset[Card]) -> Facts:
    """Why ``seat`` can't hold forbidden numbers only."""
    hand, unseen = state.hands.worlds[0].hands[seat], state.hands.unseen(only)
    if hand.hidden <= unseen:
        return _known(state, seat)
    ranks = tuple(sorted(only))
    values = {"seat": seat, "held": hand.hidden, "ranks": ranks, "unseen": unseen}
    return (Evidence("counting", values), *_where(state, only))


def _copies_short(state: State, rank: int, count: int) -> Facts:
    copies, left = state.deck.copies[state.deck.place[rank]], state.hands.unseen((rank,))
    values = {"rank": rank, "copies": copies, "left": left, "count": count}
    return (Evidence("copies_short" if left else "copies_gone", values), *_where(state, {rank}))


def _where(state: State, kinds: Collection[Card]) -> Facts:
    """Where the cards of ``kinds`` turned up."""
    sights = state.hands.where(kinds)
    return tuple(Evidence("shown", {"seat": s.seat, "rank": s.card}, s.at) for s in sights)


def _finding(state: State, refuted: Refutation) -> Finding:
    claim, proof, before = refuted
    facts = [_claimed(claim)]
    later = False
    for sight in state.hands.where(state.deck.cards):
        if sight.at in proof:
            own = sight.seat == claim.seat and sight.at > claim.at and sight.card not in claim.only
            later = later or own
            fact = "laid_after" if own else "shown"
            facts.append(Evidence(fact, {"seat": sight.seat, "rank": sight.card}, sight.at))
    if later:
        drawn = state.hands.drawn(claim.seat, claim.at, proof[-1])
        facts += evidence("drawn_between", seat=claim.seat, drawn=drawn)
    facts += (_claimed(earlier) for earlier in before)
    return Finding("cover.1", claim.seat, claim.at, proof, tuple(facts))


def _claimed(claim: Claim) -> Evidence:
    values = {"seat": claim.seat, "ranks": tuple(sorted(claim.only))}
    return Evidence("declares_only", values, claim.at)
