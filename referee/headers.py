"""The headers of stored matches: which game, which seats, which decks of the shelf."""

from __future__ import annotations

from referee.core.record import Header, parse_header
from referee.games import GAMES
from referee.store import Store


def header_of(store: Store, match: str) -> Header:
    """The header of ``match``, under the names of when it was opened; raises ``NoSuchMatch``."""
    return read_header(store, store.header(match))


def read_header(store: Store, text: str) -> Header:
    """Raises ``Unreadable`` if no match of this store could begin like that."""
    return parse_header(text, GAMES, store.shelf.deck)
