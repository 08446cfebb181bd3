"""``match``: when a match ends, who is out of it, and who wins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.kit.chapters.deal import DealRules
from referee.kit.chapters.passing import PassRules
from referee.kit.text.faults import Path, Wrong, dotted
from referee.kit.text.form import CONDITION, SUM, Shape, one_of
from referee.kit.text.formulas import TableFormulas
from referee.kit.text.scope import DEAL, SEAT, TABLE, Number, Scope

MOST_DEALS = 1000


KEYS: Mapping[str, Shape] = {
    "deals": SUM._replace(by_seats=True),
    "until": CONDITION,
    "out": CONDITION,
    "winner": one_of("most", "least"),
}

LOSER: Mapping[str, Shape] = {"loser": one_of("most", "least")}
"""A key of families in which somebody can lose and nobody win."""


class MatchRules(NamedTuple):
    """When a match ends: after a number of deals, under a condition, or both.

    ``out``: the condition of a seat that is out of the match. ``fewest``: the fewest points are
    best. ``loses``: who is worst loses, and nobody wins.
    """

    deals: Number | None
    until: Number | None
    out: Number | None
    fewest: bool
    loses: bool

    def deal_count(self, scope: Scope) -> int | None:
        """The highest number of deals in a match; None if only a condition ends it."""
        return max(1, min(self.deals(scope), MOST_DEALS)) if self.deals else None


def compiled(formulas: TableFormulas) -> MatchRules:
    """The rules of this chapter; raises ``Wrong``."""
    source = formulas.source
    loser = source.word("match", "loser", default="")
    deals = source.at("match", "deals")
    return MatchRules(
        deals=formulas.number(TABLE, "match", "deals") if deals is not None else None,
        until=formulas.condition(DEAL, "match", "until"),
        out=formulas.condition(SEAT, "match", "out"),
        fewest=loser == "most" or source.word("match", "winner", default="most") == "least",
        loses=bool(loser),
    )


def excludes(
    formulas: TableFormulas, match: MatchRules, passing: PassRules, deal: DealRules
) -> None:
    """Raise ``Wrong`` for rules that cannot be kept while seats are out of the match."""
    barred: dict[Path, bool] = {
        ("pass",): bool(passing.ways),
        ("deal", "draw"): deal.draws,
        ("deal", "leader"): deal.first == "holder",
    }
    for path, found in barred.items():
        if match.out is not None and found:
            raise Wrong("kit_out_with", formulas.source.place(path), dotted(path))
