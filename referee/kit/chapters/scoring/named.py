"""Which named sums and sets the rules of a game have to explain."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from referee.kit.chapters.deck import table
from referee.kit.saying import FileWords, text_of
from referee.kit.text.faults import Path
from referee.kit.text.toml import Value

WRITTEN_IN = (
    *("deck", "deal", "pass", "bid", "trump", "call", "play", "trick", "leave"),
    *("score", "match", "values", "groups", "counters"),
)
"""The parts of a file that have sums, conditions and card sets."""

OF_SCORES = frozenset(("score", "values", "groups", "counters"))

NUMBERED: Mapping[tuple[str, str], str] = {
    ("play", "lead"): "lead",
    ("play", "follow"): "follow",
    ("trick", "best"): "win",
}
"""Lists whose steps have a clause each."""

CLAUSES: Mapping[tuple[str, str], str] = {
    ("deal", "hand"): "setup.hand",
    ("bid", "values"): "bid.1",
    ("bid", "forbid"): "bid.2",
    ("match", "until"): "deals.1",
    ("match", "deals"): "deals.1",
}


def to_explain(file: FileWords) -> frozenset[str]:
    """The named sums and sets that a generated clause uses, also by way of others.

    Where the author has written all rules that use one, its formula says nothing to a player.
    """
    texts = [(_clause(path), text) for path, text in _texts(file)]
    wanted, names = set[str](), {*table(file.source.at("values")), *table(file.source.at("groups"))}
    while True:
        found = {
            name
            for name in names - wanted
            for clause, text in texts
            if _whole(name).search(text) and _generated(file, clause, wanted)
        }
        if not found:
            return frozenset(wanted)
        wanted |= found


def _whole(name: str) -> re.Pattern[str]:
    """Finds ``name`` as a whole word."""
    return re.compile(rf"\b{re.escape(name)}\b")


def _texts(file: FileWords) -> Iterator[tuple[Path, str]]:
    """The texts of the file that can name a sum or a set, each with its path."""

    def inside(value: Value | None, path: Path) -> Iterator[tuple[Path, str]]:
        if isinstance(value, str):
            yield path, value
        elif isinstance(value, dict):
            for key, each in value.items():
                yield from inside(each, (*path, key))
        elif isinstance(value, list):
            for place, each in enumerate(value):
                yield from inside(each, (*path, place))

    for part in WRITTEN_IN:
        for path, text in inside(file.source.at(part), (part,)):
            if path[-1] not in ("ja", "en", "sign"):
                yield path, text


def _clause(path: Path) -> str:
    """The id of the clause that is made of the text at ``path``; "" if it is not known."""
    part, key = str(path[0]), str(path[1]) if len(path) > 1 else ""
    if part in OF_SCORES:
        return f"score.{key}"
    if (part, key) in NUMBERED and len(path) > 2 and isinstance(path[2], int):
        return f"{NUMBERED[part, key]}.{path[2] + 1}"
    return CLAUSES.get((part, key), "")


def _generated(file: FileWords, clause: str, wanted: set[str]) -> bool:
    """Whether the text of ``clause`` is listed and not the author's own; "": assume so."""
    section, _, name = clause.partition(".")
    for key in ("values", "groups"):
        if section == "score" and name in table(file.source.at(key)):
            return name in wanted  # it is listed itself only if it has to be explained
    row = file.source.at("score", name) if section == "score" else None
    return not text_of(table(file.own.get(clause))).ja and not text_of(table(row)).ja
