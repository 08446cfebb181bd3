"""Where the sums and conditions of a game file stand, and how a fault names its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from referee.core.game import Table
from referee.kit.chapters.deck import table
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.game import KitGame
from referee.kit.table import TableRules
from referee.kit.text.faults import Path, Wrong, dotted
from referee.kit.text.formula import FormulaText
from referee.kit.text.source import RulesSource


class Note(NamedTuple):
    """A fault, or with ``only_note`` a remark. ``table``: the first table that shows it, if tables
    with other house rules or fewer seats don't.
    """

    wrong: Wrong
    only_note: bool
    table: Table | None = None


def at_file(game: KitGame, fact: str, path: Path, **values: object) -> Wrong:
    """A fault or a remark on the key at ``path`` of the file."""
    return Wrong(fact, game.source({}).place(path), dotted(path), **values)


def sums_of(source: RulesSource) -> Iterator[tuple[Path, FormulaText]]:
    """The sums and conditions of the file that are used at a table, with their places."""
    found: list[Path] = [("deal", "hand"), ("pass", "cards"), ("bid", "forbid")]
    found += [("trump", "none_when"), ("leave", "when"), ("match", "deals"), ("match", "until")]
    found += [("leave", "first"), ("match", "out")]
    found += [("stay", "when")]
    found += [("effect", name, "when") for name in table(source.at("effect"))]
    found += [("values", name) for name in table(source.at("values"))]
    found += [("counters", name, "add") for name in table(source.at("counters"))]
    for name in table(source.at("score")):
        found += [("score", name, "when"), ("score", name, "points")]
    for path in found:
        value = source.at(*path)
        if value is not None and not isinstance(value, dict):
            text = source.text("sum", *path)
            assert text is not None
            yield path, text


def conditions(rules: Rules) -> Iterator[FormulaText]:
    """The sums and conditions of a table, those of ladders and of winning sets, too."""
    yield from (text for _, text in sums_of(rules.source))
    found = [step.condition for step in (*rules.play.lead, *rules.play.follow)]
    found += [each.condition for each in (*rules.trick.classes, *rules.trick.leads)]
    found += [each.condition for each in (*rules.trump.at_once, *rules.trump.after_trick)]
    yield from (text for text in found if text is not None)


def formula_at(rules: TableRules, path: Path) -> FormulaText | None:
    """The sum, condition or set at ``path``; None where there is none, or it differs by seats."""
    value = rules.source.at(*path)
    if value is None or isinstance(value, dict):
        return None
    kind = "cards" if path == ("call", "cards") else "sum"
    return rules.source.text(kind, *path)


def named_sums(rules: Rules) -> dict[str, FormulaText]:
    return {**rules.compiler.values, **rules.compiler.groups}
