"""Verdicts and plays per second, compared with other rules engines on the same machine."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from statistics import median

from referee.core.game import Game
from referee.core.log import Log
from referee.games import GAMES, ON_CARDS
from referee.games.simulation import played, player, room_of, table
from referee.kit import shipped
from referee.kit.game import KitGame

SECONDS = 1.0
ENTRIES = 400


def rate(work: Callable[[], int], seconds: float = SECONDS) -> float:
    """Units of ``work`` per second; a call of it returns how many units it has done."""
    work()
    done, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        done += work()
    return done / spent


def times(work: Callable[[], int], other: Callable[[], int]) -> float:
    """How many times as long ``work`` takes as ``other``, per unit.

    Both are measured alternately, since the speed of a machine varies.
    """
    return median(rate(other, SECONDS / 5) / rate(work, SECONDS / 5) for _ in range(7))


def run() -> None:
    """Print verdicts, plays (judge + apply) and entries a second, then those of other engines."""
    print("\nRules engines, units per CPU second on one core; plays also beside the first game's")
    first = _plays(_matches(next(iter(GAMES.values()))))
    for name, game in ON_CARDS.items():
        logs = _matches(game)
        judged, done, pushed = (rate(work(logs)) for work in (_verdicts, _plays, _entries))
        print(f"  {name:14} verdicts {judged:>9,.0f}   judge + apply {done:>8,.0f} plays", end="")
        print(f" ({1e6 / done:5.1f} µs, {times(_plays(logs), first):3.1f} ×)", end="")
        print(f"   with the log {pushed:>8,.0f} entries")
    for own in shipped.games().values():
        done = rate(_plays(_of_file(own)))
        print(f"  {own.KEY:14} (a file)  judge + apply {done:>8,.0f} plays ({1e6 / done:5.1f} µs)")
    _chess()
    _open_spiel()


def _of_file(game: KitGame) -> list[Log]:
    """Matches of a game file with at least ``ENTRIES`` entries together."""
    logs: list[Log] = []
    while sum(map(len, logs)) < ENTRIES:
        log = Log(game, table(game, [f"P{i}" for i in range(min(4, game.SEATS[-1]))]))
        for entry in player(room_of(game))(log, random.Random(len(logs)), 0, 0):
            log.push(entry)
            if len(log) >= ENTRIES:
                break
        logs.append(log)
    return logs


def _matches(game: Game) -> list[Log]:
    """Matches with at least ``ENTRIES`` entries together: some games are over after twenty.

    Five players, or as many as the game allows.
    """
    seats, logs = [f"P{i}" for i in range(min(5, game.SEATS[-1]))], list[Log]()
    while sum(map(len, logs)) < ENTRIES:
        logs.append(played(game, seats, seed=len(logs) + 1, most=ENTRIES))
    return logs


def _verdicts(logs: list[Log]) -> Callable[[], int]:
    """Judge every candidate at every turn, as the pad does."""
    questions = [
        (log.game, step.before.state, play)
        for log in logs
        for step in log.steps()
        if step.before
        for play in log.game.candidates(step.before.state)
    ]

    def work() -> int:
        for game, state, question in questions:
            game.judge(state, question)
        return len(questions)

    return work


def _plays(logs: list[Log]) -> Callable[[], int]:
    matches = [(log.game, log.start, [step.play for step in log.steps()]) for log in logs]

    def work() -> int:
        for game, state, plays in matches:
            for entry in plays:
                game.judge(state, entry)
                state = game.apply(state, entry)
        return sum(len(plays) for _, _, plays in matches)

    return work


def _entries(logs: list[Log]) -> Callable[[], int]:
    def work() -> int:
        for log in logs:
            fresh = Log(log.game, log.table)
            for entry in log.entries:
                fresh.push(entry)
        return sum(map(len, logs))

    return work


def _chess() -> None:
    try:
        import chess
    except ImportError:
        print("  python-chess is not installed: skipped")
        return
    rng = random.Random(1)

    def work() -> int:
        board, plies = chess.Board(), 0
        while plies < 60 and (moves := list(board.legal_moves)):
            board.push(rng.choice(moves))
            plies += 1
        return plies

    speed = rate(work)
    print(f"  python-chess {chess.__version__}: legal moves + push {speed:>9,.0f} plies")


def _open_spiel() -> None:
    try:
        import pyspiel
        from open_spiel.python import games  # noqa: F401  registers the Python games
    except ImportError:
        print("  OpenSpiel is not installed: skipped")
        return
    rng = random.Random(1)
    for name in ("python_kuhn_poker", "python_liars_poker", "python_tic_tac_toe"):
        try:
            game = pyspiel.load_game(name)
        except pyspiel.SpielError:
            continue

        def work(game: object = game) -> int:
            state, plies = game.new_initial_state(), 0  # type: ignore[attr-defined]
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
                plies += 1
            return plies

        print(f"  OpenSpiel {name}: legal actions + apply {rate(work):>9,.0f} plies")
