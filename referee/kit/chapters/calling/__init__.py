"""``call``: a card that a player calls, whose holder is the partner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.kit.families.trick_taking.state import State
from referee.kit.text.faults import Wrong
from referee.kit.text.form import CARDS, Shape, one_of
from referee.kit.text.formulas import TableFormulas
from referee.kit.text.scope import DEAL, Set

KEYS: Mapping[str, Shape] = {"by": one_of("dealer", "leader", "highest_bid"), "cards": CARDS}


class CallRules(NamedTuple):
    """Who calls a card ("": nobody), and from which set; ``full``: the mask of all cards."""

    by: str
    cards: Set | None
    full: int

    def allowed(self, state: State) -> int:
        """The mask of the cards that may be called; all cards if the file's set is empty now."""
        mask = self.cards(state, None) if self.cards is not None else 0
        return mask or self.full


def compiled(formulas: TableFormulas) -> CallRules:
    """The rules of this chapter; raises ``Wrong``."""
    source = formulas.source
    made = source.at("call") is not None
    by = source.word("call", "by", default="") if made else ""
    if made and not by:
        raise Wrong("kit_missing", source.place(("call",)), "call", key="call.by")
    return CallRules(by, formulas.mask(DEAL, "call", "cards"), formulas.cards.full)
