"""Make the word list of 熟語ライン from the packages of three dictionaries.

    pip download --no-deps --no-binary :all: jamdict-data==1.5 unidic-lite==1.0.8 ipadic==1.0.0
    for archive in *.tar.gz; do tar xzf $archive; done; unxz jamdict_data-1.5/*/jamdict.db.xz
    python tools/build_words.py . words-2021-04.tsv.gz

The same inputs give the same bytes. It takes about 15 seconds and 1 GB, and needs only the standard
library. ``referee/jukugo/words.py`` explains the tiers and marks. A changed list is a new edition
(``referee/jukugo/library.py``).
"""

from __future__ import annotations

import csv
import gzip
import re
import sqlite3
import struct
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

JMDICT = "jamdict_data-1.5/jamdict_data/jamdict.db"
UNIDIC = "unidic-lite-1.0.8/unidic_lite/dicdir/sys.dic"
IPADIC = "ipadic-1.0.0/ipadic/dicdir/sys.dic"

FORM = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々]{2,3}")
KANA = re.compile(r"[ぁ-んー]+")
OF_THE_RULES = {"日本"}  # a name in the dictionaries, but a word in the source text of the game
BOUND = (  # parts of speech that are no words of their own
    "noun, used as a suffix",
    "noun, used as a prefix",
    "suffix",
    "prefix",
    "counter",
    "expressions",
    "auxiliary",
    "pre-noun adj",
)
OLD = ("archaism", "obsolete", "obscure", "rare")
READINGS = 4
GLOSS = 40  # characters of a gloss, at most


class Known(NamedTuple):
    """The entry of a form in a dictionary for morphological analysis.

    ``kinds``: "noun", "name" or "other"; ``readings`` in hiragana.
    """

    kinds: set[str]
    readings: list[str]

    @property
    def is_word(self) -> bool:
        return bool(self.kinds - {"name"})


class Meaning(NamedTuple):
    """An entry of JMdict for a form; ``frequency``: 1 (most used 500 words) … 48, 99 for none."""

    readings: list[str]
    common: bool
    irregular: bool
    old: bool
    bound: bool
    glosses: list[str]
    frequency: int


class Row(NamedTuple):
    """A line of the list without its form; see ``referee/jukugo/words.py``."""

    readings: list[str]
    tier: int
    marks: str
    gloss: str


Witnesses = Mapping[str, Mapping[str, Known]]


def main(folder: Path, out: Path) -> None:
    """Build the list from the packages in ``folder`` and print statistics."""
    content = build(folder)
    with out.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(content)
    rows = [line.split("\t") for line in content.decode().splitlines()]
    for (size, tier), count in sorted(Counter((len(row[0]), row[2]) for row in rows).items()):
        print(f"{size} kanji, tier {tier}: {count}")
    print(f"{len(rows)} words, SHA-256 of the content {sha256(content).hexdigest()}")


def build(folder: Path) -> bytes:
    """The lines of the list, in the order of their forms."""
    jmdict = read_jmdict(folder / JMDICT)
    witnesses = {"U": read_mecab(folder / UNIDIC, 8, 6), "I": read_mecab(folder / IPADIC, 6, 7)}
    rows = {form: _row(form, meanings, witnesses) for form, meanings in jmdict.items()}
    unidic, ipadic = witnesses["U"], witnesses["I"]
    for form in unidic.keys() & ipadic.keys() - rows.keys():
        if unidic[form].is_word and ipadic[form].is_word:
            readings = list(dict.fromkeys(unidic[form].readings + ipadic[form].readings))
            rows[form] = Row(readings[:READINGS], 3, "UI", "")
    _repeat(rows)
    lines = (
        "\t".join((form, "|".join(row.readings), str(row.tier), row.marks, row.gloss))
        for form, row in sorted(rows.items())
    )
    return "".join(f"{line}\n" for line in lines).encode()


def read_mecab(path: Path, form: int, reading: int) -> dict[str, Known]:
    """A MeCab dictionary; ``form`` and ``reading``: the columns of its features that hold them."""
    found: dict[str, Known] = {}
    for row in _features(path.read_bytes()):
        if len(row) <= max(form, reading) or not FORM.fullmatch(row[form]):
            continue
        kind = ("name" if row[1] == "固有名詞" else "noun") if row[0] == "名詞" else "other"
        known = found.setdefault(row[form], Known(set(), []))
        known.kinds.add(kind)
        read = _hiragana(row[reading])
        if KANA.fullmatch(read) and read not in known.readings:
            known.readings.append(read)
    return found


def _features(content: bytes) -> Iterator[list[str]]:
    """The feature rows of a compiled ``sys.dic``.

    After a header of 72 bytes, which has their sizes, it consists of the double array, the tokens
    and the features.
    """
    *_, array, tokens, features, _reserved = struct.unpack("<10I", content[:40])
    charset = content[40:72].split(b"\0")[0].decode().lower() or "utf-8"
    start = 72 + array + tokens
    for row in dict.fromkeys(content[start : start + features].split(b"\0")):
        try:
            yield from csv.reader([row.decode(charset)])
        except UnicodeDecodeError:
            continue


