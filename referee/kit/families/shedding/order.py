"""The order of strength: ranks, special cards above and below them, jokers, suits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.kit.text.faults import Path
from referee.kit.text.form import CARDS, NAMES, FileFaults, Leaf, Shape, check_leaf, one_of
from referee.kit.text.toml import Value

MOST_STEPS_BEYOND = 12


def _steps(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    """A list of card sets, or one set."""
    if isinstance(value, str):
        check_leaf(faults, CARDS, value, path)
    elif not isinstance(value, list) or len(value) > MOST_STEPS_BEYOND:
        faults.add("kit_steps", path, most=MOST_STEPS_BEYOND)
    else:
        for i, each in enumerate(value):
            check_leaf(faults, CARDS, each, (*path, i))


KEYS: Mapping[str, Shape] = {
    "top": Leaf(_steps),
    "bottom": Leaf(_steps),
    "wild": CARDS,
    "suits": NAMES,
    "both": one_of("cancel", "stays"),
}


class StrengthOrder(NamedTuple):
    """How strong cards are. ``place``: of each rank, 0 for the lowest.

    ``beyond``: of special cards above or below all ranks, which no turn of the order moves: from
    the number of ranks on, or below 0. ``wild``: the jokers. ``suits``: the place of each suit.
    ``stays``: an order that is turned for the deal and for the trick is turned.
    """

    ranks: tuple[str, ...]
    place: Mapping[str, int]
    beyond: Mapping[str, int]
    wild: frozenset[str]
    suits: Mapping[str, int]
    stays: bool

    def level(self, rank: str, *, turned: bool) -> int:
        """How strong a rank is, 0 for the weakest."""
        place = self.place[rank]
        return len(self.ranks) - 1 - place if turned else place

    def turned(self, deal: bool, trick: bool) -> bool:
        """Whether the order in force is turned."""
        return (deal or trick) if self.stays else deal != trick
