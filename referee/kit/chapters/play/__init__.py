"""``play``: the ladders of what may be led, and what has to be followed with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from referee.core.verdict import Card, Evidence, Legal, Seat
from referee.kit.chapters.deck import Cards, table
from referee.kit.families.trick_taking.state import State
from referee.kit.text.form import CARDS, CONDITION, WORDED, Leaf, Shape, ladder, one_of
from referee.kit.text.formula import FormulaText
from referee.kit.text.formulas import TableFormulas
from referee.kit.text.scope import DEAL, SEAT, Number, Scope, Set

STEP: Mapping[str, Shape] = {
    **WORDED,
    "cards": CARDS,
    "when": CONDITION,
    "order": one_of("low", "high"),
}


KEYS: Mapping[str, Shape] = {
    "lead": Leaf(ladder(STEP)),
    "follow": Leaf(ladder(STEP)),
    "always": CARDS,
    "cannot": one_of("counts", "out", "down"),
}


MOST_KINDS, MOST_VERDICTS = 5000, 20_000
"""How many sets of cards and how many verdicts a table keeps."""


class LadderStep(NamedTuple):
    """A step of a ladder: a card set, in force if ``when`` is true (None: always).

    The first fields are those of a ``CardRow``. ``order``: "low" or "high" if only its lowest or
    highest card counts.
    """

    when: Number | None
    condition: FormulaText | None
    cards: Set
    fixed: int | None
    text: FormulaText
    order: str


class PlayRules(NamedTuple):
    """Which cards may be played.

    ``own_suits``: each seat has a suit of its own, so sets differ from seat to seat. ``beyond``:
    for "low" and "high" and each card, the cards that are lower and higher, if a step needs them.
    """

    lead: tuple[LadderStep, ...]
    follow: tuple[LadderStep, ...]
    always: Set | None
    cannot: str
    own_suits: bool
    beyond: Mapping[str, Mapping[int, int]]
    cards: Cards
    seats: tuple[Seat, ...]
    places: Mapping[Seat, int]
    known: dict[int, frozenset[Card]]
    given: dict[tuple[str, int, str], Legal]

    def ladder(self, state: State) -> tuple[LadderStep, ...]:
        """The ladder for the next card at ``state``."""
        return self.follow if state.trick else self.lead

    def kinds(self, mask: int) -> frozenset[Card]:
        """The cards of ``mask``, as declarations name them."""
        found = self.known.get(mask)
        if found is None:
            if len(self.known) > MOST_KINDS:
                self.known.clear()
            found = self.known[mask] = frozenset(self.cards.kinds(mask))
        return found

    def free(self, ladder: str, k: int, card: str) -> Legal:
        """The verdict on a card that declares nothing about the hand, as most do; cached."""
        found = self.given.get((ladder, k, card))
        if found is None:
            if len(self.given) > MOST_VERDICTS:
                self.given.clear()
            found = Legal(f"{ladder}.{k}", (Evidence("kit_free", {"card": card}),))
            self.given[ladder, k, card] = found
        return found

    def climb(self, state: State, bits: int, seat: Seat = "") -> tuple[str, int, int]:
        """The ladder for a card with these ``bits``, the card's step, and the cards of the steps
        above.

        Steps are 1-based; a card below all steps has one more than their number. The cards above
        are a mask. A card that needs ``play.always`` has the step 1 of the ladder "always", with
        nothing above. In a step for its lowest card, lower cards count as above. ``seat``: the
        player; "" for the seat that is due.
        """
        name, ladder = ("follow", self.follow) if state.trick else ("lead", self.lead)
        if not ladder:
            return name, 1, 0
        above, k = 0, 1
        if self.own_suits and seat and state.due[:1] != (seat,):  # a card out of turn
            state = state._replace(due=(seat, *state.due))
        for when, _, cards, fixed, _, order in ladder:
            if when is None or when(Scope(state, self._place(state, seat))):
                mask = cards(state, None) if fixed is None else fixed
                if mask & bits:
                    if order:
                        above |= mask & self.beyond[order][bits]
                    break
                above |= mask
            k += 1
        if above and self.always is not None and bits & self.always(state, None):
            return "always", 1, 0
        return name, k, above

    def below_all(self, state: State, k: int) -> bool:
        """Whether step ``k`` of ``climb`` is that of a card below all steps."""
        return k > len(self.ladder(state))

    def honest(self, state: State, held: int) -> int:
        """The mask of the cards that may be played from a hand of the cards ``held``.

        These are the cards c of ``held`` for which ``climb`` has no card of ``held`` above c. One
        walk of the ladder finds them all.
        """
        free = held
        for when, _, cards, fixed, _, order in self.ladder(state):
            if when is None or when(Scope(state, self._place(state, ""))):
                found = held & (cards(state, None) if fixed is None else fixed)
                if found:
                    free = self._outermost(found, order) if order else found
                    break
        return free | held & self.always(state, None) if self.always is not None else free

    def _outermost(self, cards: int, order: str) -> int:
        """The lowest ("low") or the highest of these cards."""
        beyond = self.beyond[order].items()
        return sum(bits for bits, others in beyond if cards & bits and not cards & others)

    def asked(self, state: State) -> int:
        """The mask of the first step that applies to the seat due; 0 if any card may be played."""
        for when, _, cards, _, _, _ in self.ladder(state):
            if when is None or when(Scope(state, self._place(state, ""))):
                mask = cards(state, None)
                if mask:
                    return mask
        return 0

    def _place(self, state: State, seat: Seat) -> int:
        return self.places[seat or (state.due[0] if state.due else self.seats[0])]


def compiled(
    formulas: TableFormulas, seats: tuple[Seat, ...], places: Mapping[Seat, int]
) -> PlayRules:
    """The rules of this chapter; raises ``Wrong``."""
    lead, follow = tuple(_ladder(formulas, "lead")), tuple(_ladder(formulas, "follow"))
    ordered = any(step.order for step in (*lead, *follow))
    return PlayRules(
        lead=lead,
        follow=follow,
        always=formulas.mask(DEAL, "play", "always"),
        cannot=formulas.source.word("play", "cannot", default="counts"),
        own_suits=False,
        beyond=_beyond(formulas.cards) if ordered else {},
        cards=formulas.cards,
        seats=seats,
        places=places,
        known={},
        given={},
    )


def _ladder(formulas: TableFormulas, name: str) -> Iterator[LadderStep]:
    for i in formulas.rows("play", name):
        row = formulas.row(SEAT, "play", name, i, cards=DEAL)
        order = str(table(formulas.source.at("play", name, i)).get("order", ""))
        yield LadderStep(*row, order=order)


def _beyond(cards: Cards) -> dict[str, dict[int, int]]:
    """For each card, the cards that are lower ("low") and higher ("high")."""
    kinds = {str(card): bits for card, bits in cards.bits.items()}
    level: dict[int, int] = {}
    for card, bits in kinds.items():
        level[cards.strength[card]] = level.get(cards.strength[card], 0) | bits
    below: dict[int, int] = {}
    lower = 0
    for grade in sorted(level):
        below[grade], lower = lower, lower | level[grade]
    low = {bits: below[cards.strength[card]] for card, bits in kinds.items()}
    high = {
        bits: cards.full & ~low[bits] & ~level[cards.strength[card]] for card, bits in kinds.items()
    }
    return {"low": low, "high": high}
