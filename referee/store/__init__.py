"""Where matches are kept: an append-only log in an embedded SQLite file; who plays, with what."""

from referee.store.shelf import NameTaken, Shelf
from referee.store.sqlite import Clash, NewEntry, NoSuchMatch, Store, Stored

__all__ = ["Clash", "NameTaken", "NewEntry", "NoSuchMatch", "Shelf", "Store", "Stored"]
