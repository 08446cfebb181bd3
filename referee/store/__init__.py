"""Where matches are kept: append-only logs on SQLite or PostgreSQL; who plays, who may."""

from referee.store.circles import Circle, Circles, LastPhone, NoSuchCircle
from referee.store.doors import Doors, Invite, Seating, SeatTaken
from referee.store.engine import Damaged, NewerData, OlderData, Unavailable
from referee.store.gathering import NOBODYS, new_id
from referee.store.log import (
    Clash,
    Extent,
    HouseRule,
    Listed,
    NewEntry,
    NoSuchMatch,
    Store,
    Stored,
)
from referee.store.people import NameInUse, People, Person, Rewritten, SatTogether
from referee.store.shelf import NameTaken, Shelf

__all__ = [
    "NOBODYS",
    "Circle",
    "Circles",
    "Clash",
    "Damaged",
    "Doors",
    "Extent",
    "HouseRule",
    "Invite",
    "LastPhone",
    "Listed",
    "NameInUse",
    "NameTaken",
    "NewEntry",
    "NewerData",
    "NoSuchCircle",
    "NoSuchMatch",
    "OlderData",
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
    "new_id",
]
