"""Between which numbers a sum can lie, and so which comparisons always or never hold.

The bounds follow from the deck, the hands and the bids of a table alone. They may be too wide,
never too narrow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from referee.core.written import written
from referee.kit.families.trick_taking.before_tricks import direction
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.state import State
from referee.kit.text.faults import FilePosition, Path, dotted
from referee.kit.text.formula import COMPARISONS, MOST, FormulaText, Node, limited, walk, walk_named
from referee.kit.text.scope import Scope

DEALS = 100  # deals whose hands and bids are looked at


class Bounds(NamedTuple):
    """The lowest and the highest number that a sum can be; ±``MOST`` stands for no limit."""

    low: int
    high: int

    @property
    def said(self) -> str:
        """The numbers from the lowest to the highest, as a reader writes them."""
        low, high = map(written, self)
        if low == high:
            return low
        if self.high >= MOST:
            return f"≥ {low}"
        return f"≤ {high}" if self.low <= -MOST else f"{low}–{high}"


class SettledComparison(NamedTuple):
    """A comparison that comes out the same in every deal: the bounds of its two sides."""

    place: FilePosition
    path: str
    sign: str
    left: Bounds
    right: Bounds
    holds: bool


_ANY, _TRUTH = Bounds(-MOST, MOST), Bounds(0, 1)


class SumBounds:
    """The bounds of the sums of one table; ``state``: before the first deal."""

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules = rules
        cards, scope = rules.cards, Scope(state)
        count = rules.match.deal_count(scope)
        sizes, played, bids = set[int](), set[int](), {0, *rules.bidding.words.worth.values()}
        self.most_bid = 0  # the highest number that can be bid
        # a tie can be played off, so there can be more deals than the file says
        for scope.deal in range(1, min(count or 0, DEALS) + DEALS):
            scope.size = rules.deal.hand_size(scope)
            sizes.add(scope.size)
            if direction(rules, scope.deal) == "aside":
                scope.size -= rules.passing.cards(scope)
            played.add(scope.size)
            if rules.bidding.made:
                bids |= {max(0, rules.bidding.few(scope)), rules.bidding.many(scope)}
                self.most_bid = max(self.most_bid, rules.bidding.many(scope))
        if (count is None or count > DEALS) and len(sizes) > 1:
            played |= {1, len(cards.deck) // rules.n}
            bids.add(MOST)
        sizes |= played
        self.tricks = max(map(rules.deal.trick_count, played))
        self.bid = Bounds(min(bids), max(bids))
        numbers = [*cards.value.values()]
        values, worths = [*numbers, 0], [*cards.worth.values(), 0]
        leads = rules.deal.first != "holder" and rules.match.out is None
        self.names = {
            "n": Bounds(rules.n, rules.n),
            "deck": Bounds(len(cards.deck), len(cards.deck)),
            "deal": Bounds(0, MOST),
            "hand": Bounds(min(sizes), max(sizes)),
            "trick": Bounds(1, self.tricks),
            **dict.fromkeys(
                ("led_value", "second_value", "last_value"), Bounds(min(values), max(values))
            ),
            "trick_sum": Bounds(rules.n * min(values), rules.n * max(values)),
            "trick_worth": Bounds(rules.n * min(worths), rules.n * max(worths)),
            "value": Bounds(min(numbers), max(numbers)),
            "cards": Bounds(0, rules.n),
            "stock": Bounds(0, len(cards.deck)),
            "turn": Bounds(1 if leads else 0, rules.n),
            "tricks": Bounds(0, self.tricks),
            "bid": self.bid,
            "this": self.bid,
            "bids": Bounds(rules.n * self.bid.low, rules.n * self.bid.high),
            **dict.fromkeys(("out", "won", "winning", "last", "highest_bidder"), _TRUTH),
        }
        terms = (*rules.scoring.card, *rules.scoring.trick)
        names = [("score", term.name) for term in terms]
        names += [("counters", each.name) for each in rules.scoring.counters if each.in_tricks]
        self.of_tricks = (
            "play.",
            "trick.",
            "trump.change.",
            *(f"{key}.{name}." for key, name in names),
        )
        self._open = list[str]()
        self._deals = count
        self._total: Bounds | None = None

    def look_at(self, path: str) -> None:
        """Set what the names mean at ``path``: after a deal, ``trick`` is one more."""
        after = 0 if path.startswith(self.of_tricks) else 1
        self.names["trick"] = Bounds(1, self.tricks + after)
        self.names["total"] = self._total_of_deals() if path == "match.until" else _ANY

    def _total_of_deals(self) -> Bounds:
        """The bounds of a total after all deals that the file has; deals to play off a tie are not
        among them, but then the match is not decided by ``match.until`` any more.
        """
        if self._deals is None:
            return _ANY
        if self._total is None:
            each = self.points_of_a_deal()
            self._total = Bounds(limited(self._deals * each.low), limited(self._deals * each.high))
            self.look_at("match.until")
        return self._total

    def points_of_a_deal(self) -> Bounds:
        """The bounds of the points that a deal gives to a seat or a team, 0 among them."""
        rules, low, high = self.rules, 0, 0
        size = max(map(len, rules.teams))
        for term in (*rules.scoring.card, *rules.scoring.trick, *rules.scoring.deal):
            each = {"card": self.tricks * rules.n, "trick": self.tricks}
            times = each.get(term.per, 1 if term.team else size)
            path: Path = ("score", term.name, "points")
            text = rules.source.text("sum", *path, value=term.text)
            assert text is not None
            self.look_at(dotted(path))
            points = self.bounds(text.node)
            low = limited(low + limited(times * min(0, points.low)))
            high = limited(high + limited(times * max(0, points.high)))
        return Bounds(low, high)

    def bounds(self, node: Node, seats: int = 1) -> Bounds:
        """The bounds of a sum, or of the total of that sum over so many ``seats``."""
        op, parts = node.op, node.parts
        match op:
            case "number":
                return Bounds(seats * node.number, seats * node.number)
            case "name":
                return self._name(node.word, seats)
            case "+" | "-":
                a, b = (self.bounds(part, seats) for part in parts)
                if op == "-":
                    b = Bounds(-b.high, -b.low)
                return Bounds(limited(a.low + b.low), limited(a.high + b.high))
            case "minus":
                low, high = self.bounds(parts[0], seats)
                return Bounds(-high, -low)
            case "*" if "number" in (parts[0].op, parts[1].op):
                factor, other = parts if parts[0].op == "number" else parts[::-1]
                ends = [limited(factor.number * end) for end in self.bounds(other, seats)]
                return Bounds(min(ends), max(ends))
            case "if":
                return self._if(parts, seats)
        if op.endswith("()"):
            return self._function(op[:-2], node, seats)
        low, high = self._of_one(node)
        return Bounds(limited(seats * low), limited(seats * high))

    def _name(self, word: str, seats: int) -> Bounds:
        compiler = self.rules.compiler
        if word in compiler.values:
            if word in self._open:
                return _ANY
            self._open.append(word)
            found = self.bounds(compiler.values[word].node, seats)
            self._open.pop()
            return found
        if word in compiler.counters:
            return _ANY
        low, high = self.names.get(word, _ANY)
        if word == "tricks":  # no trick is taken twice
            return Bounds(0, high)
        return Bounds(limited(seats * low), limited(seats * high))

    def _if(self, parts: tuple[Node, ...], seats: int) -> Bounds:
        test, *both = parts
        low, high = self.bounds(test)
        if low or not high:
            return self.bounds(both[0] if low else both[1], seats)
        one = [self.bounds(part) for part in both]
        low, high = min(each.low for each in one), max(each.high for each in one)
        if seats == 1:
            return Bounds(low, high)
        # some seats have the one sum, the others the other
        each_of = [self._of_some(part, seats) for part in both]
        least, most = sum(each.low for each in each_of), sum(each.high for each in each_of)
        return Bounds(limited(max(least, seats * low)), limited(min(most, seats * high)))

    def _of_some(self, node: Node, seats: int) -> Bounds:
        """The bounds of the total of a sum over any number of seats, up to ``seats`` of them.

        The bounds of a total grow or fall evenly with the number of seats, except of an ``if``: so
        those of one and of all seats tell those of all numbers between.
        """
        one = self.bounds(node)
        values = self.rules.compiler.values
        if any(each.op == "if" for each in walk_named(node, values)):
            return Bounds(limited(seats * min(0, one.low)), limited(seats * max(0, one.high)))
        every = self.bounds(node, seats)
        return Bounds(min(0, one.low, every.low), max(0, one.high, every.high))

    def _of_one(self, node: Node) -> Bounds:
        """The bounds of a product, a quotient or a condition."""
        op, parts = node.op, node.parts
        if op == "*":
            a, b = map(self.bounds, parts)
            ends = [limited(one * other) for one in a for other in b]
            return Bounds(min(ends), max(ends))
        if op == "/":
            a, b = map(self.bounds, parts)
            if b.low < 1:
                return Bounds(-max(map(abs, a)), max(map(abs, a)))
            ends = [one // other for one in a for other in b]
            return Bounds(min(ends), max(ends))
        return self._truth(node)

    def _truth(self, node: Node) -> Bounds:
        op, parts = node.op, node.parts
        if op in ("yes", "no"):
            return Bounds(int(op == "yes"), int(op == "yes"))
        if op == "not":
            low, high = self.bounds(parts[0])
            return Bounds(int(not high), int(not low))
        if op in ("and", "or"):
            a, b = ((int(each.low > 0), int(each.high > 0)) for each in map(self.bounds, parts))
            fold = min if op == "and" else max
            return Bounds(fold(a[0], b[0]), fold(a[1], b[1]))
        if op in COMPARISONS:
            holds = _compared(op, *map(self.bounds, parts))
            return _TRUTH if holds is None else Bounds(int(holds), int(holds))
        return _TRUTH

    def _function(self, name: str, node: Node, seats: int) -> Bounds:
        n, part = self.rules.n, node.parts[0]
        if name == "team":
            size = max(map(len, self.rules.teams))
            return self.bounds(part, seats * size) if seats == 1 else _ANY
        if name == "every" and seats == 1:
            return self.bounds(part, n)
        if name == "kinds":
            return Bounds(0, seats * len(self.rules.cards.ranks))
        if name in ("taken", "own", "wins", "worth"):
            return self._shared(name, part)  # no card is taken or played twice
        low, high = self._seen(name, node)
        return Bounds(limited(seats * low), limited(seats * high))

    def _seen(self, name: str, node: Node) -> Bounds:
        """The bounds of a function for one seat, but for those of cards that a seat has."""
        n, part = self.rules.n, node.parts[0]
        match name:
            case "min" | "max":
                fold = min if name == "min" else max
                each = [self.bounds(one) for one in node.parts]
                return Bounds(fold(one.low for one in each), fold(one.high for one in each))
            case "abs":
                low, high = self.bounds(part)
                return Bounds(max(0, low, -high), max(-low, high))
            case "most" | "least" | "left" | "right":
                return self.bounds(part)
            case "seats":
                return Bounds(0, n)
            case "place" | "same":
                return Bounds(1, n)
            case "this" | "led":
                return Bounds(0, min(1, self._many(part)))
            case "laid" | "lying":
                return Bounds(0, min(self._many(part), n if name == "lying" else MOST))
        return _ANY

    def _shared(self, name: str, cards: Node) -> Bounds:
        if name != "worth":
            many = self._many(cards)
            return Bounds(0, min(many, self.tricks) if name == "wins" else many)
        deck, fixed = self.rules.cards, self._fixed(cards)
        worths = [
            deck.worth[kind] * deck.deck.copies[deck.deck.place[kind]]
            for kind in deck.kinds(deck.full if fixed is None else fixed)
        ]
        return Bounds(sum(w for w in worths if w < 0), sum(w for w in worths if w > 0))

    def _fixed(self, cards: Node) -> int | None:
        text = FormulaText("", FilePosition(1, 1), "", cards)
        return self.rules.compiler.mask(text, "card")[1]

    def _many(self, cards: Node) -> int:
        """How many cards a set has at most."""
        deck = self.rules.cards
        if (fixed := self._fixed(cards)) is not None:
            return sum(deck.deck.copies[deck.deck.place[kind]] for kind in deck.kinds(fixed))
        if cards.op == "cards_and":
            return min(map(self._many, cards.parts))
        return len(deck.deck)


def _compared(sign: str, left: Bounds, right: Bounds) -> bool | None:
    """Whether a comparison holds for all numbers within the bounds, or for none; else None."""
    match sign:
        case "<":
            always, never = left.high < right.low, left.low >= right.high
        case "<=":
            always, never = left.high <= right.low, left.low > right.high
        case ">" | ">=":
            return _compared("<" if sign == ">" else "<=", right, left)
        case _:
            always = left.low == left.high == right.low == right.high
            never = left.high < right.low or right.high < left.low
    return always if always or never else None


def comparisons(
    reach: SumBounds, text: FormulaText
) -> Iterator[tuple[FilePosition, SettledComparison | None]]:
    """The comparisons of a sum by their places, each with how it always comes out, if it does."""
    reach.look_at(text.path)
    for node in walk(text.node):
        if node.op in COMPARISONS:
            left, right = map(reach.bounds, node.parts)
            holds = _compared(node.op, left, right)
            place = text.place._replace(column=text.place.column + node.at)
            decided = None
            if holds is not None:
                decided = SettledComparison(place, text.path, node.op, left, right, holds)
            yield place, decided
