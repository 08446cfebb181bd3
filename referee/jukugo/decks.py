"""A 熟語トランプ deck: 52 kanji, each with a suit, a rank and a value, and two jokers 々.

A deck file is CSV, ``kanji,suit,rank,value``, one line per card, without the jokers. Decks on sale
have 52 cards; smaller ones, from nine cards on, are for tests.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple, TypeAlias

from referee.core.normalised import normalised
from referee.core.record import Unreadable
from referee.jukugo.words import KANJI

JOKER = "々"
SUITS = "SHDC"
RANKS = range(1, 14)
VALUES = range(1, 6)
FEWEST, MOST = 9, 52
COLUMNS = ("kanji", "suit", "rank", "value")

Place: TypeAlias = tuple[str, int]
"""Suit and rank."""

_KANJI = re.compile(f"[{KANJI}]")
SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
FACES = {1: "A", 11: "J", 12: "Q", 13: "K"}
_SUIT_SIGNS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C"}
_FACES = {"A": "1", "J": "11", "Q": "12", "K": "13"}


class Card(NamedTuple):
    """A kanji with its suit (S H D C), rank (1…13) and value (1…5)."""

    kanji: str
    suit: str
    rank: int
    value: int

    @property
    def place(self) -> Place:
        return self.suit, self.rank


@dataclass(frozen=True)
class KanjiDeck:
    """Cards in the order of their suits (S H D C) and ranks; no kanji and no place occurs twice."""

    cards: tuple[Card, ...]

    @cached_property
    def by_kanji(self) -> Mapping[str, Card]:
        return {card.kanji: card for card in self.cards}

    @cached_property
    def id(self) -> str:
        """The name of the deck's file, derived from its content: ``deck-3f9a0c1e5b7d.csv``."""
        return f"deck-{sha256(write_deck(self).encode()).hexdigest()[:12]}.csv"


def read_deck(text: str) -> KanjiDeck:
    """The deck of a CSV file; raises ``Unreadable`` with the line at fault."""
    cards: list[tuple[int, Card]] = []
    end = 0
    for end, row in _rows(text):
        if len(row) != len(COLUMNS):
            raise Unreadable("read_deck_columns", line=end, columns=",".join(COLUMNS))
        cards.append((end, read_card(*row, line=end)))
    return build(cards, end)


def read_card(kanji: str, suit: str, rank: str, value: str, *, line: int = 0) -> Card:
    """A card from its four texts; raises ``Unreadable``. Suit signs and A J Q K are accepted."""
    kanji, suit, rank, value = (_clean(text) for text in (kanji, suit, rank, value))
    suit, rank = _SUIT_SIGNS.get(suit, suit.upper()), _FACES.get(rank.upper(), rank)
    if kanji == JOKER:
        raise Unreadable("read_deck_joker", line=line)
    if not _KANJI.fullmatch(kanji):
        raise Unreadable("read_deck_kanji", line=line, text=kanji)
    if suit not in tuple(SUITS):
        raise Unreadable("read_deck_suit", line=line, text=suit, kanji=kanji)
    if rank not in map(str, RANKS):
        raise Unreadable("read_deck_rank", line=line, text=rank, kanji=kanji)
    if value not in map(str, VALUES):
        raise Unreadable("read_deck_value", line=line, text=value, kanji=kanji)
    return Card(kanji, suit, int(rank), int(value))


def build(cards: Iterable[tuple[int, Card]], end: int = 0) -> KanjiDeck:
    """The deck of these cards, each with its line number.

    Raises ``Unreadable`` for doubles, and (at line ``end``) for a number of cards that makes no
    deck.
    """
    found = list(cards)
    for fault in doubles(found):
        raise fault
    if not FEWEST <= len(found) <= MOST:
        raise Unreadable("read_deck_size", line=end, count=len(found), few=FEWEST, many=MOST)
    order = sorted((card for _line, card in found), key=lambda c: (SUITS.index(c.suit), c.rank))
    return KanjiDeck(tuple(order))


def doubles(cards: Iterable[tuple[int, Card]]) -> list[Unreadable]:
    """A fault for every card whose kanji or place an earlier line has already."""
    kanji: dict[str, int] = {}
    places: dict[Place, Card] = {}
    faults = []
    for line, card in cards:
        if card.kanji in kanji:
            values = {"kanji": card.kanji, "other": kanji[card.kanji]}
            faults.append(Unreadable("read_deck_kanji_twice", line=line, **values))
        elif card.place in places:
            other = places[card.place].kanji
            said = {"suit": card.suit, "rank": card.rank, "kanji": card.kanji, "other": other}
            faults.append(Unreadable("read_deck_place_twice", line=line, **said))
        kanji.setdefault(card.kanji, line)
        places.setdefault(card.place, card)
    return faults


def write_deck(deck: KanjiDeck) -> str:
    """The CSV file of a deck; ``read_deck`` reads it back."""
    lines = [COLUMNS, *deck.cards]
    return "".join(",".join(map(str, line)) + "\n" for line in lines)


def _rows(text: str) -> Iterable[tuple[int, list[str]]]:
    """The rows of a CSV text with their line numbers, without its head and empty lines."""
    lines = text.removeprefix("\ufeff").splitlines()
    delimiter = "\t" if lines and "\t" in lines[0] else ","
    for number, line in enumerate(lines, 1):
        row = next(csv.reader([line.replace("\0", "")], delimiter=delimiter), [])
        head = number == 1 and tuple(cell.strip().lower() for cell in row) == COLUMNS
        if any(cell.strip() for cell in row) and not head:
            yield number, row


def _clean(text: str) -> str:
    # an emoji suit sign has a variation selector after it
    return normalised(text).replace("\ufe0f", "").replace("\ufe0e", "").strip()
