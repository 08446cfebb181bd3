"""What each game brings for the tests of all games: ``games/<name>/examples.toml``.

``check``: addresses of quick checks as people have sent them, with the heading of the answer.
``check_fault``: questions that cannot be, and where the page says so. ``check_by_taps``: the keys
of a question, and the answer. ``unreadable_sheet``: lines that are no sheet of this game.
``full_table``: how
many people with long names sit there, and after how many entries the page is looked at.
``table_by_taps``: how fingers play on, key by key (see browser/thumbs.py).
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from referee.games import GAMES

FOLDER = Path(__file__).parent / "games"


@cache
def _of(game: str) -> dict[str, Any]:
    file = FOLDER / game / "examples.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def examples(part: str) -> dict[str, Any]:
    """``part`` of every game that has it, by the game's name."""
    found = {game: _of(game)[part] for game in GAMES if part in _of(game)}
    assert found, f"no game has an example of {part}"
    return found


def each(part: str) -> list[tuple[str, Any]]:
    """Every single example of ``part`` with its game; ``part`` is a list in each game."""
    return [(game, one) for game, several in examples(part).items() for one in several]
