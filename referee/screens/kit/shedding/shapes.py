"""How a play can be entered: by number, by combination, or card by card."""

from __future__ import annotations

from referee.core.verdict import Seat
from referee.http import language
from referee.kit.chapters.deck import table
from referee.kit.families.shedding.combinations import Combination
from referee.kit.families.shedding.evidence import rules_of
from referee.kit.families.shedding.rules import SheddingRules
from referee.kit.families.shedding.state import State
from referee.kit.saying import text_of
from referee.screens.kit.shedding.keys import EACH, FREE


class Shapes:
    """What can be entered now. ``usual``: the mode of the pad without taps; ``modes``: all of them.

    ``exact``: combinations of given cards, which a key plays; ``combos``: all of them, by name.
    """

    def __init__(self, state: State, *, rows: bool) -> None:
        self.state, self.rules, self.rows = state, rules_of(state), rows
        top = state.trick.top
        combos = self.rules.reading.combos
        over = combos if top is None else [c for c in combos if top.reading.combo.name in c.over]
        self._over = over
        self.combos = {combo.name: combo for combo in combos}
        self.exact = tuple(combo for combo in over if combo.cards)
        self.usual = self._usual()
        modes = [self.usual]
        if rows:
            modes += [combo.name for combo in over if _is_suited_run(combo)]
            modes += [FREE] * (top is not None and any(not c.cards for c in over))
        else:
            modes += [str(n) for n in self._numbers(over)]
            modes += [combo.name for combo in over if not (self.simple(combo) or combo.cards)]
            odd = any(c.any or c.runs or c.kicked for c in over)
            modes += [FREE] * (odd and (top is None or bool(over)))
        self.modes = tuple(dict.fromkeys(modes))

    def _usual(self) -> str:
        top = self.state.trick.top
        if top is None:
            return EACH if self.rows else "1"
        combo = top.reading.combo
        if self.rows:
            return combo.name if _is_suited_run(combo) else EACH
        if self.simple(combo):
            return str(top.reading.size)
        shaped = combo.name in self.combos and not (combo.any or combo.cards)
        return combo.name if shaped else EACH

    def _numbers(self, combos: list[Combination] | tuple[Combination, ...]) -> list[int]:
        """The numbers of equal cards that can be played as one of these."""
        deck, ranks = self.rules.cards.deck, self.rules.cards.ranks
        held = max(self.state.round.held)
        most = max(
            sum(deck.copies[deck.place[c]] for c in self.rules.cards.kinds(m))
            for m in ranks.values()
        ) + len(self.rules.order.wild)
        return [
            number
            for number in range(1, min(most, held) + 1)
            if any(self.simple(combo) and number in combo.same for combo in combos)
        ]

    def simple(self, combo: Combination) -> bool:
        """Whether it is so many equal cards."""
        return not (combo.runs or combo.kicked or combo.any or combo.cards)

    def length(self, combo: Combination) -> int:
        """How many ranks it has now; 0 if it is open."""
        top = self.state.trick.top
        if top is not None and top.reading.combo.name == combo.name and "length" not in combo.by:
            return top.reading.length
        if not combo.runs:
            return 1
        return combo.run.few if combo.run.few == combo.run.many else 0

    def size(self, combo: Combination) -> int:
        """How many cards of each rank it has now."""
        top = self.state.trick.top
        same = top is not None and top.reading.combo.name == combo.name
        return top.reading.size if top is not None and same else combo.same.few

    def most(self, seat: Seat) -> int:
        """How many cards a play of ``seat`` can have at most, by its hand and by the shapes."""
        held = self.state.round.held[self.rules.index[seat]]
        return max(1, min(held, max(map(most_cards, self._over), default=held)))


def most_cards(combo: Combination) -> int:
    """How many cards a combination can have at most."""
    groups = combo.kickers or combo.run.many
    of_shape = combo.same.many * combo.run.many + combo.kicked * groups
    return combo.any or len(combo.cards) or of_shape


def combo_title(rules: SheddingRules, combo: Combination) -> str:
    """The name of a combination in the file."""
    row = table(table(rules.source.at("combo")).get(combo.name))
    return text_of(row).in_(language.current()) or combo.name.replace("_", " ")


def _is_suited_run(combo: Combination) -> bool:
    """Whether it is entered by its first and last card."""
    return combo.runs and combo.suited and not combo.kicked and combo.same.few == 1
