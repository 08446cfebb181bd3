"""Random matches of games of open cards: what holds after every entry."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from referee.core.game import COMMON_OPTIONS, Table
from referee.core.log import Log
from referee.core.record import Grammar
from referee.core.verdict import Illegal, Legal
from referee.kit.families.draw_or_stop.player import entries
from referee.kit.families.draw_or_stop.state import State
from referee.kit.families.draw_or_stop.stock import burned, outside
from referee.kit.game import KitGame
from referee.kit.load import load
from referee.kit.variants import tables

FILES = sorted(Path(__file__).parent.glob("*.toml"))
MOST = 250  # entries of a match


def holds(game: KitGame, state: State) -> None:
    """What is counted agrees with what lies open, and somebody can do something."""
    stock, deck = state.stock, state.deck
    for place, card in enumerate(deck.cards):
        lying = sum(shown.card == card for row in state.round.rows for shown in row)
        kept = sum(shown.card == card for shown in stock.kept)
        assert 0 <= stock.unseen[place] <= deck.copies[place] - kept, card
        assert lying + kept + outside(state)[place] == deck.copies[place]
    assert 0 <= stock.left <= sum(stock.unseen)
    assert sum(stock.unseen) - stock.left <= burned(state)
    if game.outcome(state) is None:
        plays = [*game.candidates(state)]
        assert any(isinstance(game.judge(state, play), Legal) for play in plays)
        due = {getattr(play, "seat", None) for play in plays} - {None}
        assert due <= {*game.to_act(state)}
    json.dumps(game.public(state))


def tried(game: KitGame, state: State, rng: Random) -> None:
    """Any entry gets a verdict; what is refused may stand only where its effect makes sense."""
    for play in rng.sample([*game.candidates(state)], 1):
        verdict = game.judge(state, play)
        after = game.let_stand(state, play) if isinstance(verdict, Illegal) else None
        if after is not None:
            assert after.at == state.at + 1


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_holds_after_every_entry(file: Path) -> None:
    game = load(file.read_bytes())
    for number, one in enumerate(tables(game)):
        log, rng, grammar = Log(game, one), Random(number), Grammar(game, one.seats)
        for entry in entries(log, rng, 0, 0):
            if len(log) == MOST:
                break
            state: State = log.state
            tried(game, state, rng)
            assert grammar.parse(grammar.print(entry)) == entry
            assert not isinstance(log.push(entry), Illegal), (entry, state)
            holds(game, log.state)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_lines_of_the_score_add_up_to_the_totals(file: Path) -> None:
    game = load(file.read_bytes())
    for seed in range(10):
        seats = tuple("ABCDE"[: max(game.SEATS[0], 3)])
        log = Log(game, Table(seats, {}, {**COMMON_OPTIONS, **game.OPTIONS}))
        for entry in entries(log, Random(seed), 0, 0):
            log.push(entry)
        sheet, ended = game.score(log.state), game.outcome(log.state)
        assert ended is not None
        assert {*ended.winners, *ended.losers} <= {*seats}
        for seat in seats:
            points = sum(line.points for line in sheet.lines if line.seat == seat)
            assert points == sheet.totals[seat]
