"""The honest player of ペアーズ大富豪 (``games.simulation``)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from referee.core.game import Game
from referee.core.pyramid import rows
from referee.core.verdict import Illegal, Seat
from referee.games import pairs_daifugo
from referee.games.pairs_daifugo.judging import groups
from referee.games.pairs_daifugo.plays import Deal, Lay, Pass, Play, Row, Turn
from referee.games.pairs_daifugo.state import HAND, ROWS, State
from referee.games.players import Choose, HiddenCards, Playable, ranks_held

RULES: Game[State, Play] = pairs_daifugo
GOES_ON = True  # in the middle of a deal, see games.simulation.resuming


def entries(
    log: Playable[State, Play],
    rng: Random,
    lies: float,
    shows: float,
    choose: Choose | None = None,
    hidden: HiddenCards | None = None,
) -> Iterator[Deal | Row | Turn | Lay | Pass]:
    """The entries of a match. Nothing is declared here, so nobody lies or shows a hand."""
    seats = log.table.seats
    hands = ranks_held(hidden)
    down = _face_down(log.state, hidden) if hidden else {}
    while not log.game.outcome(log.state):
        state = log.state
        if not state.due:
            cards = [rank for rank in range(1, 11) for _ in range(rank)]
            rng.shuffle(cards)
            places = "".join(rows(ROWS[len(seats)]))
            hands = {seat: [cards.pop() for _ in range(HAND[len(seats)])] for seat in seats}
            down = {(seat, place): cards.pop() for seat in seats for place in places}
            yield Deal(None if state.won else rng.choice(seats))
        elif state.unknown_rows:
            seat = rng.choice(state.unknown_rows)
            row = rows(ROWS[len(seats)])[-1]
            yield Row(seat, tuple(down[seat, place] for place in row))
        elif state.turning:
            owner, place = rng.choice(state.turning)
            yield Turn(owner, place, down[owner, place])
        else:
            plays = [
                play
                for play in _held(state, state.due, hands[state.due])
                if not isinstance(log.game.judge(state, play), Illegal)
            ]
            play: Lay | Pass
            if choose:
                able: list[Lay | Pass] = [*plays]
                if state.trick or not plays:
                    able.append(Pass(state.due))
                play = choose(state, able)
            elif not plays or (state.trick and rng.random() < 0.3):
                play = Pass(state.due)
            else:
                play = rng.choice(plays)
            if isinstance(play, Pass):
                yield play
                continue
            for rank in play.ranks[len(play.using) :]:
                hands[play.seat].remove(rank)
            yield play


def _face_down(state: State, hidden: HiddenCards) -> dict[tuple[str, str], int]:
    """The face-down cards by the seat and their place in its pyramid."""
    return {
        (seat, place): int(card)
        for seat, cards in hidden.pyramids.items()
        for place, card in zip(
            (place for place, shown in state.pyramids[seat].items() if shown is None),
            cards,
            strict=True,
        )
    }


def _held(state: State, seat: Seat, hand: list[int]) -> Iterator[Lay]:
    """The equal cards that ``seat`` has, as many as the trick asks for; ordered as candidates."""
    size = state.trick[-1].size if state.trick else 0
    for rank in sorted({*hand, *filter(None, state.pyramids[seat].values())}):
        for cards, using in groups(state, seat, rank, hand.count(rank)):
            if size in (0, len(cards)):
                yield Lay(seat, cards, using)


def ahead(state: State, play: Lay | Pass) -> float:
    """The number of cards played; ties prefer a rank of which the seat has more cards."""
    return len(play.ranks) + play.ranks[0] / 100 if isinstance(play, Lay) else 0
