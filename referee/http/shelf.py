"""The decks, game files and agreed words of this phone's circle.

A phone without a circle sees none, although ``NOBODYS`` may have some: they were imported and not
adopted yet.
"""

from __future__ import annotations

from functools import cache

from referee.core.game import Find
from referee.games import GAMES
from referee.http import access
from referee.http.current import BOOKS, ledger
from referee.kit import shipped
from referee.store import NOBODYS
from referee.store.shelf import Shelf, ShelvedDeck, WordAgreement


def shelf() -> Shelf:
    """The decks and agreed words of all circles."""
    return ledger().store.shelf


def decks() -> list[ShelvedDeck]:
    """The registered decks, the newest first."""
    return [] if access.circle() == NOBODYS else shelf().decks(access.circle())


def deck(id_: str) -> str | None:
    """A deck as a CSV file, if this phone's circle has it, or a table at which the phone is.

    Its id alone gives no access: it is short enough to be guessed, and is part of records.
    """
    store = ledger().store
    return store.file(id_) if store.reads(id_, access.circle(), access.phone()) else None


def finder() -> Find:
    """Finds the decks and game files that records name, if this phone may read them.

    It can be called when the request is over. A browser on the server's computer may read all.
    """
    store, circle, phone = ledger().store, access.circle(), access.phone()
    here = access.at_this_computer()

    @cache
    def find(name: str) -> str | None:
        return store.file(name) if here or store.reads(name, circle, phone) else None

    return find


def has_game(name: str) -> bool:
    """Whether there is a game with this name, and this phone may read its file.

    Everybody has those that come with the program.
    """
    if name not in BOOKS:
        return False
    return name in GAMES or name in shipped.games() or finder()(f"{name}.toml") is not None


def agreed() -> dict[str, WordAgreement]:
    """Word → the valid agreement about it, the newest first."""
    return {} if access.circle() == NOBODYS else shelf().agreed(access.circle())


def agreements(form: str) -> list[WordAgreement]:
    """All agreements that were ever made about a word, the newest first."""
    return [] if access.circle() == NOBODYS else shelf().agreements(access.circle(), form)
