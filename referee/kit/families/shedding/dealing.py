"""How a deal begins: who leads, how many cards each gets, what is exchanged."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.game import Dealing
from referee.core.verdict import Seat, evidence
from referee.games.families.dealing import dealt_out
from referee.kit.families.shedding.evidence import rules_of
from referee.kit.families.shedding.state import BETWEEN, State
from referee.kit.scored import in_match
from referee.kit.text.scope import Scope


def next_leader(state: State) -> tuple[Seat | None, bool]:
    """Who leads the next deal, None if the table or a card decides it; and whether a card does."""
    rules, last = rules_of(state), state.round.starter
    rule, places = rules.deal.leader, state.round.was
    asks_places = rule in ("winner", "loser", "winner_left")
    begun = any(places) if asks_places else last is not None
    if rule not in ("pick", "holder") and not begun:
        rule = rules.deal.first
    if rule in ("pick", "holder"):
        return None, rule == "holder"
    order = [
        s for s in state.table.from_left_of(last or state.table.seats[-1]) if s in in_match(state)
    ]
    if rule == "rotate":
        return order[0], False
    if rule == "lowest_total":
        return min(order, key=lambda seat: state.score.totals[seat]), False
    of = {seat: places[rules.index[seat]] for seat in order if places[rules.index[seat]]}
    if not of:
        return order[0], False
    best = max(of.values()) if rule == "loser" else min(of.values())
    found = next(seat for seat in order if of.get(seat) == best)
    if rule == "winner_left":
        left = state.table.from_left_of(found)
        return next(seat for seat in left if seat in order), False
    return found, False


def hand_size(state: State, *, next_deal: bool = False) -> int:
    """The number of cards dealt to each seat, without those left over, at least 1."""
    rules = rules_of(state)
    scope = Scope(state)
    scope.deal = state.deal + next_deal
    cards = len(rules.cards.deck) - kitty_size(state)
    return max(1, min(rules.deal.hand(scope), cards // len(in_match(state))))


def kitty_size(state: State) -> int:
    """The number of cards put aside before the bids."""
    rules = rules_of(state)
    if rules.deal.kitty is None:
        return 0
    return max(0, min(rules.deal.kitty(Scope(state)), len(rules.cards.deck) - rules.n))


def cards_left(state: State, *, next_deal: bool = False) -> int:
    """How many cards are left over after the hands and the kitty."""
    dealt = len(in_match(state)) * hand_size(state, next_deal=next_deal)
    return len(rules_of(state).cards.deck) - kitty_size(state) - dealt


def exchanges(state: State) -> Iterator[tuple[Seat, Seat, int]]:
    """Which seats exchange how many cards, by their places in the last deal."""
    rules = rules_of(state)
    scope = Scope(state)
    of = {place: seat for seat, place in zip(rules.seats, state.round.was, strict=True)}
    for row in rules.exchange:
        one, other = (of.get(place(scope)) for place in row.between)
        many = row.cards(scope)
        if one and other and one != other and many > 0:
            yield one, other, many


def exchange_due(state: State) -> bool:
    """Whether cards are exchanged in this deal: there are places, and a row with cards."""
    scope = Scope(state)
    return any(state.round.was) and any(row.cards(scope) > 0 for row in rules_of(state).exchange)


def dealing(state: State) -> Dealing | None:
    """How to deal the next deal, or the one under way; None before anybody can deal."""
    if state.score.ended:
        return None
    rules, between = rules_of(state), state.phase == BETWEEN
    deck, size = rules.cards.deck, hand_size(state, next_deal=between)
    facts = [*evidence("deal_all", left=len(deck))]
    kitty, left = kitty_size(state), cards_left(state, next_deal=between)
    if kitty:
        facts += evidence("deal_aside", count=kitty)
    if rules.deal.dealt_on and left > 0:
        facts += evidence("deal_each", count=size) + evidence("kit_shed_deal_on", count=left)
    else:
        facts += dealt_out(deck, len(in_match(state)), size, kitty)
    return Dealing(deck, (), tuple(facts))
