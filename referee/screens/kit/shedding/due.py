"""The keys of what is due beside plays: bids, the kitty, cards to give, to discard, to name."""

from __future__ import annotations

from collections.abc import Callable

from referee.http.language import gettext as _
from referee.kit.families.shedding.dealing import kitty_size
from referee.kit.families.shedding.plays import Bid, Discard, Give, Kitty, NameRanks, Play
from referee.kit.families.shedding.state import BID, KITTY
from referee.screens.kit.names import Face
from referee.screens.kit.shedding.keys import FREE, ShedKey, ShedPad, Taps
from referee.screens.kit.shedding.lying import Kind, of_ranks
from referee.screens.kit.shedding.making import KeyMaker


class DuePad(KeyMaker):
    """The pad of a seat, or of the table, while something else than a play is due."""

    def pad(self) -> ShedPad | None:
        """The keys; None while plays are due."""
        state = self.state
        if state.phase == BID:
            bids = [Bid(self.seat, said) for said in self.rules.bidding.possible(state)]
            keys = [self._choice(bid, self.names.word("bid", bid.said)) for bid in bids]
            legal_first = sorted(keys, key=lambda key: " off" in key.look)
            return ShedPad(self.seat, choices=tuple(legal_first))
        if state.phase == KITTY:
            size = kitty_size(state)
            return self._chosen(size, Kitty)._replace(asks=_("伏せた%(n)s枚", n=size))
        if state.due is not None and state.due.seat == self.seat:
            return self._due()
        return None

    def _due(self) -> ShedPad:
        due = self.state.due
        assert due is not None
        if due.give:
            key = self.key(Give(self.seat, due.give), Face("", ""), note=str(due.give))
            return ShedPad(self.seat, single=key)
        if due.discard:
            pad = self._chosen(due.discard, lambda cards: Discard(self.seat, cards))
            return pad._replace(asks=_("捨てる%(n)s枚", n=due.discard))
        return self._named(due.name)

    def _named(self, number: int) -> ShedPad:
        """Ranks to name, whatever the deck has."""
        chosen, keys = self.taps.cards, list[ShedKey]()
        for kind in of_ranks(self.state):
            names = (*chosen, kind.name)
            if kind.name in chosen:
                keys.append(self.step(kind, taps=self._due_taps().without(kind.name), look=" on"))
            elif len(names) >= number:
                keys.append(self.key(NameRanks(self.seat, names), kind.face, kind))
            else:
                keys.append(self.step(kind, kind.name, taps=self._due_taps()))
        return ShedPad(self.seat, ranks=tuple(keys), asks=_("指名する数字%(n)sつ", n=number))

    def _due_taps(self) -> Taps:
        return Taps(FREE, self.taps.cards)

    def _chosen(self, number: int, made: Callable[[tuple[str, ...]], Play]) -> ShedPad:
        """Cards one by one, of which the last records ``made``."""
        taps = self._due_taps()

        def key(kind: Kind) -> ShedKey | None:
            left = self.left(kind)
            if len(left) < len(kind.cards) and (not left or kind.copies == 1):
                mine = next(card for card in taps.cards if card in kind.cards)
                return self.step(kind, taps=taps.without(mine), look=" on")
            if not left:
                return ShedKey(kind.face)
            cards = (*taps.cards, left[0])
            if len(cards) >= number:
                return self.key(made(cards), kind.face, kind)
            return self.step(kind, left[0], taps=taps)

        return self.laid(key)

    def _choice(self, play: Play, text: str) -> ShedKey:
        return self.key(play, Face("", text, len(text) > 2))
