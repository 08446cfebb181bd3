"""Reviews of whole matches against a second counting that knows the text of the record alone.

The readers below follow a record with the rules of its game in mind and share nothing with the
program: no state, no hands, no places. They say how many unseen cards lie where after each entry.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb, factorial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.core.record import Grammar, Header, write
from referee.games import GAMES
from referee.games.simulation import played

SEATS = ("A", "B", "C")
PAIRS = {rank: rank for rank in range(1, 11)}


class Table:
    """The cards that nobody has seen, and for each place how many of them and which seen ones."""

    def __init__(self, deck: dict[Any, int], hand: int, left: str, **aside: int) -> None:
        self.unseen = Counter(deck)
        self.hidden = {**dict.fromkeys(SEATS, hand), **aside}
        self.hidden[left] = self.unseen.total() - sum(self.hidden.values())
        self.known = {place: Counter[Any]() for place in self.hidden}

    def leaves(self, place: str, card: Any) -> None:
        if self.known[place][card]:
            self.known[place][card] -= 1
        else:
            self.unseen[card] -= 1
            self.hidden[place] -= 1

    def seen(self, place: str, cards: Counter[Any]) -> None:
        """These cards of ``place`` are seen and stay there."""
        fresh = cards - self.known[place]
        self.unseen -= fresh
        self.hidden[place] -= fresh.total()
        self.known[place] += fresh

    def draws(self, seat: str) -> None:
        source = next((each for each in ("stock", "aside") if self.hidden.get(each)), None)
        if source:
            self.hidden[source] -= 1
            self.hidden[seat] += 1

    def odds(self, place: str, card: Any) -> Fraction:
        """That at least one such card is there: how many hands of unseen cards have none."""
        if self.known[place][card]:
            return Fraction(1)
        total, held = self.unseen.total(), self.hidden[place]
        return 1 - Fraction(comb(total - self.unseen[card], held), comb(total, held))

    def ways(self) -> int:
        ways = factorial(self.unseen.total())
        for held in self.hidden.values():
            ways //= factorial(held)
        return ways


def fancy(lines: list[list[str]]) -> Iterator[Table]:
    for subject, verb, *rest in lines:
        if verb == "deal":
            table = Table(PAIRS, 8, "rest")
        elif verb == "lay":
            table.leaves(subject, int(rest[0]))
        else:
            table.seen(subject, Counter(map(int, rest)))
        yield table


def three_kings(lines: list[list[str]]) -> Iterator[Table]:
    turn = ""
    for subject, verb, *rest in lines:
        if verb == "deal":
            deck = Counter(dict.fromkeys(["A", *map(str, range(2, 11)), "J", "Q"], 6) | {"K": 7})
            deck.subtract(rest[1].removeprefix("tableau=").split(","))
            table = Table(dict(deck), 4, "stock")
        elif verb == "refill":
            for card in rest:
                table.leaves("stock", card)
                table.known[turn]["K"] += card == "K"
        elif verb == "show":
            table.seen(subject, Counter(rest))
        elif verb == "declare":
            table.seen(subject, Counter({"K": int(rest[0]) if rest else 3}))
        else:
            turn = subject
            table.draws(turn)
            if verb == "king":
                table.seen(turn, Counter({"K": 1}))
                table.known[turn]["K"] += 1
            elif verb != "pass":
                table.leaves(turn, rest[0])
            if verb == "capture":
                table.draws(turn)
        yield table


def trumps(lines: list[list[str]]) -> Iterator[Table]:
    """The end of a round is where nobody takes any more: the next entry is not a taking one."""
    last = False
    for number, (subject, verb, *rest) in enumerate(lines):
        if verb == "deal":
            table = Table(PAIRS, 7, "stock", aside=3)
        elif verb in ("reveal", "lay"):
            for card in map(int, rest):
                table.leaves(subject, card)
        elif verb == "cover":
            if "shows" in rest:
                table.seen(subject, Counter(map(int, rest[2:])))
            table.leaves(subject, int(rest[0]))
        elif verb == "draw":
            table.draws(subject)
        elif verb == "show":
            table.seen(subject, Counter(map(int, rest)))
        taking = ("take", "draw")
        ahead = next((each[1] for each in lines[number + 1 :] if each[1] != "show"), "end")
        if verb in taking and ahead not in taking and not last:
            for seat in SEATS:
                table.draws(seat)
            last = not table.hidden["stock"]
        yield table


@pytest.mark.parametrize("read", [fancy, three_kings, trumps])
@pytest.mark.parametrize("seed", [1, 2])
def test_every_cell_of_a_match_counted_again(
    read: Callable[[list[list[str]]], Iterator[Table]], seed: int, tmp_path: Path
) -> None:
    game = GAMES[read.__name__]
    log = played(game, SEATS, seed, lies=0.3, shows=0.03)
    text = list(map(Grammar(game, SEATS).print, log.entries))
    file = tmp_path / "match.txt"
    file.write_text(write(Header(game.NAME, SEATS), text), encoding="utf-8")
    answer = CliRunner().invoke(main, ["review", str(file), "--json"])
    entries = [each for deal in json.loads(answer.stdout)["deals"] for each in deal["entries"]]
    assert [each["text"] for each in entries] == text
    for entry, table in zip(entries, read([line.split() for line in text]), strict=True):
        assert int(entry["distributions"]) == table.ways(), entry["text"]
        for row in entry["grid"]:
            place = row["seat"] or row["place"]
            assert row["cards"] == table.hidden[place] + table.known[place].total(), entry["text"]
            for cell in row["cells"]:
                odds = table.odds(place, cell["card"])
                assert Fraction(*cell["odds"]) == odds, (entry["text"], place, cell["card"])
                assert (cell["is"] == "certain") == (odds == 1)
                assert (cell["is"] == "impossible") == (odds == 0)
