"""The hand-written Fancy and ペリテ, and the same games as files: they agree in everything.

Run this file as a program to compare a million entries.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

from referee.core.game import Game
from referee.core.verdict import Seat, Verdict
from referee.games import GAMES
from referee.games.families import must_not_follow as family
from referee.games.simulation import played, table
from referee.kit.families.trick_taking.plays import Deal, Lay, Play, Show
from referee.kit.game import KitGame
from referee.kit.load import load

FILES = Path(__file__).parent / "files"
NAMES = ("fancy", "perite")


def translated(play: family.Play) -> Play:
    match play:
        case family.Deal(leader):
            return Deal(leader)
        case family.Lay(seat, rank):
            return Lay(seat, str(rank))
        case family.Show(seat, ranks):
            return Show(seat, tuple(map(str, ranks)))


def said(verdict: Verdict) -> tuple[str, Seat, tuple[str, ...]]:
    premise = getattr(verdict, "premise", None)
    cards = tuple(map(str, premise.cards)) if premise else ()
    return type(verdict).__name__, premise.seat if premise else "", cards


def agree(name: str, seed: int, most: int = 300) -> int:
    """Compare a match that honest players or liars play; how many verdicts were compared."""
    game, rng = GAMES[name], Random(seed)
    kit = load((FILES / f"{name}.toml").read_bytes())
    seats = list("ABCDEFG"[: rng.choice([n for n in game.SEATS if n < 8])])
    rounds = rng.choice(("1", "2"))
    chosen = {key: rng.choice(game.OPTIONS[key].values) for key in kit.OPTIONS}
    ties = rng.choice(("shared", "replay", "first_in_seat"))
    options = {**chosen, "rounds": rounds, "final_tie": ties}
    log = played(game, seats, seed, rng.choice((0, 0.3, 1)), 0.01, most, options)
    mine, theirs = game.setup(log.table), kit.setup(table(kit, seats, **options))
    compared = 0
    for step in log.steps():
        rank = rng.randint(1, 12)
        other = rng.choice([family.Lay(rng.choice(seats), rank), family.Deal(rng.choice(seats))])
        for play in (step.play, other):
            right = said(game.judge(mine, play))
            assert said(kit.judge(theirs, translated(play))) == right, (name, options, play)
            compared += 1
        mine, theirs = game.apply(mine, step.play), kit.apply(theirs, translated(step.play))
        same(game, kit, mine, theirs)
    return compared


def same(game: Game, kit: KitGame, mine: family.State, theirs: object) -> None:
    """Whether both are in the same state: turn, points, findings, and outcome."""
    stand = []
    for rules, state in ((game, mine), (kit, theirs)):
        ended = rules.outcome(state)  # type: ignore[attr-defined]
        stand.append(
            (
                rules.to_act(state),  # type: ignore[attr-defined]
                dict(rules.score(state).totals),  # type: ignore[attr-defined]
                [(f.clause, f.seat, f.at, f.proof) for f in rules.audit(state)],  # type: ignore[attr-defined]
                ended and ended.winners,
            )
        )
    assert stand[0] == stand[1]


@pytest.mark.parametrize("name", NAMES)
def test_the_file_agrees_with_the_hand_written_game(name: str) -> None:
    assert sum(agree(name, seed) for seed in range(60)) > 1000


if __name__ == "__main__":
    done, number = 0, 0
    while done < int(sys.argv[1] if len(sys.argv) > 1 else 10**6):
        number += 1
        done += sum(agree(each, number) for each in NAMES)
    print(f"{done:,} verdicts agree")
