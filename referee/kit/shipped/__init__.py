"""The game files that come with the program, loaded on first use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from referee.core.game import Find, Game
from referee.kit import beside as kept
from referee.kit.game import KitGame
from referee.kit.load import load

FOLDER = Path(__file__).parent
ORDER = (
    *("daifugo", "whist", "oh_hell", "hearts", "spades", "zimbabwe", "magi", "seven_apart"),
    *("president", "big_two", "dou_dizhu"),
)
"""The files, in the order in which pages list them."""


@lru_cache(maxsize=1)
def games() -> Mapping[str, KitGame]:
    """Name of each game (``NAME``, with its hash) → the game, in ``ORDER``."""
    found = (load((FOLDER / f"{key}.toml").read_bytes()) for key in ORDER)
    return {game.NAME: game for game in found}


def beside(name: str, digest: str, find: Find) -> Game:
    """The game ``name`` whose file has this hash: found by ``find``, or else shipped.

    Raises ``Unreadable`` if there is none.
    """

    def found(file: str) -> str | None:
        text = find(file)
        game = games().get(file.removesuffix(".toml"))
        return game.text if text is None and game else text

    return kept.beside(name, digest, found)