def read_jmdict(path: Path) -> dict[str, list[Meaning]]:
    """JMdict as jamdict packs it; form → its entries, in JMdict's order."""
    with closing(sqlite3.connect(path)) as db:
        kana, senses = _kana(db), _lists(db, "SELECT idseq, ID FROM Sense ORDER BY ID")
        only_kana = _lists(db, "SELECT kid, text FROM KNR")
        preferred = _lists(db, "SELECT kid, text FROM KNP").keys()
        priorities = _lists(db, "SELECT kid, text FROM KJP")
        irregular = _lists(db, "SELECT kid, text FROM KJI").keys()
        classes = _lists(db, "SELECT sid, text FROM pos")
        notes = _lists(db, "SELECT sid, text FROM misc")
        restricted = _lists(db, "SELECT sid, text FROM stagk")
        english = "lang = '' OR lang = 'eng' OR lang IS NULL"
        glosses = _lists(db, f"SELECT sid, text FROM SenseGloss WHERE {english}")
        found: dict[str, list[Meaning]] = defaultdict(list)
        for spelling, entry, form in db.execute("SELECT ID, idseq, text FROM Kanji ORDER BY ID"):
            if not FORM.fullmatch(form):
                continue
            read = [(k, r) for k, r in kana[entry] if k not in only_kana or form in only_kana[k]]
            read.sort(key=lambda pair: pair[0] not in preferred)
            fits = [s for s in senses[entry] if s not in restricted or form in restricted[s]]
            fits = fits or senses[entry]
            kinds = {kind for sense in fits for kind in classes[sense]}
            ranks = [int(p[2:]) for p in priorities[spelling] if p.startswith("nf")]
            found[form].append(
                Meaning(
                    readings=[_hiragana(r) for _k, r in read],
                    common=bool(priorities[spelling]),
                    irregular=spelling in irregular,
                    old=all(any(o in n for n in notes[sense] for o in OLD) for sense in fits),
                    bound=bool(kinds) and all(kind.startswith(BOUND) for kind in kinds),
                    glosses=[g for sense in fits[:2] for g in glosses[sense][:2]],
                    frequency=min([*ranks, 99]),
                )
            )
    return found


def _kana(db: sqlite3.Connection) -> dict[int, list[tuple[int, str]]]:
    found = defaultdict(list)
    query = "SELECT ID, idseq, text FROM Kana WHERE NOT nokanji OR nokanji IS NULL ORDER BY ID"
    for kana, entry, text in db.execute(query):
        found[entry].append((kana, text))
    return found


def _lists(db: sqlite3.Connection, query: str) -> dict[int, list[str]]:
    found = defaultdict(list)
    for key, value in db.execute(query):
        found[key].append(value)
    return found


def _row(form: str, meanings: Iterable[Meaning], witnesses: Witnesses) -> Row:
    """The row of a form that JMdict has, from all its entries and the other dictionaries."""
    best = sorted(meanings, key=lambda m: (m.old, m.irregular, m.bound, not m.common, m.frequency))
    seconding = [mark for mark, known in witnesses.items() if form in known and known[form].is_word]
    is_name = not seconding and any(form in known for known in witnesses.values())
    common, old = any(m.common for m in best), all(m.old for m in best)
    irregular, bound = all(m.irregular for m in best), all(m.bound for m in best)
    # the other dictionaries have few words of three kanji
    seconded = bool(seconding) or len(form) == 3
    if form in OF_THE_RULES:
        tier = 1
    elif old or bound:
        tier = 3
    elif is_name:
        tier = 2 if common else 3
    elif irregular:
        tier = 2 if common or len(seconding) == 2 else 3
    elif common:
        tier = 1 if seconded else 2
    else:
        tier = 2 if seconded else 3
    marks = ["J", *seconding]
    said = {"c": common, "p": is_name, "a": old, "i": irregular, "w": form in OF_THE_RULES}
    marks += [mark for mark, holds in said.items() if holds]
    readings = [r for m in sorted(best, key=lambda m: (not m.common, m.old)) for r in m.readings]
    gloss = _short([gloss for meaning in best for gloss in meaning.glosses])
    return Row(list(dict.fromkeys(readings))[:READINGS], tier, "".join(marks), gloss)


def _repeat(rows: dict[str, Row]) -> None:
    """Add the 々 forms of words of two equal kanji, or give existing ones the better tier."""
    for form in list(rows):
        if len(form) == 2 and form[0] == form[1] and form != "々々":
            row, other = rows[form], rows.get(f"{form[0]}々")
            if other is None:
                rows[f"{form[0]}々"] = row._replace(marks=f"{row.marks}r")
            elif other.tier > row.tier:
                rows[f"{form[0]}々"] = other._replace(tier=row.tier)


def _short(glosses: list[str]) -> str:
    """As many glosses as fit into ``GLOSS``, without text in brackets; at least a part of one."""
    said = ""
    for gloss in glosses:
        gloss = re.sub(r"\s*\([^)]*\)", "", gloss).strip().replace("\t", " ")
        longer = f"{said}; {gloss}" if said else gloss
        if gloss and len(longer) > GLOSS:
            break
        said = longer if gloss else said
    return said or (glosses[0][:GLOSS] if glosses else "")


def _hiragana(text: str) -> str:
    return "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in text)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
