"""The rules of one table: a game file with its house rules, compiled chapter by chapter.

``Rules`` is made once for a table and never changes.
"""

from __future__ import annotations

from referee.core.verdict import Seat
from referee.kit.chapters import (
    bidding,
    calling,
    claiming,
    deal,
    leaving,
    match,
    passing,
    play,
    scoring,
    trick,
    trump,
)
from referee.kit.families.trick_taking.compiler import TrickCompiler
from referee.kit.families.trick_taking.names import FAMILY
from referee.kit.families.trick_taking.state import State
from referee.kit.table import TableRules
from referee.kit.text.formulas import TableFormulas
from referee.kit.text.source import RulesSource


class Rules(TableRules):
    """The compiled rules for a table with these seats and house rules, a field for each chapter.

    Raises ``Wrong`` if the file makes no game for it.
    """

    def __init__(self, source: RulesSource, seats: tuple[Seat, ...], key: object) -> None:
        super().__init__(source, seats, key)
        words = bidding.words(source)
        vocabulary = self.vocabulary(FAMILY)._replace(
            bids=words.worth,
            has_bids=source.at("bid") is not None,
            calls=source.at("call") is not None,
            bid_suits=words.suits,
        )
        self.compiler = TrickCompiler(vocabulary)
        formulas = TableFormulas(source, self.compiler)
        self.deal = deal.compiled(formulas)
        self.passing = passing.compiled(formulas)
        self.bidding = bidding.compiled(formulas, words)
        deal.draws_with(formulas, self.deal, "aside" in self.passing.ways)
        passing.followed(formulas, self.passing, self.deal)
        self.trump = trump.compiled(formulas, words.suits, self.index)
        self.call = calling.compiled(formulas)
        self._tricks(formulas)
        self.scoring = scoring.compiled(formulas)
        self.match = match.compiled(formulas)
        match.excludes(formulas, self.match, self.passing, self.deal)
        leaving.excludes(formulas, self.leaving, self.deal)
        self.claims = claiming.compiled(formulas, self.deal, self.leaving, self.trick)
        self.steps = formulas.steps
        self._keep(formulas)

    def _tricks(self, formulas: TableFormulas) -> None:
        """The rules of play, of who wins, and of who leaves."""
        played = play.compiled(formulas, self.seats, self.index)
        won = trick.compiled(formulas, self.trump, self.seats, self.index)
        self.leaving = leaving.compiled(formulas)
        trick.no_circle(formulas, won)
        own_suits = formulas.uses("suit bid")
        self.play = played._replace(own_suits=own_suits)
        simple = trick.is_simple(formulas, won, own_suits)
        self.trick = won._replace(own_suits=own_suits, simple=simple)

    def _keep(self, formulas: TableFormulas) -> None:
        """What states keep, since a sum or a set uses it."""
        keeps = trick.KeptCards(
            pile=formulas.uses("laid"),
            own=formulas.uses("own"),
            rows=self.trick.keeps.rows,
            showing=formulas.uses("showing"),
        )
        self.trick = self.trick._replace(keeps=keeps)
        self.asks_what_beats = formulas.uses("beats")

    # What sums ask of the rules (``RulesOfSums``).

    def suit_bid(self, state: State, place: int) -> int:
        """The mask of the suit of the bid of the seat with the index ``place``."""
        suit = self.bidding.words.suits.get(state.round.bids[place] or "", "")
        return self.cards.suits.get(suit, 0)

    def winning(self, state: State) -> int | None:
        """The index of the seat that wins the trick of ``state`` so far; None if nobody does."""
        return self.trick.winning(state)

    def beating(self, state: State) -> int:
        """The mask of the cards that would win the trick if they were played now."""
        return self.trick.beating(state)

    @property
    def one_bids_highest(self) -> bool:
        """Whether the highest bidder, or the one player who bids, plays against the others."""
        bids = self.bidding
        names = (self.call.by, self.trump.by if self.trump.source == "named" else "")
        alone = bids.by != "all" or bids.auction or bids.decide_leader
        return bids.made and (alone or self.trump.source == "bid" or "highest_bid" in names)
