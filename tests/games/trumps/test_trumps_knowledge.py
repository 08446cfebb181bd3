"""What can be known of hidden cards in Trumps, against every distribution at the end of a deal."""

from __future__ import annotations

from typing import Any

from dealt_again import Known, Places, compared

from referee.core.steps import Step
from referee.games import trumps
from referee.games.simulation import played
from referee.games.trumps.plays import Cover, Lay, Reveal


def unseen(steps: list[Step]) -> tuple[list[Any], Places, Known]:
    cards = [n for n in range(1, 10) for _ in range(n)]
    for step in steps:
        match step.play:
            case Lay(_, ranks):
                for rank in ranks:
                    cards.remove(rank)
            case Reveal(_, rank) | Cover(_, int(rank)):
                cards.remove(rank)
    public = trumps.public(steps[-1].state)
    hands = public["hands"].items()  # type: ignore[attr-defined]
    places = {("hand", seat): count for seat, count in hands}
    places["stock", None] = public["stock"]
    return cards, {**places, ("aside", None): len(cards) - sum(places.values())}, {}


def test_the_end_of_deals_for_two() -> None:
    found = 0
    for seed in range(10):
        log = played(trumps, ("A", "B"), seed)
        if not any(isinstance(entry, Cover) and entry.shows for entry in log.entries):
            found += compared(log, unseen)
    assert found > 20
