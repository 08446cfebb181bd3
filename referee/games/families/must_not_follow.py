"""What Fancy and ペリテ share: one card each in turn, of a number that is not showing.

Deals, turns, the rotation of the first lead, the copies of a number, declarations about hands and
the end of a match are decided here; what a repeated number does and what a trick is worth, in
the game's own file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, NamedTuple, TypeAlias

from referee.core.cards import Deck
from referee.core.game import TABLE, Option, Table
from referee.core.hands import Hands, Refutation, Truth
from referee.core.record import Unreadable
from referee.core.verdict import (
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

ROUNDS = Option(("players", *map(str, range(1, 11))))
ROUND_STARTER = Option(("rotate", "pick", "lowest_total"))


@dataclass(frozen=True, slots=True)
class Deal:
    """A new deal; ``leader`` may be left out where the rule decides it."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "deal [leader={leader:seat}]"
    leader: Seat | None = None


@dataclass(frozen=True, slots=True)
class Lay:
    """One card to the trick. On a number that is showing: "I hold nothing else"."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "lay {rank}"
    seat: Seat
    rank: int


@dataclass(frozen=True, slots=True)
class Show:
    """The whole hand as it is now, laid open to the table; a fact from then on."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "show {ranks}"
    seat: Seat
    ranks: tuple[int, ...]


Play: TypeAlias = Deal | Lay | Show

PLAYS = (Deal, Lay, Show)


class Laid(NamedTuple):
    """A card of the trick; ``out``: its player is out of this trick. ``at`` is its position."""

    seat: Seat
    rank: int
    out: bool
    at: int


class Trick(NamedTuple):
    """A finished trick; older ones follow in ``before``. ``deal`` and ``number`` are 1-based."""

    before: Trick | None
    deal: int
    number: int
    cards: tuple[Laid, ...]
    winner: Seat | None
    rank: int | None


class State(NamedTuple):
    """Between two entries. ``due``: the seats that still lay to this trick, in turn order.

    ``showing`` maps the numbers that may not be laid to their cards; ``won`` the numbers with
    which each seat has won tricks of this deal; ``at`` counts the entries that took effect.
    """

    table: Table
    deck: Deck
    deal: int
    starter: Seat | None
    leader: Seat | None
    due: tuple[Seat, ...]
    trick: tuple[Laid, ...]
    showing: Mapping[int, Laid]
    hands: Hands
    won: Mapping[Seat, tuple[int, ...]]
    totals: Mapping[Seat, int]
    number: int
    last: Trick | None
    tied: tuple[Seat, ...]
    ended: Outcome | None
    found: tuple[Finding, ...]
    at: int


def setup(table: Table, deck: Deck, size: int) -> State:
    """Before the first deal; ``size`` cards go to each seat."""
    none = dict.fromkeys(table.seats, ())
    points = dict.fromkeys(table.seats, 0)
    hands = Hands.dealt(deck, table.seats, size)
    return State(
        table, deck, 0, None, None, (), (), {}, hands, none, points, 0, None, (), None, (), 0
    )


def to_act(state: State) -> tuple[Seat, ...]:
    return state.due[:1]


def candidates(state: State) -> Iterator[Any]:
    if state.due:
        yield from (Lay(state.due[0], int(rank)) for rank in state.deck.cards)
    elif not state.ended:
        leader = next_starter(state)
        yield from (Deal(seat) for seat in ([leader] if leader else state.table.seats))


def judge(state: State, play: Any, gone: Callable[[State, Seat], bool]) -> Verdict:
    """Legality of any play; ``gone`` says whether a seat has left the deal."""
    if state.ended:
        return Illegal("end.1", evidence("match_over"))
    if isinstance(play, Deal):
        return _judge_deal(state, play)
    if not state.due:
        return Illegal("deal.1", evidence("no_deal"))
    if isinstance(play, Show):
        return _judge_show(state, play)
    seat, rank = play.seat, play.rank
    if seat != state.due[0]:
        return _out_of_turn(state, seat, gone)
    if rank not in state.deck:
        return Illegal("deck.1", evidence("not_in_deck", rank=rank, top=state.deck.cards[-1]))
    hands = state.hands
    if seat in hands.shown:
        if not hands.shown[seat][hands.deck.place[rank]]:
            return Illegal("hand.3", evidence("not_in_shown_hand", seat=seat, rank=rank))
    elif hands.gone(rank):
        return Illegal("deck.2", _copies_gone(hands, rank))
    if rank not in state.showing:
        return _free(rank)
    return _judge_repeat(state, seat, rank)


