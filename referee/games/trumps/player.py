"""The honest player of Trumps (``games.simulation``)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypeAlias

from referee.core.game import Game
from referee.core.verdict import Illegal
from referee.games import trumps
from referee.games.players import Choose, HiddenCards, Playable, ranks_held
from referee.games.trumps.plays import Cover, Deal, Draw, Lay, Pass, Play, Reveal, Starter, Take
from referee.games.trumps.state import HAND, State, TrumpsStage, place_of

RULES: Game[State, Play] = trumps
GOES_ON = True  # in the middle of a deal, see games.simulation.resuming

Entry: TypeAlias = Deal | Starter | Reveal | Lay | Cover | Take | Draw | Pass


def entries(
    log: Playable,
    rng: Random,
    lies: float,
    shows: float,
    choose: Choose | None = None,
    hidden: HiddenCards | None = None,
) -> Iterator[Entry]:
    """The entries of a match; ``lies``: the chance that a player covers a card without need.

    A player who has to cover a card sometimes shows the hand. Few hands force a player to cover, so
    without ``choose`` the players see all hands and prefer cards that force the next seats to.
    """
    seats = log.table.seats
    hands = ranks_held(hidden)
    stock = [int(card) for card in hidden.stock] if hidden else []
    while not log.game.outcome(log.state):
        state = log.state
        if state.step is TrumpsStage.IDLE:
            stock = [card for card in state.deck.cards for _ in range(card)]
            rng.shuffle(stock)
            hands = {seat: [stock.pop() for _ in range(HAND)] for seat in seats}
            yield Deal()
        elif state.step is TrumpsStage.LOT:
            yield Starter(rng.choice(state.due))
        elif state.step is TrumpsStage.START:
            seat = rng.choice(state.due)
            if choose:
                reveal = choose(state, [Reveal(seat, card) for card in {*hands[seat]}])
                hands[seat].remove(reveal.rank)
                yield reveal
                continue
            # with low cards ties are more frequent
            card = min(hands[seat]) if rng.random() < 0.5 else rng.choice(hands[seat])
            hands[seat].remove(card)
            yield Reveal(seat, card)
        elif state.step is TrumpsStage.PLAY:
            hand = hands[state.due[0]]
            play, card = _play(log, rng, lies, shows, choose, hands)
            for _ in range(len(play.ranks) if isinstance(play, Lay) else 1):
                hand.remove(card)
            yield play
        else:
            seat = state.due[0]
            taking: list[Take | Draw | Pass] = [Take(seat, r) for r in sorted(state.tableau)]
            taking += (Draw(seat), Pass(seat))
            able = [p for p in taking if not isinstance(log.game.judge(state, p), Illegal)]
            taken = choose(state, able) if choose else rng.choice(able)
            if isinstance(taken, Draw):
                hands[seat].append(stock.pop())
            yield taken
        if log.state.step is TrumpsStage.PLAY and not log.state.played:
            for seat in log.table.starting(log.state.starter):
                while len(hands[seat]) < log.state.hands.size(seat):
                    hands[seat].append(stock.pop())


def _play(
    log: Playable,
    rng: Random,
    lies: float,
    shows: float,
    choose: Choose | None,
    hands: dict[str, list[int]],
) -> tuple[Lay | Cover, int]:
    """The play of the seat due, and its card."""
    state = log.state
    seat, *later = state.due
    hand = hands[seat]
    used = {rank for laid in state.played if not laid.down for rank in laid.ranks}
    free = [rank for rank in hand if rank not in used]
    stops = [r for r in free if any({*hands[s]} <= {*used, r} for s in later)]
    play: Lay | Cover
    if choose:
        play = choose(state, _honest(seat, hand, free))
        card = play.ranks[0] if isinstance(play, Lay) else play.rank or 0
    else:
        card = rng.choice(stops or free or hand)
        play = Lay(seat, (card,))
        if hand.count(card) > 1 and rng.random() < 0.9:
            play = Lay(seat, (card, card))
    if not free and not choose:
        shown = tuple(hand) if rng.random() < max(shows, 0.2) else ()
        removes = log.table.option("facedown_to_field") == "remove"
        play = Cover(seat, None if removes and rng.random() < 0.5 else card, shown)
    elif used and rng.random() < lies:
        covered = Cover(seat, rng.choice(sorted(used)))
        verdict = log.game.judge(state, covered)
        if covered.rank in hand and not isinstance(verdict, Illegal):
            play, card = covered, covered.rank
    return play, card


def _honest(seat: str, hand: list[int], free: list[int]) -> list[Lay | Cover]:
    """What ``seat`` may play: a card or a pair of a ``free`` number, else a card face down."""
    if not free:
        return [Cover(seat, rank) for rank in {*hand}]
    pairs = [rank for rank in dict.fromkeys(free) if free.count(rank) > 1]
    return [Lay(seat, ranks) for ranks in (*((r,) for r in {*free}), *((r, r) for r in pairs))]


def ahead(state: State, play: Entry) -> float:
    """The strength of the cards played, any pair above any single.

    For a number taken from the table: how many copies of it the seat has afterwards.
    """
    match play:
        case Lay(_, ranks):
            return 100 - ranks[0] if len(ranks) > 1 else ranks[0]
        case Take(seat, rank):
            copies = 1 if place_of(state, seat) == 3 else state.tableau[rank]
            return copies + state.piles[seat].get(rank, 0)
        case Draw():
            return 0.5
    return 0
