"""The keys of a shedding game, as values, and what was tapped of a play so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.core.verdict import Seat
from referee.screens.kit.names import Face
from referee.screens.pad import query

EACH = "each"
"""Cards are chosen one by one; with all cards that are due, the last one records the play."""
FREE = "free"
"""Cards are chosen one by one, and a key records the play."""
DROP = "drop"
"""Cards of a rank that was named are dropped."""


class Taps(NamedTuple):
    """What was tapped: ``mode`` is a number of cards, the name of a combination, or one of the
    modes above; ``cards`` are cards, ranks and jokers.
    """

    mode: str
    cards: tuple[str, ...]

    def query(self, seat: Seat, *more: str) -> str:
        """The query of the pad after these taps and ``more``."""
        cards = " ".join((*self.cards, *more))
        return query(seat=seat, taps=f"{self.mode}:{cards}" if cards else self.mode)

    def without(self, card: str) -> Taps:
        """These taps without the last one of ``card``."""
        at = len(self.cards) - 1 - self.cards[::-1].index(card)
        return self._replace(cards=(*self.cards[:at], *self.cards[at + 1 :]))


def tapped(params: Mapping[str, str]) -> Taps:
    """The taps in an address; the pad drops what makes no sense."""
    mode, _colon, cards = params.get("taps", "").partition(":")
    return Taps(mode, tuple(cards.split()))


class ShedKey(NamedTuple):
    """A key. A tap records ``line``, or follows the query ``to``; with neither there is none.

    ``look``: CSS classes, " off" for an illegal play. ``left`` of ``copies`` cards have not been
    seen; 0 ``copies``: they are not counted. ``note``: what the play brings about, or needs.
    ``part``: its name, if a step of the page replaces it.
    """

    face: Face
    line: str = ""
    to: str = ""
    look: str = ""
    left: int = 0
    copies: int = 0
    note: str = ""
    id: str = ""
    part: str = ""


class ShedRow(NamedTuple):
    """The cards of a suit: ``sign``, and how screen readers say it. Keys of cards that lie
    elsewhere are None.
    """

    sign: str
    said: str
    keys: tuple[ShedKey | None, ...]


class ShapeTab(NamedTuple):
    """A number of cards or a combination to be entered, or (``line``) one that a tap plays."""

    text: str
    to: str
    on: bool
    line: str = ""
    look: str = ""


class TapStep(NamedTuple):
    """A step that the page has in advance, for the value ``of`` of its query (static/js/taps).

    ``part``: what it replaces: "keys", all of them; "acts", those below the cards; "cards", only
    those of ``pad.extra``. ``most``: with so many cards the play is recorded; 0: it has a key.
    """

    of: str
    part: str
    pad: ShedPad
    most: int = 0


class ShedPad(NamedTuple):
    """The keys of ``seat``: ``rows`` of suits or ``ranks``, and beside both ``extra``: jokers.

    ``tabs``: other numbers and combinations. ``chosen``: the cards chosen so far; ``play``: the key
    that records them. ``passing``, ``all_passing``: the keys of a pass and of passes of all who can
    still play; ``sure``: no unseen card can beat the top. ``choices``: bids, or who leads.
    ``single``: the only key. ``steps``: those that the page has in advance.
    """

    seat: Seat
    ranks: tuple[ShedKey, ...] = ()
    rows: tuple[ShedRow, ...] = ()
    extra: tuple[ShedKey, ...] = ()
    tabs: tuple[ShapeTab, ...] = ()
    chosen: tuple[Face, ...] = ()
    play: ShedKey | None = None
    passing: ShedKey | None = None
    all_passing: ShedKey | None = None
    sure: bool = False
    choices: tuple[ShedKey, ...] = ()
    single: ShedKey | None = None
    asks: str = ""
    steps: tuple[TapStep, ...] = ()