@cache
def _free(rank: int) -> Legal:
    """A number that is not showing; most of what is laid."""
    return Legal("follow.1", evidence("free", rank=rank))


def _judge_repeat(state: State, seat: Seat, rank: int) -> Verdict:
    """A number that is showing: only for who holds nothing else."""
    hands, showing = state.hands, state.showing
    only = frozenset(showing)
    first = showing[rank]
    fact = Evidence("showing", {"rank": rank, "seat": first.seat}, first.at)
    truth = hands.truth(seat, only)
    if truth is Truth.OPEN:
        lacking = tuple(r for r in state.deck.cards if r not in only)
        return Unprovable("follow.2", Lacks(seat, lacking), (fact,))
    if truth is Truth.CERTAIN:
        if seat in hands.shown:
            return Legal("follow.2", (fact, _hand(hands, seat)))
        why = "last_card" if hands.hidden[seat] == 1 else "none_unseen"
        return Legal("follow.2", (fact, Evidence(why, {"seat": seat})))
    if seat in hands.shown:
        return Illegal("follow.2", (fact, _hand(hands, seat)))
    counting = Evidence(
        "counting",
        {
            "seat": seat,
            "held": hands.hidden[seat],
            "ranks": tuple(sorted(only)),
            "unseen": hands.unseen(only),
        },
    )
    return Illegal("follow.2", (fact, counting, *_where(hands, only)))


def _judge_deal(state: State, play: Deal) -> Verdict:
    if state.due:
        return Illegal("deal.2", evidence("deal_running"))
    leader = next_starter(state)
    named = play.leader or leader
    if named is None:
        return Illegal("deal.3" if state.deal == 0 else "starter.1", evidence("leader_missing"))
    if leader and named != leader:
        return Illegal("starter.1", evidence("leader_rule", leader=leader, named=named))
    clause = "deal.3" if leader is None else "starter.1"
    return Legal(clause, evidence("new_deal", leader=named))


def _judge_show(state: State, play: Show) -> Verdict:
    hands, seat = state.hands, play.seat
    for rank in play.ranks:
        if rank not in state.deck:
            return Illegal("deck.1", evidence("not_in_deck", rank=rank, top=state.deck.cards[-1]))
    counts = state.deck.count(play.ranks)
    if seat in hands.shown:
        if counts == hands.shown[seat]:
            return Legal("hand.3", (_hand(hands, seat),))
        return Illegal("hand.3", (_hand(hands, seat),))
    held = hands.hidden[seat]
    if len(play.ranks) != held:
        return Illegal(
            "hand.3", evidence("shown_size", seat=seat, shown=len(play.ranks), held=held)
        )
    for card, count in zip(state.deck.cards, counts, strict=True):
        if count > hands.unseen((card,)):
            return Illegal("deck.2", _copies_gone(hands, int(card)))
    return Legal("hand.3", evidence("hand_shown", seat=seat, ranks=tuple(sorted(play.ranks))))


def _out_of_turn(state: State, seat: Seat, gone: Callable[[State, Seat], bool]) -> Illegal:
    if gone(state, seat):
        return Illegal("win.2", evidence("out_of_deal", seat=seat))
    for card in state.trick:
        if card.seat == seat:
            return Illegal("turn.1", evidence("already_laid", card.at, seat=seat))
    return Illegal("turn.1", evidence("not_turn", seat=seat, due=state.due[:1]))


