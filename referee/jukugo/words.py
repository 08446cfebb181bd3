"""Which words count: the word list, and the strictness of a table."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from referee.core.normalised import normalised

TIERS = {"strict": 1, "standard": 2, "liberal": 3}
"""How far down the list a table goes; each tier includes those before it."""
STANDARD = "standard"
PROPER_NOUNS = ("headwords_only", "any", "none")
"""Which names count: the headwords of their tier; all that are listed; none."""

SOURCES = {"J": "JMdict", "U": "UniDic", "I": "IPADIC"}
KANJI = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Kanji, as a character set of a regular expression; 々 is not among them."""
_FORM = re.compile(f"[{KANJI}][{KANJI}々]{{1,2}}")


class WordEntry(NamedTuple):
    """A word of the list: readings in hiragana, the tier (1…3) from which on it counts, marks.

    Marks: J U I the sources that know it as a word, c common, p known to U or I as a name only, a
    archaic, i irregular spelling, r 々 written for a repeated kanji, w a word that the rules of the
    game themselves use. ``gloss``: its meaning in English, perhaps "".
    """

    form: str
    readings: tuple[str, ...]
    tier: int
    marks: str
    gloss: str

    @property
    def sources(self) -> tuple[str, ...]:
        """The dictionaries that list it as a word."""
        return tuple(name for mark, name in SOURCES.items() if mark in self.marks)

    @property
    def is_name(self) -> bool:
        """Whether it is a name of a person, place or thing."""
        # "p" alone marks 十四 and 二部, too; a real name has a gloss with a capital letter
        return "p" in self.marks and self.gloss[:1].isupper()

    @property
    def is_of_the_rules(self) -> bool:
        return "w" in self.marks

    @property
    def rarity(self) -> int:
        """A number that is higher for rarer words; only its order has a meaning.

        Words not marked as common are rarer; then those of later tiers, then of fewer dictionaries.
        """
        return 100 * ("c" not in self.marks) + 10 * self.tier - self.witnesses

    @property
    def witnesses(self) -> int:
        """How many dictionaries list it; all that list it as a name only count as one."""
        return sum(mark in self.marks for mark in "JUIp")


class Strictness(NamedTuple):
    """What a table requires of a word; the values of the house rules, their defaults first."""

    tier: str = STANDARD
    two_witnesses: bool = False
    proper_nouns: str = PROPER_NOUNS[0]

    def admits(self, entry: WordEntry) -> bool:
        """Whether ``entry`` counts if nothing else was agreed."""
        if entry.is_of_the_rules:
            return True
        if entry.is_name and self.proper_nouns != "headwords_only":
            return self.proper_nouns == "any"
        enough = entry.witnesses > 1 or not self.two_witnesses
        return entry.tier <= TIERS[self.tier] and enough


USUAL = Strictness()


class WordList:
    """One edition of the list; it never changes.

    ``rows`` are the lines of its file in byte order, with tabs between form, readings (separated by
    ``|``), tier, marks and gloss.
    """

    __slots__ = ("_rows", "edition")

    def __init__(self, edition: str, rows: bytes) -> None:
        self.edition = edition
        # rows are parsed on demand: parsed at once, they take a second and 60 MB
        self._rows = rows.splitlines()

    def __len__(self) -> int:
        return len(self._rows)

    def entry(self, form: str) -> WordEntry | None:
        """The list's entry for ``form``; None if it has none."""
        # a lone surrogate from a damaged form must not cause an error either
        start = form.encode("utf-8", "replace") + b"\t"
        row = self._rows[at] if (at := bisect_left(self._rows, start)) < len(self) else b""
        return _entry(row) if row.startswith(start) else None

    def read_as(self, reading: str) -> list[WordEntry]:
        """The words with this reading (hiragana), those of the lower tiers first."""
        piece = reading.encode("utf-8", "replace")
        found = (_entry(row) for row in self._rows if piece in row)
        return sorted((e for e in found if reading in e.readings), key=lambda e: e.tier)

    def made_of(self, kanji: Collection[str]) -> Iterator[WordEntry]:
        """The words that can be spelled with ``kanji``, each used any number of times, in list
        order.
        """
        letters = frozenset(kanji)
        for first in sorted(letter.encode("utf-8", "replace") for letter in letters):
            begin, end = bisect_left(self._rows, first), bisect_left(self._rows, first + b"\xff")
            for row in self._rows[begin:end]:
                if letters.issuperset(row[: row.index(b"\t")].decode()):
                    yield _entry(row)


@dataclass(frozen=True, slots=True)
class Words:
    """The words that count at a table before it agrees on any.

    A table's own list (``own`` instead of ``listed``) is used as it is.
    """

    listed: WordList | None = None
    strictness: Strictness = USUAL
    own: frozenset[str] = frozenset()

    def __contains__(self, form: str) -> bool:
        if form in self.own:
            return True
        entry = self.listed.entry(form) if self.listed else None
        return entry is not None and self.strictness.admits(entry)

    def made_of(self, kanji: Collection[str]) -> frozenset[str]:
        """All words that can be spelled with ``kanji``, each used any number of times (about 20
        ms).
        """
        letters = frozenset(kanji)
        listed = (entry.form for entry in self.listed.made_of(letters)) if self.listed else ()
        return frozenset(
            form for form in chain(self.own, listed) if letters.issuperset(form) and form in self
        )


def clean_form(text: str) -> str:
    """``text`` as a word of two or three kanji, "" if it is none. 々 may not be first."""
    form = normalised(text).strip()
    return form if _FORM.fullmatch(form) else ""


def _entry(row: bytes) -> WordEntry:
    form, readings, tier, marks, gloss = row.decode().split("\t")
    return WordEntry(form, tuple(readings.split("|")), int(tier), marks, gloss)
