"""The keys of the files of this family."""

from __future__ import annotations

from collections.abc import Mapping

from referee.kit.chapters import effect, match, scoring
from referee.kit.families.draw_or_stop.names import WORDS
from referee.kit.text.form import CARDS, CONDITION, SUM, Shape, one_of

VERBS = ("drop", "move", "keep", "bust", "out", "draw", "over")
"""What effects do, in the order in which the effects of one card act."""

AIMED = frozenset(("move", "out", "draw"))
"""Those that concern a player."""

KEYS: Mapping[str, Shape] = {
    "deal": {
        "cards": SUM._replace(by_seats=True),
        "leader": one_of("rotate", "pick", "lowest"),
        "stock": one_of("deal", "match"),
        "burn": SUM._replace(by_seats=True),
    },
    "turn": {"go_on": one_of("no", "yes")},
    "stay": {"when": CONDITION},
    "fold": {"takes": one_of("lowest", "highest")},
    **effect.keys(
        VERBS,
        {
            "on": one_of("draw", "fold"),
            "to": one_of("self", "other", "any"),
            "who": CONDITION,
            "cost": CARDS,
        },
    ),
    **scoring.keys(("draw", "fold", "deal", "match"), ("deal", "draw", "fold"), WORDS),
    "match": {**match.KEYS, **match.LOSER},
}

NEEDED = ("score", "match")
