"""What a play changes, and whether it ends the deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from referee.core.adjusting import added
from referee.core.draws import Draws
from referee.core.ending import decided_again
from referee.core.game import Table
from referee.core.hands import HandClaim
from referee.core.moves import Drew, Fact, Gained, Held, Played, Turned
from referee.core.verdict import Illegal, Outcome, Seat
from referee.core.written import Points
from referee.games.three_kings.cards import HAND, KING, KINGS_ONLY, KINGS_TO_END, TABLEAU, without
from referee.games.three_kings.evidence import audit
from referee.games.three_kings.judging import judge_king
from referee.games.three_kings.plays import (
    Capture,
    Deal,
    Declare,
    Discard,
    King,
    Pass,
    Play,
    Refill,
)
from referee.games.three_kings.scoring import decided, seats_level
from referee.games.three_kings.state import (
    Bonus,
    State,
    TakenSet,
    compulsory_takers,
    having_drawn,
    may_redeal,
    most_kings,
    sure_holders,
)


def apply(state: State, play: Play) -> State:
    return _after(state, play, believed=True)


def let_stand(state: State, play: Play) -> State | None:
    return _after(state, play, believed=False) if _can_stand(state, play) else None


def _can_stand(state: State, play: Play) -> bool:
    """Whether the cards of an illegal play can be where it says, and go there."""
    if isinstance(play, Declare) or state.ended:
        return False
    if isinstance(play, Deal):
        stock = len(state.deck) - HAND * len(state.table.seats)
        dealt = Draws.dealt(state.deck, state.table.seats, HAND)
        fits = 0 < len(play.tableau) <= stock and dealt.can_turn_up(play.tableau)
        return fits and (state.turn is None or may_redeal(state))
    if state.turn is None:
        return False
    if isinstance(play, Refill):
        exist = state.hands.can_turn_up(play.ranks) and play.taken >= 0
        return state.due > 0 and len(play.ranks) <= state.stock and exist
    hands = having_drawn(state, play.seat)
    if isinstance(play, Pass):
        return True
    if isinstance(play, King):
        return not isinstance(judge_king(state, play.seat, hands), Illegal)
    if not hands.can_lay(play.seat, (play.rank,)):
        return False
    if isinstance(play, Discard):
        return True
    return KING not in (play.rank, *play.pair) and not Counter(play.pair) - Counter(state.tableau)


def _after(state: State, play: Play, *, believed: bool) -> State:
    """The state after ``play``; ``believed``: what it says about a hand counts as a declaration."""
    if isinstance(play, (Capture, Discard, King, Pass)):
        return _played(state, play, believed)
    if isinstance(play, Refill):
        return _refill(state, play)
    if isinstance(play, Deal):
        return _deal(state._replace(at=state.at + 1), play)
    return _declare(state._replace(at=state.at + 1), play)


def _played(state: State, play: Capture | Discard | King | Pass, believed: bool) -> State:
    """The state after a seat has drawn the card of ① and made its play.

    A declaration that is certain is added, too: it can't be refuted and does not affect others.
    """
    seat, at = play.seat, state.at + 1
    passed: dict[Seat, bool] = {}
    tableau, sets, stock = state.tableau, state.sets, state.stock
    drew = Drew(seat, 1)
    facts: list[Fact] = []
    if stock:
        facts.append(drew)
        stock -= 1
    if isinstance(play, Capture):
        tableau = without(tableau, play.pair)
        sets = sets.with_items((TakenSet(seat, (play.rank, *play.pair), state.deal, at),))
        facts.append(Played(seat, (play.rank,), at))
        if stock:  # the extra card
            facts.append(drew)
            stock -= 1
    elif isinstance(play, Discard):
        takers = compulsory_takers(state)
        if believed and takers.ranks:
            facts.append(HandClaim(seat, at, takers.others))
        facts.append(Played(seat, (play.rank,), at))
        tableau = (*tableau, play.rank)
    elif isinstance(play, King):
        tableau = without(tableau, (KING,))
        facts += (Held(seat, (KING,), at), Gained(seat, KING))
    else:
        passed = {**state.passed, seat: believed}
        if believed:
            facts.append(HandClaim(seat, at, KINGS_ONLY))
    due = 0 if tableau or isinstance(play, Pass) else min(TABLEAU, stock)
    ends = _ends(state.table, stock, passed)
    state = State(
        state.table,
        state.deck,
        state.deal,
        state.dealer,
        seat if due or ends else state.table.left_of(seat),
        tableau,
        stock,
        state.hands.add(*facts),
        sets,
        state.bonuses,
        due,
        passed,
        False,
        state.late,
        state.rivals,
        state.ended,
        state.found,
        at,
        state.level,
        state.adjusted,
    )
    return _deal_over(state) if ends and not due else state


def _deal(state: State, play: Deal) -> State:
    seats = state.table.seats
    first = state.table.left_of(play.dealer)
    tableau = play.tableau
    hands = Draws.dealt(state.deck, seats, HAND).add(Turned(tableau, state.at))
    if state.table.option("initial_table_kings") == "to_first_player":
        hands = hands.add(*[Gained(first, KING)] * tableau.count(KING))
        tableau = without(tableau, (KING,) * tableau.count(KING))
    return state._replace(
        deal=state.deal + 1,
        dealer=play.dealer,
        turn=first,
        tableau=tableau,
        stock=len(state.deck) - HAND * len(seats) - len(play.tableau),
        hands=hands,
        due=0,
        passed={},
        fresh=True,
        late=(),
        rivals=state.rivals if state.turn else state.level,
        level=(),
        found=audit(state),
    )


def _refill(state: State, play: Refill) -> State:
    seat, at = state.turn, state.at + 1
    assert seat is not None
    kings = play.taken
    tableau = (*state.tableau, *without(play.ranks, (KING,) * kings))
    stock = state.stock - len(play.ranks)
    due = 0
    if not tableau or (kings and state.table.option("replace_refill_kings") == "on"):
        due = min(TABLEAU - len(tableau), stock)
    hands = state.hands.add(Turned(play.ranks, at), *[Gained(seat, KING)] * kings)
    ends = not due and _ends(state.table, stock, state.passed)
    turn = seat if due or ends else state.table.left_of(seat)
    state = state._replace(turn=turn, tableau=tableau, stock=stock, hands=hands, due=due, at=at)
    return _deal_over(state) if ends else state


def _declare(state: State, play: Declare) -> State:
    """The state after kings were shown.

    The card of ① counts as drawn only if the kings would be impossible without it.
    """
    seat, hands, stock = play.seat, state.hands, state.stock
    if play.kings > most_kings(hands, seat):
        hands, stock = having_drawn(state, seat), max(0, stock - 1)
    hands = hands.add(Held(seat, (KING,) * play.kings, state.at))
    state = state._replace(hands=hands, stock=stock)
    if state.table.option("end") == "all_cards":
        return deal_ended(state, sure_holders(state), state.late)
    return deal_ended(state, (seat,), ())


def _ends(table: Table, stock: int, passed: Collection[Seat]) -> bool:
    """Whether the deal ends with this turn (rulings K20, K22, K30)."""
    all_passed = len(passed) == len(table.seats)
    if stock:
        return all_passed and table.option("end") == "three_kings"
    if table.option("end") == "all_cards":
        return all_passed or table.option("all_cards_end") == "stock_empty"
    return all_passed or table.option("stock_out") == "stop"


def _deal_over(state: State) -> State:
    """The state after the last turn of the deal, that of ``state.turn``."""
    table, seat = state.table, state.turn
    assert seat is not None
    if table.option("end") == "all_cards":
        if table.option("all_cards_end") == "stock_empty":
            return deal_ended(state, sure_holders(state), table.seats)
        said = [s for s in table.seats if state.passed[s] and state.hands.size(s) >= KINGS_TO_END]
        sure = sure_holders(state)
        return deal_ended(state, (s for s in table.seats if s in said or s in sure), ())
    if state.stock == 0 and table.option("stock_out") == "stop":
        return deal_ended(state, (), (seat,))  # the last draw may have been a third king (K24)
    return deal_ended(state, (), ())


def stopped(state: State, outcome: Outcome) -> State:
    """``state`` after the match was stopped; the cards on the table stay."""
    return state._replace(turn=None, due=0, late=(), ended=outcome, at=state.at + 1)


def adjusted(state: State, points: Mapping[Seat, Points]) -> State:
    """``state`` with ``points`` in the totals; a match that was decided is decided again."""
    every = added(dict.fromkeys(state.table.seats, 0) | {**state.adjusted}, points)
    state = state._replace(adjusted=every, at=state.at + 1)
    ended = decided_again(state.table, state.ended, lambda table: decided(table, state))
    return state._replace(ended=ended)


def deal_ended(state: State, holders: Iterable[Seat], late: tuple[Seat, ...]) -> State:
    """The state after the deal; ``holders`` have three kings, ``late`` may still show some."""
    bonuses = state.bonuses
    if bonuses.before is not None and bonuses.newest[0].deal == state.deal:
        bonuses = bonuses.before
    counts = state.table.option("end") == "three_kings"
    if counts or state.table.option("all_cards_bonus") == "holders":
        shown = dict.fromkeys(holders)
        bonuses = bonuses.with_items(Bonus(seat, state.deal, state.at) for seat in shown)
    state = state._replace(turn=None, due=0, bonuses=bonuses, late=late)
    ended = decided(state.table, state)
    return state._replace(ended=ended, level=() if ended else seats_level(state))
