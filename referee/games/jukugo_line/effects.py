"""What an entry changes, and which illegal plays the table may accept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from referee.core.verdict import Outcome, Seat, Unprovable
from referee.games.jukugo_line.claims import judge_claim, left_open
from referee.games.jukugo_line.judging import judge
from referee.games.jukugo_line.plays import Claim, Deal, Draw, Grant, Place, Play, Word
from referee.games.jukugo_line.scoring import outcome
from referee.games.jukugo_line.state import (
    FLAGS,
    HAND,
    OpenClaim,
    Side,
    State,
    jokers_left,
    side_of,
    stock_dealt,
)
from referee.games.jukugo_line.turns import begun, drawn
from referee.jukugo.decks import JOKER
from referee.jukugo.equipment import Kit
from referee.jukugo.formations import COLUMN

T = TypeVar("T")


def apply(state: State, play: Play) -> State:
    if isinstance(play, Deal):
        assert state.table.kit is None or isinstance(state.table.kit, Kit)
        hands, stock = dict.fromkeys(state.table.seats, HAND), stock_dealt(state)
        return state._replace(at=state.at + 1, turn=play.leader, hands=hands, stock=stock)
    if isinstance(play, Word):
        words = state.words.agree(play.word, play.counts) if state.words else None
        agreed, learned = state.agreed.with_item(play.word, play.counts), state.learned
        if state.deal:
            learned = learned.with_item(play.word, play.counts)
        claims = state.claims
        if not play.counts:
            claims = {f: open_ for f, open_ in claims.items() if play.word not in open_.words}
        state = state._replace(words=words, agreed=agreed, learned=learned, claims=claims)
        return state._replace(at=state.at + 1)
    if isinstance(play, Grant):
        return _taken(state, state.claims[play.flag].seat, play.flag)
    state = begun(state, play)
    if isinstance(play, Place):
        return _placed(state, play)
    if isinstance(play, Draw):
        return drawn(state)._replace(at=state.at + 1)
    match play:
        case Claim() if left_open(state, play):
            return _claimed(state, play)
        case Claim():
            return _taken(state, play.seat, play.flag)
        case _:
            dry = state.table.option("no_slot_draw") == "off"
            return state._replace(at=state.at + 1, done=True, dry=dry)


def _placed(state: State, play: Place) -> State:
    side = side_of(state, play.seat, play.flag)
    cards, at = (*side.cards, play.card), state.at + 1
    fresh = Side(cards, at if len(cards) == COLUMN else None)
    first, second = state.sides[play.flag - 1]
    pair = (fresh, second) if play.seat == state.table.seats[0] else (first, fresh)
    jokers, laid = state.jokers, state.laid
    if play.card == JOKER:
        jokers = {**jokers, play.seat: jokers[play.seat] + 1}
    else:
        laid = {**laid, play.card: at}
    return state._replace(
        at=at,
        done=True,
        sides=_with(state.sides, play.flag, pair),
        claims=_without(state.claims, play.flag) if state.claims else state.claims,
        jokers=jokers,
        laid=laid,
        hands={**state.hands, play.seat: state.hands[play.seat] - 1},
    )


def _claimed(state: State, play: Claim) -> State:
    """The state with an open claim, to which the other seat may agree."""
    at = state.at + 1
    claim = OpenClaim(play.seat, play.words, at)
    return state._replace(at=at, claims={**state.claims, play.flag: claim})


def _in_turn(state: State, seat: Seat) -> State:
    """The state as if ``seat`` could claim now."""
    early = state.table.option("claim_timing") == "start_of_turn"
    return state._replace(turn=seat, done=not early)


def _taken(state: State, seat: Seat, flag: int) -> State:
    """The state after ``seat`` has taken ``flag``, which may end the match."""
    at = state.at + 1
    state = state._replace(
        at=at,
        owners=_with(state.owners, flag, seat),
        claimed=_with(state.claimed, flag, at),
        claims=_without(state.claims, flag),
    )
    return state._replace(turn=None) if outcome(state) else state


def refused(state: State, play: Play) -> State:
    """The state after a refused play: a failed claim can cost the turn's draw (J36).

    If that turn has not begun yet, it begins with the next legal entry.
    """
    penalty = state.table.option("failed_claim_penalty") == "no_draw"
    if not penalty or not isinstance(play, Claim):
        return state
    verdict = judge(state, play)
    failed = verdict.clause in ("claim.4", "claim.5", "claim.6")
    failed |= any(fact.fact == "no_word" for fact in verdict.evidence)
    return state._replace(forfeits=state.forfeits | {play.seat}) if failed else state


def let_stand(state: State, play: Play) -> State | None:
    if state.turn is None or isinstance(play, (Deal, Word, Grant)):
        return None
    # a claim takes a flag and does not use the turn
    if play.seat != state.turn and not isinstance(play, Claim):
        state = drawn(state._replace(dry=state.dry or not state.done))  # a lost turn draws nothing
    match play:
        case Place():
            known = play.card in state.laid or not 1 <= play.flag <= FLAGS
            lacks = state.words and play.card not in (*state.words.deck.by_kanji, JOKER)
            joker = play.card == JOKER and not jokers_left(state, play.seat)
            if known or lacks or joker or not state.hands[play.seat]:
                return None
            full = len(side_of(state, play.seat, play.flag).cards) == COLUMN
            return None if full else _placed(state, play)
        case Claim():
            there = 1 <= play.flag <= FLAGS and state.owners[play.flag - 1] is None
            if there and isinstance(judge_claim(_in_turn(state, play.seat), play), Unprovable):
                return _claimed(state, play)
            return _taken(state, play.seat, play.flag) if there else None
        case Draw():
            return drawn(state)._replace(at=state.at + 1)
        case _:
            return state._replace(at=state.at + 1, done=True, dry=True)


def stopped(state: State, outcome: Outcome) -> State:
    """``state`` after the match was stopped; the flags stay as they are."""
    return state._replace(turn=None, stopped=outcome, at=state.at + 1)


def _without(claims: Mapping[int, OpenClaim], flag: int) -> Mapping[int, OpenClaim]:
    return {other: claim for other, claim in claims.items() if other != flag}


def _with(items: tuple[T, ...], flag: int, item: T) -> tuple[T, ...]:
    """``items``, one for each flag, with another ``item`` for ``flag``."""
    return (*items[: flag - 1], item, *items[flag:])
