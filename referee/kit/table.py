"""The rules of one table: a game file with its house rules, compiled to functions.

``Rules`` is made once for a table and never changes. Every text keeps its place, so that a fault
has line and column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import NamedTuple, TypeVar

from referee.core.cards import Bag
from referee.core.verdict import Card, Evidence, Legal, Seat
from referee.kit.cards import Cards, NoDeck, cards_of, special_cards, table
from referee.kit.families.trick_taking.state import Laid, State
from referee.kit.shape import MOST_DEALS, seats_key, span
from referee.kit.text import formula
from referee.kit.text.compiler import CARD, DEAL, SAYING, SEAT, TABLE, Compiler, Number, Scope, Set
from referee.kit.text.faults import FilePosition, Path, Wrong, dotted
from referee.kit.text.formula import STEPS, FormulaText
from referee.kit.text.toml import Document, Value
from referee.kit.text.worked import Written, worked

T = TypeVar("T")

FRENCH_SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
GERMAN_SUITS = {"S": "pik", "H": "herz", "D": "karo", "C": "kreuz"}

LOW = frozenset(("low", "first"))
"""The orders in which the lowest, or the earliest, card of a winning set is the best."""
BY_TURN = frozenset(("first", "last"))
"""The orders of a winning set by when its cards are played."""


class RulesSource(NamedTuple):
    """The values of a file with a choice of house rules, and the place of each.

    ``origin``: for the path of each value that a house rule sets, its path in the file.
    """

    values: Mapping[str, Value]
    document: Document
    origin: Mapping[Path, Path]

    def at(self, *path: str | int) -> Value | None:
        """The value at ``path``; None if there is none."""
        here: Value | None = dict(self.values)
        for key in path:
            if isinstance(here, dict):
                here = here.get(str(key))
            elif isinstance(here, list) and isinstance(key, int) and key < len(here):
                here = here[key]
            else:
                return None
        return here

    def word(self, *path: str, default: str) -> str:
        return str(self.at(*path) or default)

    def place(self, path: Path) -> FilePosition:
        """Where the value at ``path``, or the nearest key around it, begins."""
        document = self.document
        for end in range(len(path), 0, -1):
            if path[:end] in self.origin:
                path = (*self.origin[path[:end]], *path[end:])
                break
        if path in document.begins:
            return document.begins[path]
        while path and path not in document.keys:
            path = path[:-1]
        return document.keys.get(path, FilePosition(1, 1))

    def text(self, kind: str, *path: str | int, value: Value | None = None) -> FormulaText | None:
        """The sum, condition or card set at ``path``; None if there is none.

        ``value``: used in place of the value in the file.
        """
        found = self.at(*path) if value is None else value
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, str | int):
            raise Wrong("kit_sum", self.place(path), dotted(path))
        return self.document.formula(found, self.place(path), path, kind)


class LadderStep(NamedTuple):
    """A step of a ladder: a card set, in force if ``when`` is true (None: always).

    ``condition`` and ``text``: the condition and the set, as written. ``fixed``: the set if it is
    constant. ``order``: "low" or "high" if only its lowest or highest card counts.
    """

    when: Number | None
    condition: FormulaText | None
    cards: Set
    fixed: int | None
    text: FormulaText
    order: str


def of_last_state(method: Callable[[Rules, State], T]) -> Callable[[Rules, State], T]:
    """A method that caches its last answer: the steps of a ladder ask repeatedly about a state.

    All rules share this one answer. If rules kept a state of their own, which refers to them, they
    would stay in memory until the garbage collector searches all that a server has in memory.
    Thread-safe: the cache is one tuple, which is read once.
    """
    last: tuple[State, T] | None = None

    @wraps(method)
    def cached(rules: Rules, state: State) -> T:
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


class TrumpChange(NamedTuple):
    """Cards that change the trump suit in a deal: a row of ``trump.change``.

    ``number``: its place in the list. ``suit``: "" for the suit of the card, "named" if its player
    names one, else a suit or "none".
    """

    number: int
    when: Number | None
    condition: FormulaText | None
    cards: Set
    fixed: int | None
    text: FormulaText
    suit: str


class ScoringTerm(NamedTuple):
    """A term of the score. ``per``: "card", "trick", "deal" or "match".

    ``team``: it is given to a team once, not to each of its seats. ``text``: its sum, as written;
    ``named``: it is one name or one function, which says more than its number.
    """

    name: str
    per: str
    team: bool
    when: Number | None
    points: Number
    text: str
    named: bool
    worked: Written | None


class Counter(NamedTuple):
    """A counter of a game file. ``of``: "seat", "team" or "table"; ``kept``: it survives the
    deal.
    """

    name: str
    of: str
    per_trick: bool
    kept: bool
    add: Number


class Rules:
    """The compiled rules for a table with these seats and house rules.

    Raises ``Wrong`` if the file makes no game for it. ``key``: rules with equal keys are equal.
    ``steps``: the cost of evaluating every sum once.
    """

    def __init__(self, source: RulesSource, seats: tuple[Seat, ...], key: object) -> None:
        self.source, self.seats, self.key = source, seats, key
        self.n = n = len(seats)
        self.index = {seat: i for i, seat in enumerate(seats)}
        at = source.at
        self.teams = self._teams()
        self.cards: Cards = self._cards()
        self.special_bids = {
            name: int(str(table(row).get("worth", 0)))
            for name, row in table(at("bid", "special")).items()
        }
        self.bid_suits = {
            name: str(table(row)["suit"])
            for name, row in table(at("bid", "special")).items()
            if "suit" in table(row)
        }
        self.has_bids = at("bid") is not None
        values = self._texts("sum", "values")
        self.compiler = Compiler(
            self.cards,
            n,
            values,
            self._texts("cards", "groups"),
            {name: str(table(row).get("of")) for name, row in table(at("counters")).items()},
            self.special_bids,
            self.has_bids,
            self.teams,
            at("call") is not None,
            self._words(),
            self.bid_suits,
        )
        self._costs = self._counted(values)
        self.steps = 0
        self._deal_rules()
        self._bid_rules()
        self._draw_rules()
        self._pass_rules()
        self._trump_rules()
        self._call_rules()
        self._play_rules()
        self._score_rules()
        uses = self.compiler.uses
        self.keeps_own = "own" in uses
        self.asks_what_beats = "beats" in uses
        self.keeps_pile = "laid" in uses
        self.keeps_showing = "showing" in uses
        self.keeps_rows = any(each.by_row for each in (*self.classes, *self.leads))
        self._beyond = self._beyond_each()
        self._graded: dict[int, tuple[int, int]] = {}
        self._free: dict[tuple[str, int, str], Legal] = {}
        self._kinds: dict[int, frozenset[Card]] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Rules({self.key!r})"

    def _teams(self) -> tuple[tuple[int, ...], ...]:
        n = self.n
        teams, path = self._of_these_seats(("seats", "teams"))
        if teams not in (None, "none"):
            if n % 2:
                raise Wrong("kit_teams", self.source.place(path), dotted(path), n=n)
            step = n // 2 if teams == "opposite" else 2
            return tuple(tuple(sorted({(i + step * k) % n for k in range(n)})) for i in range(n))
        return tuple((i,) for i in range(n))

    def _words(self) -> dict[str, str]:
        """The English words of suits and special cards → what a card set has for them."""
        words = {"led": "suit led", "trump": "suit trump"}
        if self.source.at("deck", "pack") is not None:
            words |= {word: f"suit {suit}" for suit, word in GERMAN_SUITS.items()}
        for suit in self.cards.suits:
            words[FRENCH_SUITS.get(suit, suit.lower())] = f"suit {suit}"
        ranks = {"ten": "10", "jack": "J", "queen": "Q", "king": "K", "ace": "A"}
        words |= {word: f"rank {rank}" for word, rank in ranks.items() if rank in self.cards.order}
        deck = table(self.source.at("deck"))
        for kind, rows in (("suit", table(deck.get("suits"))), ("card", special_cards(deck))):
            for name, row in rows.items():
                words[str(table(row).get("en", name)).lower()] = f"{kind} {name}"
        return words

    def _cards(self) -> Cards:
        at: Path = ("deck",)

        parsed: dict[str, FormulaText | None] = {}

        def sum_of(formula: Value, known: Mapping[str, int]) -> int:
            key = repr(formula)  # the same sum is used for many ranks
            text = parsed.get(key) or self.source.text("sum", *at, value=formula)
            parsed[key] = text
            assert text is not None
            return _plain(text, text.node, known)

        try:
            return cards_of(table(self.source.at("deck")), self.n, sum_of)
        except NoDeck as none:
            raise Wrong(
                none.fact, self.source.place(none.path), dotted(none.path), **none.values
            ) from None

    def _texts(self, kind: str, key: str) -> dict[str, FormulaText]:
        found = {}
        for name in table(self.source.at(key)):
            text = self.source.text(kind, key, name)
            assert text is not None
            found[name] = text
        return found

    def _counted(self, values: Mapping[str, FormulaText]) -> dict[str, tuple[int, int]]:
        """The numbers of nodes and steps of the named sums and sets, what they use included."""
        named = {**self.compiler.groups, **values}
        counted: dict[str, tuple[int, int]] = {}
        for name in named:
            self._count(name, (), named, counted)
        return counted

    def _count(
        self,
        name: str,
        above: tuple[str, ...],
        named: Mapping[str, FormulaText],
        counted: dict[str, tuple[int, int]],
    ) -> None:
        """Add ``name``, and first what it uses, to ``counted``; ``above``: the names that use it.

        Raises ``Wrong`` if a name uses itself.
        """
        if name in counted:
            return
        text = named[name]
        if name in above:
            raise Wrong("kit_circle", text.place, text.path, word=name)
        for node in formula.walk(text.node):
            if node.op in ("name", "group") and node.word in named:
                self._count(node.word, (*above, name), named, counted)
        counted[name] = formula.cost(text.node, counted, self.n)

    def _bounded(self, text: FormulaText) -> FormulaText:
        """``text`` if it is cheap enough to be evaluated at every entry; else raises ``Wrong``."""
        nodes, steps = formula.cost(text.node, self._costs, self.n)
        if nodes > formula.NODES or steps > STEPS:
            raise Wrong("kit_dear", text.place, text.path, steps=steps, most=STEPS)
        self.steps += steps
        return text

    def number(self, where: str, *path: str | int, default: int = 0) -> Number:
        """The sum at ``path``, which may differ by the number of seats."""
        value, path = self._of_these_seats(path)
        text = self.source.text("sum", *path, value=value)
        if text is None:
            return lambda scope: default
        return self.compiler.number(self._bounded(text), where)

    def _of_these_seats(self, path: Path) -> tuple[Value | None, Path]:
        value = self.source.at(*path)
        if isinstance(value, dict):
            key = seats_key(value, self.n)
            if key not in value:
                raise Wrong("kit_no_seats", self.source.place(path), dotted(path), n=self.n)
            value, path = value[key], (*path, key)
        return value, path

    def condition(self, where: str, *path: str | int) -> Number | None:
        """The condition at ``path``; None if there is none."""
        text = self.source.text("condition", *path)
        return None if text is None else self.compiler.condition(self._bounded(text), where)

    def only_when(self, where: str, *path: str | int) -> Number | None:
        """The condition at ``path`` of a rule that always applies without one; None: always."""
        text = self.source.text("condition", *path)
        return None if text is None or text.node.op == "yes" else self.condition(where, *path)

    def _deal_rules(self) -> None:
        at, word = self.source.at, self.source.word
        self.hand = self.number(TABLE, "deal", "hand")
        self.turn_up = word("deal", "turn_up", default="none")
        self.first = word("deal", "leader", default="rotate")
        self.draws = word("deal", "draw", default="none") != "none"
        held = at("deal", "holder")
        if self.first == "holder" and held is None:
            place = self.source.place(("deal", "leader"))
            raise Wrong("kit_missing", place, "deal.leader", key="deal.holder")
        cards = [str(card) for card in held] if isinstance(held, list) else []
        self.holder = next((card for card in cards if card in self.cards.deck), None)
        if self.first == "holder" and self.holder is None:
            place = self.source.place(("deal", "holder"))
            raise Wrong("kit_no_holder", place, "deal.holder")
        self.passes: tuple[str, ...] = ()
        self.passed = self.number(TABLE, "pass", "cards")
        if at("pass") is not None:
            ways, _ = self._of_these_seats(("pass", "to"))
            self.passes = tuple(map(str, ways)) if isinstance(ways, list) else ("left",)

    def _bid_rules(self) -> None:
        at, word = self.source.at, self.source.word
        bounds = span(str(at("bid", "values") or "0..hand"))
        assert bounds
        path: Path = ("bid", "values")
        place, formula = self.source.place(path), self.source.document.formula
        self.bid_few, self.bid_many = (
            self.compiler.number(self._bounded(formula(each, place, path, "sum")), DEAL)
            for each in bounds
        )
        self.bids_at_once = word("bid", "order", default="turn") == "at_once"
        self.auction = word("bid", "order", default="turn") == "auction"
        self.bidder = word("bid", "by", default="all")
        self.bids_change = word("bid", "change", default="never") == "until_lead"
        self.highest_leads = word("bid", "leads", default="leader") == "highest"
        self.passed_over = word("bid", "passed", default="play") == "over"
        makes_trump = word("trump", "from", default="none")
        of_the_highest = self.highest_leads or word("call", "by", default="") == "highest_bid"
        of_the_highest |= makes_trump == "bid"
        of_the_highest |= (makes_trump, word("trump", "by", default="")) == ("named", "highest_bid")
        # whether bids can be added, as bids of tricks can; else they are bids against each other
        self.bids_add_up = not (
            self.auction
            or of_the_highest
            or self.passed_over
            or self.bidder != "all"
            or at("bid", "values") == "none"
        )
        forbid = self.source.text("condition", "bid", "forbid")
        before = self.steps
        self.forbid = self.condition(SAYING, "bid", "forbid")
        self.forbid_steps = 1 + self.steps - before
        if forbid is None or forbid.node.op == "no":
            self.forbid = None

    def _pass_rules(self) -> None:
        """Raise ``Wrong`` for passing that lacks a number, or that no referee could follow."""
        if self.turn_up == "dealer" and set(self.passes) - {"none"}:
            # the referee would take a card that everybody knows to be still in the hand that has
            # passed it on, and call its owner a liar
            place: Path = ("deal", "turn_up")
            raise Wrong("kit_turn_handed_on", self.source.place(place), dotted(place))
        if self.source.at("pass") is not None and self.source.at("pass", "cards") is None:
            raise Wrong("kit_missing", self.source.place(("pass",)), "pass", key="pass.cards")

    def _trump_rules(self) -> None:
        at, word = self.source.at, self.source.word
        self.trump_from = word("trump", "from", default="none")
        self.trump_by = word("trump", "by", default="dealer")
        self.trump_special = {k: str(v) for k, v in table(at("trump", "special")).items()}
        self.no_trump = self.condition(DEAL, "trump", "none_when")
        none_when = self.source.text("condition", "trump", "none_when")
        # whether bids decide if there is a trump suit: then it is not known before them
        self.none_by_bids = none_when is not None and any(
            node.word in ("bid", "bids") and node.op == "name"
            for node in formula.walk_named(none_when.node, self.compiler.values)
        )
        suits = at("trump", "suits")
        self.trump_cycle = tuple(map(str, suits)) if isinstance(suits, list) else ()
        self.trump_suit = word("trump", "suit", default="")
        self.nameable = self.trump_cycle or (*self.cards.suits, "none")
        self.changes_at_once = tuple(self._changes("card", SEAT))
        self.changes_after = tuple(self._changes("trick", CARD))
        self.has_trump = bool(
            self.trump_from != "none" or self.changes_at_once or self.changes_after
        )
        self._trump_suits()

    def _changes(self, per: str, where: str) -> Iterator[TrumpChange]:
        """The rows of ``trump.change`` that count for each card, or after each trick."""
        rows = self.source.at("trump", "change")
        for i, row in enumerate(rows if isinstance(rows, list) else ()):
            more = table(row)
            if str(more.get("per", "card")) != per:
                continue
            at: Path = ("trump", "change", i)
            text = self.source.text("cards", *(at if isinstance(row, str) else (*at, "cards")))
            assert text is not None
            condition = self.source.text("condition", *at, "when") if more else None
            try:
                when = self.only_when(where, *at, "when") if more else None
            except Wrong as wrong:
                if wrong.fact == "kit_not_here" and where == SEAT:
                    wrong.fact = "kit_after_trick"  # such as whether the card wins
                raise
            cards, fixed = self.compiler.mask(self._bounded(text), where)
            suit = str(more.get("suit", ""))
            yield TrumpChange(i, when, condition, cards, fixed, text, suit)

    def _trump_suits(self) -> None:
        """Raise ``Wrong`` for a suit that the deck lacks, or where none is written."""
        fixed = self.trump_from == "fixed"
        if fixed and not self.trump_suit:
            raise Wrong("kit_missing", self.source.place(("trump",)), "trump", key="trump.suit")
        written: list[tuple[str, Path]] = [
            (suit, ("trump", "suit" if fixed else "suits"))
            for suit in ((self.trump_suit,) if fixed else self.trump_cycle)
        ]
        written += [(suit, ("bid", "special", bid, "suit")) for bid, suit in self.bid_suits.items()]
        changes = (*self.changes_at_once, *self.changes_after)
        written += [
            (change.suit, ("trump", "change", change.number, "suit"))
            for change in changes
            if change.suit not in ("", "named")
        ]
        for suit, path in written:
            if suit not in self.cards.suits and suit != "none":
                raise self._no_suit(path, suit)
        if self.trump_from == "bid" and not self.bid_suits:
            place: Path = ("trump", "from")
            raise Wrong("kit_missing", self.source.place(place), "trump", key="bid.special.….suit")
        if self.trump_from == "cycle" and not self.trump_cycle:
            raise Wrong("kit_missing", self.source.place(("trump",)), "trump", key="trump.suits")

    def _no_suit(self, path: Path, suit: str) -> Wrong:
        """The fault of a suit at ``path`` that the deck does not have."""
        fact, values = self.compiler.no_suit(suit)
        change = path[:2] == ("trump", "change")
        if self.cards.suits and (change or values.get("near") in ("led", "trump", "showing")):
            words = (*self.cards.suits, "none", *(["named"] if change else []))
            fact, values = "kit_one_of", {"value": suit, "words": words}
        return Wrong(fact, self.source.place(path), dotted(path), **values)

    def _call_rules(self) -> None:
        at = self.source.at
        self.caller = self.source.word("call", "by", default="") if at("call") is not None else ""
        if at("call") is not None and not self.caller:
            raise Wrong("kit_missing", self.source.place(("call",)), "call", key="call.by")
        calls = self.source.text("cards", "call", "cards")
        self.callable: Set | None = None
        if calls is not None:
            self.callable = self.compiler.mask(self._bounded(calls), DEAL)[0]

    def _draw_rules(self) -> None:
        """Raise ``Wrong`` if cards are drawn and can leave a hand unseen.

        ``core.drawn`` serves no such game.
        """
        barred: dict[Path, bool] = {
            ("deal", "turn_up"): self.turn_up == "dealer",
            ("pass", "to"): "aside" in self.passes,
            ("play", "cannot"): self.source.at("play", "cannot") == "down",
        }
        for path, found in barred.items():
            if self.draws and found:
                raise Wrong("kit_draw_with", self.source.place(path), dotted(path))

    def _play_rules(self) -> None:
        word = self.source.word
        self.lead = tuple(self._ladder("lead"))
        self.follow = tuple(self._ladder("follow"))
        always = self.source.text("cards", "play", "always")
        self.always = self.compiler.mask(self._bounded(always), DEAL)[0] if always else None
        self.cannot = word("play", "cannot", default="counts")
        self.classes = tuple(self._classes("best"))
        self.leads = tuple(self._classes("next"))
        self.somebody_leads = any(
            each.when is None and each.pick == 1 and each.fixed == self.cards.full
            for each in self.leads
        )
        self.equal = word("trick", "equal", default="first")
        by = word("trick", "equal_by", default="card")
        self.equal_key = (
            self.cards.rank if by == "rank" else {card: card for card in self.cards.suit}
        )
        self.row = word("trick", "row", default="front")
        digits = {k: str(v) for k, v in table(self.source.at("trick", "digits")).items()}
        value = self.cards.value
        self._digits = {c: digits.get(rank, str(value[c])) for c, rank in self.cards.rank.items()}
        self.nobody_last = word("trick", "none", default="nobody") == "last"
        self.next = "winner" if self.leads else word("trick", "next", default="winner")
        self.next_none = word("trick", "next_none", default="same")
        self.leave = self.condition(SEAT, "leave", "when")
        self.folds = self.condition(SEAT, "leave", "first")
        self._no_circle()
        simple = all(not c.when and c.plain for c in self.classes)
        # whether each seat has a suit of its own, so that sets differ from seat to seat
        self.own_suits = "suit bid" in self.compiler.uses
        # a card may change which cards win
        simple = simple and not {"number", "suit showing"} & self.compiler.uses
        self.simple = (
            simple
            and self.equal in ("first", "last")
            and self.trump_from != "first_discard"
            and not self.changes_at_once
            and not self.own_suits
        )

    def _no_circle(self) -> None:
        """Raise ``Wrong`` if who wins or leads, or the trump suit, depends on who is winning."""
        if not {"beats", "winning"} & self.compiler.uses:
            return
        texts = [text for each in (*self.classes, *self.leads) for text in each.texts]
        for change in self.changes_at_once:
            texts += [change.text] if change.condition is None else [change.text, change.condition]
        none_when = self.source.text("condition", "trump", "none_when")
        texts += [none_when] if none_when is not None else []
        named = {**self.compiler.groups, **self.compiler.values}
        for text in texts:
            for node in formula.walk_named(text.node, named):
                if (node.op, node.word) in (("set", "beats"), ("name", "winning")):
                    raise Wrong("kit_wins_by_itself", text.place, text.path, word=node.word)

    def _ladder(self, name: str) -> Iterator[LadderStep]:
        steps = self.source.at("play", name)
        for i, step in enumerate(steps if isinstance(steps, list) else ()):
            at: Path = ("play", name, i)
            text = self.source.text("cards", *(at if isinstance(step, str) else (*at, "cards")))
            assert text is not None
            more = table(step)
            condition = self.source.text("condition", *at, "when") if more else None
            when = self.only_when(SEAT, *at, "when") if more else None
            cards, fixed = self.compiler.mask(self._bounded(text), DEAL)
            yield LadderStep(when, condition, cards, fixed, text, str(more.get("order", "")))

    def _classes(self, key: str) -> Iterator[Class]:
        """The classes of ``trick.best`` or, if it is a list, of ``trick.next``."""
        rows = self.source.at("trick", key)
        for i, row in enumerate(rows if isinstance(rows, list) else ()):
            at: Path = ("trick", key, i)
            text = self.source.text("cards", *(at if isinstance(row, str) else (*at, "cards")))
            assert text is not None
            more = table(row)
            condition = self.source.text("condition", *at, "when") if more else None
            when = self.only_when(DEAL, *at, "when") if more else None
            cards, fixed = self.compiler.mask(self._bounded(text), DEAL)
            order, by_row = str(more.get("order", "high")), more.get("by") == "row"
            low, by_turn, pick = order in LOW, order in BY_TURN, int(str(more.get("pick", 1)))
            if by_row and by_turn:
                at = (*at, "order")
                raise Wrong("kit_row_by_turn", self.source.place(at), dotted(at), word=order)
            nobody = key == "best" and (text.node.op, text.node.word) == ("set", "none")
            plain = not by_row and not by_turn and pick == 1 and not nobody
            yield Class(
                when, condition, cards, fixed, text, low, by_row, by_turn, pick, plain, nobody
            )

    def _score_rules(self) -> None:
        terms = [
            self._term(name, table(row)) for name, row in table(self.source.at("score")).items()
        ]
        self.card_terms = tuple(term for term in terms if term.per == "card")
        self.trick_terms = tuple(term for term in terms if term.per == "trick")
        self.deal_terms = tuple(term for term in terms if term.per == "deal")
        self.match_terms = tuple(term for term in terms if term.per == "match")
        self.terms = {term.name: term for term in terms}
        self.counters = tuple(
            self._counter(name, table(row))
            for name, row in table(self.source.at("counters")).items()
        )
        deals = self.source.at("match", "deals")
        self.deals = self.number(TABLE, "match", "deals") if deals is not None else None
        self.until = self.condition(DEAL, "match", "until")
        out = self.source.at("match", "out")
        self.out = self.condition(SEAT, "match", "out") if out is not None else None
        self._out_rules()
        self.fewest = self.source.word("match", "winner", default="most") == "least"

    def _out_rules(self) -> None:
        """Raise ``Wrong`` for rules that ``match.out`` or ``leave.first`` exclude."""
        barred: dict[Path, bool] = {
            ("pass",): bool(self.passes),
            ("deal", "draw"): self.draws,
            ("deal", "leader"): self.first == "holder",
        }
        for path, found in barred.items():
            if self.out is not None and found:
                raise Wrong("kit_out_with", self.source.place(path), dotted(path))
        if self.folds is not None and self.first == "holder":
            raise Wrong("kit_fold_holder", self.source.place(("leave", "first")), "leave.first")

    def _beyond_each(self) -> dict[str, dict[int, int]]:
        """For each card, the cards that are lower ("low") and higher, if a step needs them."""
        cards = self.cards
        kinds = {str(card): bits for card, bits in cards.bits.items()}
        if not any(step.order for step in (*self.lead, *self.follow)):
            return {}
        level: dict[int, int] = {}
        for card, bits in kinds.items():
            level[cards.strength[card]] = level.get(cards.strength[card], 0) | bits
        below: dict[int, int] = {}
        lower = 0
        for grade in sorted(level):
            below[grade], lower = lower, lower | level[grade]
        low = {bits: below[cards.strength[card]] for card, bits in kinds.items()}
        high = {
            bits: cards.full & ~low[bits] & ~level[cards.strength[card]]
            for card, bits in kinds.items()
        }
        return {"low": low, "high": high}

    def _term(self, name: str, row: Mapping[str, Value]) -> ScoringTerm:
        per = str(row.get("per"))
        where = CARD if per in ("card", "trick") else SEAT
        team = row.get("to") == "team"
        when = self.only_when(where, "score", name, "when")
        points = self.number(where, "score", name, "points")
        value, path = self._of_these_seats(("score", name, "points"))
        text = self.source.text("sum", *path, value=value)
        if text is None:
            return ScoringTerm(name, per, team, when, points, "0", False, None)
        named = text.node.op == "name" or text.node.op.endswith("()")
        shown = worked(self.compiler, text, where)
        return ScoringTerm(name, per, team, when, points, text.source, named, shown)

    def _counter(self, name: str, row: Mapping[str, Value]) -> Counter:
        per_trick = row.get("per") == "trick"
        where = CARD if per_trick else SEAT
        add = self.number(where, "counters", name, "add")
        return Counter(name, str(row.get("of")), per_trick, row.get("keep") != "deal", add)

    @property
    def one_bids_highest(self) -> bool:
        """Whether the highest bidder, or the one player who bids, plays against the others."""
        names = (self.caller, self.trump_by if self.trump_from == "named" else "")
        alone = self.bidder != "all" or self.auction or self.highest_leads
        return self.has_bids and (alone or self.trump_from == "bid" or "highest_bid" in names)

    def bid_worth(self, said: str | None) -> int:
        """The number that a bid counts; 0 without a bid."""
        if said is None:
            return 0
        return self.special_bids[said] if said in self.special_bids else int(said)

    def suit_bid(self, state: State, place: int) -> int:
        """The mask of the suit of the bid of the seat with the index ``place``."""
        suit = self.bid_suits.get(state.round.bids[place] or "", "")
        return self.cards.suits.get(suit, 0)

    def hand_size(self, scope: Scope) -> int:
        """The number of cards for each seat in the deal of ``scope``, at least 1."""
        return max(1, min(self.hand(scope), len(self.cards.deck) // self.n))

    def stock(self, size: int) -> int:
        """How many cards are left to draw after a deal of ``size`` cards to each seat.

        The turn-up is one of them. 0 in games without draws.
        """
        return len(self.cards.deck) - self.n * size if self.draws else 0

    def trick_count(self, size: int) -> int:
        """The number of tricks in a deal with ``size`` cards each, unless seats leave it."""
        return size + self.stock(size) // self.n

    def deal_count(self, scope: Scope) -> int | None:
        """The highest number of deals in a match; None if only a condition ends it."""
        return max(1, min(self.deals(scope), MOST_DEALS)) if self.deals else None

    def kinds(self, mask: int) -> frozenset[Card]:
        """The cards of ``mask``, as declarations name them."""
        found = self._kinds.get(mask)
        if found is None:
            if len(self._kinds) > 5000:
                self._kinds.clear()
            found = self._kinds[mask] = frozenset(self.cards.kinds(mask))
        return found

    def free(self, ladder: str, k: int, card: str) -> Legal:
        """The verdict on a card that declares nothing about the hand, as most do; cached."""
        found = self._free.get((ladder, k, card))
        if found is None:
            if len(self._free) > 20_000:
                self._free.clear()
            found = Legal(f"{ladder}.{k}", (Evidence("kit_free", {"card": card}),))
            self._free[ladder, k, card] = found
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
                        above |= mask & self._beyond[order][bits]
                    break
                above |= mask
            k += 1
        if above and self.always is not None and bits & self.always(state, None):
            return "always", 1, 0
        return name, k, above

    def below_all(self, state: State, k: int) -> bool:
        """Whether step ``k`` of ``climb`` is that of a card below all steps."""
        return k > len(self.follow if state.trick else self.lead)

    def honest(self, state: State, held: int) -> int:
        """The mask of the cards that may be played from a hand of the cards ``held``.

        These are the cards c of ``held`` for which ``climb`` has no card of ``held`` above c. One
        walk of the ladder finds them all.
        """
        free = held
        for when, _, cards, fixed, _, order in self.follow if state.trick else self.lead:
            if when is None or when(Scope(state, self._place(state, ""))):
                found = held & (cards(state, None) if fixed is None else fixed)
                if found:
                    free = self._outermost(found, order) if order else found
                    break
        return free | held & self.always(state, None) if self.always is not None else free

    def _outermost(self, cards: int, order: str) -> int:
        """The lowest ("low") or the highest of these cards."""
        beyond = self._beyond[order].items()
        return sum(bits for bits, others in beyond if cards & bits and not cards & others)

    def asked(self, state: State) -> int:
        """The mask of the first step that applies to the seat due; 0 if any card may be played."""
        for when, _, cards, _, _, _ in self.follow if state.trick else self.lead:
            if when is None or when(Scope(state, self._place(state, ""))):
                mask = cards(state, None)
                if mask:
                    return mask
        return 0

    def _place(self, state: State, seat: Seat) -> int:
        return self.index[seat or (state.due[0] if state.due else self.seats[0])]

    def winner(self, state: State) -> Laid | None:
        """The card that wins the trick of ``state`` so far; None if none does."""
        found = self.decided(state)
        return found[1] if found else None

    @of_last_state
    def winning(self, state: State) -> int | None:
        """The index of the seat that wins the trick of ``state`` so far; None if nobody does."""
        best = self.winner(state)
        return self.index[best.seat] if best else None

    def decided(self, state: State) -> tuple[int, Laid | None] | None:
        """The class that decides the trick of ``state`` so far, and the winning card; None if none.

        The class is its 0-based index in ``classes``. A class that says that nobody wins has no
        card.
        """
        live = [laid for laid in state.trick if not laid.out and not laid.down]
        if self.equal == "cancel" and live:
            key = self.equal_key
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
                if self.equal == "last":
                    grade_of, among = grade_of[::-1], among[::-1]
                return number, among[grade_of.index(top_grade)]
            strength = self._strengths(state, best, among)
            grades = sorted(set(strength), reverse=not best.low)
            if len(grades) >= best.pick:
                grade = grades[best.pick - 1]
                top = [laid for laid, each in zip(among, strength, strict=True) if each == grade]
                return number, top[-1 if self.equal == "last" else 0]
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
        return best.cards(state, Scope(state, self.index[laid.seat]))

    def _strengths(self, state: State, best: Class, among: list[Laid]) -> list[tuple[int, str]]:
        """A sort key for each of the cards ``among``, lowest first, by rank, row or turn."""
        if best.by_turn:
            return [(turn, "") for turn in range(len(among))]
        if not best.by_row:
            strength = self.cards.strength
            return [(strength[laid.card], "") for laid in among]
        return [self.row_number(state.rows[self.index[laid.seat]]) for laid in among]

    def row_number(self, row: tuple[str, ...]) -> tuple[int, str]:
        """A row read as one number: its length and its digits; such pairs compare as the numbers
        do.
        """
        cards = row
        if self.row == "front":
            cards = row[::-1]
        elif self.row == "sorted":
            cards = tuple(sorted(row, key=lambda card: -self.cards.value[card]))
        digits = "".join([self._digits[card] for card in cards]).lstrip("0")
        return len(digits), digits

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
                return mask | here & (beyond | alike if self.equal == "last" else beyond)
            mask |= here
            above |= here
        return mask

    def _than(self, grade: int) -> tuple[int, int]:
        """The masks of the cards of strength ``grade`` and of the weaker ones; cached."""
        found = self._graded.get(grade)
        if found is None:
            alike = lower = 0
            for card, bits in self.cards.bits.items():
                strength = self.cards.strength[str(card)]
                alike |= bits * (strength == grade)
                lower |= bits * (strength < grade)
            found = self._graded[grade] = (alike, lower)
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
        trump, led = self.trump(state, laid), self.led(state.led, laid)
        lies = state._replace(trick=trick, rows=self.rows(state, laid), led=led, trump=trump)
        if self.keeps_showing and laid.card:
            lies = lies._replace(showing=self.showing(trick, state.showing))
        if not self.changes_at_once or not laid.card:
            return lies
        lies = lies._replace(pile=self.pile(state, laid.card), own=self.own(state, laid))
        change = self.changes(lies)
        return lies._replace(trump=self.changed(change, laid.card, trump)) if change else lies

    def showing(self, trick: tuple[Laid, ...], before: int) -> int:
        """The mask of the numbers that lie face up in ``trick``; ``before``: without its last card.
        Nothing if the rules do not use it.
        """
        ranks, rank = self.cards.ranks, self.cards.rank
        if not self.keeps_showing:
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
        return state.pile + self.cards.deck.one[card] if self.keeps_pile else state.pile

    def own(self, state: State, laid: Laid) -> tuple[Bag, ...]:
        """The cards played by each seat, with one more; as ``pile``."""
        if not self.keeps_own:
            return state.own
        i, own = self.index[laid.seat], state.own
        return (*own[:i], own[i] + self.cards.deck.one[laid.card], *own[i + 1 :])

    def changes(self, state: State) -> TrumpChange | None:
        """The row of ``trump.change`` by which the last card of the trick changes the trump suit at
        once; None if it does not.
        """
        laid = state.trick[-1]
        if not laid.card or laid.down or self.trumpless(state):
            return None
        bits, scope = self.cards.bits[laid.card], Scope(state, self.index[laid.seat])
        for change in self.changes_at_once:
            if bits & change.cards(state, scope) and (change.when is None or change.when(scope)):
                return change
        return None

    def changed(self, change: TrumpChange, card: str, trump: str | None) -> str | None:
        """The trump suit after ``card`` has changed ``trump``; as before until one is named."""
        if change.suit == "named":
            return trump
        suit = change.suit or self.cards.suit[card]
        return suit if suit in self.cards.suits else None

    def rows(self, state: State, laid: Laid) -> tuple[tuple[str, ...], ...]:
        """The rows of all seats after ``laid``."""
        rows = state.rows
        if not self.keeps_rows or not laid.card:
            return rows
        i = self.index[laid.seat]
        return (*rows[:i], (*rows[i], laid.card), *rows[i + 1 :])

    def with_card(self, state: State, laid: Laid) -> tuple[Laid, ...]:
        """The trick with one more card; two equal ones may turn each other face down."""
        trick = state.trick
        if self.equal == "turn_down" and laid.card and not laid.out:
            key = self.equal_key
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

    def trump(self, state: State, laid: Laid) -> str | None:
        """The trump suit after ``laid``."""
        if self.trump_from == "first_discard" and state.trump is None and state.led and laid.card:
            suit = self.cards.suit
            other = suit[laid.card] and suit[laid.card] != suit[state.led]
            if other and not self.trumpless(state):
                return suit[laid.card]
        return state.trump

    def trumpless(self, state: State) -> bool:
        """Whether the deal of ``state`` has no trump suit, whatever would make one."""
        return self.no_trump is not None and bool(self.no_trump(Scope(state)))

    def may_be_called(self, state: State) -> int:
        """The mask of the cards that may be called; all cards if the file's set is empty now."""
        mask = self.callable(state, None) if self.callable is not None else 0
        return mask or self.cards.full


def _plain(text: FormulaText, node: formula.Node, known: Mapping[str, int]) -> int:
    """The value of a sum of numbers and ``known`` names alone, as in the table ``[deck]``."""

    def of(part: formula.Node) -> int:
        return _plain(text, part, known)

    match node.op:
        case "number":
            return node.number
        case "name" if node.word in known:
            return known[node.word]
        case "minus":
            return -of(node.parts[0])
        case "+" | "-" | "*":
            a, b = map(of, node.parts)
            return formula.limited(a + b if node.op == "+" else a - b if node.op == "-" else a * b)
        case "/":
            a, b = map(of, node.parts)
            return a // b if b else 0
        case "min()" | "max()":
            return (min if node.op == "min()" else max)(map(of, node.parts))
    place = FilePosition(text.place.line, text.place.column + node.at)
    raise Wrong("kit_not_here", place, text.path, word=node.word or node.op)


def wrong(rules: Rules, fact: str, path: Path, **values: object) -> Wrong:
    """A fault of the key at ``path`` at this table."""
    return Wrong(fact, rules.source.place(path), dotted(path), **values)
