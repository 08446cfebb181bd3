"""The keys of a game file: those of its chapters, and of the file as a whole."""

from __future__ import annotations

import re
from collections.abc import Mapping

from referee.core.game import COMMON_OPTIONS
from referee.kit.chapters import deck
from referee.kit.family import FAMILIES, USUAL
from referee.kit.text.faults import Path, dotted
from referee.kit.text.form import (
    ID,
    NUMBER,
    TEXT,
    TEXTS,
    URL,
    WORDED,
    FileFaults,
    Leaf,
    Shape,
    check_id,
    check_table,
    check_text,
    check_texts,
    each_of,
    one_of,
)
from referee.kit.text.toml import Document, Value

MOST_OPTIONS = 32
MOST_CHOICES = 16
MOST_NUMBERS = 100


def _options(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    for key, inner, at in each_of(faults, value, path, MOST_OPTIONS):
        check_id(faults, ID, key, at)
        if key in COMMON_OPTIONS:
            faults.add("kit_reserved", at, key=key)
        choices = 0
        for name, part, where in each_of(faults, inner, at, MOST_CHOICES + 4):
            if name in ("ja", "en"):
                check_text(faults, leaf, part, where)
            elif name == "why":
                check_texts(faults, leaf, part, where)
            elif name == "numbers":
                _option_numbers(faults, part, where)
            else:
                choices += 1
                _choice(faults, name, part, where)
        if not choices:
            faults.add("kit_no_choice", at)


def _choice(faults: FileFaults, name: str, value: Value, path: Path) -> None:
    if not re.fullmatch("[a-z0-9][a-z0-9_]{0,23}", name):
        faults.add("kit_id", path)
    if not isinstance(value, dict):
        faults.add("kit_table_expected", path)
        return
    for key, part in value.items():
        at = (*path, key)
        if key in ("ja", "en"):
            check_text(faults, TEXTS, part, at)
        elif key == "not_with":
            for _, other, where in each_of(faults, part, at, MOST_OPTIONS):
                if not isinstance(other, str):
                    faults.add("kit_text", where)
        elif key == "set":
            _set(faults, part, at)
        else:
            known = ("ja", "en", "set", "not_with")
            faults.add("kit_no_key", at, key=dotted(at), known=known)


def _set(faults: FileFaults, value: Value, path: Path) -> None:
    if not isinstance(value, dict):
        faults.add("kit_table_expected", path)
        return
    for key in value:
        if key in FIXED:
            faults.add("kit_fixed", (*path, key), key=key)
    before = faults.partial
    faults.partial = True
    check_table(
        faults, faults.shape, {key: part for key, part in value.items() if key not in FIXED}, path
    )
    faults.partial = before


def _option_numbers(faults: FileFaults, value: Value, path: Path) -> None:
    shape: Mapping[str, Shape] = {**WORDED, "from": NUMBER, "to": NUMBER, "set": TEXT}
    check_table(faults, shape, value, path)
    if isinstance(value, dict):
        for key in ("from", "to", "set"):
            if key not in value:
                faults.add("kit_missing", path, key=dotted((*path, key)))
        few, many, changed = value.get("from"), value.get("to"), value.get("set")
        if isinstance(few, int) and isinstance(many, int):
            if many < few:
                faults.add("kit_from_to", (*path, "to"), low=few, high=many)
            elif many - few >= MOST_NUMBERS:
                faults.add("kit_too_many", path, most=MOST_NUMBERS)
            if isinstance(changed, str):
                number: Value = few
                for key in reversed(changed.split(".")):
                    number = {key: number}
                _set(faults, number, (*path, "set"))


def _clause_texts(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    shape: Mapping[str, Shape] = {**WORDED, "why": TEXTS, "gap": TEXTS, "source": TEXT}
    for _, inner, at in each_of(faults, value, path, 200):
        check_table(faults, shape, inner, at)


def _examples(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        faults.add("kit_table_expected", path)


FIRST: Mapping[str, Shape] = {
    "kit": NUMBER,
    "family": one_of(*FAMILIES),
    "key": ID,
    "version": TEXT,
    "title": TEXTS,
    "about": TEXTS,
    "author": TEXTS,
    "url": URL,
    "minutes": NUMBER,
    "seats": deck.SEATS_KEYS,
    "deck": deck.KEYS,
}
"""The first keys of every file, in order; those of its family follow."""

LAST: Mapping[str, Shape] = {
    "option": Leaf(_options),
    "text": Leaf(_clause_texts),
    "example": Leaf(_examples),
}

NEEDED = ("kit", "family", "key", "title", "seats.count", "deck")
"""The keys that every file has; its family names more."""

FIXED = frozenset(("kit", "family", "key", "version", "title", "seats", "option", "example"))
"""Keys that a house rule cannot change."""


def shape_of(family: str) -> dict[str, Shape]:
    """The keys of the files of a family."""
    return {**FIRST, **FAMILIES[family].keys, **LAST}


def checked(document: Document) -> FileFaults:
    """All faults of form in ``document``."""
    name = document.values.get("family", USUAL)
    if not isinstance(name, str) or name not in FAMILIES:
        faults = FileFaults(document, FIRST)
        check_table(faults, {"family": FIRST["family"]}, {"family": name}, ())
        return faults
    family = FAMILIES[str(name)]
    others = {each: shape_of(each) for each in FAMILIES if each != name}
    faults = FileFaults(document, shape_of(str(name)), others)
    check_table(faults, faults.shape, document.values, ())
    for key in (*NEEDED, *family.needed):
        here: Value = document.values
        for part in key.split("."):
            here = here.get(part, "") if isinstance(here, dict) else ""
        if here == "" or here == {}:
            faults.add("kit_missing", tuple(key.split(".")), key=key)
    match = document.values.get("match")
    if isinstance(match, dict) and not {"deals", "until"} & match.keys():
        faults.add("kit_missing", ("match",), key="match.deals / match.until")
    if document.values.get("kit") not in (None, 1):
        faults.add("kit_version", ("kit",))
    return faults
