"""Claiming the rest of a deal: a file has no table for it, it follows from the others."""

from __future__ import annotations

from typing import NamedTuple

from referee.kit.chapters.deal import DealRules
from referee.kit.chapters.leaving import LeaveRules
from referee.kit.chapters.scoring.counted import by_points
from referee.kit.chapters.trick import TrickRules
from referee.kit.text.formulas import TableFormulas


class ClaimRules(NamedTuple):
    """Whether a seat may claim all tricks that are left (``possible``).

    ``plain``: the cards led and played alone decide a trick, so claims can be proven or refuted.
    ``steady``: no card that is played changes which cards beat which. ``own_suits``: this depends
    on who plays them.
    """

    possible: bool
    plain: bool
    steady: bool
    own_suits: bool


def compiled(
    formulas: TableFormulas, deal: DealRules, leaving: LeaveRules, trick: TrickRules
) -> ClaimRules:
    """The rules of this chapter."""
    at, trump = formulas.source.at, trick.trump
    counted = not by_points(formulas.source.document.values)
    sets = all(
        best.when is None and best.pick == 1 and not best.by_row and not best.by_turn
        for best in trick.classes
    )
    return ClaimRules(
        possible=counted
        and leaving.when is None
        and not deal.draws
        and trump.source != "last_trick",
        plain=sets
        and trick.equals.how in ("first", "last")
        and not (trump.at_once or trump.after_trick)
        and not at("deck", "special")
        and at("play", "cannot") is None,
        steady=not any(map(formulas.uses, ("number", "showing", "suit showing"))),
        own_suits=formulas.uses("suit bid"),
    )
