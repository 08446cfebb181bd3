"""What an entry changes: cards, what they bring about, stops, the end of a round."""

from __future__ import annotations

from referee.core.verdict import Outcome, Seat
from referee.kit.chapters.effect import EffectRow
from referee.kit.families.draw_or_stop import starting
from referee.kit.families.draw_or_stop.keys import AIMED
from referee.kit.families.draw_or_stop.plays import (
    Aim,
    Deal,
    Fold,
    Hit,
    Play,
    Reveal,
    Shuffle,
    Starter,
    Stay,
)
from referee.kit.families.draw_or_stop.rules import RowRules
from referee.kit.families.draw_or_stop.state import (
    BETWEEN,
    DEAL,
    TURN,
    DrawsDue,
    Due,
    EffectDue,
    RowCard,
    RowRound,
    State,
)
from referee.kit.families.draw_or_stop.stock import (
    about,
    can_draw,
    drawn,
    folded,
    rules_of,
    shuffled,
    size_of,
    without,
)
from referee.kit.scored import Given, deal_scored, grown, in_match, term_given, with_points
from referee.kit.text.scope import Scope


def apply(state: State, play: Play) -> State:
    """The state after ``play``, which is not illegal."""
    match play:
        case Hit(seat, card):
            return _settled(_taken(_in_turn(state, seat), seat, card))
        case Reveal(seat, card):
            return _revealed(state, seat, card)
        case Stay(seat):
            at = state.at + 1
            return _settled(_out(_in_turn(state, seat), seat)._replace(at=at))
        case Fold():
            return _settled(_fold(_in_turn(state, play.seat), play))
        case Aim(_, target):
            task, rest = state.due[0], state.due[1:]
            assert isinstance(task, EffectDue)
            return _settled(_acted(state._replace(due=rest, at=state.at + 1), task, target))
        case Shuffle():
            return state._replace(stock=shuffled(state), at=state.at + 1)
        case Starter(named):
            return _begun(starting.led_by(state._replace(at=state.at + 1), named))
        case Deal():
            return _dealt(state, play.leader)


def let_stand(state: State, play: Play) -> State | None:
    """The state after an illegal play that the table accepts; None if that makes no sense."""
    return apply(state, play) if _can_stand(state, play) else None


def _can_stand(state: State, play: Play) -> bool:
    """Whether the round is at the step of an illegal play, and the cards can be where it says."""
    if state.score.ended:
        return False
    task = state.due[0] if state.due else None
    turn = state.phase == TURN and task is None
    match play:
        case Deal(leader):
            named = (leader is None) == (rules_of(state).deal.first == "lowest")
            return state.phase == BETWEEN and named and (not leader or leader in in_match(state))
        case Reveal(seat, card):
            dealt = state.phase == DEAL and task is None
            return dealt and seat in state.order and _unseen(state, card)
        case Hit(seat, card):
            return turn and seat in state.round.playing and _unseen(state, card)
        case Stay(seat):
            return turn and seat in state.round.playing
        case Fold(seat):
            return turn and seat in state.round.playing and folded(state, play) is not None
        case Aim(seat, target):
            aims = isinstance(task, EffectDue) and task.card.seat == seat
            return aims and target in state.round.playing
        case Shuffle():
            return state.phase != BETWEEN and can_draw(state._replace(stock=shuffled(state)))
        case Starter():
            return bool(state.round.contest)


def _unseen(state: State, card: str) -> bool:
    return card in state.deck and state.stock.unseen[state.deck.place[card]] > 0


def stopped(state: State, outcome: Outcome) -> State:
    """``state`` after the match was stopped; the cards on the table stay."""
    score = state.score._replace(ended=outcome)
    return state._replace(score=score, phase=BETWEEN, order=(), due=(), at=state.at + 1)


def _dealt(state: State, leader: Seat | None) -> State:
    """The state in which cards are due for all seats."""
    rules, playing = rules_of(state), in_match(state)
    first = None if rules.deal.first == "lowest" else leader or starting.next_leader(state)
    size = size_of(rules, state)
    around = [seat for seat in state.table.starting(first or playing[0]) if seat in playing]
    none = ((),) * rules.n
    round_ = RowRound(size, first, none, playing, (False,) * rules.n)
    if first is None:
        round_ = round_._replace(contest=playing)
    kept = state.stock
    state = state._replace(
        deal=state.deal + 1,
        round=round_,
        phase=DEAL,
        order=tuple(around * (1 if first is None else size)),
        due=(),
        at=state.at + 1,
    )
    state = state._replace(stock=shuffled(state) if rules.deal.reshuffles else kept)
    return _settled(state) if first is not None else starting.lot_if_stuck(state)


