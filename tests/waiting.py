"""How long tests wait for a thread or a process that they have started."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 120.0  # seconds: a machine may be busy


def wait_for(happens: Callable[[], bool]) -> None:
    """Until it does; fails where that takes too long."""
    until = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < until
        time.sleep(0.01)
