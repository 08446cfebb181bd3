"""The games. ``GAMES`` is the registry; whatever is listed here is refereed, shown and tested.

A new game costs four small files and two words:

1. ``referee/games/<name>.py``: the functions of ``core.game.Game``; ``fancy`` is a short one.
   Its play classes state their line's form; the record grammar follows from them. One that is
   long becomes a folder, by matter; the first lines of ``trumps`` tell what is where.
2. ``templates/games/<name>.html``: the table and the pad, as macros that ``_table.html`` calls.
3. ``referee/rulings/<name>.toml``: clauses, rulings where the text is silent, options, facts.
4. A board in ``referee/web/``: what its table shows (``web.board.Board``); a family shares one.

Then name the module below, and its board in ``referee/web/boards.py``. The tests in
``tests/test_every_game.py`` run over all that is listed and say what is missing, a playthrough in
``tests/playthroughs/<name>/`` included.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.game import Game
from referee.games import fancy, jukugo_line, pairs_daifugo, perite, three_kings, trumps

GAMES: Mapping[str, Game] = {
    game.NAME: game for game in (fancy, perite, trumps, pairs_daifugo, three_kings, jukugo_line)
}
