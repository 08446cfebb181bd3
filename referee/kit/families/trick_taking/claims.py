"""Claims of the rest of a deal: what refutes one, what proves one, and how it ends the deal."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add, or_, sub

from referee.core.game import ClaimGrounds
from referee.core.hands import Hands
from referee.core.verdict import (
    Agreed,
    Card,
    Evidence,
    Illegal,
    Legal,
    Seat,
    Unprovable,
    Verdict,
    evidence,
)
from referee.kit.families.trick_taking.evidence import rules_of
from referee.kit.families.trick_taking.plays import GrantRest, Play, Rest
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.state import BETWEEN, PLAY, Laid, RestClaim, State, Trick
from referee.kit.scored import deal_scored


def tricks_left(state: State) -> int:
    """The tricks of this deal that are not finished, the one on the table included."""
    return state.round.size - state.round.number + 1


def judge_rest(state: State, seat: Seat) -> Verdict:
    """The verdict on a claim of ``seat`` while tricks are played."""
    rules = rules_of(state)
    if not rules.claims.possible:
        return Illegal("rest.1", evidence("kit_no_claims"))
    if seat in state.round.left:
        return Illegal("leave.1", evidence("kit_left", seat=seat))
    best = _refuting(rules, state, seat)
    if best is not None:
        beaten = Evidence("kit_claim_beaten", {"seat": best.seat, "card": best.card}, best.at)
        return Illegal("rest.2", (beaten,))
    tricks = evidence("kit_claims_rest", seat=seat, tricks=tricks_left(state))
    if proven(state, seat):
        return Legal("rest.1", (*tricks, *evidence("kit_claim_proven", seat=seat)))
    return Unprovable("rest.1", Agreed(seat, ()), tricks)


def judge_grant(state: State, seat: Seat) -> Verdict:
    """The verdict on the consent of ``seat`` to an open claim."""
    claim, rules = state.claim, rules_of(state)
    if claim is None:
        return Illegal("rest.3", evidence("kit_no_claim"))
    side = rules.teams[rules.index[seat]]
    if rules.index[claim.seat] in side:
        return Illegal("rest.3", evidence("kit_own_claim", seat=claim.seat))
    if any(rules.index[other] in side for other in claim.granted):
        return Illegal("rest.3", evidence("kit_granted_before", seat=seat))
    return Legal("rest.3", evidence("kit_grants", seat=seat, other=claim.seat))


def waiting(state: State, claim: RestClaim) -> list[Seat]:
    """The first seat of each side that has not agreed to ``claim``, nor made it."""
    rules = rules_of(state)
    agreed = {rules.teams[rules.index[seat]] for seat in (claim.seat, *claim.granted)}
    return [rules.seats[team[0]] for team in dict.fromkeys(rules.teams) if team not in agreed]


def claimed(state: State, play: Rest) -> State:
    """The state after a claim that is not refuted."""
    if proven(state, play.seat):
        return taken(state, play.seat)
    return _open(state, RestClaim(play.seat, ()))


def granted(state: State, play: GrantRest) -> State:
    """The state after a side has agreed to the open claim."""
    assert state.claim is not None
    return _open(state, RestClaim(state.claim.seat, (*state.claim.granted, play.seat)))


def _open(state: State, claim: RestClaim) -> State:
    if waiting(state, claim):
        return state._replace(claim=claim, at=state.at + 1)
    return taken(state, claim.seat)


def can_stand(state: State, play: Rest) -> bool:
    """Whether the table can let a claim stand that is illegal: one that is refuted."""
    verdict = judge_rest(state, play.seat)
    return isinstance(verdict, Illegal) and verdict.clause == "rest.2"


def taken(state: State, seat: Seat) -> State:
    """The state after the deal, in which ``seat`` gets all tricks that are left.

    No cards are named: those that were not played stay unknown.
    """
    place, old = rules_of(state).index[seat], state.round
    tricks = list(old.tricks)
    tricks[place] += tricks_left(state)
    last = Trick(state.deal, old.size, (), seat, None)
    over = old._replace(number=old.size + 1, tricks=tuple(tricks), last=last)
    return deal_scored(
        state._replace(
            phase=BETWEEN,
            round=over,
            leader=None,
            due=(),
            trick=(),
            led=None,
            showing=0,
            claim=None,
            at=state.at + 1,
        )
    )


def _refuting(rules: Rules, state: State, seat: Seat) -> Laid | None:
    """The card that makes it certain that the side of ``seat`` loses the trick on the table."""
    side = [rules.seats[place] for place in rules.teams[rules.index[seat]]]
    if not rules.claims.plain or any(mate in state.due for mate in side):
        return None
    played = any(laid.seat == seat for laid in state.trick)
    best = rules.trick.winner(state) if played else None
    return best if best is not None and best.seat not in side else None


def proven(state: State, seat: Seat) -> bool:
    """Whether ``seat`` wins all tricks that are left in every distribution of the unseen cards,
    however they are played.

    Its cards are known, the trick on the table is its own, and each of its cards, if led, beats
    every card that it does not hold and that has not been played openly.
    """
    rules, hands = rules_of(state), state.hands
    if not (rules.claims.possible and rules.claims.plain and rules.claims.steady):
        return False
    if state.leader is None or not isinstance(hands, Hands):
        return False
    hand = _hand(hands, seat)
    if hand is None or not _leads_on(rules, state, seat, sum(hand)):
        return False
    outside = _outside(rules, state, seat, hand)
    if state.trick and not _keeps(rules, state, seat, outside, state.due):
        return False
    start = state._replace(trick=(), led=None, showing=0)
    others = tuple(other for other in rules.seats if other != seat)
    return all(
        _keeps(rules, _led(rules, start, seat, card), seat, outside, others)
        for card, copies in zip(hands.deck.cards, hand, strict=True)
        if copies
    )


def _hand(hands: Hands, seat: Seat) -> tuple[int, ...] | None:
    """The copies of each kind that ``seat`` holds, in deck order; None if not all are known."""
    if seat in hands.shown:
        return hands.shown[seat]
    unseen = hands.deck.counts(hands.unturned)
    if hands.hidden[seat] == sum(unseen):
        return tuple(map(sum, zip(unseen, hands.sure(seat), strict=True)))
    return None if hands.hidden[seat] else hands.sure(seat)


def _outside(rules: Rules, state: State, seat: Seat, hand: tuple[int, ...]) -> int:
    """The mask of the cards that ``seat`` does not hold and that have not been played openly."""
    hands, deck = state.hands, state.deck
    assert isinstance(hands, Hands)
    # the turn-up is in a hand that keeps it, or lies with the stock
    lying = rules.deal.turn_up == "stock" or rules.deal.first == "holder"
    left = list(deck.count([state.round.turn_up] if lying and state.round.turn_up else []))
    for other in state.table.seats:
        if other != seat:
            left = list(map(add, left, hands.sure(other)))
    own = map(sub, hand, hands.sure(seat))
    left = list(map(add, left, map(sub, deck.counts(hands.unturned), own)))
    bits = rules.cards.bits
    return sum(bits[str(card)] for card, copies in zip(deck.cards, left, strict=True) if copies > 0)


def _leads_on(rules: Rules, state: State, seat: Seat, cards: int) -> bool:
    """Whether ``seat`` leads now, or has played; and leads each trick after one that it wins."""
    led = 0 if state.trick else 1
    if led and state.due[:1] != (seat,):
        return False
    if not led and seat in state.due:
        return False
    follows = rules.trick.next == "winner" or (rules.trick.next == "same" and state.leader == seat)
    return cards <= led or (follows and not rules.trick.leads)


def _keeps(rules: Rules, state: State, seat: Seat, outside: int, others: tuple[Seat, ...]) -> bool:
    """Whether ``seat`` wins the trick so far, and no card ``outside`` would win it if played."""
    best = rules.trick.winner(state)
    if best is None or best.seat != seat:
        return False
    return not _winning(rules, state, others) & outside


def answered(state: State, play: Play) -> dict[str, object]:
    """What the record's answer says of a claim made at ``state``: as ``Hooks.answered``."""
    if not isinstance(play, Rest) or state.score.ended or state.stage != PLAY:
        return {}
    match judge_rest(state, play.seat):
        case Legal():
            return {"claim": "proven"}
        case Unprovable():
            return {"claim": "open"}
        case Illegal("rest.2"):
            best = _refuting(rules_of(state), state, play.seat)
            return {"claim": {"refuted_by": [best.card]}} if best else {}
    return {}