def deal(state: State, play: Deal, size: int) -> State:
    """Shuffle everything, deal ``size`` cards to each seat."""
    seats = state.table.seats
    leader = play.leader or next_starter(state)
    assert leader is not None
    return state._replace(
        deal=state.deal + 1,
        starter=leader,
        leader=leader,
        due=state.table.starting(leader),
        trick=(),
        showing={},
        hands=Hands.dealt(state.deck, seats, size),
        won=dict.fromkeys(seats, ()),
        number=1,
        found=audit(state),
        at=state.at + 1,
    )


def show(state: State, play: Show) -> State:
    at = state.at + 1
    if play.seat in state.hands.shown:
        return state._replace(at=at)
    return state._replace(hands=state.hands.show(play.seat, play.ranks, at), at=at)


def laid(
    state: State, play: Lay, believed: bool, trick: tuple[Laid, ...], showing: Mapping[int, Laid]
) -> State:
    """``state`` with the card on the table and ``trick``, ``showing`` as the game has them.

    ``believed``: a repeated number counts as a declaration about the hand.
    """
    at, seat = state.at + 1, play.seat
    hands = state.hands
    if believed and play.rank in state.showing and seat not in hands.shown:
        hands = hands.declare(seat, frozenset(state.showing), at)
    due = state.due[1:]
    leader = state.leader
    if seat != state.due[0]:  # the table lets a card out of turn stand
        if state.trick:
            due = tuple(other for other in state.due if other != seat)
        else:
            leader, waiting = seat, set(state.due)
            due = tuple(s for s in state.table.starting(seat)[1:] if s in waiting)
    return State(
        state.table,
        state.deck,
        state.deal,
        state.starter,
        leader,
        due,
        trick,
        showing,
        hands.lay(seat, play.rank, at),
        state.won,
        state.totals,
        state.number,
        state.last,
        state.tied,
        state.ended,
        state.found,
        at,
    )


def can_stand(state: State, play: Any) -> bool:
    """Whether the table can let this illegal play stand with a sensible effect."""
    if state.ended:
        return False
    if isinstance(play, Deal):
        return not state.due and play.leader is not None
    if isinstance(play, Show) or play.seat not in state.due or play.rank not in state.deck:
        return False
    hands = state.hands
    if play.seat in hands.shown:
        return hands.shown[play.seat][hands.deck.place[play.rank]] > 0
    return not hands.gone(play.rank)


def closed(
    state: State, winner: Seat | None, rank: int | None, points: Mapping[Seat, int]
) -> State:
    """The trick goes to ``winner``, who won it with ``rank``; the game sets up what follows."""
    won = state.won
    if winner is not None and rank is not None:
        won = {**won, winner: (*won[winner], rank)}
    return state._replace(
        trick=(),
        showing={},
        won=won,
        totals={seat: total + points.get(seat, 0) for seat, total in state.totals.items()},
        number=state.number + 1,
        last=Trick(state.last, state.deal, state.number, state.trick, winner, rank),
    )


def deal_over(state: State) -> State:
    """After the last trick of a deal: perhaps the end of the match (ruling X2)."""
    state = state._replace(due=(), leader=None)
    if state.deal < rounds(state.table):
        return state
    ended = decided(state.table, state.totals, state.tied)
    tied = best(state.totals, state.tied or state.table.seats)
    return state._replace(ended=ended, tied=() if ended else tied)


def best(totals: Mapping[Seat, int], among: Iterable[Seat]) -> tuple[Seat, ...]:
    """Those ``among`` the seats who have most points, in the order given."""
    among = tuple(among)
    most = max(totals[seat] for seat in among)
    return tuple(seat for seat in among if totals[seat] == most)


def decided(table: Table, totals: Mapping[Seat, int], tied: tuple[Seat, ...]) -> Outcome | None:
    """Who has won; None if the rule asks for another deal. ``tied`` were level before this one."""
    first = best(totals, tied or table.seats)
    points = totals[first[0]]
    if len(first) == 1:
        facts = [Evidence("most_points", {"points": points})]
        if tied:
            facts.append(Evidence("tie_replayed", {"seats": tied}))
        return Outcome("outcome.1", first, tuple(facts))
    level = Evidence("tied", {"seats": first, "points": points})
    match table.option("final_tie"):
        case "replay":
            return None
        case "first_in_seat":
            return Outcome("tie.1", first[:1], (level, Evidence("tie_first", {"seat": first[0]})))
        case _:
            return Outcome("tie.1", first, (level, Evidence("tie_shared", {"seats": first})))


