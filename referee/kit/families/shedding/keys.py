"""The keys of a file of this family that no chapter has."""

from __future__ import annotations

from collections.abc import Mapping

from referee.kit.chapters import bidding, effect, match, scoring
from referee.kit.families.shedding import order
from referee.kit.families.shedding.combinations import COMBO, MOST_COMBOS
from referee.kit.text.faults import Path
from referee.kit.text.form import (
    CARDS,
    CONDITION,
    NAMES,
    SUM,
    TEXT,
    FileFaults,
    Leaf,
    Shape,
    check_sum,
    check_table,
    named_rows,
    one_of,
)
from referee.kit.text.toml import Value

MOST_BEATS = 12
MOST_TITLES = 12
MOST_EXCHANGES = 8

VERBS = (
    *("reverse deal", "reverse trick", "turn", "lock suits", "lock rank"),
    *("skip", "clear", "give", "discard", "name"),
)
"""What an effect can do, in the order in which it is done."""

LEADERS = ("rotate", "pick", "winner", "loser", "winner_left", "lowest_total", "holder")

DEAL: Mapping[str, Shape] = {
    "hand": SUM._replace(by_seats=True),
    "rest": one_of("out", "dealt"),
    "leader": one_of(*LEADERS),
    "first_leader": one_of("pick", "holder"),
    "holder": NAMES,
    "kitty": SUM._replace(by_seats=True),
    "kitty_to": one_of("highest_bid"),
}


def _between(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, list) or len(value) != 2:
        faults.add("kit_shed_between", path)
        return
    for i, each in enumerate(value):
        check_sum(faults, SUM, each, (*path, i))


def _titles(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if not isinstance(value, list) or len(value) > MOST_TITLES:
        faults.add("kit_steps", path, most=MOST_TITLES)
        return
    for i, each in enumerate(value):
        check_table(faults, {"when": CONDITION, "ja": TEXT, "en": TEXT}, each, (*path, i))


WORDS = frozenset(
    [
        *("hand", "bid", "bids", "held", "plays", "was", "finish", "out", "outs", "live"),
        *("turned", "turned_deal", "turned_trick", "combo", "count", "size", "length"),
        *("leading", "last", "matched", "step", "this", "under", "laid", "own"),
        *("min", "max", "abs", "most", "least", "every", "seats", "team", "place", "same"),
    ]
)
"""The words that sums of this family use."""

FINISH: Mapping[str, Shape] = {
    "until": CONDITION,
    "foul": CONDITION,
    "falls": CONDITION,
    "clears": one_of("no", "yes"),
    "titles": Leaf(_titles),
}

KEYS: Mapping[str, Shape] = {
    "deal": DEAL,
    "exchange": Leaf(
        named_rows(
            {"between": Leaf(_between), "cards": SUM._replace(by_seats=True)},
            ("between", "cards"),
            MOST_EXCHANGES,
        )
    ),
    "bid": {**bidding.KEYS, "order": one_of("turn")},
    "order": order.KEYS,
    "combo": Leaf(named_rows(COMBO, (), MOST_COMBOS)),
    "beat": Leaf(
        named_rows({"cards": CARDS, "on": CARDS, "when": CONDITION}, ("cards", "on"), MOST_BEATS)
    ),
    "play": {
        "pass": one_of("out", "again"),
        "equal": one_of("no", "yes"),
        "must": one_of("no", "yes"),
    },
    **effect.keys(VERBS, {}),
    "finish": FINISH,
    **scoring.keys(("play", "deal", "match"), ("deal", "play"), WORDS),
    "match": match.KEYS,
}

NEEDED = ("deal.hand", "combo", "score", "match.winner")
