"""The games. ``NAMES`` is the registry; whatever is listed here is refereed, shown and tested.

A game lies in folders that bear its name:

1. ``referee/games/<name>/``: the names of ``core.game.Game`` and, in ``HOOKS``, what else the
   game has; ``book.toml``: clauses, rulings where the text is silent, options, facts, sources;
   ``player.py``: an honest player, for ``games.simulation``, and the rules with their types. The
   record grammar follows from the play classes.
2. ``referee/screens/<name>/``: its ``SCREEN``, what its table, its quick checks and the history
   show of it.
3. ``templates/games/<name>/``: ``table.html``, the macros that ``templates/table/_table.html``
   calls, and what else it draws itself; ``static/games/<name>/``: ``crest.svg``, ``share.png`` and,
   where the shared looks do not do, ``table.css``.
4. ``tests/games/<name>/``, whole games in ``playthroughs/`` included.

A game may go without 2 and 3: the plain pages of ``referee/screens/plain.py`` stand in.

Then it has one line below. `make new-game NAME=…` does all this for a minimal game, and `make
check-game NAME=…` says what it still lacks; see docs/new-game.md. Rules that several games share
lie in ``referee/games/families/``.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from referee.core.game import Game, Table
from referee.core.record import Header

NAMES = (
    "fancy",
    "perite",
    "trumps",
    "pairs_daifugo",
    "three_kings",
    "jukugo_line",
    "pairs",
    "score_pad",
)
"""In the order in which the pages list them."""


GAMES: Mapping[str, Game] = {name: import_module(f"{__name__}.{name}") for name in NAMES}


ON_CARDS: Mapping[str, Game] = {name: game for name, game in GAMES.items() if game.HOOKS.cards}
"""The games whose cards a phone records."""


KIND = ":"
"""What comes between the name of a game and the kind of its matches in ``counted_as``."""


def counted_as(game: Game, table: Table) -> str:
    """The name under which a match counts: where people call their game otherwise, it is one."""
    kind = game.HOOKS.kind(table)
    return f"{game.NAME}{KIND}{kind}" if kind else game.NAME


def room(name: str) -> str:
    """The folder name of the game ``name``; all games written as files share one."""
    name = name.partition(KIND)[0]
    return "kit" if "-" in name else name


def game_of(header: Header) -> Game:
    """The game of a record: the one of the file that the header names, else a built-in one."""
    return header.own or GAMES[header.game]