def _in_turn(state: State, seat: Seat) -> State:
    """``state``, in which it is the turn of ``seat``: the table can accept a play out of turn."""
    taken_in_turn = state.phase == TURN and not state.due
    return state._replace(order=(seat,)) if taken_in_turn else state


def _revealed(state: State, seat: Seat, card: str) -> State:
    """The state after a card was dealt."""
    if state.round.starter is None:
        state = starting.contested(state, seat, card)
        return _begun(state) if state.round.starter is not None else state
    place = state.order.index(seat)
    order = (*state.order[:place], *state.order[place + 1 :])
    return _settled(_taken(state._replace(order=order), seat, card))


def _begun(state: State) -> State:
    """The state in which the first turn begins, if anybody is left to have it."""
    return _settled(state._replace(phase=DEAL, order=()))


def _taken(state: State, seat: Seat, card: str) -> State:
    """The state with one more card, before its effects on others have acted."""
    shown = RowCard(seat, card, state.at + 1)
    stock = drawn(state, shown)
    scope = about(state._replace(stock=stock), shown)
    rules = rules_of(state)
    now = acting(rules, "draw", scope)
    after = _given(rules, state, scope, "draw", shown)
    verbs = {verb for row in now for verb in rules.effects[row].do}
    rows = state.round.rows
    if "keep" in verbs and "drop" not in verbs:
        stock = stock._replace(kept=(*stock.kept, shown))
    elif not verbs & {"drop", "move"}:
        rows = _with(rules, rows, seat, shown)
    for row in now:
        cost = rules.effects[row].cost
        if "drop" in rules.effects[row].do and cost is not None:
            rows = _paid(rules, rows, seat, cost(state, scope))
    round_ = state.round._replace(rows=rows)
    after = after._replace(round=round_, stock=stock, at=shown.at)
    if "bust" in verbs:
        after = _bust(after, seat)
    return after._replace(due=_due(state, rules, now, scope, shown))


def _with(
    rules: RowRules, rows: tuple[tuple[RowCard, ...], ...], seat: Seat, shown: RowCard
) -> tuple[tuple[RowCard, ...], ...]:
    """``rows`` with a card more in that of ``seat``."""
    i = rules.index[seat]
    return (*rows[:i], (*rows[i], shown), *rows[i + 1 :])


def _paid(
    rules: RowRules, rows: tuple[tuple[RowCard, ...], ...], seat: Seat, mask: int
) -> tuple[tuple[RowCard, ...], ...]:
    """``rows`` without the first card of ``mask`` in the row of ``seat``."""
    row, i = rows[rules.index[seat]], rules.index[seat]
    for place, shown in enumerate(row):
        if rules.cards.bits[shown.card] & mask:
            return (*rows[:i], (*row[:place], *row[place + 1 :]), *rows[i + 1 :])
    return rows


def acting(rules: RowRules, on: str, scope: Scope) -> list[int]:
    """The numbers of the effects of a card, in the order of the file."""
    return [
        i
        for i, row in rules.acting[on]
        if (row.when is None or row.when(scope)) and row.times(scope) > 0
    ]


def _due(
    state: State, rules: RowRules, now: list[int], scope: Scope, shown: RowCard
) -> tuple[Due, ...]:
    """What has to be done after this card, in the order of the verbs.

    While a seat draws several cards, what would put somebody out or make somebody draw waits.
    """
    tasks = [
        EffectDue(i, shown, verb, rules.effects[i].times(scope))
        for verb in ("move", "out", "draw", "over")
        for i in now
        if verb in rules.effects[i].do
    ]
    first = state.due[0] if state.due else None
    if not isinstance(first, DrawsDue):
        return (*tasks, *state.due)
    waiting = tuple(task for task in tasks if task.verb in ("out", "draw"))
    at_once = tuple(task for task in tasks if task.verb not in ("out", "draw"))
    drawing = DrawsDue(first.seat, first.left - 1, (*first.waiting, *waiting))
    return (*at_once, drawing, *state.due[1:])


