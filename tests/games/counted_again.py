"""An independent computation of ``referee review``: who could hold what, from a record alone.

A game's test follows the lines of the answer with a ``Lying`` of its own, like a person who has
read the rules and watches the table. Of the program only its answer is used.
"""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from referee.cli import main
from referee.core.log import Log
from referee.core.record import Grammar, Header, write

FEW = 1_000  # hands that are dealt one by one; of more, their numbers are multiplied out

Place = tuple[str, str | None]
COVERED: Place = ("covered", None)


class Lying:
    """Unseen cards, how many are at each place, and what everybody knows in each hand."""

    def __init__(self, cards: Iterable[object]) -> None:
        self.unseen = Counter(map(str, cards))
        self.hidden: Counter[Place] = Counter()
        self.known: dict[Place, Counter[str]] = {}
        self.fresh: dict[str, list[str]] = {}
        """What came to hands in this entry after its card: known cards, "" for others."""

    def hand(self, seat: str) -> Counter[str]:
        """The cards of a hand that everybody knows."""
        return self.known.setdefault(("hand", seat), Counter())

    def rest(self, place: str) -> None:
        """Put all cards without a place at ``place``."""
        self.hidden[place, None] += self.unseen.total() - self.hidden.total()

    def turned(self, card: object, place: Place) -> None:
        """A hidden card of ``place`` is seen."""
        assert self.unseen[str(card)] > 0
        assert self.hidden[place] > 0
        self.unseen[str(card)] -= 1
        self.hidden[place] -= 1

    def laid(self, seat: str, card: object) -> None:
        """A card leaves a hand: one that everybody knew there, if there is one."""
        known = self.hand(seat)
        if known[str(card)]:
            known[str(card)] -= 1
        else:
            self.turned(card, ("hand", seat))

    def shown(self, seat: str, cards: Iterable[object]) -> None:
        """These cards are shown in a hand, some of them perhaps for the second time."""
        more = Counter(map(str, cards)) - self.hand(seat)
        for card in more.elements():
            self.turned(card, ("hand", seat))
        self.hand(seat).update(more)

    def drawn(self, place: Place, count: int = 1, source: Place = ("stock", None)) -> None:
        """Cards go to another place unseen, as many as there are."""
        taken = min(count, self.hidden[source])
        self.hidden[source] -= taken
        self.hidden[place] += taken


class Line(NamedTuple):
    """The words of an entry that took effect, and of the next one; none after the last of a deal.

    ``entry``: the entry as the program answers it.
    """

    words: list[str]
    next: list[str]
    entry: dict[str, Any]


Follow = Callable[[Lying | None, Line], Lying]


def numbers(top: int) -> list[int]:
    """The pack of Pairs: n copies of n."""
    return [n for n in range(1, top + 1) for _ in range(n)]


@lru_cache(maxsize=5_000)
def copies(unseen: tuple[tuple[str, int], ...], hidden: int) -> dict[str, Counter[int]]:
    """In how many ways ``hidden`` of the ``unseen`` cards hold 0, 1, 2 … copies of each card."""
    cards = [card for card, count in unseen for _ in range(count)]
    found: dict[str, Counter[int]] = {card: Counter() for card, _ in unseen}
    if comb(len(cards), hidden) <= FEW:
        for chosen in combinations(cards, hidden):
            for card, numbers_of in found.items():
                numbers_of[chosen.count(card)] += 1
        return found
    counts = [count for _, count in unseen]
    alike = {}  # kinds with equally many unseen copies have equally many ways
    for there in set(counts):
        others = [*counts]
        others.remove(there)
        ways = Counter({0: 1})  # by how many others are chosen, one kind after the other
        for count in others:
            after: Counter[int] = Counter()
            for size, so_far in ways.items():
                for more in range(min(count, hidden - size) + 1):
                    after[size + more] += so_far * comb(count, more)
            ways = after
        alike[there] = {
            here: ways[hidden - here] * comb(there, here)
            for here in range(min(there, hidden) + 1)
            if ways[hidden - here]
        }
    return {card: Counter(alike[there]) for card, there in unseen}


