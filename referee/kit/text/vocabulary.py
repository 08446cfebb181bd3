"""The names that the formulas of a game file can use, and which one an unknown word may mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import NamedTuple

from referee.kit.chapters.deck import Cards, shown
from referee.kit.text.faults import FilePosition, Wrong
from referee.kit.text.formula import FUNCTIONS, FormulaText, Node

_NUMBERS_ELSEWHERE = {
    **dict.fromkeys(("players", "player_count"), "n"),
    **dict.fromkeys(("round", "rounds"), "deal"),
    **dict.fromkeys(("score", "points"), "total"),
}
"""Names of numbers that other programs have, and what a file writes instead."""


def wrong(text: FormulaText, node: Node, fact: str, **values: object) -> Wrong:
    """The fault ``fact`` at ``node`` of ``text``."""
    place = FilePosition(text.place.line, text.place.column + node.at)
    return Wrong(fact, place, text.path, **values)


class FamilyNames(NamedTuple):
    """The names of numbers in the sums of a family, each with the level from which it is known.

    ``own``: the file cannot give them to sums of its own; ``later``: it can, as they came later.
    ``elsewhere``: names that are numbers only in some sums. ``trump``: there are trump suits.
    """

    own: Mapping[str, int]
    later: Mapping[str, int] = {}
    elsewhere: tuple[str, ...] = ()
    trump: bool = False


def levels(names: Mapping[str, tuple[int, object]]) -> dict[str, int]:
    """The level of each of the names that a family's compiler has."""
    return {name: level for name, (level, _) in names.items()}


class Vocabulary(NamedTuple):
    """What formulas can name at one table of a game file.

    ``values`` and ``groups``: the named sums and card sets; ``counters``: the ``of`` of each
    counter; ``bids``: the words for bids; ``bid_suits``: the suits of some of them; ``has_bids``,
    ``teams`` and ``calls``: features of the game; ``words``: what is written for the words of suits
    and cards. ``family``: the names that its family gives to numbers.
    """

    cards: Cards
    seats: int
    values: Mapping[str, FormulaText]
    groups: Mapping[str, FormulaText]
    counters: Mapping[str, str]
    teams: tuple[tuple[int, ...], ...]
    words: Mapping[str, str]
    family: FamilyNames
    bids: Mapping[str, int] = {}
    has_bids: bool = False
    calls: bool = False
    bid_suits: Mapping[str, str] = {}

    def no_name(self, node: Node, text: FormulaText, level: int) -> Wrong:
        """The fault of a name that is no number here, with the word that may be meant."""
        word = node.word
        own, later = self.family.own, self.family.later
        others = (*self.family.elsewhere, *later)
        of_a_player = own[word] == 2 if word in own else word in self.counters
        if (of_a_player or (word == "bid" and self.has_bids)) and level < 2:
            return wrong(text, node, "kit_of_a_player", word=word)
        if word in own or word in self.counters or word in others:
            return wrong(text, node, "kit_not_here", word=word)
        if word in FUNCTIONS:
            of = "all" if FUNCTIONS[word] in ("cards", "lying", "this") else "tricks"
            return wrong(text, node, "kit_brackets", word=word, near=f"{word}({of})")
        if word in self.groups:
            return wrong(text, node, "kit_set_here", word=word)
        if (word == "trump" and self.family.trump) or word in self.bids:
            written = f"trump is {next(iter(self.cards.suits), 'S')}"
            meant = written if word == "trump" else f"bid is {word}"
            return wrong(text, node, "kit_unknown_near", word=word, near=meant)
        if word in ("true", "false"):
            meant = "yes" if word == "true" else "no"
            return wrong(text, node, "kit_unknown_near", word=word, near=meant)
        near = [_NUMBERS_ELSEWHERE[word]] if word in _NUMBERS_ELSEWHERE else []
        near += get_close_matches(word, (*self._names(level), *self.values, *self.counters), 1)
        near += [f"taken({written})"] if (written := self._written(word)) else []
        fact = "kit_unknown_near" if near else "kit_unknown"
        return wrong(text, node, fact, word=word, near=(near or [""])[0])

    def _names(self, level: int) -> Iterator[str]:
        """The names that can be used at ``level``."""
        yield from ("n", "deck")
        known = {**self.family.own, **self.family.later}
        yield from (name for name, of in known.items() if of <= level)
        yield from ("bid", "bids") if self.has_bids else ()
        yield from ("stock",) if level >= 1 and "stock" in self.family.elsewhere else ()

    def no_set(self, node: Node, text: FormulaText) -> Wrong:
        """The fault of a set that the deck does not have, with the word that may be meant."""
        op, word, cards = node.op, node.word, self.cards
        if word == "called" and op in ("suit", "rank", "group"):
            kind = "" if op == "group" else f"{op} "
            return wrong(text, node, "kit_no_call", word=f"{kind}called")
        written = self._written(word)
        if op == "suit" and word == "bid" and cards.suits:
            return wrong(text, node, "kit_no_bid_suits")
        if op == "suit":
            fact, suits = self.no_suit(word)
            return wrong(text, node, fact, **suits)
        found = {"card": "kit_no_card", "group": "kit_unknown"}
        meant = {"card": "kit_no_card_near", "group": "kit_unknown_near"}
        near: list[str] = []
        if op == "group":
            if word in FUNCTIONS or word in {**self.family.own, **self.family.later}:
                return wrong(text, node, "kit_number_here", word=word)
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
        return wrong(text, node, fact, **values, ranks=shown(cards.order))

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

    def _written(self, word: str) -> str:
        """How the suit or the card with the name ``word`` is written; "" if there is none."""
        alike = get_close_matches(word.lower(), self.words, 1, 0.8)  # hearts for heart
        return self.words[alike[0]] if alike else ""

    def _turned(self, word: str) -> list[str]:
        """The card with the letters of ``word`` in another order, and T for 10."""
        letters = sorted(word.upper().replace("T", "10"))
        return [card for card in sorted(self.cards.known) if sorted(card) == letters]
