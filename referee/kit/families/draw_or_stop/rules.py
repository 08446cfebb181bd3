"""The rules of one table: a game file with its house rules, compiled chapter by chapter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.core.verdict import Seat
from referee.kit.chapters import effect, match, scoring
from referee.kit.chapters.effect import EffectRow
from referee.kit.families.draw_or_stop.names import FAMILY, RowCompiler
from referee.kit.table import TableRules
from referee.kit.text.formulas import TableFormulas
from referee.kit.text.scope import SEAT, TABLE, Number
from referee.kit.text.source import RulesSource


class RowDeal(NamedTuple):
    """How a round begins: ``cards`` for each seat, ``burn`` after each shuffle.

    ``reshuffles``: all cards are shuffled before each deal. Whoever has the lowest card leads if
    ``first`` is "lowest".
    """

    cards: Number
    first: str
    reshuffles: bool
    burn: Number


class Stops(NamedTuple):
    """How a player stops. ``stays``, ``folds``: whether that is possible at all.

    ``stay_when``: when staying is; None: always. ``highest``: a fold takes the highest card.
    """

    stays: bool
    stay_when: Number | None
    folds: bool
    highest: bool


class RowRules(TableRules):
    """The compiled rules for a table with these seats and house rules.

    Raises ``Wrong`` if the file makes no game for it.
    """

    def __init__(self, source: RulesSource, seats: tuple[Seat, ...], key: object) -> None:
        super().__init__(source, seats, key)
        self.compiler = RowCompiler(self.vocabulary(FAMILY))
        formulas = TableFormulas(source, self.compiler)
        word = source.word
        self.deal = RowDeal(
            cards=formulas.number(TABLE, "deal", "cards", default=1),
            first=word("deal", "leader", default="rotate"),
            reshuffles=word("deal", "stock", default="deal") == "deal",
            burn=formulas.number(TABLE, "deal", "burn"),
        )
        self.goes_on = word("turn", "go_on", default="no") == "yes"
        self.stops = Stops(
            stays=source.at("stay") is not None,
            stay_when=formulas.only_when(SEAT, "stay", "when"),
            folds=source.at("fold") is not None,
            highest=word("fold", "takes", default="lowest") == "highest",
        )
        self.effects = effect.compiled(formulas, "draw")
        self.acting: Mapping[str, tuple[tuple[int, EffectRow], ...]] = {
            on: tuple((i, row) for i, row in enumerate(self.effects) if row.on == on)
            for on in ("draw", "fold")
        }
        self.scoring = scoring.compiled(formulas)
        self.match = match.compiled(formulas)
        self.steps = formulas.steps
        self.height = {
            card: self.cards.order.index(rank) if rank else -1
            for card, rank in self.cards.rank.items()
        }
        """How high each card is by its rank; −1 for special cards."""
