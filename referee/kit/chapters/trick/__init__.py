"""``trick``: which card wins a trick, what equal cards do, and who leads the next one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import NamedTuple, TypeVar

from referee.core.cards import Bag
from referee.core.verdict import Seat
from referee.kit.chapters.deck import Cards, table
from referee.kit.chapters.trump import TrumpRules
from referee.kit.families.trick_taking.state import Laid, State
from referee.kit.text import formula
from referee.kit.text.faults import Path, Wrong, dotted
from referee.kit.text.form import (
    CARDS,
    CONDITION,
    NUMBER,
    WORDED,
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
from referee.kit.text.scope import DEAL, Number, Scope, Set
from referee.kit.text.toml import Value

CLASS: Mapping[str, Shape] = {
    **WORDED,
    "cards": CARDS,
    "when": CONDITION,
    "order": one_of("high", "low", "first", "last"),
    "by": one_of("rank", "row"),
    "pick": NUMBER,
}


CLASSES = Leaf(ladder(CLASS))


def _classes_or_word(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    (CLASSES.check if isinstance(value, list) else check_word)(faults, leaf, value, path)


def _digits(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    for _, inner, at in each_of(faults, value, path, 200):
        if not isinstance(inner, str) or not re.fullmatch("[0-9]{1,3}", inner):
            faults.add("kit_digits", at)


KEYS: Mapping[str, Shape] = {
    "best": CLASSES,
    "equal": one_of("first", "last", "cancel", "turn_down"),
    "equal_by": one_of("card", "rank"),
    "row": one_of("front", "back", "sorted"),
    "digits": Leaf(_digits),
    "none": one_of("nobody", "last"),
    "next": Leaf(_classes_or_word, ("winner", "same", "left")),
    "next_none": one_of("same", "left"),
}


T = TypeVar("T")

LOW = frozenset(("low", "first"))
"""The orders in which the lowest, or the earliest, card of a winning set is the best."""
BY_TURN = frozenset(("first", "last"))
"""The orders of a winning set by when its cards are played."""


class Equals(NamedTuple):
    """What equal cards do to each other; ``key``: what makes two cards equal, by card."""

    how: str
    key: Mapping[str, str]


class RowNumbers(NamedTuple):
    """How a row of cards is read as one number: from which end, and the digits of each card."""

    order: str
    digits: Mapping[str, str]
    value: Mapping[str, int]

    def of(self, row: tuple[str, ...]) -> tuple[int, str]:
        """A row read as one number: its length and its digits; such pairs compare as the numbers
        do.
        """
        cards = row
        if self.order == "front":
            cards = row[::-1]
        elif self.order == "sorted":
            cards = tuple(sorted(row, key=lambda card: -self.value[card]))
        digits = "".join([self.digits[card] for card in cards]).lstrip("0")
        return len(digits), digits


class KeptCards(NamedTuple):
    """What a state keeps of the cards played, because sums or classes use it."""

    pile: bool
    own: bool
    rows: bool
    showing: bool


def of_last_state(method: Callable[[TrickRules, State], T]) -> Callable[[TrickRules, State], T]:
    """A method that caches its last answer: the steps of a ladder ask repeatedly about a state.

    All rules share this one answer. If rules kept a state of their own, which refers to them, they
    would stay in memory until the garbage collector searches all that a server has in memory.
    Thread-safe: the cache is one tuple, which is read once.
    """
    last: tuple[State, T] | None = None

    @wraps(method)
    def cached(rules: TrickRules, state: State) -> T:
        nonlocal last
        found = last
        if found is None or found[0] is not state:
            found = last = (state, method(rules, state))
        return found[1]

    return cached


class Class(NamedTuple):
    """A class of cards that win or lead: the ``pick``-th best; ``low``: the lowest is best.

    ``when`` and ``condition``: when it counts, compiled and as written. ``cards``, ``text`` and
    ``fixed``: its set, compiled, as written, and its mask if it is constant. ``by_turn``: the card
    that is played last is best, with ``low`` the one that is played first. ``plain``: the card of
    the highest or lowest rank wins. ``nobody``: its set is ``none``, so nobody wins if it counts.
    """

    when: Number | None
    condition: FormulaText | None
    cards: Set
    fixed: int | None
    text: FormulaText
    low: bool
    by_row: bool
    by_turn: bool
    pick: int
    plain: bool
    nobody: bool

    @property
    def texts(self) -> list[FormulaText]:
        """The set and the condition, as written."""
        return [self.text] if self.condition is None else [self.text, self.condition]


class TrickRules(NamedTuple):
    """Who wins a trick, and who leads the next one.

    ``classes`` and ``leads``: the classes of ``trick.best`` and of ``trick.next``, if that is a
    list. ``somebody_leads``: the latter always name somebody. ``simple``: a card that is played
    changes nothing about which cards win. ``own_suits``: as in ``PlayRules``. ``graded``: a cache.
    """

    classes: tuple[Class, ...]
    leads: tuple[Class, ...]
    somebody_leads: bool
    equals: Equals
    row_numbers: RowNumbers
    nobody_last: bool
    next: str
    next_none: str
    simple: bool
    own_suits: bool
    keeps: KeptCards
    cards: Cards
    trump: TrumpRules
    seats: tuple[Seat, ...]
    places: Mapping[Seat, int]
    graded: dict[int, tuple[int, int]]

    def winner(self, state: State) -> Laid | None:
        """The card that wins the trick of ``state`` so far; None if none does."""
        found = self.decided(state)
        return found[1] if found else None

    @of_last_state
    def winning(self, state: State) -> int | None:
        """The index of the seat that wins the trick of ``state`` so far; None if nobody does."""
        best = self.winner(state)
        return self.places[best.seat] if best else None

    def decided(self, state: State) -> tuple[int, Laid | None] | None:
        """The class that decides the trick of ``state`` so far, and the winning card; None if none.

        The class is its 0-based index in ``classes``. A class that says that nobody wins has no
        card.
        """
        live = [laid for laid in state.trick if not laid.out and not laid.down]
        if self.equals.how == "cancel" and live:
            key = self.equals.key
            keys = [key[laid.card] or laid.card for laid in live]
            live = [laid for laid, each in zip(live, keys, strict=True) if keys.count(each) == 1]
        return self._first_of(self.classes, state, live)

    def leading(self, state: State) -> tuple[int, Laid | None] | None:
        """The class of ``trick.next`` that decides who leads after the full trick of ``state``, and
        the card whose player leads; None if none does. Cards that cannot win count, too.
        """
        return self._first_of(self.leads, state, [laid for laid in state.trick if not laid.down])

    def _first_of(
        self, classes: tuple[Class, ...], state: State, live: list[Laid]
    ) -> tuple[int, Laid | None] | None:
        """The first class that has cards among ``live``, as its index, and its best card; no card
        for a class that says that nobody wins.
        """
        for number, best in enumerate(classes):
            if best.when is not None and not best.when(Scope(state)):
                continue
            if best.nobody:
                return number, None
            among = self.among(best, state, live)
            if not among:
                continue
            if best.plain:
                grades_of = self.cards.strength
                grade_of = [grades_of[laid.card] for laid in among]
                top_grade = min(grade_of) if best.low else max(grade_of)
                if self.equals.how == "last":
                    grade_of, among = grade_of[::-1], among[::-1]
                return number, among[grade_of.index(top_grade)]
            strength = self._strengths(state, best, among)
            grades = sorted(set(strength), reverse=not best.low)
            if len(grades) >= best.pick:
                grade = grades[best.pick - 1]
                top = [laid for laid, each in zip(among, strength, strict=True) if each == grade]
                return number, top[-1 if self.equals.how == "last" else 0]
        return None

    def among(self, best: Class, state: State, live: list[Laid]) -> list[Laid]:
        """The cards of a class among ``live``."""
        bits = self.cards.bits
        if self.own_suits:
            return [laid for laid in live if bits[laid.card] & self._of_seat(best, state, laid)]
        mask = best.cards(state, None)
        return [laid for laid in live if bits[laid.card] & mask]

    def _of_seat(self, best: Class, state: State, laid: Laid) -> int:
        """The mask of a class for the player of ``laid``."""
        return best.cards(state, Scope(state, self.places[laid.seat]))

    def _strengths(self, state: State, best: Class, among: list[Laid]) -> list[tuple[int, str]]:
        """A sort key for each of the cards ``among``, lowest first, by rank, row or turn."""
        if best.by_turn:
            return [(turn, "") for turn in range(len(among))]
        if not best.by_row:
            strength = self.cards.strength
            return [(strength[laid.card], "") for laid in among]
        return [self.row_numbers.of(state.rows[self.places[laid.seat]]) for laid in among]

    @of_last_state
    def beating(self, state: State) -> int:
        """The mask of the cards that would win the trick if they were played now."""
        # if the card led has no suit, the next card may decide the suit led, and so win
        simple = self.simple and state.led is not None
        return self._beaten_by(state) if simple else self._tried(state)

    def _beaten_by(self, state: State) -> int:
        """As ``_tried``, for classes that always apply and compare ranks."""
        cards = self.cards
        winner = self.winner(state)
        mask = above = 0
        for best in self.classes:
            here = best.cards(state, None) & ~above
            if winner is not None and cards.bits[winner.card] & here:
                alike, lower = self._than(cards.strength[winner.card])
                beyond = lower if best.low else ~(lower | alike)
                return mask | here & (beyond | alike if self.equals.how == "last" else beyond)
            mask |= here
            above |= here
        return mask

    def _than(self, grade: int) -> tuple[int, int]:
        """The masks of the cards of strength ``grade`` and of the weaker ones; cached."""
        found = self.graded.get(grade)
        if found is None:
            alike = lower = 0
            for card, bits in self.cards.bits.items():
                strength = self.cards.strength[str(card)]
                alike |= bits * (strength == grade)
                lower |= bits * (strength < grade)
            found = self.graded[grade] = (alike, lower)
        return found

    def _tried(self, state: State) -> int:
        """The mask of the cards that would win the trick, found by playing each of them."""
        mask = 0
        seat = state.due[0] if state.due else self.seats[0]
        for card, bits in self.cards.bits.items():
            laid = Laid(seat, str(card), state.at + 1)
            after = self.lying(state, laid)
            if self.winner(after) is after.trick[-1]:
                mask |= bits
        return mask

    def lying(self, state: State, laid: Laid) -> State:
        """``state`` with one more card in the trick, in all that decides who wins."""
        trick = self.with_card(state, laid)
        trump, led = self.trump.after(state, laid), self.led(state.led, laid)
        lies = state._replace(trick=trick, rows=self.rows(state, laid), led=led, trump=trump)
        if self.keeps.showing and laid.card:
            lies = lies._replace(showing=self.showing(trick, state.showing))
        if not self.trump.at_once or not laid.card:
            return lies
        lies = lies._replace(pile=self.pile(state, laid.card), own=self.own(state, laid))
        change = self.trump.change(lies)
        return lies._replace(trump=self.trump.changed(change, laid.card, trump)) if change else lies

    def showing(self, trick: tuple[Laid, ...], before: int) -> int:
        """The mask of the numbers that lie face up in ``trick``; ``before``: without its last card.
        Nothing if the rules do not use it.
        """
        ranks, rank = self.cards.ranks, self.cards.rank
        if not self.keeps.showing:
            return before
        if not trick[-1].down:
            return before | ranks.get(rank[trick[-1].card], 0)
        mask = 0
        for laid in trick:
            if not laid.down and rank[laid.card]:
                mask |= ranks[rank[laid.card]]
        return mask

    def pile(self, state: State, card: str) -> Bag:
        """The cards played in this deal, with one more; nothing if the rules do not use them."""
        return state.pile + self.cards.deck.one[card] if self.keeps.pile else state.pile

    def own(self, state: State, laid: Laid) -> tuple[Bag, ...]:
        """The cards played by each seat, with one more; as ``pile``."""
        if not self.keeps.own:
            return state.own
        i, own = self.places[laid.seat], state.own
        return (*own[:i], own[i] + self.cards.deck.one[laid.card], *own[i + 1 :])

    def rows(self, state: State, laid: Laid) -> tuple[tuple[str, ...], ...]:
        """The rows of all seats after ``laid``."""
        rows = state.rows
        if not self.keeps.rows or not laid.card:
            return rows
        i = self.places[laid.seat]
        return (*rows[:i], (*rows[i], laid.card), *rows[i + 1 :])

    def with_card(self, state: State, laid: Laid) -> tuple[Laid, ...]:
        """The trick with one more card; two equal ones may turn each other face down."""
        trick = state.trick
        if self.equals.how == "turn_down" and laid.card and not laid.out:
            key = self.equals.key
            for i, other in enumerate(trick):
                if other.card and not other.down and key[other.card] == key[laid.card]:
                    turned = other._replace(out=True, down=True)
                    laid = laid._replace(out=True, down=True)
                    return (*trick[:i], turned, *trick[i + 1 :], laid)
        return (*trick, laid)

    def led(self, led: str | None, laid: Laid) -> str | None:
        """The card that decides the suit led after ``laid``; ``led`` before it, as in ``State``."""
        if led is not None or not laid.card:
            return led
        kind = self.cards.led.get(laid.card)
        if kind is None:
            return laid.card
        return None if kind == "skip" else ""


def compiled(
    formulas: TableFormulas, trump: TrumpRules, seats: tuple[Seat, ...], places: Mapping[Seat, int]
) -> TrickRules:
    """The rules of this chapter; raises ``Wrong``."""
    word, cards = formulas.source.word, formulas.cards
    classes, leads = tuple(_classes(formulas, "best")), tuple(_classes(formulas, "next"))
    by_rank = word("trick", "equal_by", default="card") == "rank"
    digits = {k: str(v) for k, v in table(formulas.source.at("trick", "digits")).items()}
    return TrickRules(
        classes=classes,
        leads=leads,
        somebody_leads=any(
            each.when is None and each.pick == 1 and each.fixed == cards.full for each in leads
        ),
        equals=Equals(
            word("trick", "equal", default="first"),
            cards.rank if by_rank else {card: card for card in cards.suit},
        ),
        row_numbers=RowNumbers(
            word("trick", "row", default="front"),
            {c: digits.get(rank, str(cards.value[c])) for c, rank in cards.rank.items()},
            cards.value,
        ),
        nobody_last=word("trick", "none", default="nobody") == "last",
        next="winner" if leads else word("trick", "next", default="winner"),
        next_none=word("trick", "next_none", default="same"),
        simple=False,
        own_suits=False,
        keeps=KeptCards(False, False, any(each.by_row for each in (*classes, *leads)), False),
        cards=cards,
        trump=trump,
        seats=seats,
        places=places,
        graded={},
    )


def is_simple(formulas: TableFormulas, trick: TrickRules, own_suits: bool) -> bool:
    """Whether a card that is played changes nothing about which cards win."""
    return (
        all(not each.when and each.plain for each in trick.classes)
        and not (formulas.uses("number") or formulas.uses("suit showing"))
        and trick.equals.how in ("first", "last")
        and trick.trump.source != "first_discard"
        and not trick.trump.at_once
        and not own_suits
    )


def no_circle(formulas: TableFormulas, trick: TrickRules) -> None:
    """Raise ``Wrong`` if who wins or leads, or the trump suit, depends on who is winning."""
    if not (formulas.uses("beats") or formulas.uses("winning")):
        return
    texts = [text for each in (*trick.classes, *trick.leads) for text in each.texts]
    for change in trick.trump.at_once:
        texts += [change.text] if change.condition is None else [change.text, change.condition]
    none_when = formulas.source.text("condition", "trump", "none_when")
    texts += [none_when] if none_when is not None else []
    named = {**formulas.compiler.groups, **formulas.compiler.values}
    for text in texts:
        for node in formula.walk_named(text.node, named):
            if (node.op, node.word) in (("set", "beats"), ("name", "winning")):
                raise Wrong("kit_wins_by_itself", text.place, text.path, word=node.word)


def _classes(formulas: TableFormulas, key: str) -> Iterator[Class]:
    """The classes of ``trick.best`` or, if it is a list, of ``trick.next``."""
    source = formulas.source
    for i in formulas.rows("trick", key):
        at: Path = ("trick", key, i)
        row, more = formulas.row(DEAL, *at), table(source.at(*at))
        order, by_row = str(more.get("order", "high")), more.get("by") == "row"
        by_turn, pick = order in BY_TURN, int(str(more.get("pick", 1)))
        if by_row and by_turn:
            at = (*at, "order")
            raise Wrong("kit_row_by_turn", source.place(at), dotted(at), word=order)
        nobody = key == "best" and (row.text.node.op, row.text.node.word) == ("set", "none")
        yield Class(
            *row,
            low=order in LOW,
            by_row=by_row,
            by_turn=by_turn,
            pick=pick,
            plain=not by_row and not by_turn and pick == 1 and not nobody,
            nobody=nobody,
        )