def grounds(state: State, play: Play) -> ClaimGrounds | None:
    """Why the cards prove or refute a claim made at ``state``: as ``Hooks.grounds``."""
    if not isinstance(play, Rest) or state.score.ended or state.stage != PLAY:
        return None
    rules, seat = rules_of(state), play.seat
    trick = tuple((laid.seat, laid.card) for laid in state.trick)
    match judge_rest(state, seat):
        case Legal():
            assert isinstance(state.hands, Hands)
            hand = _hand(state.hands, seat) or ()
            held = state.deck.listed(state.deck.bag(hand))
            beaters = _beaters(rules, state, seat, held)
            return ClaimGrounds(tricks_left(state), True, trick, held, beaters)
        case Illegal("rest.2"):
            side = tuple(rules.seats[place] for place in rules.teams[rules.index[seat]])
            order = _order(rules, state)
            return ClaimGrounds(tricks_left(state), False, trick, side=side, order=order)
    return None


def _beaters(
    rules: Rules, state: State, seat: Seat, hand: Iterable[Card]
) -> dict[Card, tuple[Card, ...]]:
    """The kinds that beat the card of ``seat`` on the table, and each of its ``hand`` if led."""
    start = state._replace(trick=(), led=None, showing=0)
    others = tuple(other for other in rules.seats if other != seat)
    masks = {card: _winning(rules, _led(rules, start, seat, card), others) for card in hand}
    for laid in state.trick:
        if laid.seat == seat:
            masks[laid.card] = _winning(rules, state, state.due)
    return {card: rules.cards.kinds(mask) for card, mask in masks.items()}


def _led(rules: Rules, start: State, seat: Seat, card: Card) -> State:
    """The state ``start`` of a new trick after ``seat`` has led ``card``."""
    return rules.trick.lying(start, Laid(seat, str(card), 0))


def _winning(rules: Rules, state: State, others: Iterable[Seat]) -> int:
    """The mask of the cards that would win the trick if one of ``others`` played them."""
    if not rules.claims.own_suits:
        return rules.trick.beating(state)
    return reduce(or_, (rules.trick.beating(state._replace(due=(each,))) for each in others), 0)


def _order(rules: Rules, state: State) -> tuple[Card, ...]:
    """The cards on the table, the strongest first; those that cannot win come last."""
    start = state._replace(trick=(), led=None, showing=0)
    first, *others = state.trick
    led = _led(rules, start, first.seat, first.card)
    alone = {laid.card: rules.trick.lying(led, laid) for laid in others}
    able = [card for card, lies in alone.items() if rules.trick.winner(lies) != led.trick[0]]
    beating = {card: rules.trick.beating(alone[card]) for card in able}
    beating[first.card] = rules.trick.beating(led)
    order = sorted(beating, key=lambda card: beating[card].bit_count())
    return (*order, *(card for card in alone if card not in able))
