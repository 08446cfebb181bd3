"""Where matches are kept: an append-only log in an embedded SQLite file; who plays, and who may."""

from referee.store.circles import Circle, Circles, NoSuchCircle
from referee.store.doors import Doors, Invite, Seating, SeatTaken
from referee.store.gathering import NOBODYS
from referee.store.people import NameTaken, People, Person, Rewritten, SatTogether
from referee.store.sqlite import Clash, Listed, NewEntry, NoSuchMatch, Store, Stored

__all__ = [
    "NOBODYS",
    "Circle",
    "Circles",
    "Clash",
    "Doors",
    "Invite",
    "Listed",
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
    "Store",
    "Stored",
]
