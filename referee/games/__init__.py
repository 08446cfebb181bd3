"""The games. ``GAMES`` is the registry; whatever is listed here is refereed, shown and tested.

A game lies in folders that bear its name:

1. ``referee/games/<name>/``: the functions of ``core.game.Game`` (``fancy`` is short, the first
   lines of ``trumps`` tell what is where in a long one) and ``book.toml``: clauses, rulings where
   the text is silent, options, facts. The record grammar follows from the play classes.
2. ``referee/screens/<name>/``: its ``SCREEN``, what its table and its quick checks show.
3. ``templates/games/<name>/``: ``table.html``, the macros that ``_table.html`` calls, and what else
   it draws itself; ``static/games/<name>/share.png``.
4. ``tests/games/<name>/``, whole games in ``playthroughs/`` included.

Then it is listed below. ``tests/test_every_game.py`` runs over all that is listed and says what is
missing. Rules that several games share lie in ``referee/games/families/``.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.game import Game
from referee.games import fancy, jukugo_line, pairs, pairs_daifugo, perite, three_kings, trumps

GAMES: Mapping[str, Game] = {
    game.NAME: game
    for game in (fancy, perite, trumps, pairs_daifugo, three_kings, jukugo_line, pairs)
}
