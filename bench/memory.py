"""Memory of the largest deal with every state kept, in a process of its own."""

from __future__ import annotations

import subprocess
import sys

CHILD = """
import resource
from bench.replays import many_seats
log = many_seats(100, deals=1)
print(len(log), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def run() -> None:
    """Print the peak of a process that plays one deal with a hundred seats."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD], capture_output=True, text=True, check=True, timeout=300
    )
    entries, peak = done.stdout.split()
    print(f"\nMemory: one deal with 100 seats ({entries} entries), every state kept: {peak} MB")
