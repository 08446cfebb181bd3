"""The games on screen: which module shows which game."""

from __future__ import annotations

from collections.abc import Mapping

from referee.web import climbing, collecting, fishing, formations, tricks
from referee.web.board import Board

BOARDS: Mapping[str, Board] = {
    "fancy": tricks,
    "perite": tricks,
    "trumps": collecting,
    "pairs_daifugo": climbing,
    "three_kings": fishing,
    "jukugo_line": formations,
}
