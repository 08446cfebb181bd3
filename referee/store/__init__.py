"""Where matches are kept: an append-only log in an embedded SQLite file; who plays, with what."""

from referee.store.shelf import NameTaken, Shelf
from referee.store.sqlite import Clash, Damaged, NewEntry, NoSuchMatch, Store, Stored, Unavailable

__all__ = [
    "Clash",
    "Damaged",
    "NameTaken",
    "NewEntry",
    "NoSuchMatch",
    "Shelf",
    "Store",
    "Stored",
    "Unavailable",
]
