"""Shared parts of all table pages: keys, the seat of the pad, sums, the play in force."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple, TypeVar
from urllib.parse import quote, urlencode

from referee.core.generic import P, S
from referee.core.steps import Step, effective, steps
from referee.core.verdict import Card, Illegal, Seat, word_of
from referee.ledger import View

K = TypeVar("K", bound=Hashable)

UNTAPPED: Mapping[str, str] = MappingProxyType({})
"""Query parameters for a page with a board but no keys: ``band`` may omit what a pad needs."""


GAP = "〓"
"""Placeholder for what is tapped, in steps that the page has in advance (static/js/taps).

A digit after it stands for one part of several (from 1), "p" for all parts but the last, "s" for
the seat in ``data-seat``, "w" for the list with the word of ``data-with`` before it, "n" for a
count, "t" for the tapped value as often as the count.
"""


class CardKey(NamedTuple):
    """A key that stands for a card. A tap records ``line``, or follows the query ``to``.

    ``word``: the verdict on the line. ``copies`` of the card exist, ``unseen`` of them have not
    turned up. ``size``: how many of the card the key plays. ``on``: chosen. ``own``: one of the
    cards lies open before the seat. ``note``: what the play is, if keys of one pad differ.
    """

    card: Card
    line: str
    to: str
    word: str
    unseen: int
    copies: int
    size: int = 1
    on: bool = False
    own: bool = False
    note: str = ""


class SeatSum(NamedTuple):
    """A seat between deals or at the end: ``points`` of the last deal, and the total.

    ``best``: no seat has more. ``line``: what the seat may still record.
    """

    seat: Seat
    points: int
    total: int
    best: bool
    line: str = ""


def deal_sums(view: View[S, P], totals: Callable[[S], Mapping[Seat, int]]) -> list[SeatSum]:
    """The points of every seat in the last deal, by the totals of a state."""
    states = map(view.log.before, steps(view.moment.step))
    earlier = (state for state in states if state.deal != view.state.deal)
    now, before = totals(view.state), totals(next(earlier, view.log.start))
    most = max(now.values())
    return [
        SeatSum(seat, total - before[seat], total, total == most) for seat, total in now.items()
    ]


def pad_seat(view: View[S, P], wish: Mapping[str, str], otherwise: Seat) -> Seat:
    """The seat that the pad is for: the one in the address, else ``otherwise``."""
    named = wish.get("seat", "")
    return named if named in view.header.seats else otherwise


def plate_query(view: View[S, P], seat: Seat, chosen: Seat) -> str:
    """The query of the plate of ``seat``: it chooses the seat for the pad.

    A second tap leaves it: the plate of the ``chosen`` seat leads back to the one that is due.
    """
    return query() if seat == chosen and view.to_act[:1] != (seat,) else query(seat=seat)


@lru_cache(maxsize=4096)
def query(**wish: str) -> str:
    """The query of the next step; empty values are left out, and ``GAP`` stays as it is."""
    said = urlencode({key: value for key, value in wish.items() if value})
    return "?" + said.replace(quote(GAP), GAP)


def verdict_word(view: View[S, P], play: P) -> str:
    """The verdict on ``play`` now, in one word."""
    return word_of(view.game.judge(view.state, play))


def newest_step(view: View[S, P]) -> Step[S, P] | None:
    """The step of the last entry; None if that entry is no play in force."""
    step = view.moment.step
    return step if step is not None and step.seq == view.seq else None


def entries_of(view: View[S, P], cards: Callable[[P], Iterable[K]]) -> dict[K, int]:
    """The number of the newest entry in force that played each card; ``cards``: those of a play."""
    found: dict[K, int] = {}
    step = effective(view.moment.step)
    while step is not None:
        for card in cards(step.play):
            found.setdefault(card, step.seq)
        step = step.onto
    return found


def step_in_force(view: View[S, P]) -> Step[S, P] | None:
    """The step of the last entry, if it is a play that changed the state; else None.

    An illegal play may change the state, too: in some games a refusal costs something.
    """
    step = newest_step(view)
    if step is None:
        return None
    refused = isinstance(step.verdict, Illegal) and step.state == view.log.before(step)
    return None if refused else step
