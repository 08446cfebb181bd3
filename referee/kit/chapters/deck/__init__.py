"""The cards of a game file: how each is written, its suit, rank, strength and numbers.

A set of cards is an integer with the digits of its kinds (``core.cards``, *mask*). So sets are
combined with bit operations, and the cards of a bag that are in a set can be counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from referee.core.cards import BITS, DIGIT, Deck
from referee.core.verdict import Card
from referee.kit.text.faults import Path
from referee.kit.text.form import (
    COUNT,
    NAMES,
    NUMBER,
    NUMBERS,
    SUM,
    TEXT,
    WORDED,
    FileFaults,
    Leaf,
    Shape,
    by_seats,
    check_names,
    check_table,
    each_of,
    one_of,
    seats_key,
)
from referee.kit.text.toml import Value

# one text: a string with one pack alone would be the name of a game (see tests/test_rooms.py)
_PACKS = "french french36 french32 french54 pairs"
PACKS = tuple(_PACKS.split())
PAIRS = PACKS[-1]
COLOUR_WORDS = ("red", "black", "blue", "green", "yellow", "orange", "purple", "brown")


def check_ranks(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if isinstance(value, str):
        found = re.fullmatch(r"([0-9]{1,3})\.\.([0-9]{1,3})", value)
        if not found or int(found[1]) > int(found[2]):
            faults.add("kit_ranks", path)
    elif not isinstance(value, list) or not value:
        faults.add("kit_ranks", path)
    else:
        check_names(faults, leaf, value, path)


RANKS = Leaf(check_ranks)
SUITS: Mapping[str, Shape] = {
    **WORDED,
    "colour": one_of(*COLOUR_WORDS),
    "sign": TEXT,
    "ranks": RANKS,
}
SPECIAL_CARD: Mapping[str, Shape] = {**WORDED, "copies": NUMBER, "led": one_of("none", "skip")}


def _suits(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    for key, inner, at in each_of(faults, value, path, 26):
        if not re.fullmatch("[A-Z]", key):
            faults.add("kit_one_capital", at)
        check_table(faults, SUITS, inner, at)


def _special_cards(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    for key, inner, at in each_of(faults, value, path, 100):
        if not re.fullmatch("[A-Z][A-Z0-9]{0,3}", key):
            faults.add("kit_special_key", at)
        check_table(faults, SPECIAL_CARD, inner, at)


SEATS_KEYS: Mapping[str, Shape] = {
    "count": COUNT,
    "teams": one_of("none", "opposite", "alternate", by_seats=True),
}

KEYS: Mapping[str, Shape] = {
    "pack": one_of(*PACKS),
    "top": SUM._replace(by_seats=True),
    "suits": Leaf(_suits),
    "ranks": RANKS,
    "copies": SUM,
    "remove": NAMES._replace(by_seats=True),
    "special": Leaf(_special_cards),
    "value": NUMBERS,
    "worth": NUMBERS,
}


KINDS = 1000  # kinds of cards in a deck, at most
COPIES = 20_100  # cards in a deck, at most

FRENCH = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
FACES = {"J": 11, "Q": 12, "K": 13, "A": 14}
SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
FROM = {"french": 0, "french54": 0, "french36": 4, "french32": 5}
"""For each pack of French cards, the index of its lowest rank in ``FRENCH``."""
COLOURS = {"S": "black", "H": "red", "D": "red", "C": "black"}
JOKERS: Mapping[str, Mapping[str, Value]] = {
    "XB": {"ja": "黒ジョーカー", "en": "black joker"},
    "XR": {"ja": "赤ジョーカー", "en": "red joker"},
}
"""The special cards of "french54", with names that a file can change."""


class Cards(NamedTuple):
    """The deck and what is known of each kind; mappings have the written card as key.

    ``suit`` and ``rank`` are "" for special cards, ``suit`` also in a deck without suits.
    ``strength``: which of two cards is higher, 1 for the lowest, 0 for special cards; ``value``:
    the number of its rank; ``worth``: its points for sums with ``worth``, else 0. ``known``: how
    cards can be written, removed ones included. ``led``: for special cards, "none" or "skip" (see
    the format). ``suits``, ``ranks``, ``bits``, ``full``, ``special``: masks, by suit, by rank, by
    card, of all cards, of the special ones; ``colours``: for each suit, the mask of all suits of
    its colour. ``order``: all ranks from low to high, by number if suits differ in their ranks and
    their numbers grow.
    """

    deck: Deck
    suit: Mapping[str, str]
    rank: Mapping[str, str]
    strength: Mapping[str, int]
    value: Mapping[str, int]
    worth: Mapping[str, int]
    led: Mapping[str, str]
    suits: Mapping[str, int]
    ranks: Mapping[str, int]
    colours: Mapping[str, int]
    order: tuple[str, ...]
    bits: Mapping[Card, int]
    full: int
    special: int
    known: frozenset[str]

    def kinds(self, mask: int) -> tuple[str, ...]:
        """The cards of ``mask`` in the deck's order."""
        digits = mask.to_bytes(2 * len(self.bits), "little")[::2]  # two bytes a kind
        return tuple(str(card) for card, digit in zip(self.bits, digits, strict=True) if digit)


