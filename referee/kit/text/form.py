"""The form of a file: which keys a table can have, and the values that each of them takes.

A chapter declares its keys with the leaves of this module, or with its own. Checks find all faults
of form, with the place of each key, so that later code can rely on the form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from referee.kit.text import formula
from referee.kit.text.faults import FilePosition, Path, Wrong, dotted
from referee.kit.text.toml import Document, Value

MOST_SEATS = 100
MOST_STEPS = 12
MOST_TERMS = 40

SEATS = re.compile(r"([1-9][0-9]{0,2})(?:-([1-9][0-9]{0,2}))?")
ID_FORM = re.compile(r"[a-z][a-z0-9_]{0,23}")
NAME_FORM = re.compile(r"[A-Za-z0-9]{1,8}")


class FileFaults:
    """Collects the faults of a document."""

    def __init__(
        self,
        document: Document,
        shape: Mapping[str, Shape],
        others: Mapping[str, Mapping[str, Shape]] = MappingProxyType({}),
    ) -> None:
        """``shape``: the keys of a file of this family; ``others``: those of other families."""
        self.document, self.shape, self.others = document, shape, others
        self.found: list[Wrong] = []
        self.characters = 0
        self.partial = False  # while a house rule is read, which changes a part of a table

    def add(self, fact: str, path: Path, **values: object) -> None:
        self.found.append(Wrong(fact, self.document.place(path), dotted(path), **values))

    def begin(self, path: Path) -> FilePosition:
        """Where the value of ``path`` begins."""
        return self.document.begins.get(path) or self.document.place(path)

    def family_with(self, path: Path) -> str:
        """Another family whose files have the key ``path``; "" if none does."""
        if path[0] == "option" and "set" in path:
            path = path[path.index("set") + 1 :]
        for family, shape in self.others.items():
            here: Shape | None = shape
            for key in path:
                here = here.get(str(key)) if isinstance(here, Mapping) else None
            if here is not None:
                return family
        return ""

    def has_room(self, text: str, path: Path) -> bool:
        """Whether the file may have the sum ``text``, too; the fault is added once.

        All sums of a file together have at most ``formula.TOGETHER`` characters.
        """
        before, self.characters = self.characters, self.characters + len(text)
        if before <= formula.TOGETHER < self.characters:
            self.add("kit_sums_long", path, most=formula.TOGETHER)
        return self.characters <= formula.TOGETHER

    def tried(self, make: Callable[[], object]) -> None:
        """Call ``make``; add the fault that it raises, if any."""
        try:
            make()
        except Wrong as wrong:
            self.found.append(wrong)


Check: TypeAlias = "Callable[[FileFaults, Leaf, Value, Path], None]"


class Leaf(NamedTuple):
    """One value: how it is checked, the words it can be, whether it may differ by seats.

    ``kind``: of a formula, "sum", "condition" or "cards".
    """

    check: Check
    words: tuple[str, ...] = ()
    by_seats: bool = False
    kind: str = ""


Shape: TypeAlias = "Leaf | Mapping[str, Shape]"


def check_table(faults: FileFaults, shape: Mapping[str, Shape], value: Value, path: Path) -> None:
    if not isinstance(value, dict):
        faults.add("kit_table_of_keys", path, key=next(iter(shape)))
        return
    for key, inner in value.items():
        if key not in shape:
            near = get_close_matches(key, shape, 1, 0.75)
            misplaced = path and key in faults.shape and not near and not faults.partial
            if not misplaced and (family := faults.family_with((*path, key))):
                at = dotted((*path, key))
                faults.add("kit_other_family", (*path, key), key=at, family=family)
                continue
            if misplaced:
                headed = path in faults.document.headed
                fact = "kit_below" if headed else "kit_elsewhere"
                faults.add(fact, (*path, key), key=key, section=dotted(path))
                continue
            fact = "kit_no_key_near" if near else "kit_no_key"
            values = {"key": dotted((*path, key)), "near": (near or [""])[0], "known": [*shape]}
            faults.add(fact, (*path, key), **values)
            continue
        part = shape[key]
        if isinstance(part, Leaf):
            check_leaf(faults, part, inner, (*path, key))
        else:
            check_table(faults, part, inner, (*path, key))


def check_leaf(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if leaf.by_seats and isinstance(value, dict):
        for key, inner in value.items():
            if key != "else" and not SEATS.fullmatch(key):
                faults.add("kit_seats_key", (*path, key), key=key)
            check_leaf(faults, leaf._replace(by_seats=False), inner, (*path, key))
        return
    leaf.check(faults, leaf, value, path)


def by_seats(value: Value, seats: int) -> Value | None:
    """The value for this number of seats; None where a table of values leaves them out."""
    return value.get(seats_key(value, seats)) if isinstance(value, dict) else value


def seats_key(value: Mapping[str, Value], seats: int) -> str:
    """The key of a table of values that holds for this number of seats; "else" where none does."""
    for key in value:
        found = SEATS.fullmatch(key)
        if found and int(found[1]) <= seats <= int(found[2] or found[1]):
            return key
    return "else"


def seats(value: Value) -> range | None:
    """The numbers of seats of ``"3-6"``, ``4`` or ``"4"``."""
    found = SEATS.fullmatch(str(value))
    if not found:
        return None
    few, many = int(found[1]), int(found[2] or found[1])
    return range(few, many + 1) if few <= many <= MOST_SEATS else None


def check_text(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, str) or not value.strip():
        faults.add("kit_text", path)


def check_texts(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, dict) or not {"ja", "en"} & value.keys():
        faults.add("kit_texts", path)
    else:
        check_table(faults, WORDED, value, path)


def check_url(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, str) or not re.fullmatch(r"https://[^\s\"<>\\]+", value):
        faults.add("kit_url", path)


def check_number(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not is_whole(value) or not 0 <= int(str(value)) <= 20_100:
        faults.add("kit_whole", path)


def is_whole(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def check_id(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, str) or not ID_FORM.fullmatch(value):
        faults.add("kit_id", path)


def check_name(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if is_whole(value):
        faults.add("kit_unquoted", path, text=value)
    elif not isinstance(value, str) or not NAME_FORM.fullmatch(value):
        faults.add("kit_name", path)


def check_word(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if value not in leaf.words:
        shown = str(value).lower() if isinstance(value, bool) else value
        fact = "kit_no_pack" if path == ("deck", "pack") else "kit_one_of"
        faults.add(fact, path, value=shown, words=leaf.words)


def check_count(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if seats(value) is None:
        faults.add("kit_seat_count", path, most=MOST_SEATS)


def check_sum(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, str) and not is_whole(value):
        faults.add("kit_sum", path)
        return
    text = value if isinstance(value, str) else int(str(value))
    if faults.has_room(str(text), path):
        faults.tried(lambda: faults.document.formula(text, faults.begin(path), path, leaf.kind))


def check_names(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, list) or len(value) > 200:
        faults.add("kit_list", path)
        return
    for i, item in enumerate(value):
        check_name(faults, leaf, item, (*path, i))


def each_of(
    faults: FileFaults, value: Value, path: Path, most: int
) -> Iterator[tuple[str, Value, Path]]:
    """The parts of a table whose keys are free, ``most`` of them at most."""
    if not isinstance(value, dict):
        faults.add("kit_table_expected", path)
        return
    if len(value) > most:
        faults.add("kit_too_many", path, most=most)
    for key, inner in list(value.items())[:most]:
        yield key, inner, (*path, key)


def check_numbers(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    for _, inner, at in each_of(faults, value, path, 200):
        if not is_whole(inner) or abs(int(str(inner))) > 20_100:
            faults.add("kit_whole", at)


def ladder(shape: Mapping[str, Shape]) -> Check:
    """The check of a list of card sets, or of tables of one ``shape`` that have ``cards``."""

    def check(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
        if not isinstance(value, list) or len(value) > MOST_STEPS:
            faults.add("kit_steps", path, most=MOST_STEPS)
            return
        for i, item in enumerate(value):
            at = (*path, i)
            if isinstance(item, str):
                check_sum(faults, CARDS, item, at)
            else:
                check_table(faults, shape, item, at)
                if isinstance(item, dict) and "cards" not in item:
                    faults.add("kit_missing", at, key=dotted((*at, "cards")))

    return check


def named_rows(shape: Mapping[str, Shape], needed: tuple[str, ...], most: int) -> Check:
    """The check of a table with free keys and values of one ``shape``; ``needed``: its keys."""

    def check(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
        for key, inner, at in each_of(faults, value, path, most):
            check_id(faults, ID, key, at)
            check_table(faults, shape, inner, at)
            for part in needed if not faults.partial else ():
                if isinstance(inner, dict) and part not in inner:
                    faults.add("kit_missing", at, key=dotted((*at, part)))

    return check


TEXT = Leaf(check_text)
URL, NUMBER, NAME = Leaf(check_url), Leaf(check_number), Leaf(check_name)
COUNT, NAMES, NUMBERS = Leaf(check_count), Leaf(check_names), Leaf(check_numbers)
ID = Leaf(check_id)
SUM = Leaf(check_sum, kind="sum")
CONDITION = Leaf(check_sum, kind="condition")
CARDS = Leaf(check_sum, kind="cards")
WORDED: Mapping[str, Shape] = {"ja": TEXT, "en": TEXT}
TEXTS = Leaf(check_texts)


def one_of(*words: str, by_seats: bool = False) -> Leaf:
    """A value that is one of ``words``."""
    return Leaf(check_word, words, by_seats)