def _given(rules: RowRules, state: State, scope: Scope, per: str, shown: RowCard) -> State:
    """``state`` with the points and counters of a card, which is not in a row yet."""
    given: list[Given] = [
        term_given(term, scope, shown)
        for term in rules.scoring.given[per]
        if term.when is None or term.when(scope)
    ]
    counting = [counter for counter in rules.scoring.counters if counter.per == per]
    counters = grown(rules, state.score.counters, scope, counting, (scope.seat,))
    return with_points(state, None, given, counters)


def _out(state: State, seat: Seat) -> State:
    """``state`` in which ``seat`` is out of the round; its row counts."""
    playing = tuple([each for each in state.round.playing if each != seat])
    return state._replace(round=state.round._replace(playing=playing))


def _bust(state: State, seat: Seat) -> State:
    i, state = rules_of(state).index[seat], _out(state, seat)
    busts = state.round.busts
    busts = (*busts[:i], True, *busts[i + 1 :])
    return state._replace(round=state.round._replace(busts=busts))


def _fold(state: State, play: Fold) -> State:
    """The state after a fold, before its effects on others have acted."""
    rules, seat = rules_of(state), play.seat
    card = folded(state, play)
    assert card is not None
    shown = RowCard(seat, card.card, state.at + 1)
    state = _out(without(state, card), seat)
    scope = about(state, shown)
    now = acting(rules, "fold", scope)
    verbs = {verb for row in now for verb in rules.effects[row].do}
    after = _given(rules, state, scope, "fold", shown)
    if "keep" in verbs:
        after = after._replace(stock=after.stock._replace(kept=(*after.stock.kept, shown)))
    if "bust" in verbs:
        after = _bust(after, seat)
    due = _due(state, rules, now, scope, shown)
    return after._replace(due=due, at=shown.at)


def targets(state: State, task: EffectDue) -> tuple[Seat, ...]:
    """The players whom an effect can concern, in seat order. The new card is in no row for them."""
    rules = rules_of(state)
    row: EffectRow = rules.effects[task.row]
    own, playing = task.card.seat, state.round.playing
    able = {
        "self": [seat for seat in playing if seat == own],
        "other": [seat for seat in playing if seat != own],
        "any": list(playing),
    }[row.to]
    if row.who is None:
        return tuple(able)
    scope = about(without(state, task.card), task.card)
    found = []
    for seat in able:
        scope.seat = rules.index[seat]
        if row.who(scope):
            found.append(seat)
    return tuple(found)


def _acted(state: State, task: EffectDue, target: Seat | None) -> State:
    """``state`` after an effect on ``target``; None: on nobody."""
    if target is None:
        return state
    if task.verb == "out":
        return _out(state, target)
    if task.verb == "draw":
        return state._replace(due=(DrawsDue(target, task.times, ()), *state.due))
    moved = task.card._replace(seat=target)
    rows = _with(rules_of(state), state.round.rows, target, moved)
    return state._replace(round=state.round._replace(rows=rows))


def _settled(state: State) -> State:
    """The state in which everything that needs no entry has been done."""
    while state.due:
        task, rest = state.due[0], state.due[1:]
        if isinstance(task, DrawsDue):
            drawing = task.seat in state.round.playing
            if drawing and task.left > 0 and can_draw(state):
                return state
            state = state._replace(due=(*(task.waiting if drawing else ()), *rest))
        elif task.verb not in AIMED:
            return _round_over(state)
        else:
            able = targets(state, task)
            if len(able) > 1:
                return state
            state = _acted(state._replace(due=rest), task, able[0] if able else None)
    return _next(state)


def _next(state: State) -> State:
    """The state in which the next card is due, or the next turn, or the round is over."""
    playing = state.round.playing
    if not playing:
        return _round_over(state)
    if state.phase == DEAL:
        order = tuple([seat for seat in state.order if seat in playing])
        if order and can_draw(state):
            return state._replace(order=order)
        first = state.round.starter
        assert first is not None
        turn = next(seat for seat in state.table.starting(first) if seat in playing)
        return state._replace(phase=TURN, order=(turn,))
    seat = state.order[0]
    if seat in playing and rules_of(state).goes_on:
        return state
    turn = next(seat for seat in state.table.from_left_of(seat) if seat in playing)
    return state._replace(order=(turn,))


def _round_over(state: State) -> State:
    return deal_scored(state._replace(phase=BETWEEN, order=(), due=()))
