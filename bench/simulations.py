"""How long simulated matches take: CPU time on one core, for every game."""

from __future__ import annotations

import time

from referee.games import ON_CARDS
from referee.insight.playing import Plan, played

SECONDS = 2


def run() -> None:
    """Print matches per CPU second, and the time of 10,000 of them."""
    print("\nSimulated matches by chance, three seats where that is possible, on one core")
    for name, game in ON_CARDS.items():
        seats = 3 if 3 in game.SEATS else game.SEATS.start
        plan = Plan(name, seats, ("random",) * seats)
        played(plan, range(1))  # fills the caches
        began, count = time.process_time(), 0
        while time.process_time() - began < SECONDS:
            played(plan, [count])
            count += 1
        spent = (time.process_time() - began) / count
        print(f"  {name:<14} {1 / spent:8,.0f} a second   10,000 in {10_000 * spent:7,.1f} s")
