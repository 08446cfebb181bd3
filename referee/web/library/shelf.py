"""What the circle of this phone keeps: its decks, and the words it has agreed on.

A phone without a circle has none: what nobody has adopted yet is nobody's to see.
"""

from __future__ import annotations

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
    """A deck as a CSV file, if this phone's group or a table at which it is plays with it.

    Its id is not enough: it is short enough to be guessed, and stands in records that are sent on.
    """
    if not shelf().reads(id_, access.circle(), access.phone()):
        return None
    return shelf().deck(id_)


def agreed() -> dict[str, WordAgreement]:
    """What is agreed about words now, the newest first."""
    return {} if access.circle() == NOBODYS else shelf().agreed(access.circle())


def agreements(form: str) -> list[WordAgreement]:
    """All that was ever agreed about a word, the newest first."""
    return [] if access.circle() == NOBODYS else shelf().agreements(access.circle(), form)
