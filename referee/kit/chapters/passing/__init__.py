"""``pass``: cards that are handed on before play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.kit.chapters.deal import DealRules
from referee.kit.text.faults import Path, Wrong, dotted
from referee.kit.text.form import SUM, FileFaults, Leaf, Shape, check_word
from referee.kit.text.formulas import TableFormulas
from referee.kit.text.scope import TABLE, Number
from referee.kit.text.toml import Value


def _directions(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, list) or not 0 < len(value) <= 20:
        faults.add("kit_list", path)
        return
    for i, item in enumerate(value):
        check_word(faults, leaf, item, (*path, i))


KEYS: Mapping[str, Shape] = {
    "cards": SUM._replace(by_seats=True),
    "to": Leaf(_directions, ("left", "right", "across", "each", "none", "aside"), by_seats=True),
}


class PassRules(NamedTuple):
    """To whom cards go, deal by deal ("" nowhere: no passing), and how many."""

    ways: tuple[str, ...]
    cards: Number


def compiled(formulas: TableFormulas) -> PassRules:
    """The rules of this chapter; raises ``Wrong``."""
    ways: tuple[str, ...] = ()
    cards = formulas.number(TABLE, "pass", "cards")
    if formulas.source.at("pass") is not None:
        to, _ = formulas.source.of_these_seats(("pass", "to"), formulas.n)
        ways = tuple(map(str, to)) if isinstance(to, list) else ("left",)
    return PassRules(ways, cards)


def followed(formulas: TableFormulas, passing: PassRules, deal: DealRules) -> None:
    """Raise ``Wrong`` for passing that lacks a number, or that no referee could follow."""
    source = formulas.source
    if deal.turn_up == "dealer" and set(passing.ways) - {"none"}:
        # the referee would take a card that everybody knows to be still in the hand that has
        # passed it on, and call its owner a liar
        place: Path = ("deal", "turn_up")
        raise Wrong("kit_turn_handed_on", source.place(place), dotted(place))
    if source.at("pass") is not None and source.at("pass", "cards") is None:
        raise Wrong("kit_missing", source.place(("pass",)), "pass", key="pass.cards")
