"""Where matches are kept: an append-only log in an embedded SQLite file; who plays, who may."""

from referee.store.circles import Circle, Circles, NoSuchCircle
from referee.store.doors import Doors, Invite, Seating, SeatTaken
from referee.store.gathering import NOBODYS
from referee.store.people import NameInUse, People, Person, Rewritten, SatTogether
from referee.store.shelf import NameTaken, Shelf
from referee.store.sqlite import (
    Clash,
    Damaged,
    HouseRule,
    Listed,
    NewEntry,
    NoSuchMatch,
    Store,
    Stored,
    Unavailable,
)

__all__ = [
    "NOBODYS",
    "Circle",
    "Circles",
    "Clash",
    "Damaged",
    "Doors",
    "HouseRule",
    "Invite",
    "Listed",
    "NameInUse",
    "NameTaken",
    "NewEntry",
    "NoSuchCircle",
    "NoSuchMatch",
    "People",
    "Person",
    "Rewritten",
    "SatTogether",
    "SeatTaken",
    "Seating",
    "Shelf",
    "Store",
    "Stored",
    "Unavailable",
]
