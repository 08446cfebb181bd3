"""The database: logs of matches, circles, people and phones, on SQLite or PostgreSQL.

* ``log``: matches and their entries. ``circles``, ``people``, ``doors``: groups, persons, phones.
  ``shelf``: decks and agreed words. ``hidden``: matches that lists leave out.
  ``seats``: seats that pass to another person. ``desks``: evenings of several tables.
  ``broadcasts``: live pages. ``result_addresses``: where results are sent.
* ``statistics`` computes derived tables from the log, ``past`` and, about one person,
  ``careers`` query them.
* ``archive`` imports and exports a circle, ``moving`` copies a database.
* ``schema`` defines the tables; ``engine`` says what ``sqlite`` and ``postgres`` have to do.
"""

from referee.store.circles import Circles, LastPhone, NoSuchCircle
from referee.store.desks import Desks, NoSuchDesk
from referee.store.doors import Doors, Invite, Seating, SeatTaken
from referee.store.engine import (
    Damaged,
    ForeignJournal,
    LostData,
    NewerData,
    NoRights,
    OlderData,
    Unavailable,
    WrongAddress,
)
from referee.store.gathering import NOBODYS, Newcomers, new_id
from referee.store.hidden import Hidden
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
from referee.store.pictures import Pictures
from referee.store.seats import Former, Seats
from referee.store.shelf import NameTaken
