"""Keys for corrections: the plays that an entry may have been meant to be, one tap each."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import NamedTuple
from urllib.parse import quote_plus

from referee.core.generic import GameState, Play
from referee.core.slips import Slot, named, numbered, slots
from referee.core.verdict import Card, Illegal, Seat, word_of
from referee.ledger import View

KEYS = 64  # candidates that are shown as keys; if there are more, cards are chosen one by one
LOOKED_AT = 2000  # candidates of which those that are not illegal are shown, if there are few
FEW = 10  # keys that keep their order; of more, the illegal ones come last


class PickKey(NamedTuple):
    """A play to choose: its line, the word of its verdict, and whether it is the present one.

    ``cards``: in a ``Group``, the cards with which it replaces the card of the group.
    """

    play: Play
    line: str
    word: str
    same: bool
    cards: tuple[Card, ...] = ()


class Group(NamedTuple):
    """Keys that change one thing: a ``card`` of the entry, or the seat or number in ``field``.

    ``seat``: the present seat, if it is about one.
    """

    field: str
    card: Card | None
    seat: Seat | None
    keys: tuple[PickKey, ...]

    def of(self, *, legal: bool) -> Group:
        """The group with its illegal keys alone, or without them (``legal``)."""
        return self._replace(keys=tuple(k for k in self.keys if (k.word != "illegal") is legal))


class Picks(NamedTuple):
    """Keys for ``seat`` (None: for the table).

    ``keys``: whole plays; ``cards`` and ``named``: groups that change a card, or a seat or number.
    ``seats``: those that can be chosen instead of ``seat``.
    """

    seat: Seat | None
    seats: tuple[Seat, ...]
    keys: tuple[PickKey, ...]
    cards: tuple[Group, ...]
    named: tuple[Group, ...]

    @property
    def first(self) -> Picks:
        """The keys without the illegal ones, where these would hide what else can be corrected."""
        keys, cards = self.keys, self.cards
        if len(keys) > FEW:
            keys = tuple(key for key in keys if key.same or key.word != "illegal")
        if len(cards) > 1:
            cards = tuple(group.of(legal=True) for group in cards)
        return self._replace(keys=keys, cards=tuple(group for group in cards if group.keys))

    @property
    def last(self) -> Picks:
        """The illegal keys that ``first`` leaves out."""
        first = self.first
        keys = tuple(key for key in self.keys if key not in first.keys)
        groups = [group.of(legal=False) for group in self.cards] if len(self.cards) > 1 else []
        return self._replace(keys=keys, cards=tuple(group for group in groups if group.keys))

    @property
    def of_cards(self) -> bool:
        """Whether there are keys for plays or cards, not only for a seat or a number."""
        return bool(self.keys or self.cards)

    @property
    def has_illegal(self) -> bool:
        """Whether a key for a play or a card is illegal."""
        groups = (self.keys, *(group.keys for group in self.cards))
        return any(key.word == "illegal" for keys in groups for key in keys)

    @property
    def example(self) -> str:
        """An example of a line in the record."""
        groups = [group.keys for group in (*self.cards, *self.named)]
        return next((keys[0].line for keys in (self.keys, *groups) if keys), "")


def with_line(address: str, line: str) -> str:
    """``address``, whose parameter ``line`` is empty, with ``line``; faster than ``url_for``."""
    head, tail = address.split("line=", 1)
    return f"{head}line={quote_plus(line)}{tail}"


def instead(view: View, state: GameState, play: Play, seat: Seat | None = None) -> Picks:
    """The plays that ``play``, made at ``state``, may have been meant to be.

    They are plays of ``seat`` if it is one of the table, else of the seat of ``play``.
    """
    own = getattr(play, "seat", None)
    seat = seat if seat in view.header.seats else own
    fitting = _fitting(view, state, seat)
    of_seat = replace(play, seat=seat) if own is not None and seat != own else play
    keys = tuple(_key(view, state, other, play) for other in fitting)
    cards: tuple[Group, ...] = ()
    if of_seat not in fitting:
        found = (slot for slot in slots(state, of_seat) if slot.instead)
        cards = tuple(_slot(view, state, slot, play) for slot in found)
    seats = tuple(
        Group(name, None, now, tuple(_key(view, state, other, play) for other in others))
        for name, now, others in named(view.log.table, play)
        if others
    )
    numbers = tuple(
        Group(name, None, None, tuple(_key(view, state, other, play) for other in others))
        for name, others in numbered(view.game, state, of_seat)
        if others
    )
    if not (keys or cards or numbers):  # a pass, where many plays were possible
        keys = tuple(_key(view, state, other, play) for other in _allowed(view, state, seat))
    return Picks(seat, view.header.seats if own is not None else (), keys, cards, numbers + seats)


def missing(view: View, state: GameState, seat: Seat | None = None) -> Picks:
    """The plays that may be missing before ``state`` went on: of ``seat``, else of a seat due."""
    due = view.game.to_act(state)
    seat = seat if seat in view.header.seats else next(iter(due), None)
    fitting = _fitting(view, state, seat) or _allowed(view, state, seat)
    keys = tuple(_key(view, state, other, None) for other in fitting)
    cards: tuple[Group, ...] = ()
    if not fitting:
        some = next(iter(view.game.candidates(state)), None)
        if some is not None:
            cards = tuple(_slot(view, state, slot, None) for slot in slots(state, some))
    return Picks(seat, view.header.seats if due else (), keys, cards, ())


def insertable(view: View, state: GameState, known: Picks) -> Picks:
    """The plays that can be inserted at ``state``.

    ``known``: the keys of ``instead`` there, which are used again if they are of the same seat.
    """
    seat = next(iter(view.game.to_act(state)), None)
    found = known if known.keys and known.seat == seat else missing(view, state)
    keys = tuple(
        key._replace(same=False) for key in found.keys if _may_be_missing(view, state, key.play)
    )
    return found._replace(keys=keys, cards=(), named=())


def _fitting(view: View, state: GameState, seat: Seat | None) -> list[Play]:
    """The candidates as plays of ``seat``, without repetitions; none if there are over ``KEYS``."""
    fitting = _candidates(view, state, seat, KEYS * len(view.header.seats) + 1)
    return fitting if len(fitting) <= KEYS else []


def _allowed(view: View, state: GameState, seat: Seat | None) -> list[Play]:
    """As ``_fitting``, but only the plays that may be missing."""
    found = _candidates(view, state, seat, LOOKED_AT)
    allowed = [play for play in found if _may_be_missing(view, state, play)]
    return allowed if len(allowed) <= KEYS else []


def _may_be_missing(view: View, state: GameState, play: Play) -> bool:
    """Whether ``play`` is not illegal, or costs something although it is, such as a draw."""
    legal = not isinstance(view.game.judge(state, play), Illegal)
    return legal or view.game.HOOKS.refused(state, play) != state


def _candidates(view: View, state: GameState, seat: Seat | None, most: int) -> list[Play]:
    """The first ``most`` candidates as plays of ``seat``, without repetitions."""
    made = (
        replace(play, seat=seat) if play.SUBJECT == "seat" and seat is not None else play
        for play in islice(view.game.candidates(state), most)
    )
    return list(dict.fromkeys(made))


def _slot(view: View, state: GameState, slot: Slot, play: Play | None) -> Group:
    keys = tuple(
        _key(view, state, other, play)._replace(cards=slot.shown(other)) for other in slot.instead
    )
    return Group(slot.field, slot.card, None, keys)


def _key(view: View, state: GameState, other: Play, play: Play | None) -> PickKey:
    verdict = view.game.judge(state, other)
    return PickKey(other, view.grammar.print(other), word_of(verdict), other == play)
