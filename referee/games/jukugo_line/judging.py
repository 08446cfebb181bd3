"""Legality of entries; claims have their own module."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.verdict import Illegal, Legal, Verdict, evidence
from referee.games.jukugo_line.claims import judge_claim, judge_grant, not_free, unclaimable
from referee.games.jukugo_line.plays import (
    Claim,
    Deal,
    Draw,
    Grant,
    Pass,
    Place,
    Play,
    TurnPlay,
    Word,
)
from referee.games.jukugo_line.scoring import outcome
from referee.games.jukugo_line.state import (
    FLAGS,
    State,
    is_open,
    jokers_left,
    other,
    side_of,
    unseen,
)
from referee.games.jukugo_line.turns import begun, can_act
from referee.jukugo.decks import JOKER
from referee.jukugo.formations import COLUMN


def candidates(state: State) -> Iterator[Play]:
    """Plays of the seat whose turn it is, and of the other one where its turn may have begun.

    Agreements on words are left out: there are too many words.
    """
    if state.turn is None:
        if not state.deal:
            yield from map(Deal, state.table.seats)
        return
    for flag, claim in state.claims.items():
        yield Grant(other(state, claim.seat), flag)
    for seat in (state.turn, other(state, state.turn)):
        for flag in range(1, FLAGS + 1):
            for card in unseen(state, seat):
                yield Place(seat, flag, card)
        for flag in range(1, FLAGS + 1):
            yield Claim(seat, flag)
        yield Draw(seat)
        yield Pass(seat)


def judge(state: State, play: Play) -> Verdict:
    if isinstance(play, Word):
        return _word(state, play)
    if isinstance(play, Deal):
        if outcome(state):
            return Illegal("end.1", evidence("match_over"))
        if state.deal:
            return Illegal("setup.2", evidence("dealt_already"))
        return Legal("setup.2", evidence("begins", seat=play.leader))
    if state.turn is None:
        if outcome(state):
            return Illegal("end.1", evidence("match_over"))
        return Illegal("setup.2", evidence("no_deal"))
    if isinstance(play, Grant):
        return judge_grant(state, play)
    if not can_act(state, play):
        return _not_turn(state, play)
    if isinstance(play, Place):
        return _place(state, play)
    if isinstance(play, Draw):
        return _draw(state, play)
    if isinstance(play, Pass):
        return _pass(state, play)
    return judge_claim(begun(state, play), play)


def claim_fault(state: State, play: Claim) -> Illegal | None:
    """Why the flag can't be claimed now, whatever the cards are worth; None if it can."""
    if not can_act(state, play):
        return _not_turn(state, play)
    return unclaimable(begun(state, play), play)


def _not_turn(state: State, play: TurnPlay) -> Illegal:
    return Illegal("turn.1", evidence("not_turn", seat=play.seat, due=state.turn))


def _word(state: State, play: Word) -> Verdict:
    if outcome(state):
        return Illegal("end.1", evidence("match_over"))
    if state.table.option("dispute") == "dictionary_only":
        return Illegal("words.3", evidence("no_agreements"))
    if play.word[0] == JOKER:
        return Illegal("joker.1", evidence("joker_first", word=play.word))
    fact = "word_counts" if play.counts else "word_does_not_count"
    return Legal("words.3", evidence(fact, word=play.word))


def _place(state: State, play: Place) -> Verdict:
    if state.done and play.seat == state.turn:
        return Illegal("turn.2", evidence("placed_already", seat=play.seat))
    wrong = not_free(state, play.flag, missing="place.1", taken="place.3")
    if wrong:
        return wrong
    side = side_of(state, play.seat, play.flag)
    if len(side.cards) == COLUMN:
        return Illegal("place.2", evidence("side_full", side.full, seat=play.seat, flag=play.flag))
    nth = evidence("nth_card", seat=play.seat, flag=play.flag, count=len(side.cards) + 1)
    return _of_hand(state, play) or Legal("place.1", nth)


def _of_hand(state: State, play: Place) -> Illegal | None:
    """Why the card can't come from this hand, by what everybody can see; None if it can."""
    if not state.hands[play.seat]:
        return Illegal("place.1", evidence("hand_empty", seat=play.seat))
    if play.card == JOKER:
        if not jokers_left(state, play.seat):
            return Illegal("joker.2", evidence("joker_played", seat=play.seat))
        return None
    if state.words and play.card not in state.words.deck.by_kanji:
        return Illegal("setup.1", evidence("no_such_card", card=play.card))
    if play.card in state.laid:
        return Illegal("setup.1", evidence("lies_already", state.laid[play.card], card=play.card))
    keeps_joker = state.table.option("joker_deal") == "one_each" and not state.jokers[play.seat]
    if keeps_joker and state.hands[play.seat] == 1:
        return Illegal("joker.2", evidence("only_the_joker", seat=play.seat))
    return None


def _pass(state: State, play: Pass) -> Verdict:
    if state.done and play.seat == state.turn:
        return Illegal("turn.2", evidence("placed_already", seat=play.seat))
    if not state.hands[play.seat]:
        return Legal("place.4", evidence("hand_empty", seat=play.seat))
    free = [flag for flag in range(1, FLAGS + 1) if is_open(state, play.seat, flag)]
    if free:
        return Illegal("place.4", evidence("place_left", seat=play.seat, flags=tuple(free)))
    return Legal("place.4", evidence("no_place", seat=play.seat))


def _draw(state: State, play: Draw) -> Verdict:
    if not state.done:
        return Illegal("turn.2", evidence("place_first", seat=play.seat))
    if state.dry or play.seat in state.forfeits:
        return Legal("draw.1", evidence("no_draw"))
    if not state.stock:
        return Legal("draw.2", evidence("stock_empty"))
    return Legal("draw.1", evidence("stock_left", count=state.stock - 1))
