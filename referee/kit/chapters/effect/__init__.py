"""``effect``: what a play brings about. All families have these rows, each with its own verbs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.kit.chapters.deck import table, words
from referee.kit.text.faults import Path
from referee.kit.text.form import (
    CONDITION,
    SUM,
    WORDED,
    FileFaults,
    Leaf,
    Shape,
    check_word,
    named_rows,
)
from referee.kit.text.formulas import TableFormulas
from referee.kit.text.scope import CARD, Number, Set
from referee.kit.text.toml import Value

MOST_EFFECTS = 40


class EffectRow(NamedTuple):
    """What a play brings about if ``when`` is true (None: always); ``do``: the verbs of the row.

    ``on``: the kind of the play, ``times`` how often or how many. ``to`` and ``who``: whom it
    concerns; ``cost``: the cards of which one is given up. A family uses those that its verbs need.
    """

    name: str
    on: str
    when: Number | None
    do: tuple[str, ...]
    times: Number
    to: str
    who: Number | None
    cost: Set | None


def _verbs(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, list):
        check_word(faults, leaf, value, path)
    elif not value or len(value) > len(leaf.words):
        faults.add("kit_list", path)
    else:
        for i, verb in enumerate(value):
            check_word(faults, leaf, verb, (*path, i))


def keys(verbs: tuple[str, ...], more: Mapping[str, Shape]) -> Mapping[str, Shape]:
    """The keys of this chapter in a family, whose rows have ``more`` keys than every row has."""
    row = {**WORDED, "when": CONDITION, "do": Leaf(_verbs, verbs), "times": SUM, **more}
    return {"effect": Leaf(named_rows(row, ("do",), MOST_EFFECTS))}


def compiled(formulas: TableFormulas, on: str) -> tuple[EffectRow, ...]:
    """The rows of the file in their order; ``on``: the kind of play of a row that names none."""
    return tuple(_row(formulas, name, on) for name in table(formulas.source.at("effect")))


def _row(formulas: TableFormulas, name: str, on: str) -> EffectRow:
    source, at = formulas.source, ("effect", name)
    return EffectRow(
        name=name,
        on=source.word(*at, "on", default=on),
        when=formulas.only_when(CARD, *at, "when"),
        do=tuple(words(source.at(*at, "do"))),
        times=formulas.number(CARD, *at, "times", default=1),
        to=source.word(*at, "to", default="self"),
        who=formulas.only_when(CARD, *at, "who"),
        cost=formulas.mask(CARD, *at, "cost"),
    )
