"""The headers of stored matches: which game, which seats, which decks and game files."""

from __future__ import annotations

from referee import shipped
from referee.core.game import Game
from referee.core.record import Header, parse_header
from referee.games import GAMES
from referee.games.kit.beside import loaded
from referee.shipped import beside
from referee.store import Store


def header_of(store: Store, match: str) -> Header:
    """The header of ``match``, under the names of when it was opened; raises ``NoSuchMatch``."""
    return read_header(store, store.header(match))


def read_header(store: Store, text: str) -> Header:
    """Raises ``Unreadable`` if no match of this store could begin like that."""
    return parse_header(text, GAMES, store.file, beside)


def game_named(store: Store, name: str) -> Game:
    """The game with this ``NAME``, a built-in one or one whose file is here; KeyError without."""
    if name in GAMES:
        return GAMES[name]
    if name in shipped.games():
        return shipped.games()[name]
    text = store.file(f"{name}.toml")
    if text is None or name != loaded(text).NAME:
        raise KeyError(name)
    return loaded(text)
