"""Who may still be able to beat the top cards of the trick, by what everybody can see."""

from __future__ import annotations

from referee.core.verdict import Seat
from referee.games.pairs_daifugo.state import DECK, State, stronger


def beatable(state: State) -> bool:
    """Whether the deck has enough cards to beat the top of the trick (ruling D11)."""
    count = state.trick[-1].size
    return any(rank >= count and stronger(state, rank) for rank in range(1, len(DECK.cards) + 1))


def sure_passes(state: State) -> tuple[Seat, ...]:
    """The seats that still have to pass, if everybody can see that none of them can follow."""
    if not state.trick or not state.due or state.turning:
        return ()
    top = state.trick[-1].seat
    left = [s for s in state.table.starting(state.due) if s not in state.passed and s != top]
    return () if any(can_follow(state, seat) for seat in left) else tuple(left)


def can_follow(state: State, seat: Seat) -> bool:
    """Whether ``seat`` may hold cards to follow with, by what everybody can see."""
    count = state.trick[-1].size
    own = list(state.pyramids[seat].values())
    return any(
        own.count(rank) + min(state.hands[seat], state.copies.unseen(rank)) >= count
        for rank in range(1, len(DECK.cards) + 1)
        if stronger(state, rank)
    )
