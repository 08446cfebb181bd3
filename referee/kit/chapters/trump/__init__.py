"""``trump``: what decides the trump suit, and which cards change it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from referee.core.verdict import Seat
from referee.kit.chapters.deck import Cards, table, words
from referee.kit.families.trick_taking.state import Laid, State
from referee.kit.text import formula
from referee.kit.text.faults import Path, Wrong, dotted
from referee.kit.text.form import (
    CARDS,
    CONDITION,
    NAME,
    NAMES,
    FileFaults,
    Leaf,
    Shape,
    check_word,
    each_of,
    ladder,
    one_of,
)
from referee.kit.text.formula import FormulaText
from referee.kit.text.formulas import TableFormulas
from referee.kit.text.scope import CARD, DEAL, SEAT, Number, Scope, Set
from referee.kit.text.toml import Value


def _turned(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    for _, inner, at in each_of(faults, value, path, 100):
        check_word(faults, leaf, inner, at)


CHANGE: Mapping[str, Shape] = {
    "cards": CARDS,
    "when": CONDITION,
    "per": one_of("card", "trick"),
    "suit": NAME,
}


KEYS: Mapping[str, Shape] = {
    "from": one_of(
        *("none", "fixed", "turn_up", "named", "bid", "first_discard", "cycle", "last_trick")
    ),
    "suit": NAME,
    "suits": NAMES,
    "by": one_of("dealer", "leader", "highest_bid"),
    "special": Leaf(_turned, ("dealer", "none")),
    "none_when": CONDITION,
    "change": Leaf(ladder(CHANGE)),
}


class TrumpChange(NamedTuple):
    """Cards that change the trump suit in a deal: a row of ``trump.change``.

    The first fields are those of a ``CardRow``. ``number``: its place in the list. ``suit``: "" for
    the suit of the card, "named" if its player names one, else a suit or "none".
    """

    when: Number | None
    condition: FormulaText | None
    cards: Set
    fixed: int | None
    text: FormulaText
    number: int
    suit: str


class TrumpRules(NamedTuple):
    """How a deal gets its trump suit, and loses it.

    ``source``: what decides it (``trump.from``). ``special``: what special cards that are turned up
    decide. ``none_by_bids``: bids decide whether there is a trump suit, so it is not known before
    them. ``nameable``: the suits that can be named, and "none".
    """

    source: str
    by: str
    suit: str
    cycle: tuple[str, ...]
    nameable: tuple[str, ...]
    special: Mapping[str, str]
    none_when: Number | None
    none_by_bids: bool
    at_once: tuple[TrumpChange, ...]
    after_trick: tuple[TrumpChange, ...]
    cards: Cards
    places: Mapping[Seat, int]

    @property
    def any(self) -> bool:
        """Whether a deal can have a trump suit."""
        return self.source != "none" or bool(self.at_once or self.after_trick)

    def without(self, state: State) -> bool:
        """Whether the deal of ``state`` has no trump suit, whatever would make one."""
        return self.none_when is not None and bool(self.none_when(Scope(state)))

    def after(self, state: State, laid: Laid) -> str | None:
        """The trump suit after ``laid``, which may be the first discard."""
        if self.source == "first_discard" and state.trump is None and state.led and laid.card:
            suit = self.cards.suit
            other = suit[laid.card] and suit[laid.card] != suit[state.led]
            if other and not self.without(state):
                return suit[laid.card]
        return state.trump

    def change(self, state: State) -> TrumpChange | None:
        """The row of ``trump.change`` by which the last card of the trick changes the trump suit at
        once; None if it does not.
        """
        laid = state.trick[-1]
        if not laid.card or laid.down or self.without(state):
            return None
        bits, scope = self.cards.bits[laid.card], Scope(state, self.places[laid.seat])
        for change in self.at_once:
            if bits & change.cards(state, scope) and (change.when is None or change.when(scope)):
                return change
        return None

    def changed(self, change: TrumpChange, card: str, trump: str | None) -> str | None:
        """The trump suit after ``card`` has changed ``trump``; as before until one is named."""
        if change.suit == "named":
            return trump
        suit = change.suit or self.cards.suit[card]
        return suit if suit in self.cards.suits else None


def compiled(
    formulas: TableFormulas, bid_suits: Mapping[str, str], places: Mapping[Seat, int]
) -> TrumpRules:
    """The rules of this chapter; raises ``Wrong``. ``bid_suits``: the suits of words for bids."""
    at, word, cards = formulas.source.at, formulas.source.word, formulas.cards
    cycle = tuple(words(at("trump", "suits")))
    none_when = formulas.condition(DEAL, "trump", "none_when")
    rules = TrumpRules(
        source=word("trump", "from", default="none"),
        by=word("trump", "by", default="dealer"),
        suit=word("trump", "suit", default=""),
        cycle=cycle,
        nameable=cycle or (*cards.suits, "none"),
        special={key: str(value) for key, value in table(at("trump", "special")).items()},
        none_when=none_when,
        none_by_bids=_asks_for_bids(formulas),
        at_once=tuple(_changes(formulas, "card", SEAT)),
        after_trick=tuple(_changes(formulas, "trick", CARD)),
        cards=cards,
        places=places,
    )
    _suits(formulas, rules, bid_suits)
    return rules


def _asks_for_bids(formulas: TableFormulas) -> bool:
    text = formulas.source.text("condition", "trump", "none_when")
    return text is not None and any(
        node.word in ("bid", "bids") and node.op == "name"
        for node in formula.walk_named(text.node, formulas.compiler.values)
    )


def _changes(formulas: TableFormulas, per: str, where: str) -> Iterator[TrumpChange]:
    """The rows of ``trump.change`` that count for each card, or after each trick."""
    for i in formulas.rows("trump", "change"):
        more = table(formulas.source.at("trump", "change", i))
        if str(more.get("per", "card")) != per:
            continue
        try:
            row = formulas.row(where, "trump", "change", i)
        except Wrong as wrong:
            if wrong.fact == "kit_not_here" and where == SEAT and wrong.path.endswith("when"):
                wrong.fact = "kit_after_trick"  # such as whether the card wins
            raise
        yield TrumpChange(*row, number=i, suit=str(more.get("suit", "")))


def _suits(formulas: TableFormulas, rules: TrumpRules, bid_suits: Mapping[str, str]) -> None:
    """Raise ``Wrong`` for a suit that the deck lacks, or where none is written."""
    fixed, place = rules.source == "fixed", formulas.source.place
    if fixed and not rules.suit:
        raise Wrong("kit_missing", place(("trump",)), "trump", key="trump.suit")
    written: list[tuple[str, Path]] = [
        (suit, ("trump", "suit" if fixed else "suits"))
        for suit in ((rules.suit,) if fixed else rules.cycle)
    ]
    written += [(suit, ("bid", "special", bid, "suit")) for bid, suit in bid_suits.items()]
    written += [
        (change.suit, ("trump", "change", change.number, "suit"))
        for change in (*rules.at_once, *rules.after_trick)
        if change.suit not in ("", "named")
    ]
    for suit, path in written:
        if suit not in rules.cards.suits and suit != "none":
            raise _no_suit(formulas, path, suit)
    if rules.source == "bid" and not bid_suits:
        at = place(("trump", "from"))
        raise Wrong("kit_missing", at, "trump", key="bid.special.….suit")
    if rules.source == "cycle" and not rules.cycle:
        raise Wrong("kit_missing", place(("trump",)), "trump", key="trump.suits")


def _no_suit(formulas: TableFormulas, path: Path, suit: str) -> Wrong:
    """The fault of a suit at ``path`` that the deck does not have."""
    fact, values = formulas.compiler.vocabulary.no_suit(suit)
    suits, change = formulas.cards.suits, path[:2] == ("trump", "change")
    if suits and (change or values.get("near") in ("led", "trump", "showing")):
        known = (*suits, "none", *(["named"] if change else []))
        fact, values = "kit_one_of", {"value": suit, "words": known}
    return Wrong(fact, formulas.source.place(path), dotted(path), **values)
