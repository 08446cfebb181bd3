"""``leave``: players who sit a deal out, or leave it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.kit.chapters.deal import DealRules
from referee.kit.text.faults import Wrong
from referee.kit.text.form import CONDITION, Shape
from referee.kit.text.formulas import TableFormulas
from referee.kit.text.scope import SEAT, Number

KEYS: Mapping[str, Shape] = {"when": CONDITION, "first": CONDITION}


class LeaveRules(NamedTuple):
    """Who leaves after a trick (``when``) and before the first one (``first``); None: nobody."""

    when: Number | None
    first: Number | None


def compiled(formulas: TableFormulas) -> LeaveRules:
    """The rules of this chapter; raises ``Wrong``."""
    return LeaveRules(
        formulas.condition(SEAT, "leave", "when"), formulas.condition(SEAT, "leave", "first")
    )


def excludes(formulas: TableFormulas, leaving: LeaveRules, deal: DealRules) -> None:
    """Raise ``Wrong`` if players can sit out while the holder of a card has to lead."""
    if leaving.first is not None and deal.first == "holder":
        raise Wrong("kit_fold_holder", formulas.source.place(("leave", "first")), "leave.first")
