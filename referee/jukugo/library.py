"""The word lists and the table of school years that come with the package.

They are constants that are too long for a source file. The content of an edition never changes: a
new list is a new edition beside the old ones, because matches name the one they use.
"""

from __future__ import annotations

import gzip
from functools import cache
from hashlib import sha256
from importlib.resources import files

from referee.jukugo.decks import KanjiDeck, read_deck
from referee.jukugo.words import PROPER_NOUNS, STANDARD, TIERS, Strictness, WordList, Words

EDITIONS = {"2021-04": "d47b1958fd5c3b6e02d70c202b87af34087a04dd727a5f9340c7b514ae198788"}
"""The editions of the word list, the newest last, with the SHA-256 of each file's content."""
NEWEST = list(EDITIONS)[-1]
OPEN = "open"
_DATA = files("referee.jukugo") / "data"


@cache
def word_list(edition: str = NEWEST) -> WordList:
    """An edition of the list, read once (40 ms, 10 MB); KeyError if there is no such edition."""
    return WordList(edition, _rows(edition))


def is_intact(edition: str) -> bool:
    """Whether the file of an edition is unchanged."""
    return sha256(_rows(edition)).hexdigest() == EDITIONS[edition]


def words(
    name: str = STANDARD, *, two_witnesses: bool = False, proper_nouns: str = PROPER_NOUNS[0]
) -> Words:
    """The words that ``words:`` in a header names: a tier, or a tier and an edition.

    For example ``standard@2021-04``; KeyError for any other name.
    """
    tier, _at, edition = name.partition("@")
    if tier not in TIERS:
        raise KeyError(name)
    return Words(word_list(edition or NEWEST), Strictness(tier, two_witnesses, proper_nouns))


def pinned(name: str = STANDARD) -> str:
    """``name`` with the newest edition if it names none, so that its meaning never changes."""
    return name if "@" in name else f"{name}@{NEWEST}"


@cache
def open_deck() -> KanjiDeck:
    """The deck to print and play that comes with the package."""
    return read_deck((_DATA / "open_deck.csv").read_text(encoding="utf-8"))


@cache
def school_years() -> dict[str, int]:
    """Kanji → school year (1…6) by the table in force from 1992 to 2020; 1006 kanji."""
    text = (_DATA / "school_years_1989.txt").read_text(encoding="utf-8")
    years = (line for line in text.splitlines() if line and not line.startswith("#"))
    return {kanji: year for year, line in enumerate(years, 1) for kanji in line}


def _rows(edition: str) -> bytes:
    if edition not in EDITIONS:
        raise KeyError(edition)
    return gzip.decompress((_DATA / f"words-{edition}.tsv.gz").read_bytes())
