"""Legality of the entries. Everything lies open, so no verdict depends on a hand."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.verdict import Evidence, Facts, Illegal, Legal, Seat, Verdict, evidence
from referee.kit.families.draw_or_stop.effects import acting, targets
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
from referee.kit.families.draw_or_stop.starting import next_leader, repeats
from referee.kit.families.draw_or_stop.state import (
    BETWEEN,
    DEAL,
    LOT,
    TURN,
    DrawsDue,
    EffectDue,
    RowCard,
    State,
)
from referee.kit.families.draw_or_stop.stock import (
    about,
    burned,
    can_draw,
    drawn,
    folded,
    lying,
    must_shuffle,
    outside,
    rules_of,
    to_fold,
    without,
)
from referee.kit.scored import in_match
from referee.kit.text.scope import Scope


def to_act(state: State) -> tuple[Seat, ...]:
    if state.due:
        task = state.due[0]
        return (task.seat if isinstance(task, DrawsDue) else task.card.seat,)
    if state.phase == DEAL and state.round.starter is None:
        return state.order
    return state.order if state.phase == LOT else state.order[:1]


def candidates(state: State) -> Iterator[Play]:
    if state.score.ended:
        return
    if state.phase == BETWEEN:
        leader = next_leader(state)
        if rules_of(state).deal.first == "lowest":
            yield Deal()
        else:
            yield from (Deal(seat) for seat in ((leader,) if leader else in_match(state)))
        return
    task = state.due[0] if state.due else None
    if isinstance(task, EffectDue):
        yield from (Aim(task.card.seat, seat) for seat in targets(state, task))
        return
    if must_shuffle(state) or (state.stock.uncounted and not rules_of(state).deal.reshuffles):
        yield Shuffle()
    kinds = tuple(map(str, state.deck.cards))
    for seat in to_act(state):
        if state.phase == LOT:
            yield Starter(seat)
        elif isinstance(task, DrawsDue) or state.phase == TURN:
            yield from (Hit(seat, card) for card in kinds)
            if task is None:
                yield Stay(seat)
                yield Fold(seat)
        else:
            yield from (Reveal(seat, card) for card in kinds)


def judge(state: State, play: Play) -> Verdict:
    if state.score.ended:
        return Illegal("end.1", evidence("match_over"))
    if isinstance(play, Deal):
        return _judge_deal(state, play)
    if state.phase == BETWEEN:
        return Illegal("deal.1", evidence("no_deal"))
    match play:
        case Shuffle():
            return _judge_shuffle(state)
        case Starter():
            return _judge_starter(state, play)
        case Reveal():
            return _judge_reveal(state, play)
        case Aim():
            return _judge_aim(state, play)
        case Hit():
            return _out_of_order(state, play) or _judge_hit(state, play)
        case Stay():
            return _out_of_order(state, play) or _judge_stay(state, play)
        case Fold():
            return _out_of_order(state, play) or _judge_fold(state, play)


def _judge_deal(state: State, play: Deal) -> Verdict:
    if state.phase != BETWEEN:
        return Illegal("deal.2", evidence("deal_running"))
    if rules_of(state).deal.first == "lowest":
        if play.leader is not None:
            return Illegal("starter.1", evidence("kit_lowest_leads"))
        return Legal("starter.1", evidence("kit_lowest_leads"))
    leader = next_leader(state)
    if play.leader in state.score.out:
        return Illegal("leave.1", evidence("kit_left", seat=play.leader))
    if play.leader is None and leader is None:
        return Illegal("starter.1", evidence("leader_missing"))
    if leader and play.leader and play.leader != leader:
        named = {"leader": leader, "named": play.leader}
        return Illegal("starter.1", (Evidence("leader_rule", named),))
    return Legal("starter.1", evidence("new_deal", leader=play.leader or leader))


def _judge_shuffle(state: State) -> Verdict:
    stock, reshuffles = state.stock, rules_of(state).deal.reshuffles
    if reshuffles:
        return Illegal("shuffle.1", evidence("kit_no_shuffle"))
    if stock.left and not stock.uncounted:
        return Illegal("shuffle.1", evidence("kit_cards_left", stock=stock.left))
    cards, away = sum(outside(state)), burned(state)
    if cards <= away:
        return Illegal("shuffle.2", evidence("kit_too_few", cards=cards))
    fact = evidence("kit_shuffled", cards=cards, burned=away) if away else ()
    return Legal("shuffle.1", fact or evidence("kit_shuffled_all", cards=cards))


def _judge_starter(state: State, play: Starter) -> Verdict:
    if state.phase != LOT:
        return Illegal("start.4", evidence("kit_no_lot"))
    if play.named not in state.order:
        return Illegal("start.4", evidence("kit_not_tied", seat=play.named, tied=state.order))
    return Legal("start.4", evidence("kit_lot_drawn", seat=play.named))


def _judge_reveal(state: State, play: Reveal) -> Verdict:
    seat, card = play.seat, play.card
    if state.phase == LOT:
        return Illegal("order.1", evidence("kit_lot_first", due=state.order))
    if state.phase != DEAL:
        return Illegal("order.1", evidence("kit_dealt_all", due=to_act(state)))
    if state.due or seat not in to_act(state):
        return _not_turn(state, seat)
    if wrong := _not_from_stock(state, card):
        return wrong
    if state.round.starter is not None:
        return _brings_about(state, Hit(seat, card), "setup.hand")
    if there := repeats(state, seat, card):
        values = {"seat": seat, "card": there.card}
        fact = Evidence("kit_lies_there", values, there.at)
        return Legal("start.3", (fact, *evidence("kit_replaced", card=card)))
    more = state.round.rows[rules_of(state).index[seat]]
    return Legal("start.2" if more else "start.1", evidence("kit_gets", seat=seat, card=card))


def _judge_aim(state: State, play: Aim) -> Verdict:
    task = state.due[0] if state.due else None
    if not isinstance(task, EffectDue) or task.card.seat != play.seat:
        return Illegal("aim.1", evidence("kit_no_aim", seat=play.seat))
    able = targets(state, task)
    if play.target not in able:
        return Illegal("aim.2", evidence("kit_not_aimed", seat=play.target, able=able))
    effect = f"effect.{rules_of(state).effects[task.row].name}"
    why = Evidence("kit_gets", {"seat": play.seat, "card": task.card.card}, task.card.at)
    return Legal(effect, (why, *evidence("kit_aims", seat=play.seat, target=play.target)))


def _not_turn(state: State, seat: Seat) -> Illegal:
    return Illegal("turn.1", evidence("not_turn", seat=seat, due=to_act(state)))


def _out_of_order(state: State, play: Hit | Stay | Fold) -> Illegal | None:
    """Why it is not the moment for this; None if it is."""
    task = state.due[0] if state.due else None
    if isinstance(task, DrawsDue) and isinstance(play, Hit) and play.seat == task.seat:
        return None
    if state.phase == LOT:
        return Illegal("order.1", evidence("kit_lot_first", due=state.order))
    if state.phase != TURN:
        return Illegal("order.1", evidence("kit_cards_first", due=to_act(state)))
    if play.seat not in state.order[:1]:
        return _not_turn(state, play.seat)
    if isinstance(task, EffectDue):
        return Illegal("aim.1", evidence("kit_aim_due", seat=task.card.seat))
    if isinstance(task, DrawsDue):
        return Illegal("draw.1", evidence("kit_draw_due", seat=task.seat, left=task.left))
    return None


def _not_from_stock(state: State, card: str) -> Illegal | None:
    """Why this card cannot come from the stock now; None if it can."""
    if not can_draw(state):
        return Illegal("shuffle.2", evidence("kit_too_few", cards=sum(outside(state))))
    if card not in state.deck:
        return Illegal("deck.1", evidence("kit_no_such_card", card=card))
    if must_shuffle(state):
        return Illegal("shuffle.1", evidence("kit_stock_empty"))
    place = state.deck.place[card]
    if not state.stock.unseen[place]:
        copies = state.deck.copies[place]
        gone = Evidence("copies_gone", {"rank": card, "copies": copies})
        seen = (shown for shown in state.stock.seen if shown.card == card)
        where = (Evidence("kit_gets", {"seat": s.seat, "card": card}, s.at) for s in seen)
        return Illegal("deck.2", (gone, *where))
    return None


def _judge_hit(state: State, play: Hit) -> Verdict:
    return _not_from_stock(state, play.card) or _brings_about(state, play, "hit.1")


def _brings_about(state: State, play: Hit, clause: str) -> Legal:
    """The verdict on a card that may come: by its first effect, else by ``clause``."""
    from_row = repeats(state, play.seat, play.card)
    facts: Facts = evidence("kit_gets", seat=play.seat, card=play.card)
    if from_row is not None:
        values = {"seat": play.seat, "card": from_row.card}
        facts = (Evidence("kit_lies_there", values, from_row.at), *facts)
    stock = drawn(state, RowCard(play.seat, play.card, state.at + 1))
    after = state._replace(stock=stock)
    return _by_effects(after, play.seat, play.card, "draw", clause, facts)


def _by_effects(state: State, seat: Seat, card: str, on: str, clause: str, facts: Facts) -> Legal:
    """The verdict by the first effect of a card, else by ``clause``; it says what comes about."""
    scope = about(state, RowCard(seat, card, state.at + 1))
    rules = rules_of(state)
    named = tuple(f"effect.{rules.effects[i].name}" for i in acting(rules, on, scope))
    said = tuple(Evidence("kit_effect", {"rule": each}) for each in named)
    return Legal((*named, clause)[0], (*facts, *said))


def _judge_stay(state: State, play: Stay) -> Verdict:
    stops, drawing = rules_of(state).stops, can_draw(state)
    if not stops.stays and (drawing or to_fold(state) is not None):
        return Illegal("stay.1", evidence("kit_no_staying"))
    when = stops.stay_when
    if drawing and when and not when(Scope(state, rules_of(state).index[play.seat])):
        return Illegal("stay.1", evidence("kit_cannot_stay", seat=play.seat))
    return Legal("stay.1", evidence("kit_stays", seat=play.seat))


def _judge_fold(state: State, play: Fold) -> Verdict:
    if not rules_of(state).stops.folds:
        return Illegal("fold.1", evidence("kit_no_folding"))
    taken = to_fold(state)
    if taken is None:
        return Illegal("fold.1", evidence("kit_nothing_to_take"))
    least = Evidence("kit_taken_card", {"seat": taken.seat, "card": taken.card}, taken.at)
    height = rules_of(state).height
    if play.card is not None and height.get(play.card) != height[taken.card]:
        there = any(shown.card == play.card for shown in lying(state))
        fact = "kit_not_taken" if there else "kit_lies_nowhere"
        return Illegal("fold.1", (*evidence(fact, card=play.card), least))
    folds = folded(state, play) or taken
    return _by_effects(without(state, folds), play.seat, folds.card, "fold", "fold.1", (least,))
