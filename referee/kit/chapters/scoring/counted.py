"""Whether the points of a deal follow from its bids and numbers of tricks alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from referee.kit.chapters.deck import table as table_of
from referee.kit.text.toml import Value

_OF_CARDS = re.compile(r"\b(?:taken|worth|own|wins|laid|lying|this) *\(")


def by_points(values: Mapping[str, Value]) -> bool:
    """Whether points depend on more than bids and numbers of tricks, with any house rule."""
    return any(map(_of_cards, (values, *_sets(values))))


def _sets(values: Mapping[str, Value]) -> Iterator[Mapping[str, Value]]:
    """The values that the choices of the house rules set, one table for each choice."""
    for option in table_of(values.get("option")).values():
        for choice in table_of(option).values():
            yield table_of(table_of(choice).get("set"))


def _of_cards(values: Mapping[str, Value]) -> bool:
    """Whether these values make points depend on more than bids and numbers of tricks."""
    bids, match = table_of(values.get("bid")), table_of(values.get("match"))
    if bids.get("by", "all") != "all" or "out" in match:
        return True  # not every seat has a bid, or tricks
    counted = [values.get(key) for key in ("score", "values", "counters")]
    rows = [*table_of(counted[0]).values(), *table_of(counted[2]).values()]
    by_card = any(table_of(row).get("per") in ("card", "trick") for row in rows)
    return by_card or bool(_OF_CARDS.search(repr(counted)))
