"""Sample tricks of a game file, for its author: is this what the game is meant to do?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from referee.core.log import Log
from referee.core.record import Grammar
from referee.core.verdict import Illegal, Seat, Unprovable
from referee.games.simulation import table
from referee.kit.families.trick_taking.game import TrickTakingGame
from referee.kit.families.trick_taking.player import entries
from referee.kit.families.trick_taking.plays import Lay, Play
from referee.kit.families.trick_taking.state import BETWEEN, PLAY, State
from referee.kit.game import KitGame

WANTED, DEALS, LONGEST = 3, 12, 80
"""Samples; deals that are tried for them; entries of the longest."""


class SampleTrick(NamedTuple):
    """A trick, and the ``lines`` that lead to its end; ``declared``: those that depend on a hand.

    ``cards``: who played what. ``next``: who leads the next trick.
    """

    seats: tuple[Seat, ...]
    lines: tuple[str, ...]
    declared: tuple[int, ...]
    cards: tuple[tuple[Seat, str], ...]
    next: Seat

    @property
    def kind(self) -> tuple[bool, bool]:
        """Whether somebody played below a step of the ladder, and whether the leader leads on."""
        return len(self.lines) - len(self.cards) < max(self.declared, default=0), (
            self.next == self.cards[0][0]
        )

    def example(self) -> str:
        """The trick as an example of the file."""
        lines = ["[[example]]", f"seats = {_quoted(' '.join(self.seats))}"]
        lines += ["lines = [", *(f"  {_quoted(line)}," for line in self.lines), "]"]
        if self.declared:
            says = ", ".join(f'{number} = "unprovable"' for number in self.declared)
            lines.append(f"says = {{ {says} }}")
        return "\n".join((*lines, f"next = {_quoted(self.next)}"))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def samples(game: KitGame, seats: tuple[Seat, ...]) -> list[SampleTrick]:
    """Tricks that differ in ``kind``, the shortest records first; the same for the same file."""
    found: dict[tuple[bool, bool], SampleTrick] = {}
    for deal in range(DEALS):
        for trick in _tricks(game, seats, Random(f"sample {deal}")):
            found.setdefault(trick.kind, trick)
        if len(found) >= WANTED:
            break
    return sorted(found.values(), key=lambda trick: len(trick.lines))[:WANTED]


def _tricks(game: KitGame, seats: tuple[Seat, ...], rng: Random) -> Iterator[SampleTrick]:
    """Tricks after which another one of the deal is led; none in a game without tricks."""
    if not isinstance(game, TrickTakingGame):
        return
    log, grammar = Log(game, table(game, seats)), Grammar(game, seats)
    lines, declared, cards = list[str](), list[int](), list[Lay]()
    for entry in entries(log, rng, 0, 0):
        verdict = log.push(entry)
        if isinstance(verdict, Illegal) or len(lines) >= LONGEST:
            return
        lines.append(grammar.print(entry))
        if isinstance(verdict, Unprovable):
            declared.append(len(lines))
        state: State = log.state
        cards = [] if state.phase == BETWEEN else _with(cards, entry)
        if cards and state.phase == PLAY and not state.trick and state.leader:
            played = tuple((card.seat, str(card.card)) for card in cards)
            yield SampleTrick(seats, tuple(lines), tuple(declared), played, state.leader)
            cards = []


def _with(cards: list[Lay], entry: Play) -> list[Lay]:
    return [*cards, entry] if isinstance(entry, Lay) else cards
