"""Draws that everybody saw: how risky each was, and what it would have cost not to draw."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from referee.core.verdict import Illegal
from referee.games.simulation import ahead, room_of
from referee.insight.review import Read, Review

LEAST = Fraction(1, 10)  # a smaller risk is not worth a sentence


class Risk(NamedTuple):
    """A card that a seat drew, for all to see.

    ``odds``: the probability that it would be a bad one, by what everybody had seen; ``bad``:
    whether it was. ``drawing``, ``leaving``: the points that a draw costs on average, and those
    that it costs not to draw; None where this was not allowed.
    """

    read: Read
    odds: Fraction
    bad: bool
    drawing: float
    leaving: float | None


def boldest(drawn: list[Risk]) -> Risk | None:
    """The draw with the highest risk; None if no risk is worth a sentence."""
    found = (each for each in drawn if each.odds >= LEAST)
    return max(found, key=lambda each: each.odds, default=None)


def luckiest(drawn: list[Risk]) -> Risk | None:
    """The draw with the highest risk among those that went well; None as for ``boldest``."""
    return boldest([each for each in drawn if not each.bad])


def risks(found: Review) -> Iterator[Risk]:
    """The draws of a finished deal, in order; none in games without them."""
    hooks, game = found.log.game.HOOKS, found.log.game
    for read in found.entries:
        drawn = hooks.luck(read.before, read.step.play) if read.step.took_effect else None
        if drawn is None:
            continue
        cost = ahead(room_of(game))
        assert cost, "a game with draws has a player that looks ahead"
        others = (
            play
            for play in game.candidates(read.before)
            if getattr(play, "seat", None) == getattr(read.step.play, "seat", "")
            and type(play) is not type(read.step.play)
            and not isinstance(game.judge(read.before, play), Illegal)
        )
        leaving = next((-cost(read.before, play) for play in others), None)
        yield Risk(read, *drawn, -cost(read.before, read.step.play), leaving)