def of_kinds(lying: Lying, seat: str, only: Iterable[str], covered: int = 0) -> Fraction:
    """How likely a hand, and cards of it laid face down, are of these kinds only."""
    kinds, fresh = set(only), lying.fresh.get(seat, [])
    held = lying.hand(seat) - Counter(fresh)
    if any(count and card not in kinds for card, count in held.items()):
        return Fraction(0)
    fitting, every = sum(lying.unseen[card] for card in kinds), lying.unseen.total()
    chance = Fraction(1)
    for i in range(lying.hidden["hand", seat] - fresh.count("") + covered):
        chance *= Fraction(max(0, fitting - i), every - i)
    return chance


def agrees(lying: Lying, rows: Sequence[dict[str, Any]]) -> None:
    """Every cell of a grid, counted again."""
    assert lying.hidden.total() == lying.unseen.total()
    places = {place for place, count in lying.hidden.items() if count}
    places |= {place for place, known in lying.known.items() if known.total()}
    stated = {(row["place"], row["seat"]): row for row in rows}
    assert places <= set(stated)
    for place, row in stated.items():
        known, hidden = lying.known.get(place, Counter()), lying.hidden[place]
        assert row["cards"] == known.total() + hidden, place
        every = copies(tuple(sorted(lying.unseen.items())), hidden)
        for cell in row["cells"]:
            card = str(cell["card"])
            ways = every.get(card, {0: 1})
            least, most = known[card] + min(ways), known[card] + max(ways)
            without = 0 if known[card] else ways.get(0, 0)
            odds = 1 - Fraction(without, sum(ways.values()))
            there = "certain" if odds == 1 else "possible" if odds else "impossible"
            assert (cell["least"], cell["most"]) == (least, most), (place, card)
            assert cell["odds"] == [odds.numerator, odds.denominator], (place, card)
            assert cell["is"] == there, (place, card)


def written(log: Log, header: Header) -> str:
    """The record of a match."""
    grammar = Grammar(log.game, header.seats)
    return write(header, [grammar.print(entry) for entry in log.entries])


def reviewed(text: str, folder: Path) -> Iterator[list[dict[str, Any]]]:
    """The entries of each finished deal of a record, as the program answers them."""
    file = folder / "record.txt"
    file.write_text(text, encoding="utf-8")
    answer = CliRunner().invoke(main, ["review", str(file), "--json"])
    assert answer.exit_code == 0, answer.output
    for deal in json.loads(answer.stdout)["deals"]:
        yield deal["entries"]


def followed(
    entries: Sequence[dict[str, Any]], follow: Follow, lying: Lying | None = None
) -> tuple[int, Lying]:
    """Compare the grids and declarations of a deal with the result of ``follow`` on its lines.

    Returns the number of grids and the positions of cards at the end. An illegal play moves
    nothing.
    """
    moved = [each for each in entries if each["verdict"] != "illegal"]
    words = [shlex.split(each["text"]) for each in moved]
    lines = map(Line, words, [*words[1:], []], moved)
    after = {line.entry["seq"]: line for line in lines}
    for entry in entries:
        before = lying.hidden[COVERED] if lying else 0
        if lying is not None:
            lying.fresh.clear()
        if line := after.get(entry["seq"]):
            lying = follow(lying, line)
        assert lying is not None
        agrees(lying, entry["grid"])
        for said in entry["declarations"]:
            covered = lying.hidden[COVERED] - before
            chance = of_kinds(lying, said["seat"], map(str, said["only"]), covered)
            assert said["odds"] in (None, [chance.numerator, chance.denominator])
    assert lying is not None
    return len(entries), lying


def known_at_the_end(entries: Sequence[dict[str, Any]], end: Lying) -> int:
    """For games without draws: a declaration is about all cards that the seat played from
    then on.
    """
    found = 0
    for i, entry in enumerate(entries):
        for said in entry["declarations"]:
            only = {str(card) for card in said["only"]}
            since = [shlex.split(each["text"]) for each in entries[i + 1 :]]
            laid = {words[2] for words in since if words[:2] == [said["seat"], "lay"]}
            chance = of_kinds(end, said["seat"], only) if laid <= only else Fraction(0)
            assert said["known"] == [chance.numerator, chance.denominator], entry
            found += 1
    return found
