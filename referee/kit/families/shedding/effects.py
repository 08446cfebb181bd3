"""What an entry changes: deals, bids, plays with their effects, passes, the end of a trick."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.core.cards import Bag, copies_in
from referee.core.verdict import Outcome, Seat
from referee.kit import scored
from referee.kit.families.shedding import must, scoring
from referee.kit.families.shedding.combinations import Combination, PlayedFace, PlayReading
from referee.kit.families.shedding.compiler import PlayScope, matched
from referee.kit.families.shedding.dealing import (
    cards_left,
    exchange_due,
    hand_size,
    kitty_size,
    next_leader,
)
from referee.kit.families.shedding.evidence import rules_of
from referee.kit.families.shedding.finishing import leaves
from referee.kit.families.shedding.following import read_as
from referee.kit.families.shedding.holding import cannot_hold
from referee.kit.families.shedding.judging import bidders
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
from referee.kit.families.shedding.rules import SheddingRules, scope_of
from referee.kit.families.shedding.state import (
    BETWEEN,
    BID,
    EXCHANGE,
    KITTY,
    PLAY,
    DueOf,
    NamedRanks,
    SeenCards,
    State,
    TopCards,
    Trick,
    undealt,
)
from referee.kit.scored import in_match

ACCEPTED = Combination(name="")
"""What cards are that the table accepted although they are no combination."""


def apply(state: State, play: Play) -> State:
    """The state after ``play``, which is not illegal."""
    if type(play) is Lay:
        return _lay(state, play)
    if type(play) is Pass:
        return _pass(state, play.seat, believed=True)
    return _after(state, play)


def let_stand(state: State, play: Play) -> State | None:
    """The state after an illegal play that the table accepts; None if that makes no sense.

    What a pass declares is not believed then.
    """
    quiet = state.phase == PLAY and state.due is None and not state.score.ended
    if isinstance(play, Pass):
        able = quiet and play.seat in state.round.live and state.turn is not None
        return _pass(state, play.seat, believed=False) if able else None
    if isinstance(play, Lay) and quiet and play.seat in state.round.live:
        shown = rules_of(state).shown(play.cards)
        return _lay(state, play) if cannot_hold(state, play.seat, shown) is None else None
    return None


def stopped(state: State, outcome: Outcome) -> State:
    """``state`` after the match was stopped."""
    score = state.score._replace(ended=outcome)
    return state._replace(
        score=score, phase=BETWEEN, turn=None, due=None, naming=None, at=state.at + 1
    )


def _after(state: State, play: Play) -> State:
    at = state.at + 1
    match play:
        case Deal():
            return _deal(state, play)
        case HandsExchanged():
            return _begin(state._replace(at=at), EXCHANGE)
        case Bid():
            return _bid(state, play)
        case Kitty():
            return _kitty(state, play)
        case Give():
            return _give(state, play)
        case Discard():
            return _discard(state, play)
        case NameRanks():
            due = _with_due(state, DueOf(play.seat))
            named = due._replace(naming=NamedRanks(play.seat, play.ranks, at), at=at)
            return must.declare_names(named, play.ranks, at)
        case Drop():
            return _drop(state, play)
    raise AssertionError(play)


# before the first play


def _deal(state: State, play: Deal) -> State:
    rules = rules_of(state)
    seats, playing = state.table.seats, in_match(state)
    leader = play.leader or next_leader(state)[0]
    size = hand_size(state, next_deal=True)
    held = [size if seat in playing else 0 for seat in seats]
    left = cards_left(state, next_deal=True) if rules.deal.dealt_on else 0
    if play.extra is not None:
        order = [seat for seat in state.table.starting(play.extra) if seat in playing]
        for i in range(max(0, left)):
            held[rules.index[order[i % len(order)]]] += 1
    round_ = undealt(rules.n)._replace(
        size=size, starter=leader, held=tuple(held), live=playing, was=state.round.was
    )
    dealt = state._replace(
        deal=state.deal + 1,
        score=scored.next_deal(state),
        round=round_,
        trick=Trick(),
        turn=leader,
        due=None,
        naming=None,
        at=state.at + 1,
    )
    return _begin(dealt, BETWEEN)


def _begin(state: State, done: str) -> State:
    """``state`` in the phase after ``done``."""
    rules, order = rules_of(state), (BETWEEN, EXCHANGE, BID, KITTY, PLAY)
    wanted = {
        EXCHANGE: exchange_due(state),
        BID: rules.bidding.made,
        KITTY: kitty_size(state) > 0 and highest_bidder(state) is not None,
        PLAY: True,
    }
    following = order[order.index(done) + 1 :]
    return state._replace(phase=next(phase for phase in following if wanted[phase]))


def highest_bidder(state: State) -> Seat | None:
    """Who has bid highest, of equal bidders the first in turn; None while all bids count 0."""
    rules, starter = rules_of(state), state.round.starter
    if starter is None:
        return None
    bids = state.round.bids
    nothing = max(map(rules.bidding.worth, bids)) <= 0
    return None if nothing else rules.bidding.highest(state.table, bids, starter)


def _bid(state: State, play: Bid) -> State:
    rules, place = rules_of(state), rules_of(state).index[play.seat]
    bids = (*state.round.bids[:place], play.said, *state.round.bids[place + 1 :])
    state = state._replace(round=state.round._replace(bids=bids), at=state.at + 1)
    if any(bids[rules.index[seat]] is None for seat in bidders(state)):
        return state
    highest = highest_bidder(state)
    if highest is None:
        if rules.bidding.passed_over:
            return scoring.deal_ended(state)
    elif rules.bidding.leads == "highest":
        state = state._replace(turn=highest)
    elif rules.bidding.leads == "left_of_highest":
        left = state.table.from_left_of(highest)
        state = state._replace(turn=next(seat for seat in left if seat in state.round.live))
    return _begin(state, BID)


def _kitty(state: State, play: Kitty) -> State:
    rules, seat, at = rules_of(state), highest_bidder(state), state.at + 1
    assert seat is not None
    place, round_ = rules.index[seat], state.round
    bag = sum(rules.one(card) for card in play.cards)
    round_ = round_._replace(
        held=_changed(round_.held, place, len(play.cards)),
        known=_changed(round_.known, place, bag),
        seen=SeenCards(round_.seen, "kitty", seat, play.cards, at),
    )
    return _begin(state._replace(round=round_, at=at), KITTY)


# plays and passes


def _changed(numbers: tuple[int, ...], place: int, by: int) -> tuple[int, ...]:
    return (*numbers[:place], numbers[place] + by, *numbers[place + 1 :])


def _lay(state: State, play: Lay) -> State:
    """The state after cards were played."""
    rules, at, seat = rules_of(state), state.at + 1, play.seat
    shown, scope = rules.shown(play.cards), scope_of_lay(state, play)
    reading, place = scope.play, scope.seat
    assert reading is not None
    acts = acts_of(rules, scope)
    foul = scope.empties and rules.finish.foul is not None and bool(rules.finish.foul(scope))
    before, old = state.round, state.trick
    state = scoring.play_scored(state, scope)
    state = _shown(state, seat, "laid", shown.cards, shown.counts, at)
    round_ = state.round
    if acts.get("reverse deal", 0) % 2:
        round_ = round_._replace(turned=0 if round_.turned else at)
    if acts.get("turn", 0) % 2:
        round_ = round_._replace(step=-round_.step)
    if before.starter is None:
        round_ = round_._replace(starter=seat)
    round_ = round_._replace(begun=True, plays=_changed(round_.plays, place, 1))
    passed: Mapping[Seat, int] = {}
    if old.passed and not rules.pass_again:
        passed = {each: when for each, when in old.passed.items() if each != seat}
    top = TopCards(seat, play.cards, reading, at)
    trick = _locked(Trick((*old.plays, top), passed, *old[2:]), acts, reading, scope, at)
    due = _due(acts, seat, round_.held[place], len(rules.cards.order))
    state = State(
        state.table,
        rules,
        state.deck,
        state.deal,
        state.score,
        round_,
        PLAY,
        seat,
        trick,
        due,
        None,
        at,
    )
    clears = "clear" in acts
    if scope.empties:
        state, over = leaves(state, seat, foul=foul)
        if over:
            return scoring.deal_ended(state)
        state = state._replace(due=None)
        clears = clears or rules.finish.clears
    return _next(state, seat, skipped=acts.get("skip", 0), clears=clears)


def scope_of_lay(state: State, play: Lay) -> PlayScope:
    """What sums about a play refer to, as it is read; also of one that the table has accepted."""
    rules = rules_of(state)
    in_turn = state.turn in (play.seat, None)
    read = read_as(state, play, any_time=not in_turn) or read_as(state, play)
    cards = rules.shown(play.cards).cards
    reading = read.reading if read is not None else _accepted(rules, cards)
    scope = scope_of(rules, state, play.seat, reading)
    scope.empties = state.round.held[scope.seat] == len(cards)
    return scope


def _accepted(rules: SheddingRules, cards: tuple[str, ...]) -> PlayReading:
    faces = tuple(
        PlayedFace(card, rules.rank_of(card), rules.cards.suit.get(card, "")) for card in cards
    )
    return PlayReading(rules.order, ACCEPTED, len(faces), 1, faces, faces)


def acts_of(rules: SheddingRules, scope: PlayScope) -> dict[str, int]:
    """How often a play does what, by all rows of the file."""
    acts: dict[str, int] = {}
    for row in rules.effects:
        if row.when is None or row.when(scope):
            times = row.times(scope)
            if times > 0:
                for verb in row.do:
                    acts[verb] = acts.get(verb, 0) + times
    return acts


def _locked(
    trick: Trick, acts: Mapping[str, int], reading: PlayReading, scope: PlayScope, at: int
) -> Trick:
    """The trick with what a play turns and locks in it."""
    if acts.get("reverse trick", 0) % 2:
        trick = trick._replace(turned=0 if trick.turned else at)
    if "lock suits" in acts and scope.under is not None and matched(reading, scope.under):
        suits = dict(trick.suits)
        for suit, many in reading.suits.items():
            both = min(many, scope.under.suits.get(suit, 0))
            if both:
                suits[suit] = max(suits.get(suit, 0), both)
        if tuple(suits.items()) != trick.suits:
            trick = trick._replace(suits=tuple(suits.items()), suits_at=at)
    if "lock rank" in acts and not trick.rank_at:
        trick = trick._replace(rank_at=at)
    return trick


def _due(acts: Mapping[str, int], seat: Seat, held: int, ranks: int) -> DueOf | None:
    """What the player of a play has to do before anybody else plays."""
    if not acts:
        return None
    give = min(acts.get("give", 0), held)
    discard = min(acts.get("discard", 0), held - give)
    name = min(acts.get("name", 0), ranks)
    return DueOf(seat, give, discard, name) if give or discard or name else None


def _shown(
    state: State, seat: Seat, how: str, cards: tuple[str, ...], counts: Mapping[str, int], at: int
) -> State:
    """The state after cards left a hand face up."""
    rules, round_ = rules_of(state), state.round
    place = rules.index[seat]
    bag = sum(rules.one(card) * many for card, many in counts.items())
    known = round_.known
    if known[place]:
        left = _without(rules, known[place], counts)
        known = (*known[:place], left, *known[place + 1 :])
    round_ = round_._replace(
        held=_changed(round_.held, place, -len(cards)),
        own=_changed(round_.own, place, bag),
        gone=round_.gone + bag,
        known=known,
        seen=SeenCards(round_.seen, how, seat, cards, at),
    )
    state = state._replace(round=round_)
    return must.shows(state, seat, cards, at) if round_.lacking else state


def _without(rules: SheddingRules, known: Bag, counts: Mapping[str, int]) -> Bag:
    """The cards known to be in a hand after these were shown from it."""
    for card, many in counts.items():
        alike = [card]
        if rules.open:
            rank = rules.rank_of(card)
            alike += [str(c) for c in rules.kinds.cards if rules.rank_of(str(c)) == rank != ""]
        for each in alike:
            taken = min(many, copies_in(known, rules.one(each)))
            known, many = known - taken * rules.one(each), many - taken
    return known


def _next(state: State, after: Seat, *, skipped: int = 0, clears: bool = False) -> State:
    """The state with the turn of who plays after ``after``, or of who leads."""
    top = state.trick.top
    live, passed = state.round.live, state.trick.passed
    owner = top.seat if top is not None else after
    if not clears:
        able = [
            seat
            for seat in around(state, after)
            if seat in live and seat not in passed and seat != owner
        ]
        if len(able) > skipped:
            return state._replace(turn=able[skipped])
    leader = owner if owner in live else next(seat for seat in around(state, owner) if seat in live)
    return state._replace(turn=leader, trick=Trick())


def around(state: State, seat: Seat) -> Iterable[Seat]:
    """All seats after ``seat`` in playing direction, that seat last."""
    seats = state.table.from_left_of(seat)
    return seats if state.round.step > 0 else (*reversed(seats[:-1]), seat)


def _pass(state: State, seat: Seat, *, believed: bool) -> State:
    at = state.at + 1
    if believed and rules_of(state).must:
        state = must.declares_pass(state, seat, at)
    trick = state.trick._replace(passed={**state.trick.passed, seat: at})
    return _next(state._replace(trick=trick, naming=None, at=at), seat)


# what is due after a play


def _with_due(state: State, done: DueOf) -> State:
    """``state`` with what is still due: what comes before it in ``done`` is 0."""
    return state._replace(due=done if done.verb else None)


def _give(state: State, play: Give) -> State:
    rules, round_, due = rules_of(state), state.round, state.due
    assert due is not None
    to = next(seat for seat in around(state, play.seat) if seat in round_.live)
    place = rules.index[play.seat]
    held = _changed(round_.held, place, -play.count)
    held = _changed(held, rules.index[to], play.count)
    known = (*round_.known[:place], 0, *round_.known[place + 1 :])
    state = state._replace(round=round_._replace(held=held, known=known), at=state.at + 1)
    state = must.given(_with_due(state, due._replace(give=0)), to)
    return _emptied(state, play.seat)


def _discard(state: State, play: Discard) -> State:
    due, shown = state.due, rules_of(state).shown(play.cards)
    assert due is not None
    state = _with_due(state, due._replace(discard=0))
    at = state.at + 1
    state = _shown(state, play.seat, "discarded", shown.cards, shown.counts, at)
    return _emptied(state._replace(at=at), play.seat)


def _drop(state: State, play: Drop) -> State:
    rules, at = rules_of(state), state.at + 1
    shown = rules.shown(play.cards)
    state = must.dropped(state, play.seat, map(rules.rank_of, shown.cards))
    state = _shown(state, play.seat, "dropped", shown.cards, shown.counts, at)
    return _emptied(state._replace(at=at), play.seat)


def _emptied(state: State, seat: Seat) -> State:
    """``state`` after cards left a hand other than by a play: the player may be out now."""
    if state.round.held[rules_of(state).index[seat]]:
        return state
    state, over = leaves(state, seat, foul=False)
    if over:
        return scoring.deal_ended(state)
    if state.due is not None and state.due.seat not in state.round.live:
        state = state._replace(due=None)
    turn, live = state.turn, state.round.live
    if turn is not None and turn not in live:
        if not state.trick.plays:
            lead = next(each for each in around(state, turn) if each in live)
            return state._replace(turn=lead)
        return _next(state, turn)
    return state
