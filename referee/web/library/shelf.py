"""What the circle of this phone keeps: its decks, and the words it has agreed on.

A phone without a circle has none: what nobody has adopted yet is nobody's to see.
"""

from __future__ import annotations

from referee.store import NOBODYS
from referee.store.shelf import Agreed, Shelf, ShelvedDeck
from referee.web.http import access
from referee.web.http.current import desk


def shelf() -> Shelf:
    """The decks and agreed words of all circles."""
    return desk().store.shelf


def decks() -> list[ShelvedDeck]:
    """The registered decks, the newest first."""
    return [] if access.circle() == NOBODYS else shelf().decks(access.circle())


def agreed() -> dict[str, Agreed]:
    """What is agreed about words now, the newest first."""
    return {} if access.circle() == NOBODYS else shelf().agreed(access.circle())


def agreements(form: str) -> list[Agreed]:
    """All that was ever agreed about a word, the newest first."""
    return [] if access.circle() == NOBODYS else shelf().agreements(access.circle(), form)
