"""The pyramids of a table, place by place."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from referee.core.pyramid import rows
from referee.core.verdict import Seat
from referee.games.pairs_daifugo import ROWS, Play, State
from referee.ledger import View

DaifugoView: TypeAlias = View[State, Play]


class PyramidCell(NamedTuple):
    """A place of a pyramid. ``kind``: "gone", "back", "open", or "slot" for a card to be entered.

    ``line``: what a tap records; ``to``: the query of the page that it leads to; ``on``: chosen, or
    the place that the keys refer to. ``among``: a tap adds the place to the chosen ones. ``of``:
    the steps (see ``PadStep``) in which the place looks like this.
    """

    place: str
    kind: str
    rank: int | str | None
    line: str = ""
    to: str = ""
    on: bool = False
    where: str = ""
    among: bool = False
    of: str = ""


def in_rows(view: DaifugoView, cell: Callable[[str], PyramidCell]) -> list[list[PyramidCell]]:
    """A pyramid from the top, its places as ``cell`` gives them."""
    return [[cell(place) for place in row] for row in rows(ROWS[len(view.header.seats)])]


def cell_of(state: State, seat: Seat, place: str) -> PyramidCell:
    """A place as everybody sees it."""
    pyramid = state.pyramids[seat]
    if place not in pyramid:
        return PyramidCell(place, "gone", None)
    rank = pyramid[place]
    return PyramidCell(place, "back" if rank is None else "open", rank)
