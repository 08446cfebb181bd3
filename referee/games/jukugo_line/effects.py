"""What an entry changes, and what the table may let stand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.games.jukugo_line.judging import judge
from referee.games.jukugo_line.plays import Claim, Deal, Draw, Place, Word
from referee.games.jukugo_line.scoring import outcome
from referee.games.jukugo_line.state import FLAGS, HAND, JOKERS, Side, State, jokers_left, side_of
from referee.games.jukugo_line.turns import begun_by, drawn
from referee.jukugo.decks import JOKER
from referee.jukugo.equipment import Kit
from referee.jukugo.formations import COLUMN


def apply(state: State, play: Any) -> State:
    if isinstance(play, Deal):
        assert state.table.kit is None or isinstance(state.table.kit, Kit)
        cards = len(state.words.deck.cards) if state.words else 52
        hands = dict.fromkeys(state.table.seats, HAND)
        stock = cards + JOKERS - HAND * len(hands)
        return replace(state, at=state.at + 1, turn=play.leader, hands=hands, stock=stock)
    if isinstance(play, Word):
        words = state.words.agree(play.word, play.counts) if state.words else None
        agreed = {**state.agreed, play.word: play.counts}
        learned = {**state.learned, play.word: play.counts} if state.deal else state.learned
        return replace(state, at=state.at + 1, words=words, agreed=agreed, learned=learned)
    begun = begun_by(state, play)
    assert begun is not None
    begun = replace(begun, at=state.at + 1)
    match play:
        case Place():
            return _placed(begun, play)
        case Claim():
            return _taken(begun, play)
        case Draw():
            return drawn(begun)
        case _:
            return replace(begun, done=True, dry=state.table.option("no_slot_draw") == "off")


def _placed(state: State, play: Place) -> State:
    side = side_of(state, play.seat, play.flag)
    cards = (*side.cards, play.card)
    fresh = Side(cards, state.at if len(cards) == COLUMN else None)
    pair = list(state.sides[play.flag - 1])
    pair[state.table.seats.index(play.seat)] = fresh
    jokers, laid = state.jokers, state.laid
    if play.card == JOKER:
        jokers = {**jokers, play.seat: jokers[play.seat] + 1}
    else:
        laid = {**laid, play.card: state.at}
    return replace(
        state,
        done=True,
        sides=_with(state.sides, play.flag, (pair[0], pair[1])),
        jokers=jokers,
        laid=laid,
        hands={**state.hands, play.seat: state.hands[play.seat] - 1},
    )


def _taken(state: State, play: Claim) -> State:
    state = replace(
        state,
        owners=_with(state.owners, play.flag, play.seat),
        claimed=_with(state.claimed, play.flag, state.at),
    )
    return replace(state, turn=None) if outcome(state) else state


def refused(state: State, play: Any) -> State:
    """A claim that failed costs the draw of its turn where the table plays so (J36).

    That turn has perhaps not begun: what begins it is the next entry that is legal.
    """
    penalty = state.table.option("failed_claim_penalty") == "no_draw"
    if not penalty or not isinstance(play, Claim):
        return state
    failed = judge(state, play).clause in ("claim.4", "claim.5", "claim.6")
    return replace(state, forfeits=state.forfeits | {play.seat}) if failed else state


def let_stand(state: State, play: Any) -> State | None:
    if state.turn is None or isinstance(play, (Deal, Word)):
        return None
    state = replace(state, at=state.at + 1)
    if play.seat != state.turn and not isinstance(play, Claim):  # a claim takes a flag and no turn
        state = drawn(replace(state, done=True))
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
            return _taken(state, play) if there else None
        case Draw():
            return drawn(state)
        case _:
            return replace(state, done=True, dry=True)


def _with(items: tuple[Any, ...], flag: int, item: Any) -> tuple[Any, ...]:
    return (*items[: flag - 1], item, *items[flag:])
