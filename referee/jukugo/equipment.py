"""Deck and words of a table, by their names in the header of a record (J1, J30)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from referee.core.game import Find
from referee.core.record import Unreadable, normal
from referee.jukugo import library
from referee.jukugo.decks import KanjiDeck, read_deck
from referee.jukugo.words import STANDARD, Words, clean_form

KEYS = ("deck", "words")
LENGTHS = (2, 3)  # of words
NO_DECK = "unregistered"
"""The name in ``deck:`` of an unregistered deck: the table decides claims by agreement."""


@dataclass(frozen=True, eq=False)
class Kit:
    """Deck and words of a table; ``deck`` is None if it is not registered (J37).

    Kits are compared by identity.
    """

    deck: KanjiDeck | None
    words: Words


def equip(named: Mapping[str, str], option: Callable[[str], str], find: Find) -> Kit:
    """The kit that ``deck`` and ``words`` in the header name.

    A file that ``find`` knows comes first, then what is in the package; without a name, the open
    deck and the standard list. Raises ``Unreadable`` with ``key`` for an unknown name.
    """
    deck, words = named.get("deck", ""), named.get("words", "")
    return _kit(
        deck or library.OPEN,
        find(deck) if deck and deck != NO_DECK else None,
        words or STANDARD,
        find(words) if words else None,
        option("two_witnesses") == "on",
        option("proper_nouns"),
    )


@lru_cache(maxsize=64)
def _kit(
    deck: str,
    deck_text: str | None,
    words: str,
    words_text: str | None,
    two_witnesses: bool,
    proper_nouns: str,
) -> Kit:
    return Kit(
        _deck(deck, deck_text),
        _own_words(words, words_text)
        if words_text is not None
        else _listed(words, two_witnesses, proper_nouns),
    )


def _deck(name: str, text: str | None) -> KanjiDeck | None:
    if name == NO_DECK:
        return None
    if text is None and name == library.OPEN:
        return library.open_deck()
    if text is None:
        raise Unreadable("read_no_deck", key="deck", name=name)
    try:
        return read_deck(text)
    except Unreadable as fault:
        # an empty file has no line number of its own
        fault.file, fault.line = name, fault.line or 1
        raise


def _listed(name: str, two_witnesses: bool, proper_nouns: str) -> Words:
    try:
        return library.words(name, two_witnesses=two_witnesses, proper_nouns=proper_nouns)
    except KeyError:
        raise Unreadable("read_no_words", key="words", name=name) from None


def _own_words(name: str, text: str) -> Words:
    """The words of a file: one word a line; empty lines and ``#`` comments are skipped.

    A word that no cards can spell, such as one with kana, is allowed and never counts.
    """
    own = set()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        word = normal(line.partition("#")[0]).strip()
        if word and len(word) not in LENGTHS:
            fault = Unreadable("read_word", line=number, text=word)
            fault.file = name
            raise fault
        own.add(clean_form(word))
    return Words(own=frozenset(own - {""}))
