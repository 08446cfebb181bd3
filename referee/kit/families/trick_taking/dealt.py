"""How a game from a file is dealt, and what everybody can know of its hidden cards."""

from __future__ import annotations

from referee.core.drawn import DrawnHands
from referee.core.draws import Draws
from referee.core.game import Dealing
from referee.core.hands import Hands
from referee.core.hidden import HiddenPlace as Where
from referee.core.hidden import Knowledge, Placement, of_draws, of_hands
from referee.core.verdict import Evidence, evidence
from referee.games.families.dealing import dealt_out
from referee.kit.families.trick_taking.before_tricks import direction
from referee.kit.families.trick_taking.evidence import rules_of
from referee.kit.families.trick_taking.judging import dealer_of, left_over, next_leader, turns_up
from referee.kit.families.trick_taking.state import BETWEEN, State
from referee.kit.text.scope import Scope


def dealing(state: State) -> Dealing:
    """How to deal the next deal, or the one under way: as ``Hooks.dealing``."""
    rules, between = rules_of(state), state.phase == BETWEEN
    number = state.deal + between
    scope = Scope(state)
    scope.deal = number
    size = rules.deal.hand_size(scope) if between else state.round.size
    deck = rules.cards.deck
    facts = [*evidence("deal_all", left=len(deck))]
    facts += dealt_out(deck, rules.n - len(state.score.out), size)
    if rules.deal.draws:
        facts += evidence("kit_deal_draw")
    if between and turns_up(rules, state):
        leader = next_leader(state)
        dealer = dealer_of(state, leader) if leader and rules.n > 1 else None
        if rules.deal.turn_up == "stock":
            facts += evidence("kit_deal_turn_stock")
        elif dealer:
            facts.append(Evidence("kit_deal_turn_dealer", {"seat": dealer}))
        else:
            facts += evidence("kit_deal_turn")
    if between and left_over(rules, state) < 0:  # the deck is too small for the seats
        facts = facts[:1]
    where = direction(rules, number) if number else "none"
    if where != "none":
        count = max(0, min(rules.passing.cards(scope), size - 1))
        facts.append(Evidence(f"kit_deal_{where}", {"count": count}))
    return Dealing(deck, (), tuple(facts))


def hands(state: State) -> Hands | Draws:
    """What everybody can know of each hand."""
    known = state.hands
    if isinstance(known, DrawnHands):
        return known.draws
    assert isinstance(known, Hands)
    return known


def knowledge(state: State) -> Knowledge | None:
    """What everybody can know of hidden cards; None before the first deal.

    A card that was turned up and kept is known in its hand; face-down cards are a place of their
    own.
    """
    if not state.deal:
        return None
    rules, hands = rules_of(state), state.hands
    if isinstance(hands, DrawnHands):
        return of_draws(hands.draws, state.round.stock)
    assert isinstance(hands, Hands)
    known = of_hands(hands)
    if not known.placements:
        return known
    [found] = known.placements
    one = rules.cards.deck.one
    places = []
    for place in found.places:
        kept = hands.kept.get(place.seat) if place.kind == "hand" and place.seat else None
        more = one[kept] if kept is not None else 0
        places.append(place._replace(known=place.known + more))
    if hands.down:
        places = _with_covered(places, len(hands.down))
    return known._replace(placements=(Placement(found.unseen, tuple(places), found.weight),))


def _with_covered(places: list[Where], count: int) -> list[Where]:
    """``places`` with ``count`` face-down cards in place of as many undealt ones."""
    rest = [place for place in places if place.kind == "rest"]
    others = [place for place in places if place.kind != "rest"]
    left = sum(place.hidden for place in rest) - count
    covered = Where("covered", None, 0, count)
    return [*others, covered, *([Where("rest", None, 0, left)] if left > 0 else [])]
