"""The rules of one table: a game file with its house rules, compiled chapter by chapter.

``Rules`` is made once for a table and never changes.
"""

from __future__ import annotations

from collections.abc import Mapping

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
from referee.kit.chapters.deck import Cards, NoDeck, cards_of, special_cards, table
from referee.kit.families.trick_taking.state import State
from referee.kit.text import formula
from referee.kit.text.compiler import Compiler
from referee.kit.text.faults import FilePosition, Path, Wrong, dotted
from referee.kit.text.formula import FormulaText
from referee.kit.text.formulas import TableFormulas
from referee.kit.text.source import RulesSource
from referee.kit.text.toml import Value
from referee.kit.text.vocabulary import Vocabulary

FRENCH_SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
GERMAN_SUITS = {"S": "pik", "H": "herz", "D": "karo", "C": "kreuz"}


class Rules:
    """The compiled rules for a table with these seats and house rules, a field for each chapter.

    Raises ``Wrong`` if the file makes no game for it. ``key``: rules with equal keys are equal.
    ``steps``: the cost of evaluating every sum once.
    """

    def __init__(self, source: RulesSource, seats: tuple[Seat, ...], key: object) -> None:
        self.source, self.seats, self.key = source, seats, key
        self.n = len(seats)
        self.index = {seat: i for i, seat in enumerate(seats)}
        self.teams = _teams(source, self.n)
        self.cards = _cards(source, self.n)
        words = bidding.words(source)
        self.compiler = _compiler(source, self.cards, self.teams, words)
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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Rules({self.key!r})"

    # What sums ask of the rules (``RulesOfSums``).

    def bid_worth(self, said: str | None) -> int:
        """The number that a bid counts; 0 without a bid."""
        return self.bidding.worth(said)

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


def _teams(source: RulesSource, n: int) -> tuple[tuple[int, ...], ...]:
    """For each seat the indices of its team, itself included."""
    path: Path = ("seats", "teams")
    teams, path = source.of_these_seats(path, n)
    if teams in (None, "none"):
        return tuple((i,) for i in range(n))
    if n % 2:
        raise Wrong("kit_teams", source.place(path), dotted(path), n=n)
    step = n // 2 if teams == "opposite" else 2
    return tuple(tuple(sorted({(i + step * k) % n for k in range(n)})) for i in range(n))


def _compiler(
    source: RulesSource,
    cards: Cards,
    teams: tuple[tuple[int, ...], ...],
    words: bidding.BidWords,
) -> Compiler:
    """The compiler of the file's sums and sets at this table."""
    counters = table(source.at("counters"))
    vocabulary = Vocabulary(
        cards=cards,
        seats=len(teams),
        values=_texts(source, "sum", "values"),
        groups=_texts(source, "cards", "groups"),
        counters={name: str(table(row).get("of")) for name, row in counters.items()},
        bids=words.worth,
        has_bids=source.at("bid") is not None,
        teams=teams,
        calls=source.at("call") is not None,
        words=_words(source, cards),
        bid_suits=words.suits,
    )
    return Compiler(vocabulary)


def _words(source: RulesSource, cards: Cards) -> dict[str, str]:
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


def _cards(source: RulesSource, seats: int) -> Cards:
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


def _texts(source: RulesSource, kind: str, key: str) -> dict[str, FormulaText]:
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
    place = FilePosition(text.place.line, text.place.column + node.at)
    raise Wrong("kit_not_here", place, text.path, word=node.word or node.op)


def wrong(rules: Rules, fact: str, path: Path, **values: object) -> Wrong:
    """A fault of the key at ``path`` at this table."""
    return Wrong(fact, rules.source.place(path), dotted(path), **values)
