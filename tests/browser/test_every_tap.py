"""Every tap is a play of the seat that was due on the screen when the finger came down.

Fingers tap every 300 ms and wait for nothing but to see what they tap, while answers take their
time. The usual run plays each game at the latencies that its ``examples.toml`` names, on a quick
and a slow processor; ``make test ARGS="tests/browser/test_every_tap.py --every-cell"`` plays all
of them at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import NamedTuple

import pytest
from examples import examples
from playwright.sync_api import Page
from serving import Site, entries
from thumbs import QUICK, SLOW, Thumb, arrived, plays, quick, ready, recorded, slow, tap_all

pytestmark = pytest.mark.browser

LATENCIES = (0, 100, 300, 600, 2_000)  # milliseconds
AT_A_TIME = 5  # cells on quick processors, at least


class Cell(NamedTuple):
    """A game, and how slow the network and the processor are."""

    game: str
    latency: int
    processor: int


def every_cell() -> list[list[Cell]]:
    games = examples("table_by_taps")
    together = [[Cell(game, latency, QUICK) for latency in LATENCIES] for game in games]
    alone = [[Cell(*cell, SLOW)] for cell in product(games, LATENCIES)]
    return together + alone


def usual() -> list[list[Cell]]:
    """Cells that are played at the same time; two slow processors would take it from each other."""
    games = examples("table_by_taps")
    quick, slow = (
        [Cell(game, latency, processor) for game in games for latency in games[game][usual]]
        for usual, processor in (("usual", QUICK), ("usual_slow", SLOW))
    )
    groups = max(1, len(quick) // AT_A_TIME)
    together = [[*quick[i::groups], *slow[i : i + 1]] for i in range(groups)]
    return together + [[cell] for cell in slow[groups:]]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "cells" in metafunc.fixturenames:
        cells = every_cell() if metafunc.config.getoption("--every-cell") else usual()
        metafunc.parametrize("cells", cells, ids=[named(of) for of in cells])


def named(cells: Iterable[Cell]) -> str:
    return "+".join(f"{c.game}-{c.latency}{'-slow' * (c.processor == SLOW)}" for c in cells)


def test_every_tap_is_recorded(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page], cells: list[Cell]
) -> None:
    matches = {cell: ready(opened, cell.game) for cell in cells}
    meant = {cell: entries(live_site, match) for cell, match in matches.items()}
    thumbs = {}
    for cell, match in matches.items():
        page = phone(f"{live_site.url}/t/{match}")
        slow(page, cell.latency, cell.processor)
        told = plays(cell.game)
        thumbs[cell] = Thumb(page, [key for play in told for key in play.keys])
        meant[cell] += [play.line for play in told]
    tap_all(*thumbs.values())
    for thumb in thumbs.values():
        quick(thumb.page)  # what still waits, waits for the network alone
    for cell, match in matches.items():
        arrived(live_site, match, len(meant[cell]))
    got = {cell: entries(live_site, match) for cell, match in matches.items()}
    wrong = [
        f"{named([cell])}: {', '.join(got[cell])}" for cell in cells if got[cell] != meant[cell]
    ]
    assert not wrong, "\n".join(wrong)
    for cell, match in matches.items():
        recorded(live_site, match, thumbs[cell].page, meant[cell])
