"""Which keys the pad has after what was tapped. The look of a key is the verdict on its play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, islice

from referee.core.verdict import Illegal, Seat
from referee.http.language import gettext as _
from referee.http.language import pgettext
from referee.kit.families.shedding.combinations import Combination
from referee.kit.families.shedding.plays import Drop, Lay, Pass, Play
from referee.kit.families.shedding.state import PLAY, State
from referee.ledger import View
from referee.screens.kit.names import Face, KitNames
from referee.screens.kit.shedding.due import DuePad
from referee.screens.kit.shedding.keys import DROP, EACH, ShapeTab, ShedKey, ShedPad, Taps, TapStep
from referee.screens.kit.shedding.lying import Kind, of_suit
from referee.screens.kit.shedding.making import KeyMaker
from referee.screens.kit.shedding.shapes import Shapes, combo_title
from referee.screens.pad import GAP, verdict_word

MOST_TRIED = 60  # ways to complete a play that are tried for the look of its first cards


def pad_of(view: View[State, Play], seat: Seat, taps: Taps, names: KitNames) -> ShedPad:
    """The pad of ``seat`` after ``taps``; "": that of the table."""
    return DuePad(view, seat, taps, names).pad() or PlayPad(view, seat, taps, names).pad()


class PlayPad(KeyMaker):
    """The pad of a seat while plays are due."""

    def __init__(self, view: View[State, Play], seat: Seat, taps: Taps, names: KitNames) -> None:
        super().__init__(view, seat, taps, names)
        self.wild = tuple(card for kind in self.special if kind.wild for card in kind.cards)
        self.shapes = Shapes(self.state, rows=self.rows)
        if taps.mode not in (*self.shapes.modes, DROP):
            self.taps = Taps(self.shapes.usual, ())

    def pad(self) -> ShedPad:
        """The keys that are due, with the steps that a phone takes without the server."""
        pad = self._pad()
        plays = self.state.phase == PLAY and self.state.due is None
        if self.taps != Taps(self.shapes.usual, ()) or not plays:
            return pad
        return pad._replace(steps=tuple(self._steps(pad)))

    def _steps(self, pad: ShedPad) -> Iterator[TapStep]:
        """On a lead any cards of suits and a key that plays them, else the second card of a pair;
        by rank, all keys after a number and a joker.
        """
        if not self.rows:
            yield from self._rank_steps()
        elif self.shapes.usual == EACH and not self._number() and self.shapes.most(self.seat) > 1:
            line = self.view.grammar.print(Lay(self.seat, ("S3",))).removesuffix(" S3")
            play = ShedKey(Face("", ""), f"{line}{GAP}w")
            acts = ShedPad(self.seat, rows=pad.rows, extra=pad.extra, tabs=pad.tabs, play=play)
            yield TapStep(f"{EACH}:*", "acts", acts, self.shapes.most(self.seat))
        elif self._number() == 2:
            firsts = [key for key in self._all(pad) if key.to and key.look != " off"]
            for first in firsts:
                yield self._second(first.part)

    def _second(self, card: str) -> TapStep:
        """The keys of the cards that make a pair with ``card``."""
        pad = self._after(Taps(EACH, (card,)))._pad()
        keys = [
            key for key in self._all(pad) if key.part == card or (key.line and key.look != " off")
        ]
        return TapStep(f"{EACH}:{card}", "cards", ShedPad(self.seat, extra=tuple(keys)))

    def _rank_steps(self) -> Iterator[TapStep]:
        for mode in filter(str.isdigit, self.shapes.modes):
            jokers = [kind.cards[0] for kind in self.special if kind.wild and kind.cards]
            with_jokers = [Taps(mode, (joker,)) for joker in jokers if mode != "1"]
            for taps in (Taps(mode, ()), *with_jokers):
                if taps != self.taps:
                    of = ":".join(filter(None, (mode, *taps.cards)))
                    yield TapStep(of, "keys", self._after(taps)._pad())

    def _after(self, taps: Taps) -> PlayPad:
        return PlayPad(self.view, self.seat, taps, self.names)

    def _all(self, pad: ShedPad) -> list[ShedKey]:
        return [*(key for row in pad.rows for key in row.keys if key), *pad.ranks, *pad.extra]

    def _pad(self) -> ShedPad:
        """The keys that are due."""
        state = self.state
        if self.taps.mode == DROP and state.naming is not None:
            return self.laid(self._dropped)._replace(tabs=self._tabs())
        return self._turn()

    def _dropped(self, kind: Kind) -> ShedKey | None:
        naming = self.state.naming
        if naming is None or self.rules.rank_of(kind.name) not in naming.ranks:
            return None
        return self.key(Drop(self.seat, kind.some(1)), kind.face, kind)

    # plays

    def _turn(self) -> ShedPad:
        taps, combo = self.taps, self.shapes.combos.get(self.taps.mode)
        if taps.mode.isdigit():
            pad = self.laid(self._of_set)
        elif combo is not None and self.rows:
            pad = self.laid(lambda kind: self._of_suited_run(kind, combo))
        elif combo is not None:
            pad = self.laid(lambda kind: self._of_shape(kind, combo))
        else:
            pad = self.laid(self._one_by_one)
            chosen = tuple(self.names.face(card) for card in taps.cards)
            pad = pad._replace(chosen=chosen, play=self._play_key())
        pad = pad._replace(tabs=self._tabs())
        if self.state.trick.top is None or self.state.turn is None:
            return pad
        passing = self.key(Pass(self.seat), Face("", ""))
        keys = self._all(pad)
        usual = self.taps == Taps(self.shapes.usual, ())
        sure = usual and not pad.tabs and all(key.look == " off" or not key.left for key in keys)
        return pad._replace(passing=passing, all_passing=self._all_pass(), sure=sure)

    def _lay(self, cards: Iterable[str], kind: Kind, note: str = "") -> ShedKey:
        return self.key(Lay(self.seat, tuple(cards)), kind.face, kind, note)

    def _of_set(self, kind: Kind) -> ShedKey | None:
        """The key of a number of equal cards; ``taps.cards`` are jokers among them."""
        number, jokers = int(self.taps.mode), self.taps.cards
        if kind.wild:
            return self._joker(kind, number)
        natural = number - len(jokers)
        fill: tuple[str, ...] = ()
        if not jokers and 0 < len(kind.cards) < natural:
            fill = self.wild[: natural - len(kind.cards)]
        cards = (*kind.some(natural - len(fill)), *jokers, *fill)
        note = _("%(card)sと", card=self._joker_name()) if fill else ""
        return self._lay(cards, kind, note or self._brings(Lay(self.seat, cards)))

    def _joker(self, kind: Kind, number: int) -> ShedKey | None:
        jokers = self.taps.cards
        left = self.left(kind)
        on = " on" if jokers else ""
        if number == len(jokers) + 1:
            return self._lay((*jokers, *left[:1]) if left else kind.some(1), kind)
        if left:
            return self.step(kind, left[0], look=on)
        return ShedKey(kind.face, look=on, copies=kind.copies)

    def _joker_name(self) -> str:
        return next((kind.face.rank for kind in self.special if kind.wild), "")

    def _of_shape(self, kind: Kind, combo: Combination) -> ShedKey | None:
        """Runs and kickers by rank: the first rank, the last one if it is open, then kickers."""
        tapped, order = self.taps.cards, self.rules.cards.order
        shape, ranks = self.shapes, self.rules.cards.order
        if kind.name not in ranks:
            return None
        length = shape.length(combo)
        ends = 1 if length else 2
        if len(tapped) < ends - 1 or not tapped:
            if length and order.index(kind.name) + length > len(order):
                return ShedKey(kind.face, look=" off", left=len(kind.cards), copies=kind.copies)
            if not length or combo.kicked:
                return self.step(kind, kind.name)
            return self._lay(self._main(combo, kind.name, length), kind)
        first = tapped[0]
        if not length and len(tapped) == 1:
            many = order.index(kind.name) - order.index(first) + 1
            if many not in combo.run:
                return self.step(kind, kind.name, taps=Taps(self.taps.mode, ()))
            if combo.kicked:
                return self.step(kind, kind.name)
            return self._lay(self._main(combo, first, many), kind)
        many = length or order.index(tapped[1]) - order.index(first) + 1
        kickers = (*tapped[ends:], kind.name)
        if len(kickers) < (combo.kickers or many):
            return self.step(kind, kind.name)
        groups = [rank for rank in kickers for _number in range(combo.kicked)]
        return self._lay((*self._main(combo, first, many), *groups), kind)

    def _main(self, combo: Combination, first: str, length: int) -> tuple[str, ...]:
        """The main part from a rank on; jokers stand for what is not there any more."""
        order, size = self.rules.cards.order, self.shapes.size(combo)
        at, jokers = order.index(first), list(self.wild)
        cards = list[str]()
        kinds = {kind.name: kind for kind in self.kinds}
        for rank in order[at : at + length]:
            there = len(kinds[rank].cards) if rank in kinds else 0
            for number in range(size):
                if number >= there and jokers:
                    cards.append(f"{jokers.pop(0)}={rank}")
                else:
                    cards.append(rank)
        return tuple(cards)

    def _of_suited_run(self, kind: Kind, combo: Combination) -> ShedKey | None:
        """A run of a suit: its first card, on a lead its last one, too."""
        order, cards = self.rules.cards.order, self.rules.cards
        suit = cards.suit.get(kind.name, "")
        if not suit:
            return None
        at, tapped = order.index(cards.rank[kind.name]), self.taps.cards
        length = self.shapes.length(combo)
        if length:
            if at + length > len(order):
                return ShedKey(kind.face, look=" off", left=len(kind.cards), copies=kind.copies)
            return self._lay(self._run(suit, at, length), kind)
        start = Taps(self.taps.mode, ())
        if not tapped or cards.suit.get(tapped[0]) != suit:
            return self.step(kind, kind.name, taps=start)
        if kind.name == tapped[0]:
            return self.step(kind, taps=start, look=" on")
        first = order.index(cards.rank[tapped[0]])
        if at - first + 1 not in combo.run:
            return self.step(kind, kind.name, taps=start)
        return self._lay(self._run(suit, first, at - first + 1), kind)

    def _run(self, suit: str, at: int, length: int) -> tuple[str, ...]:
        """Cards of a suit; jokers stand for those that have been played."""
        jokers, found = list(self.wild), list[str]()
        left = {
            kind.name: len(kind.cards) for kind in of_suit(self.state, suit, self.names) if kind
        }
        for rank in self.rules.cards.order[at : at + length]:
            card = suit + rank
            found.append(card if left.get(card) or not jokers else f"{jokers.pop(0)}={card}")
        return tuple(found)

    def _one_by_one(self, kind: Kind) -> ShedKey | None:
        """A key that adds a card, or takes it back; the last card that is due records the play."""
        taps, due = self.taps, self._number()
        left = self.left(kind)
        if len(left) < len(kind.cards) and self.rows and (kind.copies == 1 or not left):
            if taps.cards == (kind.name,) and not due:
                return self._lay(taps.cards, kind)._replace(look=" on", id="")
            mine = next(card for card in taps.cards if card in kind.cards)
            return self.step(kind, taps=taps.without(mine), look=" on")
        if not left:
            return self._lay(kind.some(1), kind) if due == 1 else ShedKey(kind.face)
        cards = (*taps.cards, left[0])
        if len(cards) >= (due or self.shapes.most(self.seat)):
            return self._lay(cards, kind)
        look = "" if self._can_be(cards, due) else " off"
        return self.step(kind, left[0], look=look)

    def _number(self) -> int:
        """How many cards the play has; 0: a key ends it."""
        top = self.state.trick.top
        return top.reading.count if top is not None and self.taps.mode == EACH else 0

    def _can_be(self, cards: tuple[str, ...], due: int) -> bool:
        """Whether some legal set begins with these cards; True for other combinations."""
        top = self.state.trick.top
        if top is None or not due or not self.shapes.simple(top.reading.combo):
            return True
        ranks = {self.rules.rank_of(card) for card in cards} - {""}
        if len(ranks) != 1:
            return not ranks
        alike = [
            kind.cards[0]
            for suit in self.rules.cards.suits
            for kind in of_suit(self.state, suit, self.names)
            if kind and kind.cards and self.rules.rank_of(kind.name) in ranks
        ]
        pool = [card for card in (*alike, *self.wild) if card not in cards]
        ways = islice(combinations(pool, due - len(cards)), MOST_TRIED)
        return any(self._legal((*cards, *more)) for more in ways)

    def _legal(self, cards: tuple[str, ...]) -> bool:
        return verdict_word(self.view, Lay(self.seat, cards)) != "illegal"

    def _play_key(self) -> ShedKey | None:
        taps = self.taps
        if not taps.cards or self._number():
            return None
        return self.key(Lay(self.seat, taps.cards), Face("", ""))

    def _brings(self, play: Lay) -> str:
        """What a legal play does beside lying there, in a word."""
        if not self._legal(play.cards) or self.seat != self.state.turn:
            return ""
        before, after = self.state, self.view.game.apply(self.state, play)
        if bool(before.round.turned) != bool(after.round.turned):
            return _("革命")
        if after.round.finish != before.round.finish or not after.round.live:
            return ""
        if not after.trick.plays and after.turn == self.seat:
            return _("流す")
        if bool(after.trick.turned) != bool(before.trick.turned):
            return _("逆順")
        return ""

    # passes

    def _all_pass(self) -> ShedKey | None:
        """A key for the passes of all who can still play."""
        state, lines = self.state, list[str]()
        while state.trick.top and state.turn is not None and state.phase == self.state.phase:
            play = Pass(state.turn)
            if isinstance(self.view.game.judge(state, play), Illegal):
                return None
            lines.append(self.view.grammar.print(play))
            state = self.view.game.apply(state, play)
        if len(lines) < 2 or self.seat != self.state.turn:
            return None
        return ShedKey(Face("", ""), "\n".join(lines))

    def _tabs(self) -> tuple[ShapeTab, ...]:
        """Other numbers and combinations, if there are any."""
        modes = [mode for mode in self.shapes.modes if self._offered(mode)]
        tabs = [self._tab(mode) for mode in modes[1 if self.rows else 0 :]]
        if self.state.turn == self.seat:
            for combo in self.shapes.exact:
                play = Lay(self.seat, combo.cards)
                if verdict_word(self.view, play) != "illegal":
                    text = combo_title(self.rules, combo)
                    tabs.append(ShapeTab(text, "", False, self.view.grammar.print(play)))
        if self.state.naming is not None:
            to = Taps(DROP, ()).query(self.seat)
            tabs.append(ShapeTab(_("捨てる"), to, self.taps.mode == DROP))
        return tuple(tabs) if len(tabs) > 1 or self.rows else ()

    def _offered(self, mode: str) -> bool:
        """Whether a mode has a key: not if no legal play is of this number."""
        if not mode.isdigit() or mode == self.shapes.usual or self.state.trick.top is None:
            return True
        return any(self._legal(kind.some(int(mode))) for kind in self.kinds)

    def _tab(self, mode: str) -> ShapeTab:
        combo = self.shapes.combos.get(mode)
        if mode.isdigit():
            text = pgettext("number", "%(n)s枚", n=int(mode))
        elif combo is not None:
            text = combo_title(self.rules, combo)
        else:
            text = _("1枚ずつ")
        on = mode == self.taps.mode
        back = mode == self.shapes.usual or (on and self.rows)
        to = Taps("" if back else mode, ()).query(self.seat)
        return ShapeTab(text, to, on)
