"""Memory that replaying the largest deal takes, in a process of its own."""

from __future__ import annotations

import subprocess
import sys

CHILD = """
import resource
from bench.matches import play
from referee.core.log import Log
header, log = play("perite", 100, 30_000)
end = next((i for i, e in enumerate(log.entries[1:], 1) if type(e).__name__ == "Deal"), None)
entries, game, table = log.entries[:end], log.game, log.table
del log
fresh = Log(game, table)
for entry in entries:
    fresh.push(entry)
print(len(entries), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def run() -> None:
    """Print the peak of a process that plays and replays one deal with a hundred seats."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD], capture_output=True, text=True, check=True, timeout=300
    )
    entries, peak = done.stdout.split()
    print(f"\nMemory: one deal with 100 seats ({entries} entries), every state kept: {peak} MB")
