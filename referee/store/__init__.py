"""Where matches are kept: an append-only log in an embedded SQLite file, and who plays."""

from referee.store.sqlite import Clash, NewEntry, NoSuchMatch, Store, Stored

__all__ = ["Clash", "NewEntry", "NoSuchMatch", "Store", "Stored"]
