"""The keys of the files of this family."""

from __future__ import annotations

from collections.abc import Mapping

from referee.kit.chapters import (
    bidding,
    calling,
    deal,
    leaving,
    match,
    passing,
    play,
    scoring,
    trick,
    trump,
)
from referee.kit.text.form import Shape

KEYS: Mapping[str, Shape] = {
    "deal": deal.KEYS,
    "pass": passing.KEYS,
    "bid": bidding.KEYS,
    "trump": trump.KEYS,
    "play": play.KEYS,
    "trick": trick.KEYS,
    "call": calling.KEYS,
    "leave": leaving.KEYS,
    **scoring.keys(
        ("card", "trick", "deal", "match"), ("deal", "trick", "card"), scoring.TRICK_WORDS
    ),
    "match": match.KEYS,
}

NEEDED = ("deal.hand", "play.follow", "trick.best", "score", "match.winner")
