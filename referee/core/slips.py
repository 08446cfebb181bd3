"""Slips: plays that differ from an entry in one point, and may have been meant instead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import islice
from typing import Generic, NamedTuple

from referee.core.cards import Deck
from referee.core.game import TABLE, Game, Table
from referee.core.generic import GameState, P, Play, S
from referee.core.record import form
from referee.core.verdict import Card, Seat

NO_CARDS = ("seat", "number", "count", "place", "places", "sheet", "text", "bid", "suit")
"""Kinds of fields that hold no card."""
LOOKED_AT = 400  # candidates that are compared with an entry, at most


class Slot(NamedTuple, Generic[P]):
    """One card of an entry; ``place``: its 0-based index in ``field``.

    ``instead``: the entry with each other card there. ``whole``: the slot stands for all cards of
    the field, which are equal; ``instead`` has the entry with one copy less, too.
    """

    field: str
    place: int
    card: Card
    whole: bool
    instead: tuple[P, ...]

    def shown(self, other: P) -> tuple[Card, ...]:
        """What ``other``, one of ``instead``, has in this place."""
        value = getattr(other, self.field)
        if not isinstance(value, tuple):
            return (value,)
        return value if self.whole else (value[self.place],)


def named(table: Table, play: P) -> Iterator[tuple[str, Seat | None, tuple[P, ...]]]:
    """Each seat that ``play`` names: the field, the seat, and the entry with each other seat."""
    for name in _seat_fields(play):
        seat = getattr(play, name)
        others = (replace(play, **{name: other}) for other in table.seats if other != seat)
        yield name, seat, tuple(others)


def numbered(game: Game[S, P], state: S, play: P) -> Iterator[tuple[str, tuple[P, ...]]]:
    """Each number that ``play`` names: the field, and the candidates that name another one.

    Other fields of such a candidate are as in ``play`` or have their default: claimed words, for
    example, belong to one flag only.
    """
    for name in _number_fields(play):
        alike = (
            other
            for other in game.candidates(state)
            if type(other) is type(play) and getattr(other, name) != getattr(play, name)
            if all(
                getattr(other, f.name) in (getattr(play, f.name), f.default)
                for f in fields(play)
                if f.name != name
            )
        )
        yield name, tuple(dict.fromkeys(alike))


def slots(state: GameState, play: P) -> Iterator[Slot[P]]:
    """The cards of ``play`` one by one.

    Equal cards that are counted are one slot: 7 7 7 is never a slip for 7 7 5.
    """
    deck = state.deck
    for name in _card_fields(play):
        value = getattr(play, name)
        if not isinstance(value, tuple):
            if value is not None and value in deck:
                others = (replace(play, **{name: card}) for card in deck.cards if card != value)
                yield Slot(name, 0, value, False, tuple(others))
        elif value and all(card in deck for card in value):
            alike = _alike(play, name)
            for place in range(1 if alike else len(value)):
                changed = tuple(_others(play, name, place, deck))
                yield Slot(name, place, value[place], alike, changed)


def slips(game: Game[S, P], table: Table, state: S, play: P) -> list[P]:
    """Every play, none twice, that differs from ``play`` in one seat, one card or one slot.

    Candidates that differ from it in any other single field are among them.
    """
    found = [one for _, _, others in named(table, play) for one in others]
    found += [one for slot in slots(state, play) for one in slot.instead]
    for other in islice(game.candidates(state), LOOKED_AT):
        if type(other) is type(play) and _differences(play, other) == 1:
            found.append(other)
    return list(dict.fromkeys(found))


def _others(play: P, name: str, place: int, deck: Deck) -> Iterator[P]:
    """``Slot.instead`` for the card at ``place`` of the field ``name``."""
    value, alike = getattr(play, name), _alike(play, name)
    for card in deck.cards:
        if card != value[place]:
            instead = (card,) * len(value) if alike else (*value[:place], card, *value[place + 1 :])
            yield replace(play, **{name: instead})
    if alike:
        yield replace(play, **{name: value[1:]})


def _alike(play: Play, name: str) -> bool:
    """Whether a field counts copies of one card; cards in a row have a place each."""
    value = getattr(play, name)
    in_row = play.SUBJECT == TABLE or form(play.FORM).verb == "row"
    return len(value) > 1 and len(set(value)) == 1 and not in_row


def _card_fields(play: Play) -> Iterator[str]:
    shape = form(play.FORM)
    for part in (*shape.parts, *shape.keyed.values()):
        if part.field is not None and part.kind not in NO_CARDS:
            yield part.field


def _number_fields(play: Play) -> list[str]:
    shape = form(play.FORM)
    return [part.field for part in shape.parts if part.field and part.kind == "number"]


def _seat_fields(play: Play) -> Iterator[str]:
    if play.SUBJECT == "seat":
        yield "seat"
    shape = form(play.FORM)
    for part in (*shape.parts, *shape.keyed.values()):
        if part.field is not None and part.kind == "seat":
            yield part.field


def _differences(play: Play, other: Play) -> int:
    return sum(getattr(play, f.name) != getattr(other, f.name) for f in fields(play))
