"""The words of a game file at one table, as its ruling book says them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from referee.core.book import Text
from referee.core.game import Table
from referee.kit.chapters.deck import SIGNS, special_cards, table
from referee.kit.game import KitGame
from referee.kit.text.formula import FormulaText as Sum
from referee.kit.text.formula import Node
from referee.kit.text.source import RulesSource
from referee.kit.text.toml import Value
from referee.kit.variants import counts, working
from referee.kit.words import amount, joined, phrase


class BookParts(NamedTuple):
    """The parts of the ruling books of a family.

    ``sections``: the id and both titles of each. ``clauses``: what makes the clauses, in the order
    of the rules. ``absent``: what is not in a game whose rules do not mention it, although an entry
    can claim it. ``within``: clauses without a section of their own → the section that lists them.
    """

    sections: tuple[tuple[str, str, str], ...]
    clauses: tuple[Callable[[FileWords], Iterator[tuple[str, Text]]], ...]
    absent: Mapping[str, Text]
    within: Mapping[str, str]


class FileWords:
    """What the clauses of a file are made of.

    ``rules``: those of the table; ``own``: the author's texts, by clause. For each language,
    ``named``: the displayed names of cards, suits, bids and sums; ``spoken``: the same, and the
    names of suits without a sign.
    """

    def __init__(self, game: KitGame, at: Table) -> None:
        """The words at the table ``at``; raises ``Wrong`` if the file makes no game for it."""
        self.game, self.source = game, game.source(at.chosen)
        self.rules = game.rules(at)
        self.own = table(game.document.values.get("text"))
        self.named = {lang: {**spelling(game)[0], **self._names(lang)} for lang in ("ja", "en")}
        suits = suits_without_sign(self.source).items()
        self.spoken = {
            lang: {**named, **{suit: text.in_(lang) for suit, text in suits}}
            for lang, named in self.named.items()
        }

    def _names(self, lang: str) -> dict[str, str]:
        """The names of special cards, special bids, and named sums and sets in ``lang``."""
        cards = special_cards(table(self.source.at("deck")))
        rows = (cards, self.source.at("bid", "special"), self.source.at("combo"), self.own)
        named = {
            key: text_of(said)
            for row in rows
            if isinstance(row, Mapping)
            for key, said in row.items()
        }
        # a name of the file's own is not a name of the format: a value may be called "last"
        keys = ("values", "groups", "counters")
        own = {name: text.in_(lang) for name, text in self.game.WORDS.items()}
        own |= {name: name for key in keys for name in table(self.source.at(key))}
        said = {key: text.in_(lang) for key, text in named.items() if text.ja and "." not in key}
        return {**own, **said}

    def text(self, kind: str, *path: str | int) -> Text:
        """The sum, condition or set at ``path`` in words; empty if there is none."""
        value = self.source.at(*path)
        if isinstance(value, dict):
            parts = [(str(seats), str(each)) for seats, each in value.items()]
            return Text(
                "、".join(f"{n}人なら{v}" if n != "else" else f"ほかは{v}" for n, v in parts),
                ", ".join(f"{v} with {n}" if n != "else" else f"otherwise {v}" for n, v in parts),
            )
        found = self.source.text(kind, *path)
        if found is None:
            return Text("", "")
        return self.words(found, amount if kind == "sum" else phrase)

    def words(
        self, text: Sum | Node, say: Callable[[Node, str, Mapping[str, str]], str] = phrase
    ) -> Text:
        node = self.game.reworded(text if isinstance(text, Node) else text.node)
        return Text(*(say(node, lang, self.spoken[lang]) for lang in ("ja", "en")))


def spelling(game: KitGame) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Each card and suit → how it is displayed; each suit's sign → its cards.

    The deck can differ by the number of seats: these are the cards of all numbers.
    """
    own = table(table(game.document.values["deck"]).get("suits"))
    signs = {suit: str(table(own.get(suit)).get("sign") or suit) for suit in own} or dict(SIGNS)
    spelled: dict[str, str] = {}
    suits: dict[str, tuple[str, ...]] = {}
    for _table, rules in working(game, map(game.plain_table, counts(game))):
        cards = rules.cards
        for card in map(str, cards.deck.cards):
            rank = cards.rank[card]
            spelled.setdefault(card, signs.get(cards.suit[card], "") + rank if rank else card)
        for suit, mask in cards.suits.items():
            sign = signs.get(suit, suit)
            suits[sign] = tuple(dict.fromkeys((*suits.get(sign, ()), *cards.kinds(mask))))
    return {**signs, **spelled}, suits


def suits_without_sign(source: RulesSource) -> dict[str, Text]:
    """The names of the file's own suits that have no sign: they are said, but not on cards."""
    own = table(source.at("deck", "suits"))
    named = {suit: text_of(row) for suit, row in own.items() if "sign" not in table(row)}
    return {suit: text for suit, text in named.items() if text.ja}


def text_of(value: Value | Mapping[str, Value] | None) -> Text:
    """A text of the file; if one language is missing, the other one is used."""
    row: Mapping[str, Value] = value if isinstance(value, Mapping) else {}
    ja, en = str(row.get("ja") or ""), str(row.get("en") or "")
    return Text(ja or en, en or ja)


def own_text(row: Value | None, made: Text) -> Text:
    """The row's own text if it has one, else ``made``."""
    own = text_of(row)
    return own if own.ja else made


def either(named: Mapping[str, str], cards: list[str], lang: str) -> str:
    """One of several special cards."""
    return joined([named.get(card, card) for card in cards], "か" if lang == "ja" else " or ", lang)
