"""The keys that a game file can have, and the values that each of them takes.

``checked`` compares a document with this list. It finds all faults of form, with the place of each
key, so that later code can rely on the form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import NamedTuple, TypeAlias

from referee.core.game import COMMON_OPTIONS
from referee.kit.text import formula
from referee.kit.text.faults import FilePosition, Path, Wrong, dotted
from referee.kit.text.toml import Document, Value

COLOURS = ("red", "black", "blue", "green", "yellow", "orange", "purple", "brown")
# one text: a string with one pack alone would be the name of a game (see tests/test_rooms.py)
_PACKS = "french french36 french32 french54 pairs"
PACKS = tuple(_PACKS.split())
PAIRS = PACKS[-1]

MOST_SEATS = 100
MOST_DEALS = 1000
MOST_BIDS = 200
MOST_STEPS = 12
MOST_TERMS = 40
MOST_OPTIONS = 32
MOST_CHOICES = 16
MOST_NUMBERS = 100


class Leaf(NamedTuple):
    """One value: its kind, the words it can be, whether it may differ by seats."""

    kind: str
    words: tuple[str, ...] = ()
    by_seats: bool = False


Shape: TypeAlias = "Leaf | Mapping[str, Shape]"

TEXTS = Leaf("texts")
SUM, CONDITION, CARDS = Leaf("sum"), Leaf("condition"), Leaf("cards")
ID = Leaf("id")


def one_of(*words: str, by_seats: bool = False) -> Leaf:
    return Leaf("word", words, by_seats)


WORDED: Mapping[str, Shape] = {"ja": Leaf("text"), "en": Leaf("text")}
SUITS: Mapping[str, Shape] = {
    **WORDED,
    "colour": one_of(*COLOURS),
    "sign": Leaf("text"),
    "ranks": Leaf("ranks"),
}
SPECIAL_CARD: Mapping[str, Shape] = {
    **WORDED,
    "copies": Leaf("number"),
    "led": one_of("none", "skip"),
}
STEP: Mapping[str, Shape] = {
    **WORDED,
    "cards": CARDS,
    "when": CONDITION,
    "order": one_of("low", "high"),
}
CHANGE: Mapping[str, Shape] = {
    "cards": CARDS,
    "when": CONDITION,
    "per": one_of("card", "trick"),
    "suit": Leaf("name"),
}
CLASS: Mapping[str, Shape] = {
    **WORDED,
    "cards": CARDS,
    "when": CONDITION,
    "order": one_of("high", "low", "first", "last"),
    "by": one_of("rank", "row"),
    "pick": Leaf("number"),
}
TERM: Mapping[str, Shape] = {
    **WORDED,
    "per": one_of("card", "trick", "deal", "match"),
    "to": one_of("each", "team"),
    "when": CONDITION,
    "points": SUM,
}
COUNTER: Mapping[str, Shape] = {
    **WORDED,
    "of": one_of("seat", "team", "table"),
    "per": one_of("deal", "trick"),
    "keep": one_of("match", "deal"),
    "add": SUM,
}

GAME: Mapping[str, Shape] = {
    "kit": Leaf("number"),
    "family": one_of("trick_taking"),
    "key": ID,
    "version": Leaf("text"),
    "title": TEXTS,
    "about": TEXTS,
    "author": TEXTS,
    "url": Leaf("url"),
    "minutes": Leaf("number"),
    "seats": {
        "count": Leaf("count"),
        "teams": one_of("none", "opposite", "alternate", by_seats=True),
    },
    "deck": {
        "pack": one_of(*PACKS),
        "top": Leaf("sum", by_seats=True),
        "suits": Leaf("suits"),
        "ranks": Leaf("ranks"),
        "copies": SUM,
        "remove": Leaf("names", by_seats=True),
        "special": Leaf("special_cards"),
        "value": Leaf("numbers"),
        "worth": Leaf("numbers"),
    },
    "deal": {
        "hand": Leaf("sum", by_seats=True),
        "turn_up": one_of("none", "stock", "dealer"),
        "leader": one_of("rotate", "pick", "lowest_total", "winner", "holder"),
        "holder": Leaf("names"),
        "draw": one_of("none", "after_trick"),
    },
    "pass": {
        "cards": Leaf("sum", by_seats=True),
        "to": Leaf(
            "directions", ("left", "right", "across", "each", "none", "aside"), by_seats=True
        ),
    },
    "bid": {
        "values": Leaf("span"),
        "special": Leaf("special_bids"),
        "order": one_of("turn", "at_once", "auction"),
        "by": one_of("all", "dealer", "leader"),
        "forbid": CONDITION,
        "change": one_of("never", "until_lead"),
        "leads": one_of("leader", "highest"),
        "passed": one_of("play", "over"),
    },
    "trump": {
        "from": one_of(
            *("none", "fixed", "turn_up", "named", "bid", "first_discard", "cycle", "last_trick")
        ),
        "suit": Leaf("name"),
        "suits": Leaf("names"),
        "by": one_of("dealer", "leader", "highest_bid"),
        "special": Leaf("turned_specials", ("dealer", "none")),
        "none_when": CONDITION,
        "change": Leaf("changes"),
    },
    "play": {
        "lead": Leaf("steps"),
        "follow": Leaf("steps"),
        "always": CARDS,
        "cannot": one_of("counts", "out", "down"),
    },
    "trick": {
        "best": Leaf("classes"),
        "equal": one_of("first", "last", "cancel", "turn_down"),
        "equal_by": one_of("card", "rank"),
        "row": one_of("front", "back", "sorted"),
        "digits": Leaf("texts_by_name"),
        "none": one_of("nobody", "last"),
        "next": Leaf("classes_or_word", ("winner", "same", "left")),
        "next_none": one_of("same", "left"),
    },
    "call": {"by": one_of("dealer", "leader", "highest_bid"), "cards": CARDS},
    "leave": {"when": CONDITION, "first": CONDITION},
    "score": Leaf("terms"),
    "values": Leaf("values"),
    "groups": Leaf("groups"),
    "counters": Leaf("counters"),
    "match": {
        "deals": Leaf("sum", by_seats=True),
        "until": CONDITION,
        "out": CONDITION,
        "winner": one_of("most", "least"),
    },
    "option": Leaf("options"),
    "text": Leaf("clause_texts"),
    "example": Leaf("examples"),
}

NEEDED = [
    "kit",
    "family",
    "key",
    "title",
    "seats.count",
    "deck",
    "deal.hand",
    "play.follow",
    "trick.best",
    "score",
    "match.winner",
]

FIXED = frozenset(("kit", "family", "key", "version", "title", "seats", "option", "example"))
"""Keys that a house rule cannot change."""

_ID = re.compile(r"[a-z][a-z0-9_]{0,23}")
_NAME = re.compile(r"[A-Za-z0-9]{1,8}")
_SEATS = re.compile(r"([1-9][0-9]{0,2})(?:-([1-9][0-9]{0,2}))?")


class FileFaults:
    """Collects the faults of a document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.found: list[Wrong] = []
        self.characters = 0
        self.partial = False  # while a house rule is read, which changes a part of a table

    def add(self, fact: str, path: Path, **values: object) -> None:
        self.found.append(Wrong(fact, self.place(path), dotted(path), **values))

    def place(self, path: Path) -> FilePosition:
        """Where the key ``path`` stands, or the nearest one around it."""
        while path and path not in self.document.keys:
            path = path[:-1]
        return self.document.keys.get(path, FilePosition(1, 1))

    def begin(self, path: Path) -> FilePosition:
        """Where the value of ``path`` begins."""
        return self.document.begins.get(path) or self.place(path)

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


