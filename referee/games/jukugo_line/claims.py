"""Whether a flag may be taken, by the open cards or by proof."""

from __future__ import annotations

from referee.core.verdict import (
    Agreed,
    Facts,
    Illegal,
    Legal,
    Seat,
    Unprovable,
    Verdict,
    evidence,
)
from referee.games.jukugo_line.evidence import falls_short, formed, wins
from referee.games.jukugo_line.plays import Claim, Grant
from referee.games.jukugo_line.state import FLAGS, Side, State, jokers_left, other, side_of
from referee.jukugo.decks import JOKER
from referee.jukugo.formations import COLUMN, Formation, Lexicon, best
from referee.jukugo.prover import FlagClaim as Question
from referee.jukugo.prover import prove


def judge_claim(state: State, play: Claim) -> Verdict:
    """The verdict on a claim by the seat whose turn it is."""
    closed = unclaimable(state, play)
    if closed:
        return closed
    own = side_of(state, play.seat, play.flag)
    misread = _misread(state, play, own)
    if misread:
        return misread
    if state.words is None:
        for word in play.words:
            if not state.agreed.get(word, True):
                return Illegal("words.1", evidence("no_word", word=word))
        return Unprovable("claim.7", Agreed(play.seat, ()))
    unknown = _unknown(state, play)
    verdict = _compared(state, play, trusting(state, play))
    if isinstance(verdict, Illegal):  # if the cards decide against it, words need no agreement
        return verdict
    for word in unknown:
        if word in state.agreed or state.table.option("dispute") == "dictionary_only":
            return Illegal("words.1", evidence("no_word", word=word))
    if unknown:
        return Unprovable("words.2", Agreed(play.seat, unknown), verdict.evidence)
    if _both_confirm(state):
        return Unprovable("claim.7", Agreed(play.seat, ()), verdict.evidence)
    return verdict


def left_open(state: State, play: Claim) -> bool:
    """Whether a claim that is not illegal waits for the other seat to agree.

    It does if its words are new, or if the table decides all claims itself.
    """
    return state.words is None or bool(_unknown(state, play)) or _both_confirm(state)


def _both_confirm(state: State) -> bool:
    return state.table.option("adjudication") == "both_confirm"


def not_free(state: State, flag: int, *, missing: str, taken: str) -> Illegal | None:
    """Why nobody can take the flag any more; None if it is free.

    By the clause ``missing`` if there is no such flag, by ``taken`` if it has an owner.
    """
    if not 1 <= flag <= FLAGS:
        return Illegal(missing, evidence("no_such_flag", flag=flag))
    owner = state.owners[flag - 1]
    if owner is None:
        return None
    return Illegal(taken, evidence("flag_taken", state.claimed[flag - 1], flag=flag, seat=owner))


def judge_grant(state: State, play: Grant) -> Verdict:
    """The verdict on an agreement: legal if the other seat's last claim on the flag is open."""
    wrong = not_free(state, play.flag, missing="claim.7", taken="claim.2")
    if wrong:
        return wrong
    claim = state.claims.get(play.flag)
    if claim is None:
        return Illegal("claim.7", evidence("no_open_claim", flag=play.flag))
    asked = evidence("claimed_by", claim.at, seat=claim.seat, flag=play.flag)
    if claim.seat == play.seat:
        return Illegal("claim.7", (*asked, *evidence("own_claim", seat=play.seat)))
    return Legal("claim.7", (*asked, *evidence("granted", seat=play.seat, flag=play.flag)))


def unclaimable(state: State, play: Claim) -> Illegal | None:
    """Why the seat in turn can't claim the flag now, whatever its cards are worth; None if it can.

    Does not compare cards, so it is cheap.
    """
    early = state.table.option("claim_timing") == "start_of_turn"
    if early and state.done:
        return Illegal("claim.1", evidence("claims_come_first"))
    if not early and not state.done:
        return Illegal("claim.1", evidence("place_first", seat=play.seat))
    wrong = not_free(state, play.flag, missing="claim.1", taken="claim.2")
    if wrong:
        return wrong
    own = side_of(state, play.seat, play.flag)
    if own.full is None:
        count = len(own.cards)
        return Illegal("claim.3", evidence("column_open", seat=play.seat, count=count))
    return None


def _misread(state: State, play: Claim, own: Side) -> Illegal | None:
    """Why the named word can't be read in the column, whatever counts as a word (J34)."""
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


def _unknown(state: State, play: Claim) -> tuple[str, ...]:
    """The claimed words that do not count at this table yet."""
    assert state.words is not None
    return tuple(word for word in play.words if word not in state.words)


def trusting(state: State, play: Claim) -> Lexicon:
    """The table's words, together with those of the claim."""
    assert state.words is not None
    words = state.words
    for word in _unknown(state, play):
        words = words.agree(word, True)
    return words


def _compared(state: State, play: Claim, words: Lexicon) -> Verdict:
    """The verdict on the claim by the cards on the table (J10–J17)."""
    rival = other(state, play.seat)
    own, theirs = side_of(state, play.seat, play.flag), side_of(state, rival, play.flag)
    if theirs.full is not None:
        held = best(words, own.cards)
        shown = _shows(state, play.seat, held, own.full)
        against = best(words, theirs.cards)
        facts = (*shown, *_shows(state, rival, against, theirs.full))
        if held.strength > against.strength:
            return Legal("claim.4", (*facts, *wins(play.seat, held, against)))
        if held.strength < against.strength:
            return Illegal("claim.4", (*facts, *wins(rival, against, held)))
        assert own.full is not None
        first = play.seat if own.full < theirs.full else rival
        facts += evidence("completed_first", min(own.full, theirs.full), seat=first)
        return Legal("claim.5", facts) if first == play.seat else Illegal("claim.5", facts)
    proof = prove(words, question(state, play.seat, play.flag))
    shown = _shows(state, play.seat, proof.own, own.full)
    if proof.witness is None:
        return Legal("claim.6", (*shown, *evidence("nothing_left", seat=rival)))
    if proof.proven:
        return Legal("claim.6", (*shown, *falls_short(rival, proof.witness, proof.own)))
    return Illegal("claim.6", (*shown, *formed("would_win", rival, proof.witness)))


def _shows(state: State, seat: Seat, shown: Formation, at: int | None) -> Facts:
    """The fact that ``seat`` has a formation, or would have it if its words were accepted."""
    assert state.words is not None
    known = state.words.words
    return formed(
        "shows" if all(word in known for word in shown.words) else "shows_if", seat, shown, at
    )


def question(state: State, seat: Seat, flag: int) -> Question:
    """The question behind a claim of ``seat``: all cards on the table, and the jokers (J12–J15)."""
    rival = other(state, seat)
    own, theirs = side_of(state, seat, flag), side_of(state, rival, flag)
    gone = state.laid.keys() - {*own.cards, *theirs.cards}
    return Question(own.cards, theirs.cards, frozenset(gone), jokers_left(state, rival))
