"""Finds the game file that a record names by its hash, beside the record."""

from __future__ import annotations

from functools import lru_cache

from referee.core.game import Find, Game
from referee.core.record import Unreadable
from referee.kit.game import KitGame
from referee.kit.load import Misread, load


def file_name(game: KitGame) -> str:
    """The file name of a game file beside a record."""
    return f"{game.NAME}.toml"


def beside(name: str, digest: str, find: Find) -> Game:
    """The game ``name`` with this hash, or its first 12 digits; raises ``Unreadable``.

    Looks for both possible file names; a file with another hash is another game.
    """
    for file in (f"{name}-{digest[:12]}.toml", f"{name}.toml"):
        text = find(file)
        if text is None:
            continue
        try:
            game = loaded(text)
        except Misread as misread:
            fault = misread.faults[0]
            fault.file = file
            raise fault from None
        if game.hash.startswith(digest) and name == game.KEY:
            return game
    raise Unreadable("kit_file_missing", hash=digest[:12])


@lru_cache(maxsize=128)
def loaded(text: str) -> KitGame:
    """The game of a text; cached, so that equal texts give the same object."""
    return load(text.encode())
