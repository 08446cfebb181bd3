"""The keys of a game of a file, as values: cards in rows of a suit, bids, suits to name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from referee.core.verdict import Seat
from referee.screens.kit.names import Face
from referee.screens.wording import width

COLUMNS = (7, 10, 13)  # of the rows of any other suit


class PadCard(NamedTuple):
    """A card of the pad; not ``there`` if all its copies have been seen.

    ``look``: the CSS class of its verdict; ``spoken``: its text for screen readers; ``left``: its
    unseen copies, 0 where there is only one of it.
    """

    id: str
    face: Face
    line: str
    there: bool
    look: str
    spoken: str
    left: int


class SuitRow(NamedTuple):
    """The cards of a suit; ``sign`` is "" for cards without one. ``led``: cards to follow with.

    ``said``: the suit for screen readers. ``wide``: one of ``COLUMNS``.
    """

    sign: str
    said: str
    led: bool
    wide: int
    keys: tuple[PadCard, ...]


def wide(keys: int) -> int:
    """The columns of a row of ``keys``; more keys than columns take several lines."""
    return next((columns for columns in COLUMNS if columns >= keys), COLUMNS[-1])


class BidOrSuit(NamedTuple):
    """A bid, or a suit to name; ``note``: the sum of the bids."""

    text: str
    line: str
    word: str
    note: str

    @property
    def look(self) -> str:
        """The CSS classes of a key with a longer text: in smaller type, over two columns."""
        return " small two" if width(self.text) > 4 else " small" if len(self.text) > 2 else ""


class JointBid(NamedTuple):
    """A key for the bids of several seats; without ``line`` they can't be made together."""

    said: tuple[tuple[Seat, str], ...]
    line: str


class KitPad(NamedTuple):
    """The keys of a seat. ``kind``: "choices" (bids, suits), "cards", or "passed" (one key).

    ``plays``: the card that each choice plays. ``cover``: the key of a card face down.
    ``together``: the query of the pad on which several seats bid at once, ``joint``.
    """

    kind: str
    choices: Sequence[BidOrSuit] = ()
    plays: str = ""
    rows: Sequence[SuitRow] = ()
    cover: BidOrSuit | None = None
    joint: JointBids | None = None
    together: str = ""
    line: str = ""


class JointBids(NamedTuple):
    """Bids of several seats with one tap: beside each bid of the first the keys with ``others``."""

    first: Seat
    others: tuple[Seat, ...]
    rows: tuple[tuple[BidOrSuit, tuple[JointBid, ...]], ...]