class NoDeck(Exception):
    """No deck can be made: the fact that says why, the key at fault, and values."""

    def __init__(self, fact: str, path: Path, **values: object) -> None:
        super().__init__(fact)
        self.fact, self.path, self.values = fact, path, values


def table(value: Value | None) -> Mapping[str, Value]:
    """``value`` if it is a table; an empty one if the key is missing."""
    return value if isinstance(value, dict) else {}


def listed(value: Value | None) -> list[Value]:
    """``value`` if it is a list; an empty one if the key is missing."""
    return value if isinstance(value, list) else []


def words(value: Value | None) -> list[str]:
    """The words of a list, or the one word; none if the key is missing."""
    return list(map(str, value)) if isinstance(value, list) else [str(value)] * bool(value)


def cards_of(
    section: Mapping[str, Value], seats: int, sum_of: Callable[[Value, Mapping[str, int]], int]
) -> Cards:
    """The cards of the table ``[deck]`` for this number of seats; raises ``NoDeck``.

    ``sum_of``: evaluates a sum with the given names.
    """
    pack = section.get("pack")
    if pack is not None and "suits" in section:
        raise NoDeck("kit_two_decks", ("deck", "suits"))
    rows, ranks, values = _rows(section, seats, sum_of)
    if not ranks and not table(section.get("special")):
        raise NoDeck("kit_no_cards", ("deck",))
    if sum(map(len, rows.values())) > KINDS:
        raise NoDeck("kit_kinds", ("deck",), most=KINDS)
    own = {rank: int(str(number)) for rank, number in table(section.get("value")).items()}
    for rank in own:
        if rank not in ranks:
            raise NoDeck("kit_no_rank", ("deck", "value", rank), rank=rank, ranks=shown(ranks))
    values = {**values, **own}
    worths = {rank: int(str(number)) for rank, number in table(section.get("worth")).items()}
    suit_of: dict[str, str] = {}
    rank_of: dict[str, str] = {}
    copies: dict[str, int] = {}
    many = {
        rank: sum_of(section.get("copies", 1), {"value": values[rank], "n": seats})
        for rank in ranks
    }
    for sign, row in rows.items():
        for rank in row:
            card = sign + rank
            if card in copies:
                raise NoDeck("kit_alike", ("deck", "ranks"), card=card)
            suit_of[card], rank_of[card] = sign, rank
            copies[card] = values[rank] if pack == PAIRS else many[rank]
    specials = {key: table(each) for key, each in special_cards(section).items()}
    for key, each in specials.items():
        if key in copies:
            raise NoDeck("kit_alike", ("deck", "special", key), card=key)
        suit_of[key] = rank_of[key] = ""
        copies[key] = int(str(each.get("copies", 1)))
    _remove(section, seats, copies, rank_of)
    by_number = _by_number(rows, values)
    if by_number:
        ranks = tuple(sorted(ranks, key=values.__getitem__))
    strength = _strengths(rows, values if by_number else None)
    return _made(
        suit_of,
        rank_of,
        copies,
        ranks,
        strength,
        values=values,
        worths=worths,
        specials=specials,
        colour_of=_colours(section),
    )


