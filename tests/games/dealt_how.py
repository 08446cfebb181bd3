"""The sentences of the pages on how to deal, in Japanese."""

from __future__ import annotations

from referee.core.record import Header
from referee.core.verdict import Facts
from referee.games import GAMES
from referee.rulings import book, sentences


def steps(name: str, seats: int, **options: str) -> list[str]:
    """The sentences for the first deal of a table with ``seats`` seats."""
    facts = dealing(name, seats, options)
    return [said.text for said in sentences.in_sentences(facts, book(name), "ja")]


def dealing(name: str, seats: int, options: dict[str, str]) -> Facts:
    """The facts about the first deal."""
    game = GAMES[name]
    names = tuple(f"S{i}" for i in range(seats))
    found = game.HOOKS.dealing(game.setup(Header(name, names, options).table(game)))
    assert found is not None
    return found.steps
