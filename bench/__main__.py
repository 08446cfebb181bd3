"""Print every figure; absolute times depend on the machine, ratios within one run much less."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable

from bench import corrections, engines, formations, history, live, memory, replays, server, words

PARTS: dict[str, Callable[[], None]] = {
    "engines": engines.run,
    "replays": replays.run,
    "server": server.run,
    "corrections": corrections.run,
    "live": live.run,
    "memory": memory.run,
    "words": words.run,
    "history": history.run,
    "formations": formations.run,
}


def main() -> None:
    """Run the parts named on the command line, or all."""
    print(f"Python {platform.python_version()}, {platform.machine()}")
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main()
