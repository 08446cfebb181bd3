"""What the rules of every table have: seats, deck, sums. Chapters and families add theirs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypeVar

from referee.core.verdict import Seat
from referee.kit.chapters.deck import Cards, NoDeck, cards_of, special_cards, table
from referee.kit.chapters.match import MatchRules
from referee.kit.chapters.scoring import ScoreRules
from referee.kit.text import formula
from referee.kit.text.compiler import Compiler
from referee.kit.text.faults import Path, Wrong, dotted
from referee.kit.text.formula import FormulaText
from referee.kit.text.source import RulesSource
from referee.kit.text.toml import Value
from referee.kit.text.vocabulary import FamilyNames, Vocabulary
from referee.kit.text.vocabulary import wrong as wrong_in

FRENCH_SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
GERMAN_SUITS = {"S": "pik", "H": "herz", "D": "karo", "C": "kreuz"}


class TableRules:
    """The compiled rules for a table with these seats and house rules, in every family.

    ``key``: rules with equal keys are equal. ``teams``: for each seat the indices of its team,
    itself included. A family sets ``compiler``, ``scoring``, ``match``, and ``steps``: the cost of
    evaluating every sum once.
    """

    compiler: Compiler
    scoring: ScoreRules
    match: MatchRules
    steps: int

    def __init__(self, source: RulesSource, seats: tuple[Seat, ...], key: object) -> None:
        """Raises ``Wrong`` if the file makes no teams or no deck for these seats."""
        self.source, self.seats, self.key = source, seats, key
        self.n = len(seats)
        self.index = {seat: i for i, seat in enumerate(seats)}
        self.teams = teams_of(source, self.n)
        self.cards = cards_at(source, self.n)

    def vocabulary(self, family: FamilyNames) -> Vocabulary:
        """What sums can name at this table, without bids and calls."""
        counters = table(self.source.at("counters"))
        return Vocabulary(
            cards=self.cards,
            seats=self.n,
            values=texts_of(self.source, "sum", "values"),
            groups=texts_of(self.source, "cards", "groups"),
            counters={name: str(table(row).get("of")) for name, row in counters.items()},
            teams=self.teams,
            words=words_of(self.source, self.cards),
            family=family,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableRules) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Rules({self.key!r})"


R = TypeVar("R", bound=TableRules, default=Any)
"""The rules of a family; code that serves every family leaves it out, see ``core.generic``."""


def teams_of(source: RulesSource, n: int) -> tuple[tuple[int, ...], ...]:
    """For each seat the indices of its team, itself included."""
    path: Path = ("seats", "teams")
    teams, path = source.of_these_seats(path, n)
    if teams in (None, "none"):
        return tuple((i,) for i in range(n))
    if n % 2:
        raise Wrong("kit_teams", source.place(path), dotted(path), n=n)
    step = n // 2 if teams == "opposite" else 2
    return tuple(tuple(sorted({(i + step * k) % n for k in range(n)})) for i in range(n))


def words_of(source: RulesSource, cards: Cards) -> dict[str, str]:
    """The English words of suits and special cards → what a card set has for them."""
    words = {"led": "suit led", "trump": "suit trump"}
    if source.at("deck", "pack") is not None:
        words |= {word: f"suit {suit}" for suit, word in GERMAN_SUITS.items()}
    for suit in cards.suits:
        words[FRENCH_SUITS.get(suit, suit.lower())] = f"suit {suit}"
    ranks = {"ten": "10", "jack": "J", "queen": "Q", "king": "K", "ace": "A"}
    words |= {word: f"rank {rank}" for word, rank in ranks.items() if rank in cards.order}
    deck = table(source.at("deck"))
    for kind, rows in (("suit", table(deck.get("suits"))), ("card", special_cards(deck))):
        for name, row in rows.items():
            words[str(table(row).get("en", name)).lower()] = f"{kind} {name}"
    return words


def cards_at(source: RulesSource, seats: int) -> Cards:
    at: Path = ("deck",)

    parsed: dict[str, FormulaText | None] = {}

    def sum_of(formula: Value, known: Mapping[str, int]) -> int:
        key = repr(formula)  # the same sum is used for many ranks
        text = parsed.get(key) or source.text("sum", *at, value=formula)
        parsed[key] = text
        assert text is not None
        return _plain(text, text.node, known)

    try:
        return cards_of(table(source.at("deck")), seats, sum_of)
    except NoDeck as none:
        raise Wrong(none.fact, source.place(none.path), dotted(none.path), **none.values) from None


def texts_of(source: RulesSource, kind: str, key: str) -> dict[str, FormulaText]:
    found = {}
    for name in table(source.at(key)):
        text = source.text(kind, key, name)
        assert text is not None
        found[name] = text
    return found


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
    raise wrong_in(text, node, "kit_not_here", word=node.word or node.op)


def wrong(rules: TableRules, fact: str, path: Path, **values: object) -> Wrong:
    """A fault of the key at ``path`` at this table."""
    return Wrong(fact, rules.source.place(path), dotted(path), **values)
