"""What was made of a game file is freed as soon as nobody uses it.

The server's garbage collector hardly ever searches old objects (``rarely_collect``), and a group
may send any number of files: a cycle in what is made of one would fill the memory.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

import pytest
from kit_files import named

from referee.core.log import Log
from referee.games.simulation import player, room_of, table
from referee.kit import shipped
from referee.kit.check import check
from referee.kit.game import KitGame, compiled
from referee.kit.load import Misread, load


def opened(source: bytes) -> KitGame:
    game = load(source)
    game.setup(table(game, "ABCDEFG"[: game.SEATS[0]]))
    return game


def played(source: bytes) -> None:
    game = opened(source)
    log = Log(game, table(game, "ABCDEFG"[: game.SEATS[0]]))
    for entry in player(room_of(game))(log, Random(1), 0.2, 0.01):
        log.push(entry)
        if len(log) > 60:
            break
    log.findings(), game.score(log.state), game.public(log.state)


def refused(source: bytes) -> None:
    with pytest.raises(Misread):
        load(source.replace(b"[match]", b"[matches]"))


def checked(source: bytes) -> None:
    check(source, quick=True)


@contextmanager
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@pytest.mark.parametrize("made", [opened, played, checked, refused])
def test_nothing_is_left_for_the_garbage_collector(made: Callable[[bytes], object]) -> None:
    sources = [(shipped.FOLDER / f"{key}.toml").read_bytes() for key in shipped.ORDER]
    sources.append(named("loo").read_bytes())
    for source in sources:
        made(source)  # what is cached for good is cached now
    with without_collector():
        for source in sources:
            made(source)
        compiled.cache_clear()
        assert gc.collect() == 0