def _colours(section: Mapping[str, Value]) -> Mapping[str, str]:
    """The colour of each suit; a suit without one is a colour by itself."""
    suits = table(section.get("suits"))
    named = {suit: str(table(each).get("colour") or suit) for suit, each in suits.items()}
    return named or COLOURS


def special_cards(section: Mapping[str, Value]) -> dict[str, Value]:
    """What the section "deck" of a file says of each special card.

    Jokers of the pack are special cards, too; they have the names of the format unless the file
    names them.
    """
    written = table(section.get("special"))
    if section.get("pack") != "french54":
        return dict(written)
    jokers: dict[str, Value] = {}
    for key, names in JOKERS.items():
        row = table(written.get(key))
        jokers[key] = dict(row if {"ja", "en"} & row.keys() else {**names, **row})
    return {**written, **jokers}


def _rows(
    section: Mapping[str, Value], seats: int, sum_of: Callable[[Value, Mapping[str, int]], int]
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...], Mapping[str, int]]:
    """The ranks of each suit from low to high, all ranks, and their numbers."""
    suits = tuple(SIGNS) if section.get("pack") in FROM else tuple(table(section.get("suits")))
    ranks, values = _ranks(section, seats, sum_of)
    if len(set(ranks)) < len(ranks):
        raise NoDeck("kit_alike", ("deck", "ranks"), card=_twice(ranks))
    rows = dict.fromkeys(suits or ("",), ranks)
    for suit, own_suit in table(section.get("suits")).items():
        if "ranks" in table(own_suit):
            rows[suit], numbers = _listed(table(own_suit)["ranks"])
            if len(set(rows[suit])) < len(rows[suit]):
                twice = _twice(rows[suit])
                raise NoDeck("kit_alike", ("deck", "suits", suit, "ranks"), card=twice)
            values = {**numbers, **values}
    return rows, tuple(dict.fromkeys(chain(ranks, *rows.values()))), values


def _by_number(rows: Mapping[str, tuple[str, ...]], values: Mapping[str, int]) -> bool:
    """Whether the suits have different ranks, whose numbers all grow with the place."""
    numbers = [[values[rank] for rank in row] for row in rows.values()]
    return len(set(rows.values())) > 1 and all(row == sorted(set(row)) for row in numbers)


def _strengths(
    rows: Mapping[str, tuple[str, ...]], values: Mapping[str, int] | None
) -> dict[str, int]:
    """How strong each card is, 1 for the lowest: by its place in its suit, or by its number.

    ``values``: the number of each rank, if the numbers decide: a blue 17 is above a yellow 12
    wherever they stand in their suits.
    """
    if values is None:
        return {sign + rank: i for sign, row in rows.items() for i, rank in enumerate(row, 1)}
    numbers = {values[rank] for row in rows.values() for rank in row}
    place = {number: i for i, number in enumerate(sorted(numbers), 1)}
    return {sign + rank: place[values[rank]] for sign, row in rows.items() for rank in row}


def _remove(
    section: Mapping[str, Value], seats: int, copies: dict[str, int], rank_of: Mapping[str, str]
) -> None:
    """Take the cards of ``deck.remove`` out of ``copies``; raises ``NoDeck``.

    A rank that is no card by itself means all cards of that rank.
    """
    at: Path = ("deck", "remove")
    removed = section.get("remove", [])
    if isinstance(removed, dict):
        key = seats_key(removed, seats)
        removed, at = removed.get(key, []), (*at, key)
    for i, gone in enumerate(listed(removed)):
        name = str(gone)
        whole = [] if name in copies else [card for card, rank in rank_of.items() if rank == name]
        if whole and any(copies[card] for card in whole):
            copies.update(dict.fromkeys(whole, 0))
            continue
        if copies.get(name, 0) < 1:
            raise NoDeck("kit_no_card", (*at, i), card=gone)
        copies[name] -= 1


