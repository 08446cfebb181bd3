"""What all pads of a shedding game are made of: keys, and where they are."""

from __future__ import annotations

from collections.abc import Callable

from referee.core.verdict import Seat
from referee.kit.families.shedding.evidence import rules_of
from referee.kit.families.shedding.plays import Play
from referee.kit.families.shedding.state import State
from referee.ledger import View
from referee.screens.kit.names import Face, KitNames
from referee.screens.kit.shedding.keys import EACH, ShedKey, ShedPad, ShedRow, Taps
from referee.screens.kit.shedding.lying import Kind, has_rows, of_ranks, of_suit, specials
from referee.screens.pad import verdict_word

LOOKS = {"legal": "", "unprovable": " dot", "illegal": " off"}


class KeyMaker:
    """The keys of a seat after some taps."""

    def __init__(self, view: View[State, Play], seat: Seat, taps: Taps, names: KitNames) -> None:
        self.view, self.seat, self.taps, self.names = view, seat, taps, names
        self.state, self.rules = view.state, rules_of(view.state)
        self.rows = has_rows(self.state)
        self.kinds = () if self.rows else tuple(of_ranks(self.state))
        self.special = tuple(specials(self.state, names))

    def left(self, kind: Kind) -> list[str]:
        """The cards of a key that are neither seen nor tapped."""
        left = list(kind.cards)
        for card in self.taps.cards:
            if card in left:
                left.remove(card)
        return left

    def key(self, play: Play, face: Face, kind: Kind | None = None, note: str = "") -> ShedKey:
        look = LOOKS[verdict_word(self.view, play)]
        line = self.view.grammar.print(play)
        if kind is None:
            return ShedKey(face, line, look=look, note=note)
        name = "" if self.taps.cards else f"k{kind.name}"  # a step has the keys of another play
        left, part = len(kind.cards), self._part(kind)
        return ShedKey(face, line, "", look, left, kind.copies, note, id=name, part=part)

    def step(self, kind: Kind, *more: str, taps: Taps | None = None, look: str = "") -> ShedKey:
        """A key that does not end the play."""
        to = (taps or self.taps).query(self.seat, *more)
        part, left = self._part(kind), len(kind.cards)
        name = f"of-{kind.name}" if part else ""
        return ShedKey(kind.face, "", to, look, left, kind.copies, id=name, part=part)

    def _part(self, kind: Kind) -> str:
        return kind.name if self.rows and self.taps.mode == EACH and kind.copies == 1 else ""

    def laid(self, made: Callable[[Kind], ShedKey | None]) -> ShedPad:
        """The keys in rows of suits, or by rank; special cards beside them."""
        extra = tuple(key for kind in self.special if (key := made(kind)) is not None)
        if not self.rows:
            keys = tuple(key for kind in self.kinds if (key := made(kind)) is not None)
            return ShedPad(self.seat, ranks=keys, extra=extra)
        rows = []
        for suit in self.rules.cards.suits:
            found = [
                made(kind) if kind is not None and kind.cards else None
                for kind in of_suit(self.state, suit, self.names)
            ]
            sign = self.names.spelled.get(suit, suit)
            rows.append(ShedRow(sign, self.names.suit(sign), tuple(found)))
        return ShedPad(self.seat, rows=tuple(rows), extra=extra)
