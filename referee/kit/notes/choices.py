"""House rules that change nothing, or values that another house rule changes, too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from referee.kit.chapters.deck import table
from referee.kit.game import KitGame
from referee.kit.notes.written import at_file
from referee.kit.text.faults import FilePosition, Path, Wrong, dotted
from referee.kit.text.toml import Value


def _changes(game: KitGame, name: str, value: str) -> Mapping[Path, Value]:
    """The values that the choice ``value`` of the house rule ``name`` sets, by path in the file."""
    row = table(table(game.document.values["option"])[name])
    if value not in row:
        path = str(table(row.get("numbers")).get("set", ""))
        return {tuple(path.split(".")): value}
    changed = table(table(row[value]).get("set"))
    return {path: each for key, inner in changed.items() for path, each in _leaves((key,), inner)}


def _leaves(path: Path, value: Value) -> Iterator[tuple[Path, Value]]:
    """The values in the table ``value``, or ``value`` itself, with their paths from ``path``."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _leaves((*path, key), inner)
    else:
        yield path, value


def without_effect(game: KitGame) -> Iterator[Wrong]:
    """Choices that change nothing, and values that two house rules change."""
    plain = game.source({})
    keys = game.document.keys
    seen: dict[Path, tuple[str, str]] = {}
    for name, option in game.OPTIONS.items():
        words = table(table(game.document.values["option"])[name])
        first: Path = ("option", name, option.default, "set")
        if "set" in table(words.get(option.default)):
            yield at_file(game, "kit_first_set", first, option=dotted(first[1:3]))
        # all numbers change the same value: two of them suffice
        numbers = [value for value in option.values[1:] if value not in words][:2]
        for value in [*(value for value in option.values[1:] if value in words), *numbers]:
            at: Path = ("option", name, value)
            place = keys.get(at) or keys.get(("option", name)) or FilePosition(1, 1)
            changes = _changes(game, name, value)
            if all(plain.at(*path) == new for path, new in changes.items()):
                yield Wrong("kit_no_change", place, dotted(at), option=dotted((name, value)))
            for path in changes:
                other = seen.setdefault(path, (name, value))
                if other[0] != name and not _barred(game, (name, value), other):
                    yield Wrong(
                        "kit_same_value",
                        place,
                        dotted(at),
                        option=dotted((name, value)),
                        other=dotted(other),
                        key=dotted(path),
                    )


def half_set(game: KitGame) -> Iterator[Wrong]:
    """Scores and counters of which a house rule sets a part, and the file has no other part."""
    needed = {"score": ("per", "points"), "counters": ("of", "add"), "effect": ("do",)}
    sources = game.sources()
    for key, parts in needed.items():
        rows = [(each, name, row) for each in sources for name, row in table(each.at(key)).items()]
        known = {name for _, name, row in rows if {*parts} <= table(row).keys()}
        for source, name, row in rows:
            if name not in known:
                missing = [part for part in parts if part not in table(row)]
                near = get_close_matches(name, known, 1)
                fact, at = "kit_no_key_near" if near else "kit_missing", (key, name, missing[0])
                values = {"key": dotted(at[:2] if near else at), "near": (near or [""])[0]}
                yield Wrong(fact, source.place((key, name)), dotted((key, name)), **values)


def _barred(game: KitGame, one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether the two choices, each as (house rule, value), exclude each other."""
    for (name, value), (second, barred) in ((one, other), (other, one)):
        if game.OPTIONS[name].barred.get(value, {}).get(second) == barred:
            return True
    return False