def _made(
    suit: Mapping[str, str],
    rank_of: Mapping[str, str],
    copies: Mapping[str, int],
    ranks: tuple[str, ...],
    strength: Mapping[str, int],
    values: Mapping[str, int],
    worths: Mapping[str, int],
    specials: Mapping[str, Mapping[str, Value]],
    colour_of: Mapping[str, str],
) -> Cards:
    left = tuple(card for card in copies if copies[card] > 0)
    if not left or sum(copies[card] for card in left) > COPIES or len(left) > KINDS:
        raise NoDeck("kit_kinds" if left else "kit_no_cards", ("deck",), most=KINDS)
    deck = Deck(left, tuple(copies[card] for card in left))
    bits: dict[Card, int] = {card: DIGIT << BITS * i for i, card in enumerate(left)}
    suits: dict[str, int] = {}
    by_rank: dict[str, int] = {}
    special = 0
    for card in left:
        if suit[card]:
            suits[suit[card]] = suits.get(suit[card], 0) | bits[card]
        if rank_of[card]:
            by_rank[rank_of[card]] = by_rank.get(rank_of[card], 0) | bits[card]
        if card in specials:
            special |= bits[card]
    colours = {
        suit: sum(mask for other, mask in suits.items() if _alike(colour_of, suit, other))
        for suit in suits
    }
    return Cards(
        deck=deck,
        suit={card: suit[card] for card in left},
        rank={card: rank_of[card] for card in left},
        strength={card: strength.get(card, 0) for card in left},
        value={card: values.get(rank_of[card], 0) for card in left},
        worth={card: worths.get(card, worths.get(rank_of[card], 0)) for card in left},
        led={card: str(specials[card].get("led", "none")) for card in left if card in specials},
        suits=suits,
        ranks=by_rank,
        colours=colours,
        order=ranks,
        bits=bits,
        full=sum(bits.values()),
        special=special,
        known=frozenset(copies),
    )


def _alike(colours: Mapping[str, str], suit: str, other: str) -> bool:
    """Whether two suits have the same colour; a suit without a colour equals only itself."""
    return suit == other or colours.get(suit, suit) == colours.get(other, other)


def _ranks(
    section: Mapping[str, Value], seats: int, sum_of: Callable[[Value, Mapping[str, int]], int]
) -> tuple[tuple[str, ...], dict[str, int]]:
    """The ranks from low to high, and the number of each."""
    pack = section.get("pack")
    if pack == PAIRS:
        if "ranks" in section:
            raise NoDeck("kit_pairs_ranks", ("deck", "ranks"))
        top = sum_of(by_seats(section.get("top", 10), seats) or 10, {"n": seats})
        if not 1 <= top <= 200:
            raise NoDeck("kit_top", ("deck", "top"), top=top)
        numbers = range(1, top + 1)
        return tuple(map(str, numbers)), {str(number): number for number in numbers}
    if pack in FROM:
        ranks = FRENCH[FROM[str(pack)] :]
        if "ranks" in section:
            ordered, _ = _listed(section["ranks"])
            for rank in ordered:
                if rank not in ranks:
                    raise NoDeck("kit_no_rank", ("deck", "ranks"), rank=rank, ranks=shown(ranks))
            ranks = ordered
        return ranks, {rank: FACES.get(rank) or int(rank) for rank in ranks}
    return _listed(section.get("ranks", []))


def _listed(said: Value) -> tuple[tuple[str, ...], dict[str, int]]:
    """The ranks of a list or of "1..13", and the number of each.

    A rank in digits is its own number; of others the first is 2, as in ``FRENCH``.
    """
    if isinstance(said, str):
        few, many = map(int, said.split(".."))
        return tuple(map(str, range(few, many + 1))), {str(i): i for i in range(few, many + 1)}
    ranks = tuple(map(str, said)) if isinstance(said, list) else ()
    numbers_of = {r: int(r) if r.isdigit() else i + 2 for i, r in enumerate(ranks)}
    return ranks, numbers_of


def shown(ranks: Sequence[str]) -> tuple[str, ...]:
    """The ranks as a reader sees them: of many only the first ones and the last."""
    return tuple(ranks) if len(ranks) <= 15 else (*ranks[:3], "…", ranks[-1])


def _twice(words: tuple[str, ...]) -> str:
    return next(word for i, word in enumerate(words) if word in words[:i])
