"""Small records of game files, with the verdicts that the rules of these files give."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from referee.core.game import COMMON_OPTIONS, Table
from referee.core.log import Log
from referee.core.record import Grammar
from referee.core.verdict import word_of
from referee.kit.game import KitGame
from referee.kit.load import load

MARKS = {"legal": "", "illegal": "×", "unprovable": "?"}
Family = TypeVar("Family", bound=KitGame)


class Corner(NamedTuple):
    """A record: each line is the clause that is expected (× illegal, ? depends), then the entry.

    ``end``: what is known after it, as ``name=value`` in words.
    """

    name: str
    rules: str
    seats: str
    record: str
    end: str = ""

    @property
    def ends(self) -> dict[str, str]:
        """What is known after the record, by its name."""
        return dict(each.split("=") for each in self.end.split())


def judged(corner: Corner, head: str, family: type[Family]) -> tuple[Family, Log]:
    """The game of ``head`` and the corner's rules, and the log of its record.

    Asserts that each entry got the verdict and the clause that stand before it.
    """
    game = load((head + corner.rules).encode())
    assert isinstance(game, family)
    seats = tuple(corner.seats.split())
    log = Log(game, Table(seats, {}, {**COMMON_OPTIONS, **game.OPTIONS}))
    grammar = Grammar(game, seats)
    wanted = [line.strip() for line in corner.record.strip().splitlines()]
    found = []
    for line in wanted:
        entry = line.partition(" ")[2]
        verdict = log.push(grammar.parse(entry))
        found.append(f"{MARKS[word_of(verdict)]}{verdict.clause} {entry}")
    assert found == wanted
    return game, log
