"""Print every figure; absolute times depend on the machine, ratios within one run much less."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Sequence
from itertools import takewhile

from bench import (
    beside_simulation,
    convention,
    corrections,
    desk,
    engines,
    formations,
    growth,
    history,
    large_group,
    live,
    memory,
    onlookers,
    packed,
    pads,
    replays,
    reviews,
    seatings,
    server,
    simulations,
    slow_disk,
    words,
)

PARTS: dict[str, Callable[[], None]] = {
    "engines": engines.run,
    "replays": replays.run,
    "reviews": reviews.run,
    "seatings": seatings.run,
    "desk": desk.run,
    "simulations": simulations.run,
    "beside_simulation": beside_simulation.run,
    "server": server.run,
    "games": server.games,
    "corrections": corrections.run,
    "pads": pads.run,
    "live": live.run,
    "onlookers": onlookers.run,
    "memory": memory.run,
    "slow_disk": slow_disk.run,
    "words": words.run,
    "history": history.run,
    "formations": formations.run,
    "packed": packed.run,
}
WITH_FLAGS: dict[str, Callable[[Sequence[str]], None]] = {
    "growth": growth.run,
    "convention": convention.run,
    "large_group": large_group.run,
}


def main() -> None:
    """Run the parts named on the command line, or all; ``growth --help`` lists its options."""
    print(f"Python {platform.python_version()}, {platform.machine()}")
    names = list(takewhile(lambda word: not word.startswith("-"), sys.argv[1:]))
    flags = sys.argv[1 + len(names) :]
    for name in names or [*PARTS, *WITH_FLAGS]:
        if name in WITH_FLAGS:
            WITH_FLAGS[name](flags)
        else:
            PARTS[name]()


if __name__ == "__main__":
    main()
