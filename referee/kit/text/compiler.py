"""Compiles the trees of sums, conditions and card sets to functions.

A function takes a ``Scope``: the state, and the seat or card that the sum is about. ``Compiler``
makes each function once, when the rules of a table are made; all names are looked up then.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import TypeAlias

from referee.core.cards import DIGIT, Bag, copies_in, size
from referee.core.verdict import Card
from referee.kit.chapters.deck import Cards, shown
from referee.kit.families.trick_taking.state import State
from referee.kit.text.faults import FilePosition, Wrong
from referee.kit.text.formula import FUNCTIONS, FormulaText, Node, is_condition, limited


class Scope:
    """What the names of a sum refer to. ``seat`` is an index in seat order.

    ``deal`` and ``size``: the number of the deal, 1-based, and of the cards dealt to each seat; who
    asks about the next deal sets them. ``said``, ``others``, ``last``: for a bid. All others: for
    the card that is scored; ``card`` is its mask.
    """

    __slots__ = (
        "card",
        "cards",
        "deal",
        "gap",
        "last",
        "others",
        "out",
        "rank",
        "said",
        "seat",
        "size",
        "state",
        "value",
        "won",
    )  # fmt: skip

    def __init__(self, state: State, seat: int = 0) -> None:
        self.state, self.seat = state, seat
        self.said = self.others = self.last = 0
        self.deal, self.size = state.deal, state.round.size
        self.card = self.rank = 0
        self.value = self.gap = self.out = self.won = self.cards = 0


Number: TypeAlias = Callable[[Scope], int]
Set: TypeAlias = Callable[[State, Scope | None], int]
"""Computes the mask of a card set from a state and, in a score, from what is scored."""

TABLE, DEAL, SEAT, CARD, SAYING = "table", "deal", "seat", "card", "saying"
"""Where a sum stands. What is known grows from the first to the fourth; ``SAYING``: of the seat
that bids.
"""

_LEVEL = {TABLE: 0, DEAL: 1, SAYING: 2, SEAT: 2, CARD: 3}

# Names that sums can use everywhere from a level on: the level, and the function.
NAMES: Mapping[str, tuple[int, Number]] = {
    "deal": (0, lambda scope: scope.deal),
    "hand": (1, lambda scope: scope.size),
    "trick": (1, lambda scope: scope.state.round.number),
    "trick_sum": (1, lambda scope: _lying_values(scope.state)),
    "led_value": (1, lambda scope: _led_value(scope.state)),
    "tricks": (2, lambda scope: scope.state.round.tricks[scope.seat]),
    "total": (2, lambda scope: _total(scope)),
    "value": (3, lambda scope: scope.value),
    "gap": (3, lambda scope: scope.gap),
    "out": (3, lambda scope: scope.out),
    "won": (3, lambda scope: scope.won),
    "cards": (3, lambda scope: scope.cards),
}


def _winning(scope: Scope) -> int:
    """Whether the card of the seat would win the trick so far."""
    return int(scope.state.rules.winning(scope.state) == scope.seat)


def _turn(scope: Scope) -> int:
    """The place of the seat in the order of the deal: 1 for the leader, the last for the dealer.

    0 for a seat that is out of the match, and while nobody leads.
    """
    state = scope.state
    if state.round.starter is None:
        return 0
    out, seats = state.score.out, state.table.starting(state.round.starter)
    playing = [seat for seat in seats if seat not in out]
    seat = state.table.seats[scope.seat]
    return 1 + playing.index(seat) if seat in playing else 0


_NUMBERS_ELSEWHERE = {
    **dict.fromkeys(("players", "player_count"), "n"),
    **dict.fromkeys(("round", "rounds"), "deal"),
    **dict.fromkeys(("score", "points"), "total"),
}
"""Names of numbers that other programs have, and what a file writes instead."""

LATER: Mapping[str, tuple[int, Number]] = {
    "second_value": (1, lambda scope: _value_at(scope.state, 1)),
    "last_value": (1, lambda scope: _value_at(scope.state, -1)),
    "trick_worth": (1, lambda scope: _lying_worth(scope.state)),
    "winning": (2, _winning),
    "turn": (2, _turn),
}
"""Names like ``NAMES`` that came later: a file may define sums of the same names instead."""


def _lying_values(state: State) -> int:
    value = state.rules.cards.value
    return sum(value.get(laid.card, 0) for laid in state.trick if not laid.down)


def _lying_worth(state: State) -> int:
    """The card points of the trick; of cards that nobody saw, none."""
    worth = state.rules.cards.worth
    return sum(worth.get(laid.card, 0) for laid in state.trick)


def _value_at(state: State, place: int) -> int:
    """The number of a card in the trick, by its index; 0 if it is not there or has none."""
    if not -len(state.trick) <= place < len(state.trick) or state.trick[place].down:
        return 0
    return state.rules.cards.value.get(state.trick[place].card, 0)


def _led_value(state: State) -> int:
    return state.rules.cards.value[state.led] if state.led else 0


def _suits_showing(state: State) -> int:
    """The mask of the suits that lie face up in the trick."""
    cards, mask = state.rules.cards, 0
    for laid in state.trick:
        if not laid.down:
            mask |= cards.suits.get(cards.suit[laid.card], 0)
    return mask


def _suit_bid(state: State, scope: Scope | None) -> int:
    """The mask of the suit that a seat has bid: that of ``scope``, or else the one that is due."""
    due = state.due[0] if state.due else state.table.seats[0]
    place = scope.seat if scope else state.table.seats.index(due)
    return state.rules.suit_bid(state, place)


def card_led(state: State) -> Card | None:
    """The card that is led, even if it asks for no suit; None before there is one."""
    if state.led != "":
        return state.led
    skips = state.rules.cards.led
    return next((laid.card for laid in state.trick if skips.get(laid.card) == "none"), None)


def _total(scope: Scope) -> int:
    state = scope.state
    return state.score.totals[state.table.seats[scope.seat]]


def constant(number: int) -> Number:
    return lambda scope: number


def same(mask: int) -> Set:
    return lambda state, scored: mask


class Compiler:
    """Makes functions for one table of a game file.

    ``values`` and ``groups``: the named sums and card sets; ``counters``: the ``of`` of each
    counter; ``bids``: the words for bids; ``bid_suits``: the suits of some of them; ``has_bids``,
    ``teams`` and ``calls``: features of the game; ``words``: what is written for the words of suits
    and cards. ``uses`` collects the names that occur, so that a state keeps only what is needed.
    """

    def __init__(
        self,
        cards: Cards,
        seats: int,
        values: Mapping[str, FormulaText],
        groups: Mapping[str, FormulaText],
        counters: Mapping[str, str],
        bids: Mapping[str, int],
        has_bids: bool,
        teams: tuple[tuple[int, ...], ...],
        calls: bool,
        words: Mapping[str, str],
        bid_suits: Mapping[str, str],
    ) -> None:
        self.cards, self.seats, self.values, self.groups = cards, seats, values, groups
        self.counters, self.bids, self.has_bids, self.teams = counters, bids, has_bids, teams
        self.calls, self.words, self.bid_suits = calls, words, bid_suits
        self.uses: set[str] = set()
        self._made: dict[tuple[str, str], Number] = {}
        self._open: list[str] = []

    def number(self, text: FormulaText, where: str) -> Number:
        """The function of a sum or a condition used at ``where``; raises ``Wrong``."""
        return self._number(text.node, text, where)

    def condition(self, text: FormulaText, where: str) -> Number:
        """As ``number``, but raises ``Wrong`` also for a sum that is no condition."""
        if not is_condition(text.node, {**self.values, "": text}):
            self.number(text, where)  # an unknown name is reported as such
            raise self._wrong(text, text.node, "kit_no_condition")
        return self._number(text.node, text, where)

    def mask(self, text: FormulaText, where: str) -> tuple[Set, int | None]:
        """The function of a card set, and the set itself if it is constant (else None)."""
        fixed = self._fixed(text.node)
        made = self._set(text.node, text, where)
        return made, fixed

    def _wrong(self, text: FormulaText, node: Node, fact: str, **values: object) -> Wrong:
        place = FilePosition(text.place.line, text.place.column + node.at)
        return Wrong(fact, place, text.path, **values)

    def _number(self, node: Node, text: FormulaText, where: str) -> Number:
        op, parts = node.op, node.parts
        if op == "number":
            return constant(node.number)
        if op in ("yes", "no"):
            return constant(int(op == "yes"))
        if op == "name":
            return self._name(node, text, where)
        if op == "is":
            return self._is(node, text, where)
        if op.endswith("()"):
            return self._function(op[:-2], node, text, where)
        of = [self._number(part, text, where) for part in parts]
        if op == "if":
            test, yes, no = of
            return lambda scope: yes(scope) if test(scope) else no(scope)
        if op in ("not", "and", "or"):
            for part in parts:
                if not is_condition(part, {**self.values, "": text}):
                    alone = part.op == "number"
                    raise self._wrong(
                        text, part, "kit_number_alone" if alone else "kit_no_condition"
                    )
        a = of[0]
        if op == "not":
            return lambda scope: not a(scope)
        if op == "minus":
            return lambda scope: -a(scope)
        b = of[1]
        return _BINARY[op](a, b)

    def _name(self, node: Node, text: FormulaText, where: str) -> Number:
        word, level = node.word, _LEVEL[where]
        if word == "n":
            return constant(self.seats)
        if word == "deck":
            return constant(len(self.cards.deck))
        if where == SAYING and word in ("this", "bids", "last"):
            return {
                "this": lambda scope: scope.said,
                "bids": lambda scope: scope.others,
                "last": lambda scope: scope.last,
            }[word]
        if word in NAMES and NAMES[word][0] <= level:
            self.uses.add(word)
            return NAMES[word][1]
        if word == "bids" and level >= 1:
            self._needs_bids(node, text)
            return lambda scope: sum(
                scope.state.rules.bid_worth(said) for said in scope.state.round.bids
            )
        if word == "bid" and level >= 2:
            self._needs_bids(node, text)
            return lambda scope: scope.state.rules.bid_worth(scope.state.round.bids[scope.seat])
        if word in self.values:
            return self._value(word, where, node, text)
        if word in self.counters and level >= (2 if self.counters[word] != "table" else 0):
            return lambda scope: scope.state.score.counters[word][scope.seat]
        if word == "stock" and level >= 1:
            return lambda scope: scope.state.round.stock
        if word in LATER and level >= LATER[word][0]:
            self.uses.add(word)
            return LATER[word][1]
        raise self._no_name(node, text, level)

    def _no_name(self, node: Node, text: FormulaText, level: int) -> Wrong:
        """The fault of a name that is no number here, with the word that may be meant."""
        word = node.word
        others = ("bid", "bids", "this", "last", "stock", *LATER)
        of_a_player = NAMES[word][0] == 2 if word in NAMES else word in self.counters
        if (of_a_player or (word == "bid" and self.has_bids)) and level < 2:
            return self._wrong(text, node, "kit_of_a_player", word=word)
        if word in NAMES or word in self.counters or word in others:
            return self._wrong(text, node, "kit_not_here", word=word)
        if word in FUNCTIONS:
            of = "all" if FUNCTIONS[word] in ("cards", "lying", "this") else "tricks"
            return self._wrong(text, node, "kit_brackets", word=word, near=f"{word}({of})")
        if word in self.groups:
            return self._wrong(text, node, "kit_set_here", word=word)
        if word == "trump" or word in self.bids:
            written = f"trump is {next(iter(self.cards.suits), 'S')}"
            meant = written if word == "trump" else f"bid is {word}"
            return self._wrong(text, node, "kit_unknown_near", word=word, near=meant)
        if word in ("true", "false"):
            meant = "yes" if word == "true" else "no"
            return self._wrong(text, node, "kit_unknown_near", word=word, near=meant)
        near = [_NUMBERS_ELSEWHERE[word]] if word in _NUMBERS_ELSEWHERE else []
        near += get_close_matches(word, (*self._names(level), *self.values, *self.counters), 1)
        near += [f"taken({written})"] if (written := self._written(word)) else []
        fact = "kit_unknown_near" if near else "kit_unknown"
        return self._wrong(text, node, fact, word=word, near=(near or [""])[0])

    def _names(self, level: int) -> Iterator[str]:
        """The names that can be used at ``level``."""
        yield from ("n", "deck")
        yield from (name for name, (of, _) in {**NAMES, **LATER}.items() if of <= level)
        yield from ("bid", "bids") if self.has_bids else ()
        yield from ("stock",) if level >= 1 else ()

    def _needs_bids(self, node: Node, text: FormulaText) -> None:
        if not self.has_bids:
            raise self._wrong(text, node, "kit_no_bids", word=node.word)

    def _value(self, word: str, where: str, node: Node, text: FormulaText) -> Number:
        if word in self._open:
            raise self._wrong(text, node, "kit_circle", word=word)
        if (word, where) not in self._made:
            self._open.append(word)
            try:
                self._made[word, where] = self._number(
                    self.values[word].node, self.values[word], where
                )
            except Wrong as wrong:
                # reported where the value is used, not where it is defined
                if wrong.fact in ("kit_not_here", "kit_of_a_player"):
                    raise self._wrong(text, node, wrong.fact, word=word) from None
                raise
            finally:
                self._open.pop()
        return self._made[word, where]

    def _is(self, node: Node, text: FormulaText, where: str) -> Number:
        name, word = node.parts[0].word, node.word
        if name == "trump" and _LEVEL[where] >= 1:
            if word == "none":
                return lambda scope: scope.state.trump is None
            if word not in self.cards.suits:
                fact, values = self.no_suit(word)
                raise self._wrong(text, node, fact, **values)
            return lambda scope: scope.state.trump == word
        if name == "bid" and _LEVEL[where] >= 2:
            self._needs_bids(node.parts[0], text)
            if word not in self.bids:
                raise self._wrong(text, node, "kit_unknown", word=word)
            return lambda scope: scope.state.round.bids[scope.seat] == word
        raise self._wrong(text, node.parts[0], "kit_is")

    def _function(self, name: str, node: Node, text: FormulaText, where: str) -> Number:
        if name in ("min", "max", "abs"):
            of = [self._number(part, text, where) for part in node.parts]
            if name == "abs":
                return lambda scope, a=of[0]: abs(a(scope))  # type: ignore[misc]
            pick = min if name == "min" else max
            return lambda scope: pick([each(scope) for each in of])
        if name in ("most", "least", "every", "seats"):
            inner = self._number(node.parts[0], text, CARD if where == CARD else SEAT)
            return self._over_all(name, inner)
        level = _LEVEL[where]
        if name in ("laid", "lying", "led"):
            if level < 1:
                raise self._wrong(text, node, "kit_not_here", word=name)
        elif level < 2 and name != "this":
            raise self._wrong(text, node, "kit_of_a_player", word=f"{name}( )")
        elif level < 3 and name == "this":
            raise self._wrong(text, node, "kit_not_here", word=name)
        if name in ("team", "place", "same", "left", "right"):
            return self._over_team(name, self._number(node.parts[0], text, where))
        self.uses.add(name)
        cards = self._set(node.parts[0], text, where)
        return self._of_cards(name, cards)

    def _over_all(self, name: str, inner: Number) -> Number:
        places = range(self.seats)
        if name == "seats":
            return lambda scope: sum(map(bool, _of_each(inner, scope, places)))
        folds: Mapping[str, Callable[[list[int]], int]] = {
            "most": max,
            "least": min,
            "every": sum,
        }
        fold = folds[name]
        return lambda scope: limited(fold(_of_each(inner, scope, places)))

    def _over_team(self, name: str, inner: Number) -> Number:
        teams, everybody = self.teams, tuple(range(self.seats))
        if name == "team":
            return lambda scope: limited(sum(_of_each(inner, scope, teams[scope.seat])))
        if name in ("left", "right"):
            step, n = (1 if name == "left" else -1), self.seats
            return lambda scope: _of_each(inner, scope, [(scope.seat + step) % n])[0]

        def rank(scope: Scope) -> int:
            mine, others = inner(scope), _of_each(inner, scope, everybody)
            if name == "place":
                return 1 + sum(other > mine for other in others)
            return others.count(mine)

        return rank

    def _of_cards(self, name: str, cards: Set) -> Number:
        if name in ("taken", "wins", "own", "laid"):
            bag = _BAGS[name]
            return lambda scope: size(bag(scope) & cards(scope.state, scope))
        if name == "this":
            return lambda scope: int(scope.card & cards(scope.state, scope) != 0)
        if name in ("highest", "lowest"):
            self.uses.add("own")
            return self._outermost(name, cards)
        if name == "kinds":
            return self._kinds(cards)
        bits, worth, deck = self.cards.bits, self.cards.worth, self.cards.deck
        if name == "led":

            def led(scope: Scope) -> int:
                card = card_led(scope.state)
                return int(bool(card and bits[card] & cards(scope.state, scope)))

            return led
        if name == "lying":

            def lying(scope: Scope) -> int:
                mask = cards(scope.state, scope)
                return sum(bits[laid.card] & mask != 0 for laid in scope.state.trick if laid.card)

            return lying
        points = [(deck.one[card], worth[str(card)]) for card in deck.cards if worth[str(card)]]

        def worths(scope: Scope) -> int:
            bag = scope.state.round.taken[scope.seat] & cards(scope.state, scope)
            return limited(sum(copies_in(bag, one) * each for one, each in points))

        return worths

    def _kinds(self, cards: Set) -> Number:
        """How many different ranks the cards of a set have that a seat has taken."""
        deck, ranks = self.cards.deck, self.cards.rank
        bags: dict[str, Bag] = {}
        for card in map(str, deck.cards):
            if ranks[card]:
                bags[ranks[card]] = bags.get(ranks[card], 0) | deck.one[card] * DIGIT

        def kinds(scope: Scope) -> int:
            bag = scope.state.round.taken[scope.seat] & cards(scope.state, scope)
            return sum(bag & of_rank != 0 for of_rank in bags.values())

        return kinds

    def _outermost(self, name: str, cards: Set) -> Number:
        """The highest or the lowest number of the cards of a set that a seat has played.

        Without such a card it lies just beyond the numbers of the deck: so it is never the best.
        """
        deck, value, rank = self.cards.deck, self.cards.value, self.cards.rank
        numbers = sorted((value[c], deck.one[c]) for c in map(str, deck.cards) if rank[c])
        ordered = numbers[::-1] if name == "highest" else numbers
        beyond = -1 if name == "highest" else 1
        none = ordered[-1][0] + beyond if ordered else 0

        def outermost(scope: Scope) -> int:
            bag = scope.state.own[scope.seat] & cards(scope.state, scope)
            return next((number for number, one in ordered if copies_in(bag, one)), none)

        return outermost

    def _fixed(self, node: Node) -> int | None:
        """The value of a card set that is constant; None if it is not."""
        cards = self.cards
        match node.op:
            case "suit" if node.word in cards.suits:
                return cards.suits[node.word]
            case "rank" if node.word in cards.order:
                return cards.ranks.get(node.word, 0)
            case "card" if node.word in cards.known:
                return cards.bits.get(node.word, 0)
            case "ranks":
                return self._run(node)
            case op if op[6:] in COMPARED and node.parts[0].op == "number":
                return self._with_number(op[6:], node.parts[0].number)
            case "set" if node.word != "beats":
                return {"all": cards.full, "none": 0, "special": cards.special}[node.word]
            case "group" if node.word in self.groups and node.word not in self._open:
                self._open.append(node.word)
                found = self._fixed(self.groups[node.word].node)
                self._open.pop()
                return found
            case "cards_not" | "cards_and" | "cards_or":
                parts = [self._fixed(part) for part in node.parts]
                if None in parts:
                    return None
                known = [part for part in parts if part is not None]
                if node.op == "cards_not":
                    return cards.full ^ known[0]
                a, b = known
                return a & b if node.op == "cards_and" else a | b
        return None

    def _run(self, node: Node) -> int | None:
        order = self.cards.order
        few, many = node.word, node.parts[0].word
        if few not in order or many not in order:
            return None
        between = order[order.index(few) : order.index(many) + 1]
        return sum(self.cards.ranks.get(rank, 0) for rank in between)

    def _set(self, node: Node, text: FormulaText, where: str) -> Set:
        fixed = self._fixed(node)
        if fixed is not None:
            return same(fixed)
        op, word = node.op, node.word
        if op in ("cards_not", "cards_and", "cards_or"):
            return self._combined(node, text, where)
        if op == "colour":
            return self._colour(node, text)
        if op[6:] in COMPARED:
            return self._numbered(op[6:], node, text, where)
        if op == "rank" and word == "this":
            if where != CARD:
                raise self._wrong(text, node, "kit_not_here", word="rank this")
            return lambda state, scored: scored.rank if scored else 0
        if op == "group" and word in self.groups:
            if word in self._open:
                raise self._wrong(text, node, "kit_circle", word=word)
            self._open.append(word)
            try:
                return self._set(self.groups[word].node, self.groups[word], where)
            finally:
                self._open.pop()
        found = self._of_state(op, word)
        if found is None:
            raise self._no_set(node, text)
        return found

    def _combined(self, node: Node, text: FormulaText, where: str) -> Set:
        """The complement of a set, or the cards in both or in one of two sets."""
        of = [self._set(part, text, where) for part in node.parts]
        a, full = of[0], self.cards.full
        if node.op == "cards_not":
            return lambda state, scored: full ^ a(state, scored)
        b = of[1]
        if node.op == "cards_and":
            return lambda state, scored: a(state, scored) & b(state, scored)
        return lambda state, scored: a(state, scored) | b(state, scored)

    def _of_state(self, op: str, word: str) -> Set | None:
        """The function of a set that only the state decides; None if there is no such set."""
        cards = self.cards
        suits = cards.suits
        match op, word:
            case "suit", "led":
                led = {card: suits.get(suit, 0) for card, suit in cards.suit.items()}
                return lambda state, scored: led[state.led] if state.led else 0
            case "suit", "trump":
                self.uses.add("trump")
                return lambda state, scored: suits.get(state.trump or "", 0)
            case "suit", "bid" if self.bid_suits:
                self.uses.add("suit bid")
                return _suit_bid
            case "suit", "called" if self.calls:
                suit_of = {card: suits.get(suit, 0) for card, suit in cards.suit.items()}
                return lambda state, scored: suit_of.get(state.round.called or "", 0)
            case "rank", "called" if self.calls:
                rank_of = {card: cards.ranks.get(rank, 0) for card, rank in cards.rank.items()}
                return lambda state, scored: rank_of.get(state.round.called or "", 0)
            case "rank", "led":
                ranks = {card: cards.ranks.get(rank, 0) for card, rank in cards.rank.items()}
                return lambda state, scored: ranks[state.led] if state.led else 0
            case "rank", "showing":
                self.uses.add("showing")
                return lambda state, scored: state.showing
            case "suit", "showing":
                self.uses.add("suit showing")
                return lambda state, scored: _suits_showing(state)
            case "set", "beats":
                self.uses.add("beats")
                return lambda state, scored: state.rules.beating(state)
            case "group", "called" if self.calls:
                bits = cards.bits
                return lambda state, scored: bits.get(state.round.called or "", 0)
        return None

    def _written(self, word: str) -> str:
        """How the suit or the card with the name ``word`` is written; "" if there is none."""
        alike = get_close_matches(word.lower(), self.words, 1, 0.8)  # hearts for heart
        return self.words[alike[0]] if alike else ""

    def no_suit(self, word: str) -> tuple[str, Mapping[str, object]]:
        """The fact that the deck has no suit ``word``, and its values: the suit that may be meant,
        or all suits.
        """
        suits = self.cards.suits
        if not suits:
            return "kit_suitless", {"word": word}
        kind, _, letter = self._written(word).partition(" ")
        near = [letter] if kind == "suit" else []
        # red is a colour, not a misspelt led
        near += get_close_matches(word, ("led", "trump", "showing"), 1, 0.7)
        near += [word[:1].upper()] if word[:1].upper() in suits else []
        if near:
            return "kit_no_suit_near", {"word": word, "near": near[0]}
        return "kit_no_suit", {"word": word, "suits": tuple(suits)}

    def _no_set(self, node: Node, text: FormulaText) -> Wrong:
        """The fault of a set that the deck does not have, with the word that may be meant."""
        op, word, cards = node.op, node.word, self.cards
        if word == "called" and op in ("suit", "rank", "group"):
            kind = "" if op == "group" else f"{op} "
            return self._wrong(text, node, "kit_no_call", word=f"{kind}called")
        written = self._written(word)
        if op == "suit" and word == "bid" and cards.suits:
            return self._wrong(text, node, "kit_no_bid_suits")
        if op == "suit":
            fact, suits = self.no_suit(word)
            return self._wrong(text, node, fact, **suits)
        found = {"card": "kit_no_card", "group": "kit_unknown"}
        meant = {"card": "kit_no_card_near", "group": "kit_unknown_near"}
        near: list[str] = []
        if op == "group":
            if word in FUNCTIONS or word in NAMES or word in LATER:
                return self._wrong(text, node, "kit_number_here", word=word)
            near = [f"suit {word}"] if word in cards.suits else []
            near += [f"card {word}"] if word in cards.known else []
            near += [f"card {card}" for card in self._turned(word)]
            sets = ("all", "none", "special", "beats", *self.groups)
            meant_by = {**self.words, **{each: each for each in sets}}
            near += [meant_by[each] for each in get_close_matches(word.lower(), meant_by, 1, 0.7)]
        elif op == "card":
            near = self._turned(word)
            near += [written] if written.startswith("card ") else []
        elif op == "ranks" and word in cards.order:
            word = node.parts[0].word
        fact = meant[op] if near else found.get(op, "kit_no_rank")
        values = {"word": word, "card": word, "rank": word, "near": (near or [""])[0]}
        return self._wrong(text, node, fact, **values, ranks=shown(cards.order))

    def _turned(self, word: str) -> list[str]:
        """The card with the letters of ``word`` in another order, and T for 10."""
        letters = sorted(word.upper().replace("T", "10"))
        return [card for card in sorted(self.cards.known) if sorted(card) == letters]

    def _numbered(self, sign: str, node: Node, text: FormulaText, where: str) -> Set:
        """The cards whose number compares with a sum as ``sign`` says; special cards have none."""
        self.uses.add("number")
        cards = self.cards
        numbers = [cards.value[card] for card, rank in cards.rank.items() if rank] or [0]
        # sums beyond the numbers are clamped, so that few masks are cached
        few, many = min(numbers) - 1, max(numbers) + 1
        sum_of = self._number(node.parts[0], text, where)
        made: dict[int, int] = {}

        def numbered(state: State, scored: Scope | None) -> int:
            bound = max(few, min(many, sum_of(scored or Scope(state))))
            if bound not in made:
                made[bound] = self._with_number(sign, bound)
            return made[bound]

        return numbered

    def _with_number(self, sign: str, bound: int) -> int:
        """The mask of the cards whose number compares with ``bound`` as ``sign`` says."""
        cards, fits = self.cards, COMPARED[sign]
        numbers = {card: cards.value[card] for card, rank in cards.rank.items() if rank}
        return sum(cards.bits[card] for card, number in numbers.items() if fits(number, bound))

    def _colour(self, node: Node, text: FormulaText) -> Set:
        """The cards of the colour of the trump suit or of the suit led."""
        colours, suit = self.cards.colours, self.cards.suit
        if node.word == "trump":
            self.uses.add("trump")
            return lambda state, scored: colours.get(state.trump or "", 0)
        if node.word == "led":
            led = {card: colours.get(each, 0) for card, each in suit.items()}
            return lambda state, scored: led[state.led] if state.led else 0
        raise self._wrong(text, node, "kit_no_colour", word=node.word)


_BAGS: Mapping[str, Callable[[Scope], Bag]] = {
    "taken": lambda scope: scope.state.round.taken[scope.seat],
    "wins": lambda scope: scope.state.round.wins[scope.seat],
    "own": lambda scope: scope.state.own[scope.seat],
    "laid": lambda scope: scope.state.pile,
}


def _divided(a: int, b: int) -> int:
    return a // b if b else 0


COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


_BINARY: Mapping[str, Callable[[Number, Number], Number]] = {
    "+": lambda a, b: lambda scope: limited(a(scope) + b(scope)),
    "-": lambda a, b: lambda scope: limited(a(scope) - b(scope)),
    "*": lambda a, b: lambda scope: limited(a(scope) * b(scope)),
    "/": lambda a, b: lambda scope: _divided(a(scope), b(scope)),
    # written out for speed: conditions are evaluated for every card
    "=": lambda a, b: lambda scope: a(scope) == b(scope),
    "<": lambda a, b: lambda scope: a(scope) < b(scope),
    ">": lambda a, b: lambda scope: a(scope) > b(scope),
    "<=": lambda a, b: lambda scope: a(scope) <= b(scope),
    ">=": lambda a, b: lambda scope: a(scope) >= b(scope),
    "and": lambda a, b: lambda scope: bool(a(scope) and b(scope)),
    "or": lambda a, b: lambda scope: bool(a(scope) or b(scope)),
}


def _of_each(inner: Number, scope: Scope, places: Iterable[int]) -> list[int]:
    """The values of ``inner`` for the seats at ``places``, in their order."""
    kept = scope.seat
    found = []
    for scope.seat in places:
        found.append(inner(scope))
    scope.seat = kept
    return found
