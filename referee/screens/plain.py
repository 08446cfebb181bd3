"""The table page of a game that has no screen of its own.

The board shows what ``Game.public`` returns, in rows. The pad has a key for each of
``Game.candidates``: a tap records it, and its look is the verdict of ``Game.judge``.

Words come from the ruling book if it has them as facts: ``verb_<verb>`` for the verb of a play,
``public_<key>`` for a key of ``public``. Otherwise the words of the record are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from itertools import islice
from typing import NamedTuple

from referee.core.game import TABLE, options
from referee.core.generic import P, S
from referee.core.ranking import Rank, ranking
from referee.core.record import form, quoted
from referee.core.verdict import Card, Outcome, Seat
from referee.core.written import Points
from referee.http import language
from referee.http.language import gettext as _
from referee.ledger import View
from referee.rulings import book
from referee.screens.pad import query, verdict_word
from referee.screens.wording import is_long

MOST_KEYS = 50  # keys that fit a phone; if there are more candidates, the play is typed
ORDER = ("legal", "unprovable", "illegal")
VERBS: Mapping[str, Callable[[], str]] = {
    "deal": lambda: _("配る"),
    "declare": lambda: _("宣言"),
    "lay": lambda: _("出す"),
    "pass": lambda: _("パス"),
    "show": lambda: _("手札を公開"),
    "take": lambda: _("取る"),
}
LABELS: Mapping[str, Callable[[], str]] = {
    "hands": lambda: _("手札"),
    "leader": lambda: _("スタートプレイヤー"),
    "piles": lambda: _("得点札"),
    "stock": lambda: _("山札"),
    "trick": lambda: _("トリック"),
}


class PlainSeat(NamedTuple):
    """A seat of the plain board. ``cells``: its values in the rows that have one for each seat."""

    name: Seat
    long: bool
    turn: bool
    chosen: bool
    points: Points
    cells: tuple[str, ...]
    query: str


class PlainBoard(NamedTuple):
    """What everybody can see. ``rows`` (label, text): of the table; ``labels`` name ``cells``."""

    seats: tuple[PlainSeat, ...]
    labels: tuple[str, ...]
    rows: tuple[tuple[str, str], ...]


class PlainKey(NamedTuple):
    """A candidate: a tap records ``line``; ``word`` is the verdict on it."""

    text: str
    line: str
    word: str


class PlainPad(NamedTuple):
    """Keys by verb, legal ones first. ``subject``: the beginning of a line that is typed."""

    groups: tuple[tuple[str, tuple[PlainKey, ...]], ...]
    subject: str
    example: str


def board(view: View[S, P], chosen: Seat, name: str) -> PlainBoard:
    """The values of ``Game.public`` for the game ``name``; ``chosen``: the pad's seat, or ""."""
    seats = view.header.seats
    totals = view.game.score(view.state).totals
    shown = view.game.public(view.state)
    of_seats = {
        key: value
        for key, value in shown.items()
        if isinstance(value, Mapping)
        and value
        and all(name in seats for name in value)
        and value != totals
    }
    due = view.to_act
    return PlainBoard(
        tuple(
            PlainSeat(
                seat,
                is_long(seat),
                seat in due[:1],
                seat == chosen,
                totals[seat],
                tuple(_text(value.get(seat)) for value in of_seats.values()),
                query(seat=seat),
            )
            for seat in seats
        ),
        tuple(_label(key, name) for key in of_seats),
        tuple(
            (_label(key, name), _text(value))
            for key, value in shown.items()
            if key not in of_seats and value != totals
        ),
    )


def _text(value: object) -> str:
    """A value of ``Game.public`` as text."""
    match value:
        case None | "" | () | [] | False:
            return "–"
        case True:
            return "○"
        case Mapping():
            return _("・").join(_pair(key, inner) for key, inner in value.items()) or "–"
        case list() | tuple():
            if not any(isinstance(each, list | tuple) for each in value):
                return _("・").join(map(_text, value))
            return _("　").join(
                " ".join(map(_text, each)) if isinstance(each, list | tuple) else _text(each)
                for each in value
            )
        case _:
            return str(value)


def _pair(key: object, value: object) -> str:
    """A key and its value as text; a number counts copies: ``7×2``."""
    return f"{key}×{value}" if type(value) is int else f"{key} {_text(value)}"


def _label(key: str, name: str) -> str:
    fact = book(name).facts.get(f"public_{key}")
    if fact:
        return fact.in_(language.current())
    return LABELS[key]() if key in LABELS else key.replace("_", " ")


def pad(view: View[S, P], seat: Seat, name: str) -> PlainPad:
    """The candidates as plays of ``seat`` ("": of the table), as keys of the game ``name``."""
    state = view.state
    subject = quoted(seat) if seat else TABLE
    found = list(islice(view.game.candidates(state), MOST_KEYS * len(view.header.seats) + 1))
    plays = list(dict.fromkeys(_of_seat(seat, play) for play in found))
    if len(plays) > MOST_KEYS:
        return PlainPad((), subject, view.grammar.print(plays[0]).partition(" ")[2])
    judged = sorted(
        ((verdict_word(view, play), play) for play in plays), key=lambda each: ORDER.index(each[0])
    )
    groups: dict[str, list[PlainKey]] = {}
    for word, play in judged:
        verb, text = verb_of(play, name), values_of(play)
        key = PlainKey(text or verb, view.grammar.print(play), word)
        groups.setdefault(verb if text else "", []).append(key)
    parts = tuple((verb, tuple(keys)) for verb, keys in groups.items())
    example = view.grammar.print(plays[0]).partition(" ")[2] if plays else ""
    return PlainPad(parts, subject, example)


def _of_seat(seat: Seat, play: P) -> P:
    """``play`` as a play of ``seat``, if it is a seat's."""
    return replace(play, seat=seat) if seat and play.SUBJECT != TABLE else play


def opening(view: View[S, P], leader: Seat) -> P | None:
    """The only entry that can begin the match, led by ``leader`` if it names one; else None."""
    found = list(islice(options(view.game, view.state), 2 * len(view.header.seats)))
    led = [play for play in found if getattr(play, "leader", None) == leader]
    found = led or found
    return found[0] if len(found) == 1 else None


def ranks(view: View[S, P], outcome: Outcome) -> list[Rank]:
    """All seats, or all teams, winners first."""
    teams = view.game.HOOKS.teams(view.state)
    return ranking(view.header.seats, view.game.score(view.state), outcome, teams)


def what(entry: P, name: str) -> str:
    """An entry in the words of its record: ``A 7``, ``A パス``."""
    seat = getattr(entry, "seat", "")
    text = values_of(entry)
    verb = "" if form(entry.FORM).verb == "lay" and text else verb_of(entry, name)
    return " ".join(filter(None, (seat, verb, text)))


def verb_of(entry: P, name: str) -> str:
    """The verb of an entry, in the words of the ruling book ``name``, else as in the record."""
    verb = form(entry.FORM).verb
    fact = book(name).facts.get(f"verb_{verb}")
    if fact:
        return fact.in_(language.current())
    return VERBS[verb]() if verb in VERBS else verb


def values_of(entry: P) -> str:
    """The values of an entry without its seat and its verb."""
    entered = (getattr(entry, field.name) for field in fields(entry) if field.name != "seat")
    return " ".join(_value(value) for value in entered if value not in (None, ()))


def _value(value: object) -> str:
    return _("・").join(map(str, value)) if isinstance(value, tuple) else str(value)


def card(entry: P) -> Card | None:
    """The card of an entry that has a single one, else None."""
    rank = getattr(entry, "rank", None)
    return rank if isinstance(rank, int | str) else None