def checked(document: Document) -> FileFaults:
    """All faults of form in ``document``."""
    faults = FileFaults(document)
    _table(faults, GAME, document.values, ())
    for key in NEEDED:
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


def _table(faults: FileFaults, shape: Mapping[str, Shape], value: Value, path: Path) -> None:
    if not isinstance(value, dict):
        faults.add("kit_table_of_keys", path, key=next(iter(shape)))
        return
    for key, inner in value.items():
        if key not in shape:
            near = get_close_matches(key, shape, 1, 0.75)
            if path and key in GAME and not near and not faults.partial:
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
            _leaf(faults, part, inner, (*path, key))
        else:
            _table(faults, part, inner, (*path, key))


def _leaf(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if leaf.by_seats and isinstance(value, dict):
        for key, inner in value.items():
            if key != "else" and not _SEATS.fullmatch(key):
                faults.add("kit_seats_key", (*path, key), key=key)
            _leaf(faults, leaf._replace(by_seats=False), inner, (*path, key))
        return
    CHECKS[leaf.kind](faults, leaf, value, path)


def by_seats(value: Value, seats: int) -> Value | None:
    """The value for this number of seats; None where a table of values leaves them out."""
    return value.get(seats_key(value, seats)) if isinstance(value, dict) else value


def seats_key(value: Mapping[str, Value], seats: int) -> str:
    """The key of a table of values that holds for this number of seats; "else" where none does."""
    for key in value:
        found = _SEATS.fullmatch(key)
        if found and int(found[1]) <= seats <= int(found[2] or found[1]):
            return key
    return "else"


def span(text: str) -> tuple[str, str] | None:
    """The two sums of ``"0..hand"``; None unless there are exactly two."""
    if text == "none":
        return "1", "0"
    low, dots, high = text[1:].partition("..")
    if not (dots and high) or "\n" in text:
        return None
    return (text[0] + low).strip(), high.strip()


def seats(value: Value) -> range | None:
    """The numbers of seats of ``"3-6"``, ``4`` or ``"4"``."""
    found = _SEATS.fullmatch(str(value))
    if not found:
        return None
    few, many = int(found[1]), int(found[2] or found[1])
    return range(few, many + 1) if few <= many <= MOST_SEATS else None


def _text(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, str) or not value.strip():
        faults.add("kit_text", path)


def _texts(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, dict) or not {"ja", "en"} & value.keys():
        faults.add("kit_texts", path)
    else:
        _table(faults, WORDED, value, path)


def _url(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, str) or not re.fullmatch(r"https://[^\s\"<>\\]+", value):
        faults.add("kit_url", path)


def _number(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not _whole(value) or not 0 <= int(str(value)) <= 20_100:
        faults.add("kit_whole", path)


def _whole(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _id(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        faults.add("kit_id", path)


def _name(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if _whole(value):
        faults.add("kit_unquoted", path, text=value)
    elif not isinstance(value, str) or not _NAME.fullmatch(value):
        faults.add("kit_name", path)


def _word(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if value not in leaf.words:
        shown = str(value).lower() if isinstance(value, bool) else value
        fact = "kit_no_pack" if leaf.words == PACKS else "kit_one_of"
        faults.add(fact, path, value=shown, words=leaf.words)


def _count(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if seats(value) is None:
        faults.add("kit_seat_count", path, most=MOST_SEATS)


def _sum(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, str) and not _whole(value):
        faults.add("kit_sum", path)
        return
    text = value if isinstance(value, str) else int(str(value))
    if faults.has_room(str(text), path):
        faults.tried(lambda: faults.document.formula(text, faults.begin(path), path, leaf.kind))


def _span(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    parts = span(value) if isinstance(value, str) else None
    if value == "none":
        return
    if not parts:
        faults.add("kit_span", path)
        return
    for part in parts:
        _sum(faults, SUM, part, path)


def _names(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, list) or len(value) > 200:
        faults.add("kit_list", path)
        return
    for i, item in enumerate(value):
        _name(faults, leaf, item, (*path, i))


def _directions(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, list) or not 0 < len(value) <= 20:
        faults.add("kit_list", path)
        return
    for i, item in enumerate(value):
        _word(faults, leaf, item, (*path, i))


def _ranks(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if isinstance(value, str):
        found = re.fullmatch(r"([0-9]{1,3})\.\.([0-9]{1,3})", value)
        if not found or int(found[1]) > int(found[2]):
            faults.add("kit_ranks", path)
    elif not isinstance(value, list) or not value:
        faults.add("kit_ranks", path)
    else:
        _names(faults, leaf, value, path)


def _each(
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


def _suits(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    for key, inner, at in _each(faults, value, path, 26):
        if not re.fullmatch("[A-Z]", key):
            faults.add("kit_one_capital", at)
        _table(faults, SUITS, inner, at)


def _special_cards(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    for key, inner, at in _each(faults, value, path, 100):
        if not re.fullmatch("[A-Z][A-Z0-9]{0,3}", key):
            faults.add("kit_special_key", at)
        _table(faults, SPECIAL_CARD, inner, at)


def _numbers(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    for _, inner, at in _each(faults, value, path, 200):
        if not _whole(inner) or abs(int(str(inner))) > 20_100:
            faults.add("kit_whole", at)


def _texts_by_name(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    for _, inner, at in _each(faults, value, path, 200):
        if not isinstance(inner, str) or not re.fullmatch("[0-9]{1,3}", inner):
            faults.add("kit_digits", at)


def _turned(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    for _, inner, at in _each(faults, value, path, 100):
        _word(faults, leaf, inner, at)


def _special_bids(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    for key, inner, at in _each(faults, value, path, MOST_BIDS):
        _id(faults, ID, key, at)
        _table(faults, {**WORDED, "worth": Leaf("number"), "suit": Leaf("name")}, inner, at)


def _ladder(faults: FileFaults, shape: Mapping[str, Shape], value: Value, path: Path) -> None:
    if not isinstance(value, list) or len(value) > MOST_STEPS:
        faults.add("kit_steps", path, most=MOST_STEPS)
        return
    for i, item in enumerate(value):
        at = (*path, i)
        if isinstance(item, str):
            _sum(faults, CARDS, item, at)
        else:
            _table(faults, shape, item, at)
            if isinstance(item, dict) and "cards" not in item:
                faults.add("kit_missing", at, key=dotted((*at, "cards")))


def _classes_or_word(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if isinstance(value, list):
        _ladder(faults, CLASS, value, path)
    else:
        _word(faults, leaf, value, path)


def _named(shape: Mapping[str, Shape], needed: tuple[str, ...], most: int) -> Check:
    """The check of a table with free keys and values of one ``shape``; ``needed``: its keys."""

    def check(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
        for key, inner, at in _each(faults, value, path, most):
            _id(faults, ID, key, at)
            _table(faults, shape, inner, at)
            for part in needed if not faults.partial else ():
                if isinstance(inner, dict) and part not in inner:
                    faults.add("kit_missing", at, key=dotted((*at, part)))

    return check


def _free(leaf: Leaf) -> Check:
    """The check of a table with free keys and values of the kind ``leaf``."""

    def check(faults: FileFaults, _: Leaf, value: Value, path: Path) -> None:
        for key, inner, at in _each(faults, value, path, MOST_TERMS):
            _id(faults, ID, key, at)
            if key in RESERVED:
                faults.add("kit_reserved", at, key=key)
            _leaf(faults, leaf, inner, at)

    return check


def _options(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    for key, inner, at in _each(faults, value, path, MOST_OPTIONS):
        _id(faults, ID, key, at)
        if key in COMMON_OPTIONS:
            faults.add("kit_reserved", at, key=key)
        choices = 0
        for name, part, where in _each(faults, inner, at, MOST_CHOICES + 4):
            if name in ("ja", "en"):
                _text(faults, leaf, part, where)
            elif name == "why":
                _texts(faults, leaf, part, where)
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
            _text(faults, TEXTS, part, at)
        elif key == "not_with":
            for _, other, where in _each(faults, part, at, MOST_OPTIONS):
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
    _table(faults, GAME, {key: part for key, part in value.items() if key not in FIXED}, path)
    faults.partial = before


def _option_numbers(faults: FileFaults, value: Value, path: Path) -> None:
    shape: Mapping[str, Shape] = {
        **WORDED,
        "from": Leaf("number"),
        "to": Leaf("number"),
        "set": Leaf("text"),
    }
    _table(faults, shape, value, path)
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
    shape: Mapping[str, Shape] = {**WORDED, "why": TEXTS, "gap": TEXTS, "source": Leaf("text")}
    for _, inner, at in _each(faults, value, path, 200):
        _table(faults, shape, inner, at)


def _examples(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        faults.add("kit_table_expected", path)


Check: TypeAlias = Callable[[FileFaults, Leaf, Value, Path], None]

RESERVED = frozenset(formula.FUNCTIONS) - formula.LATER | frozenset(
    [
        "n",
        "deck",
        "deal",
        "hand",
        "trick",
        "bids",
        "led_value",
        "trick_sum",
        "trump",
        "tricks",
        "bid",
        "total",
        "value",
        "gap",
        "out",
        "won",
        "cards",
        "this",
        "last",
        "yes",
        "no",
        "not",
        "and",
        "or",
        "is",
        "if",
        "then",
        "else",
        "suit",
        "rank",
        "card",
        "all",
        "none",
        "special",
        "beats",
    ]
)

CHECKS: Mapping[str, Check] = {
    "text": _text,
    "texts": _texts,
    "url": _url,
    "number": _number,
    "id": _id,
    "name": _name,
    "word": _word,
    "count": _count,
    "sum": _sum,
    "condition": _sum,
    "cards": _sum,
    "span": _span,
    "names": _names,
    "directions": _directions,
    "ranks": _ranks,
    "suits": _suits,
    "special_cards": _special_cards,
    "numbers": _numbers,
    "texts_by_name": _texts_by_name,
    "turned_specials": _turned,
    "special_bids": _special_bids,
    "steps": lambda faults, leaf, value, path: _ladder(faults, STEP, value, path),
    "changes": lambda faults, leaf, value, path: _ladder(faults, CHANGE, value, path),
    "classes": lambda faults, leaf, value, path: _ladder(faults, CLASS, value, path),
    "classes_or_word": _classes_or_word,
    "terms": _named(TERM, ("per", "points"), MOST_TERMS),
    "values": _free(SUM),
    "groups": _free(CARDS),
    "counters": _named(COUNTER, ("of", "add"), MOST_TERMS),
    "options": _options,
    "clause_texts": _clause_texts,
    "examples": _examples,
}
