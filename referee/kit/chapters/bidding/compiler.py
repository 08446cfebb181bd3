"""What sums say of bids, in every family that has them."""

from __future__ import annotations

from collections.abc import Mapping

from referee.kit.text.compiler import Compiler
from referee.kit.text.formula import FormulaText, Node
from referee.kit.text.scope import LEVEL, SAYING, Number
from referee.kit.text.vocabulary import wrong

SAID: Mapping[str, Number] = {
    "this": lambda scope: scope.said,
    "bids": lambda scope: scope.others,
    "last": lambda scope: scope.last,
}
"""Names in the rule that forbids a bid."""


class BiddingCompiler(Compiler):
    """Compiles names and comparisons of bids."""

    def named(self, word: str, node: Node, text: FormulaText, where: str) -> Number | None:
        level = LEVEL[where]
        if where == SAYING and word in SAID:
            return SAID[word]
        if word == "bids" and level >= 1:
            self.needs_bids(node, text)
            return lambda scope: sum(
                scope.state.rules.bidding.worth(said) for said in scope.state.round.bids
            )
        if word == "bid" and level >= 2:
            self.needs_bids(node, text)
            return lambda scope: scope.state.rules.bidding.worth(scope.state.round.bids[scope.seat])
        return super().named(word, node, text, where)

    def bid_is(self, node: Node, text: FormulaText) -> Number:
        """Whether a seat has bid the word of ``node``."""
        word = node.word
        self.needs_bids(node.parts[0], text)
        if word not in self.vocabulary.bids:
            raise wrong(text, node, "kit_unknown", word=word)
        return lambda scope: scope.state.round.bids[scope.seat] == word

    def needs_bids(self, node: Node, text: FormulaText) -> None:
        if not self.vocabulary.has_bids:
            raise wrong(text, node, "kit_no_bids", word=node.word)
