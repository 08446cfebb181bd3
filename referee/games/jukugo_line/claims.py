"""Whether a flag may be taken: by the cards that lie open, or by proof."""

from __future__ import annotations

from referee.core.verdict import (
    Agreed,
    Illegal,
    Legal,
    Seat,
    Unprovable,
    Verdict,
    evidence,
)
from referee.games.jukugo_line.evidence import formed
from referee.games.jukugo_line.plays import Claim
from referee.games.jukugo_line.state import FLAGS, Side, State, jokers_left, other, side_of
from referee.jukugo.decks import JOKER
from referee.jukugo.formations import COLUMN, Lexicon, best
from referee.jukugo.prover import Claim as Question
from referee.jukugo.prover import prove


def judge_claim(state: State, play: Claim) -> Verdict:
    """The verdict of a claim by the seat whose turn it is."""
    closed = unclaimable(state, play)
    if closed:
        return closed
    own = side_of(state, play.seat, play.flag)
    misread = _misread(state, play, own)
    if misread:
        return misread
    if state.words is None or state.table.option("adjudication") == "both_confirm":
        return Unprovable("claim.7", Agreed(play.seat, ()))
    return _named(state, play) or _compared(state, play, state.words)


def unclaimable(state: State, play: Claim) -> Illegal | None:
    """Why the seat in turn can't claim the flag now, whatever its cards are worth; None if it can.

    No card is compared for it.
    """
    early = state.table.option("claim_timing") == "start_of_turn"
    if early and state.done:
        return Illegal("claim.1", evidence("claims_come_first"))
    if not early and not state.done:
        return Illegal("claim.1", evidence("place_first", seat=play.seat))
    if not 1 <= play.flag <= FLAGS:
        return Illegal("claim.1", evidence("no_such_flag", flag=play.flag))
    owner = state.owners[play.flag - 1]
    if owner is not None:
        at = state.claimed[play.flag - 1]
        return Illegal("claim.2", evidence("flag_taken", at, flag=play.flag, seat=owner))
    own = side_of(state, play.seat, play.flag)
    if own.full is None:
        count = len(own.cards)
        return Illegal("claim.3", evidence("column_open", seat=play.seat, count=count))
    return None


def _misread(state: State, play: Claim, own: Side) -> Illegal | None:
    """Why a word that is named can't be read in the column, whatever counts as a word (J34)."""
    noma = state.table.option("three_with_noma") == "on"
    for word in play.words:
        short = [card for card in word if word.count(card) > own.cards.count(card)]
        if short:
            return Illegal("words.1", evidence("other_cards", own.full, word=word, card=short[0]))
        if word[0] == JOKER:
            return Illegal("words.1", evidence("joker_first", word=word))
        if len(word) == COLUMN and JOKER in word and not noma:
            return Illegal("words.1", evidence("no_word", word=word))
    return None


def _named(state: State, play: Claim) -> Verdict | None:
    """What is wrong with the words that are named, or hangs on them (J31)."""
    unknown = _unknown(state, play)
    for word in unknown:
        if word in state.agreed or state.table.option("dispute") == "dictionary_only":
            return Illegal("words.1", evidence("no_word", word=word))
    if not unknown:
        return None
    verdict = _compared(state, play, trusting(state, play))
    if isinstance(verdict, Illegal):
        return verdict
    return Unprovable("words.2", Agreed(play.seat, unknown), verdict.evidence)


def _unknown(state: State, play: Claim) -> tuple[str, ...]:
    """The words of a claim that don't count at this table as it is."""
    assert state.words is not None
    return tuple(word for word in play.words if word not in state.words.words)


def trusting(state: State, play: Claim) -> Lexicon:
    """The words of the table, and those of the claim."""
    assert state.words is not None
    words = state.words
    for word in _unknown(state, play):
        words = words.agree(word, True)
    return words


def _compared(state: State, play: Claim, words: Lexicon) -> Verdict:
    """The claim, decided by the cards on the table (J10–J17)."""
    rival = other(state, play.seat)
    own, theirs = side_of(state, play.seat, play.flag), side_of(state, rival, play.flag)
    held = best(words, own.cards)
    shown = formed("shows", play.seat, held, own.full)
    if theirs.full is not None:
        against = best(words, theirs.cards)
        facts = (*shown, *formed("shows", rival, against, theirs.full))
        if held.strength > against.strength:
            return Legal("claim.4", facts)
        if held.strength < against.strength:
            return Illegal("claim.4", facts)
        assert own.full is not None
        first = play.seat if own.full < theirs.full else rival
        facts += evidence("completed_first", min(own.full, theirs.full), seat=first)
        return Legal("claim.5", facts) if first == play.seat else Illegal("claim.5", facts)
    proof = prove(words, question(state, play.seat, play.flag))
    if proof.witness is None:
        return Legal("claim.6", (*shown, *evidence("nothing_left", seat=rival)))
    if proof.proven:
        return Legal("claim.6", (*shown, *formed("best_left", rival, proof.witness)))
    return Illegal("claim.6", (*shown, *formed("would_win", rival, proof.witness)))


def question(state: State, seat: Seat, flag: int) -> Question:
    """What a claim of ``seat`` asks: the cards that lie everywhere, and the jokers (J12–J15)."""
    rival = other(state, seat)
    own, theirs = side_of(state, seat, flag), side_of(state, rival, flag)
    gone = state.laid.keys() - {*own.cards, *theirs.cards}
    return Question(own.cards, theirs.cards, frozenset(gone), jokers_left(state, rival))
