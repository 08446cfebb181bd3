"""The headers of stored matches: the game, the seats, the decks and game files."""

from __future__ import annotations

from referee.core.game import Game
from referee.core.record import CALLED, Header, parse_header
from referee.games import GAMES, KIND
from referee.kit import shipped
from referee.kit.beside import loaded
from referee.kit.shipped import beside
from referee.store import Store


def header_of(store: Store, match: str) -> Header:
    """The header of ``match``, with the seats' names as of its opening; raises ``NoSuchMatch``."""
    return read_header(store, store.header(match))


def read_header(store: Store, text: str) -> Header:
    """The header in ``text``; raises ``Unreadable`` if no match of this store can begin with it."""
    return parse_header(text, GAMES, store.file, beside)


def spelled(name: str, latest: str | None) -> str:
    """What people call the game that counts as ``name``, as ``latest``, the header of its latest
    match, spells it.
    """
    found = parse_header(latest, GAMES).named.get(CALLED) if latest else None
    return found or name.partition(KIND)[2]


def game_named(store: Store, name: str) -> Game:
    """The game with this ``NAME``, built in or from a stored file; KeyError without one."""
    name = name.partition(KIND)[0]
    if name in GAMES:
        return GAMES[name]
    if name in shipped.games():
        return shipped.games()[name]
    text = store.file(f"{name}.toml")
    if text is None or name != loaded(text).NAME:
        raise KeyError(name)
    return loaded(text)
