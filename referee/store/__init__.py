"""Where matches are kept: an append-only log in an embedded SQLite file, and who plays."""

from referee.store.sqlite import Clash, Damaged, NewEntry, NoSuchMatch, Store, Stored, Unavailable

__all__ = ["Clash", "Damaged", "NewEntry", "NoSuchMatch", "Store", "Stored", "Unavailable"]
