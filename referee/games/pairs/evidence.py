"""The facts that a verdict rests on: where cards lie, and where they turned up."""

from __future__ import annotations

from fractions import Fraction

from referee.core.hidden import HiddenPlace, Knowledge, placed
from referee.core.verdict import Evidence, Facts, Finding, Seat
from referee.games.pairs.plays import Hit, Play
from referee.games.pairs.state import DECK, State


def pair(state: State, seat: Seat, rank: int) -> Evidence | None:
    """The fact that a card of ``rank`` lies before ``seat`` already; None if none does."""
    for shown in state.rows[seat]:
        if shown.rank == rank:
            return Evidence("has_already", {"seat": seat, "rank": rank}, shown.at)
    return None


def copies_gone(state: State, rank: int) -> Facts:
    """The facts that every copy of ``rank`` was seen since the last shuffle, and where."""
    gone = Evidence("all_seen", {"rank": rank, "copies": DECK.copies[rank - 1]})
    seen = (shown for shown in state.seen if shown.rank == rank)
    return (gone, *(Evidence("seen", {"seat": s.seat, "rank": rank}, s.at) for s in seen))


def audit(state: State) -> tuple[Finding, ...]:
    """No findings: entries declare nothing about hidden cards that later ones could refute."""
    return ()


def luck(state: State, play: Play) -> tuple[Fraction, bool] | None:
    """The probability that a hit made a pair, by the cards unseen since the last shuffle, and
    whether it did.
    """
    if not isinstance(play, Hit) or state.uncounted or not sum(state.unseen):
        return None
    own = {shown.rank for shown in state.rows[play.seat]}
    pairs = sum(state.unseen[rank - 1] for rank in own)
    return Fraction(pairs, sum(state.unseen)), play.rank in own


def knowledge(state: State) -> Knowledge | None:
    """Where cards are hidden: in the deck, and among the burned cards.

    None after a round that was entered by its sheet, until the next shuffle: which cards it used is
    not known.
    """
    if not state.deal or state.uncounted:
        return None
    unseen = sum(count * DECK.one[rank] for rank, count in enumerate(state.unseen, 1))
    found = placed(unseen, (HiddenPlace("stock", None, 0, state.stock),), "aside")
    return Knowledge(DECK, (found,) if found else ())
