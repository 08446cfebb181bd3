"""Quick checks: questions that need no table, answered by the games' own code.

``CHECKS`` is the registry. A game's checks are ``Question`` values in a module of their own; the
pages in ``referee.web.checks.pages`` show whatever is listed here.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.web.checks import climbing, collecting, fishing, formations, tricks
from referee.web.checks.asking import Question

CHECKS: Mapping[str, tuple[Question, ...]] = {
    "fancy": tricks.FANCY,
    "perite": tricks.PERITE,
    "trumps": collecting.QUESTIONS,
    "pairs_daifugo": climbing.QUESTIONS,
    "three_kings": fishing.QUESTIONS,
    "jukugo_line": formations.QUESTIONS,
}
