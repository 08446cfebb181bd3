"""How long an entry of a finished deal takes to be read again, in every playthrough."""

from __future__ import annotations

import time
from pathlib import Path

from referee.core.log import steps
from referee.core.record import Record, read
from referee.games import GAMES
from referee.insight.grid import grid
from referee.rulings.report import replay

FOLDER = Path(__file__).parent.parent / "tests" / "games"


def run() -> None:
    """Print percentiles in milliseconds an entry: its grid, declarations, what could beat it."""
    print("\nReading an entry of a finished deal again")
    for name in GAMES:
        spent: list[float] = []
        for file in sorted((FOLDER / name / "playthroughs").glob("*.txt")):
            record = read(file.read_bytes(), GAMES, lambda name: None)
            if isinstance(record, Record):
                spent += _spent(record)
        if spent:
            spent.sort()
            middle, most = spent[len(spent) // 2], spent[int(len(spent) * 0.99)]
            print(
                f"  {name}: {len(spent)} entries, p50 {middle:.2f}, p99 {most:.2f}, "
                f"longest {spent[-1]:.2f} ms"
            )


def _spent(record: Record) -> list[float]:
    log, spent = replay(record), []
    hooks = log.game.HOOKS
    for step in steps(log.now.step):
        before = step.before.state if step.before else log.start
        began = time.perf_counter()
        knowledge = hooks.knowledge(step.state)
        if knowledge:
            grid(knowledge)
        hooks.could_beat(before, step.play)
        spent.append((time.perf_counter() - began) * 1000)
    return spent