def rounds(table: Table) -> int:
    """How many deals a match has; a tie may add some."""
    value = table.option("rounds")
    return len(table.seats) if value == "players" else int(value)


def next_starter(state: State) -> Seat | None:
    """Who leads the first trick of the next deal; None where the table says so (F2, P18)."""
    rule = state.table.option("round_starter")
    if state.starter is None or rule == "pick":
        return None
    order = state.table.from_left_of(state.starter)
    if rule == "lowest_total":
        return min(order, key=lambda seat: state.totals[seat])
    return order[0]


def count_copy(deck: Deck, seen: Counter[int], rank: int, line: int) -> None:
    """Count one more ``rank`` of a tally sheet; raises ``Unreadable`` if there is none left."""
    seen[rank] += 1
    if rank not in deck or seen[rank] > deck.copies[deck.place[rank]]:
        raise Unreadable("read_too_many", line=line, text=str(rank))


def outcome(state: State) -> Outcome | None:
    return state.ended


def audit(state: State) -> tuple[Finding, ...]:
    return (*state.found, *(_finding(state, r) for r in state.hands.refutations()))


def tricks(state: State) -> list[Trick]:
    """The finished tricks of the match in order."""
    found, trick = [], state.last
    while trick:
        found.append(trick)
        trick = trick.before
    return found[::-1]


def public(state: State, *, down: bool) -> dict[str, Any]:
    """What everybody can see; ``down``: cards out of the trick lie face down."""
    leader = state.leader
    if not state.due and not state.ended:
        leader = next_starter(state)
    return {
        "trick": [
            [card.seat, card.rank, "down"] if down and card.out else [card.seat, card.rank]
            for card in state.trick
        ],
        "leader": leader,
        "tricks": {seat: len(ranks) for seat, ranks in state.won.items()},
        "totals": dict(state.totals),
    }


def _finding(state: State, refuted: Refutation) -> Finding:
    claim, proof = refuted.claim, refuted.proof
    hands = state.hands
    ranks = tuple(sorted(claim.only))
    facts = [Evidence("declares_only", {"seat": claim.seat, "ranks": ranks}, claim.at)]
    before = {c.at: c for c in refuted.against}
    for seen in hands.where(frozenset(hands.deck.cards)):
        if seen.at not in proof:
            continue
        own = seen.seat == claim.seat and seen.at >= claim.at
        if own and seen.card not in claim.only:
            how = "showed_later" if seen.shown else "laid_later"
            fact = Evidence(how, {"seat": seen.seat, "rank": seen.card}, seen.at)
            if fact not in facts:  # of a hand that is shown, once for all copies
                facts.append(fact)
        elif not own and seen.card in claim.only:
            facts.append(
                Evidence("seen_elsewhere", {"seat": seen.seat, "rank": seen.card}, seen.at)
            )
    for at, earlier in before.items():
        kinds = tuple(sorted(earlier.only))
        facts.append(Evidence("declared_before", {"seat": claim.seat, "ranks": kinds}, at))
    return Finding("follow.2", claim.seat, claim.at, proof, tuple(facts))


def _hand(hands: Hands, seat: Seat) -> Evidence:
    counts = zip(hands.deck.cards, hands.shown[seat], strict=True)
    ranks = tuple(card for card, count in counts for _ in range(count))
    return Evidence("hand_shown", {"seat": seat, "ranks": ranks})


def _copies_gone(hands: Hands, rank: int) -> Facts:
    copies = Evidence("copies_gone", {"rank": rank, "copies": hands.deck.copies[rank - 1]})
    return (copies, *_where(hands, frozenset((rank,))))


def _where(hands: Hands, kinds: Iterable[Any]) -> Facts:
    return tuple(
        Evidence("shown", {"seat": seen.seat, "rank": seen.card}, seen.at)
        for seen in hands.where(frozenset(kinds))
    )
