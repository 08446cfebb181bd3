"""The decks and agreed words of this phone's circle.

A phone without a circle sees none, although ``NOBODYS`` may have some: they were imported and not
adopted yet.
"""

from __future__ import annotations

from functools import cache

from referee.core.game import Find
from referee.store import NOBODYS
from referee.store.shelf import Shelf, ShelvedDeck, WordAgreement
from referee.web.http import access
from referee.web.http.current import desk


def shelf() -> Shelf:
    """The decks and agreed words of all circles."""
    return desk().store.shelf


def decks() -> list[ShelvedDeck]:
    """The registered decks, the newest first."""
    return [] if access.circle() == NOBODYS else shelf().decks(access.circle())


def deck(id_: str) -> str | None:
    """A deck as a CSV file, if this phone's circle has it, or a table at which the phone is.

    Its id alone gives no access: it is short enough to be guessed, and is part of records.
    """
    if not shelf().reads(id_, access.circle(), access.phone()):
        return None
    return shelf().deck(id_)


def finder() -> Find:
    """Finds the files that records name: game files, and the decks that this phone may read.

    It can be called when the request is over. A browser on the server's computer may read all.
    """
    store, circle, phone = desk().store, access.circle(), access.phone()
    here = access.at_this_computer()

    @cache
    def find(name: str) -> str | None:
        may = here or name.endswith(".toml") or store.shelf.reads(name, circle, phone)
        return store.file(name) if may else None

    return find


def agreed() -> dict[str, WordAgreement]:
    """Word → the valid agreement about it, the newest first."""
    return {} if access.circle() == NOBODYS else shelf().agreed(access.circle())


def agreements(form: str) -> list[WordAgreement]:
    """All agreements that were ever made about a word, the newest first."""
    return [] if access.circle() == NOBODYS else shelf().agreements(access.circle(), form)
