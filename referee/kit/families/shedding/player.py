"""The honest player of a shedding game (``games.simulation``): it deals and knows all hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from referee.core.verdict import Illegal, Seat
from referee.games.players import Choose, Playable
from referee.kit.families.shedding.candidates import candidates, shapes
from referee.kit.families.shedding.dealing import exchanges, kitty_size
from referee.kit.families.shedding.effects import around, highest_bidder
from referee.kit.families.shedding.evidence import rules_of
from referee.kit.families.shedding.judging import bidder, forbidden, judge
from referee.kit.families.shedding.plays import (
    Bid,
    Deal,
    Discard,
    Drop,
    Give,
    HandsExchanged,
    Kitty,
    Lay,
    NameRanks,
    Pass,
    Play,
)
from referee.kit.families.shedding.state import BETWEEN, BID, EXCHANGE, KITTY, State

PASSES = 0.2  # the chance that a player passes who could play
TRIED = 60  # sets of cards that a player thinks of

Hands = dict[Seat, list[str]]


def entries(
    log: Playable[State, Play],
    rng: Random,
    lies: float,
    shows: float,
    choose: Choose | None = None,
    bids_from: slice = slice(None),
) -> Iterator[Play]:
    """The entries of a match; ``lies``: the chance that a player drops nothing of a rank named, or
    passes where everybody plays who can.
    """
    hands: Hands = {}
    aside: list[str] = []
    while not log.game.outcome(log.state):
        state: State = log.state
        if state.phase == BETWEEN:
            deal, hands, aside = _dealt(state, rng)
            yield deal
        elif state.phase == EXCHANGE:
            _exchanged(state, hands, rng)
            yield HandsExchanged()
        elif state.phase == BID:
            yield _bid(state, rng, choose, bids_from)
        elif state.phase == KITTY:
            seat = highest_bidder(state)
            assert seat is not None
            hands[seat] += aside
            yield Kitty(tuple(aside))
        elif state.due is not None:
            yield _done(state, hands, rng)
        elif (drop := _drop(state, hands, rng, lies)) is not None:
            yield drop
        else:
            play = _play(state, hands, rng, lies, choose)
            if isinstance(play, Lay):
                _take(hands[play.seat], tuple(word.partition("=")[0] for word in play.cards))
            yield play


def ahead(state: State, play: Play) -> float:
    """How many cards a play sheds, which is what the game is about; other entries are worth 0."""
    return len(play.cards) if isinstance(play, Lay) else 0


def _dealt(state: State, rng: Random) -> tuple[Deal, Hands, list[str]]:
    rules = rules_of(state)
    deals = [play for play in candidates(state) if isinstance(play, Deal)]
    deal = rng.choice(deals)
    cards = [str(card) for card in rules.cards.deck.listed(rules.cards.deck.full)]
    rng.shuffle(cards)
    from referee.kit.families.shedding.effects import apply

    after = apply(state, deal)
    hands: Hands = {
        seat: [cards.pop() for _ in range(held)]
        for seat, held in zip(rules.seats, after.round.held, strict=True)
    }
    holder = rules.deal.holder
    if deal.leader is None and holder is not None and all(holder not in h for h in hands.values()):
        # the holder of this card leads, so it must not be among the cards left over
        next(hand for hand in hands.values() if hand)[0] = holder
    return deal, hands, cards[: kitty_size(state)]


def _exchanged(state: State, hands: Hands, rng: Random) -> None:
    for one, other, many in exchanges(state):
        for hand in (hands[one], hands[other]):
            rng.shuffle(hand)
        first, second = hands[one][:many], hands[other][:many]
        hands[one] = hands[one][many:] + second
        hands[other] = hands[other][many:] + first


def _bid(state: State, rng: Random, choose: Choose | None, bids_from: slice) -> Play:
    seat = bidder(state)
    possible = rules_of(state).bidding.possible(state)
    said = [each for each in possible if not forbidden(state, Bid(seat, each))]
    said = said[bids_from] or said or list(possible)
    if choose:
        return choose(state, [Bid(seat, each) for each in said])
    return Bid(seat, rng.choice(said))


def _take(hand: list[str], cards: tuple[str, ...]) -> None:
    for card in cards:
        hand.remove(card)


def _done(state: State, hands: Hands, rng: Random) -> Play:
    """What is due: cards given or discarded at random, ranks named."""
    due = state.due
    assert due is not None
    hand = hands[due.seat]
    rng.shuffle(hand)
    if due.give:
        to = next(seat for seat in around(state, due.seat) if seat in state.round.live)
        hands[to] += [hand.pop() for _ in range(due.give)]
        return Give(due.seat, due.give)
    if due.discard:
        return Discard(due.seat, tuple(hand.pop() for _ in range(due.discard)))
    ranks = rng.sample(rules_of(state).cards.order, due.name)
    return NameRanks(due.seat, tuple(ranks))


def _drop(state: State, hands: Hands, rng: Random, lies: float) -> Play | None:
    """Cards of a rank just named that somebody still holds; None if there are none."""
    rules, naming = rules_of(state), state.naming
    if naming is None:
        return None
    for seat in state.round.live:
        cards = tuple(card for card in hands[seat] if rules.rank_of(card) in naming.ranks)
        if cards and rng.random() >= lies:
            _take(hands[seat], cards)
            return Drop(seat, cards)
    return None


def honest(state: State, seat: Seat, hand: list[str], rng: Random) -> list[Lay]:
    """The cards that ``seat`` can play now, with jokers in some of their places."""
    rules, held = rules_of(state), Counter(hand)
    top = state.trick.top
    found = [
        cards
        for cards in shapes(rules, held, len(hand))
        if top is None or len(cards) == len(top.cards) or _is_over(state, cards)
    ]
    if len(found) > TRIED:
        found = rng.sample(found, TRIED)
    jokers = [card for card in hand if card in rules.order.wild]
    if jokers and found:
        found += [_with_joker(cards, jokers[0]) for cards in rng.sample(found, min(5, len(found)))]
        found += [(*cards, jokers[0]) for cards in found[:5] if jokers[0] not in cards]
    plays = [Lay(seat, cards) for cards in dict.fromkeys(found)]
    return [play for play in plays if not isinstance(judge(state, play), Illegal)]


def _is_over(state: State, cards: tuple[str, ...]) -> bool:
    """Whether cards of another number may beat those on the table."""
    top = state.trick.top
    assert top is not None
    under = top.reading.combo.name
    found = rules_of(state).readings(cards, None)
    return any(under in each.combo.over or "length" in each.combo.by for each in found)


def _with_joker(cards: tuple[str, ...], joker: str) -> tuple[str, ...]:
    return cards if joker in cards else (*cards[:-1], joker)


def _play(state: State, hands: Hands, rng: Random, lies: float, choose: Choose | None) -> Play:
    """A random honest play or pass of who is to play; the leader plays."""
    rules, seat = rules_of(state), state.turn
    if seat is None:
        holder = str(rules.deal.holder)
        seat = next(each for each in hands if holder in hands[each])
        plays = [play for play in honest(state, seat, hands[seat], rng) if holder in play.cards]
        able: list[Play] = [*(plays or [Lay(seat, (holder,))])]
        return choose(state, able) if choose else rng.choice(able)
    able = [*honest(state, seat, hands[seat], rng)]
    if not state.trick.plays:
        able = able or [Lay(seat, (hands[seat][0],))]
        return choose(state, able) if choose else rng.choice(able)
    must = rules.must and rng.random() >= lies
    if not must or not able:
        able.append(Pass(seat))
    if choose:
        return choose(state, able)
    if able == [Pass(seat)] or (not must and rng.random() < PASSES):
        return Pass(seat)
    return rng.choice([play for play in able if isinstance(play, Lay)])
