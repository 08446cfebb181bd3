"""Every tap is a play of the seat that was due on the screen when the finger came down.

Fingers tap every 300 ms and wait only until they see their target, while answers are slow. The
usual run plays each game at three latencies on a quick processor, and on a slow one at those in its
``examples.toml``; ``make test ARGS="tests/browser/taps/test_every_tap.py --every-cell"`` plays all
combinations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import pytest
from examples import examples
from playwright.sync_api import Page
from serving import Site, entries
from thumbs import (
    AT_ONCE,
    QUICK,
    SLOW,
    Thumb,
    arrived,
    plays,
    quick,
    ready,
    recorded,
    seen,
    slow,
    tap,
    tap_all,
    unsent,
)

pytestmark = pytest.mark.browser

LATENCIES = (0, 100, 300, 600, 2_000)  # milliseconds
USUAL = (0, 300, 2_000)


class Cell(NamedTuple):
    """A game, and how slow the network and the processor are."""

    game: str
    latency: int
    processor: int


def groups(every: bool) -> list[list[Cell]]:
    """Cells that are played at the same time; two slow processors would take it from each other."""
    games = examples("table_by_taps")
    usual = LATENCIES if every else USUAL
    together = [[Cell(game, latency, QUICK) for latency in usual] for game in games]
    alone = [
        [Cell(game, latency, SLOW)]
        for game, example in games.items()
        for latency in (LATENCIES if every else example["usual_slow"])
    ]
    return [[*a, *b] for a, b in zip(together, alone, strict=False)] + alone[len(together) :]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "cells" in metafunc.fixturenames:
        cells = groups(metafunc.config.getoption("--every-cell"))
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
        route = plays(cell.game)
        thumbs[cell] = Thumb(page, [key for play in route for key in play.keys])
        meant[cell] += [play.line for play in route]
    tap_all(*thumbs.values(), then=quick)  # what still waits, waits for the network alone
    for cell, match in matches.items():
        arrived(live_site, match, len(meant[cell]))
    got = {cell: entries(live_site, match) for cell, match in matches.items()}
    wrong = [
        f"{named([cell])}: {', '.join(got[cell])}; unsent: {unsent(thumbs[cell].page)}"
        for cell in cells
        if got[cell] != meant[cell]
    ]
    assert not wrong, "\n".join(wrong)
    for cell, match in matches.items():
        recorded(live_site, match, thumbs[cell].page, meant[cell])


@pytest.mark.parametrize("game", examples("table_by_taps"))
def test_two_phones_in_turn_and_two_undos_at_once_lose_nothing(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page], game: str
) -> None:
    """Each phone plays in the moment in which its screen shows what the other one has played."""
    match = ready(opened, game)
    lines, phones = entries(live_site, match), [phone(f"{live_site.url}/t/{match}") for _ in "ab"]
    for page in phones:
        slow(page, 300)
    for number, play in enumerate(plays(game)):
        page = phones[number % 2]
        seen(page, len(lines))
        tap(page, *play.keys)
        lines.append(play.line)
    recorded(live_site, match, phones[0], lines)
    tap(phones[0], "#undo button", "#undo button", pace=AT_ONCE)
    lines += [f"table rewind {len(lines) - back}" for back in (1, 2)]
    for page in phones:
        recorded(live_site, match, page, lines)
