"""The kinds of fields in an entry: how each is read and written."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias, TypeVar, cast

from referee.core.corrections import Part
from referee.core.game import TABLE, DealSheet, SheetLine
from referee.core.generic import Entry
from referee.core.record.text import AND, Unreadable, quoted, unquoted
from referee.core.verdict import Seat
from referee.core.written import Points, points_of, points_text

V = TypeVar("V")
Limit: TypeAlias = tuple[str, Points | None]
"""What ends a match, "target" or "rounds", and at how many; None: it does not."""
Read: TypeAlias = "Callable[[list[str], FieldGrammar], V]"

_NUMBER = re.compile(r"0|[1-9][0-9]{0,3999}")
_WHOLE = re.compile(r"-?[0-9]+")
MOST_REASON = 200  # characters
_PLACE = re.compile(r"[a-u]")
_FACE = re.compile(r"(A|[2-9]|10|[JQK])(?:\*([1-9][0-9]{0,3}))?")
_CARD = re.compile(r"([A-Z]{0,4}[0-9A-Za-z]{1,8})(?:\*([1-9][0-9]{0,3}))?")
_BID = re.compile(r"0|[1-9][0-9]{0,3}|[a-z][a-z0-9_]{0,23}")
_COMBINATION = re.compile(r"[a-z][a-z0-9_]{0,23}")
_SUIT = re.compile(r"[A-Z]|none")
_SHEET_LINE = re.compile(r'("[^"]*"|[^"=]+)=(.*)', re.DOTALL)
_KANJI = re.compile(r"[々\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


class FieldGrammar(Protocol):
    """What fields need of the grammar that reads them: seats, cards, entries inside an entry."""

    @property
    def seats(self) -> Collection[Seat]: ...
    @property
    def order(self) -> Sequence[Seat]: ...
    @property
    def sheet(self) -> DealSheet | None: ...
    @property
    def decimals(self) -> bool: ...
    @property
    def first(self) -> Mapping[Seat, Seat]: ...
    def print(self, entry: Entry) -> str: ...
    def part(self, tokens: list[str]) -> Part: ...
    def entry(self, tokens: list[str], *, corrections: bool) -> Entry: ...


class FieldKind(NamedTuple):
    """Reads a field from words and writes it; ``many``: it takes a list of words.

    ``write`` takes a value that ``read`` returned. Made by ``_kind``.
    """

    read: Callable[[list[str], FieldGrammar], object]
    write: Callable[[object, FieldGrammar], str]
    many: bool


def _kind(
    read: Read[V],
    write: Callable[[V, FieldGrammar], str],
    *,
    many: bool = False,
) -> FieldKind:
    """The kind whose fields are values of one type: what ``read`` returns, ``write`` takes."""
    return FieldKind(read, cast(Callable[[object, FieldGrammar], str], write), many)


def _matching(pattern: re.Pattern[str], fact: str) -> Read[str]:
    """Reads a word that is wholly of ``pattern``; ``fact`` says that it is not."""

    def read(tokens: list[str], grammar: FieldGrammar) -> str:
        if not pattern.fullmatch(tokens[0]):
            raise Unreadable(fact, text=tokens[0])
        return tokens[0]

    return read


def _number(fact: str) -> Read[int]:
    """Reads a number in digits; ``fact`` as in ``_matching``."""
    digits = _matching(_NUMBER, fact)
    return lambda tokens, grammar: int(digits(tokens, grammar))


def _cards(copies: Callable[[str], list[V]]) -> Read[tuple[V, ...]]:
    """Reads cards; ``copies``: the cards that one word stands for."""
    return lambda tokens, grammar: tuple(card for token in tokens for card in copies(token))


def _card(copies: Callable[[str], list[V]]) -> Read[V]:
    """Reads one card; ``copies`` as in ``_cards``."""

    def read(tokens: list[str], grammar: FieldGrammar) -> V:
        cards = copies(tokens[0])
        if len(cards) != 1:
            raise Unreadable("read_one_card", text=tokens[0])
        return cards[0]

    return read


def card_named(text: str) -> list[str]:
    """The cards of ``text``: ``XB=8`` is a card that stands for another one, ``8*3`` three cards;
    raises ``Unreadable``.
    """
    card, sign, named = text.partition("=")
    if sign and not (_CARD.fullmatch(named) and "*" not in text):
        raise Unreadable("read_card", text=text)
    return [text] if sign and card_and_copies(card) else card_and_copies(text)


def rank_and_copies(text: str) -> list[int]:
    """The cards of ``text``: ``9*5`` is five nines, ``9`` one; else raises ``Unreadable``."""
    rank, star, factor = text.partition("*")
    if not _NUMBER.fullmatch(rank) or rank == "0":
        raise Unreadable("read_rank", text=text)
    if star and (not _NUMBER.fullmatch(factor) or factor == "0"):
        raise Unreadable("read_rank", text=text)
    if len(factor) > 4:  # no deck has that many copies; the list might not fit into memory
        raise Unreadable("read_too_many", text=text)
    return [int(rank)] * int(factor or 1)


def _places(tokens: list[str], grammar: FieldGrammar) -> tuple[str, ...]:
    for token in tokens:
        if not _PLACE.fullmatch(token):
            raise Unreadable("read_place", text=token)
    return tuple(tokens)


def _two_faces(tokens: list[str], grammar: FieldGrammar) -> tuple[str, ...]:
    faces = _faces(tokens, grammar)
    if len(faces) != 2:
        raise Unreadable("read_two_cards", text=" ".join(tokens))
    return faces


def _row(tokens: list[str], grammar: FieldGrammar) -> tuple[str, ...]:
    return _faces(tokens[0].split(","), grammar)


def face_and_copies(text: str) -> list[str]:
    """The cards of ``text``: ``K*2`` is two kings, ``10`` one ten; raises ``Unreadable``."""
    return _copies(_FACE, "read_face", text)


_faces = _cards(face_and_copies)


def card_and_copies(text: str) -> list[str]:
    """The cards of ``text``: ``S10`` is one card, ``W*2`` two; raises ``Unreadable``."""
    return _copies(_CARD, "read_rank", text)


def _copies(card: re.Pattern[str], fact: str, text: str) -> list[str]:
    match = card.fullmatch(text)
    if not match:
        raise Unreadable(fact, text=text)
    return [match[1]] * int(match[2] or 1)


def _kanji(tokens: list[str], grammar: FieldGrammar) -> str:
    sign = tokens[0].removesuffix("*1")
    if not is_kanji(sign):
        raise Unreadable("read_kanji", text=tokens[0])
    return sign


def _forms(tokens: list[str], grammar: FieldGrammar) -> tuple[str, ...]:
    for token in tokens:
        if len(token) not in (2, 3) or not all(map(is_kanji, token)):
            raise Unreadable("read_word", text=token)
    return tuple(tokens)


def is_kanji(sign: str) -> bool:
    """Whether ``sign`` is a kanji or the repetition mark 々."""
    return bool(_KANJI.fullmatch(sign))


def _seat(tokens: list[str], grammar: FieldGrammar) -> Seat:
    name = unquoted(tokens[0])
    if name not in grammar.seats:
        raise Unreadable("read_seat", name=name)
    return name


def _play(tokens: list[str], grammar: FieldGrammar) -> Entry:
    return grammar.entry(tokens, corrections=False)


def _corrections(tokens: list[str], grammar: FieldGrammar) -> tuple[Part, ...]:
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token == AND:
            parts.append([])
        else:
            parts[-1].append(token)
    return tuple(grammar.part(part) for part in parts)


def _write_corrections(parts: Sequence[Part], grammar: FieldGrammar) -> str:
    return f" {AND} ".join(grammar.print(part).removeprefix(f"{TABLE} ") for part in parts)


def _newcomer(tokens: list[str], grammar: FieldGrammar) -> Seat:
    name = unquoted(tokens[0])
    if not name or name == TABLE:
        raise Unreadable("read_seat_name", name=name)
    return name


def _write_newcomer(name: Seat, grammar: FieldGrammar) -> str:
    return f'"{name}"' if name == "with" else quoted(name)  # a word of the form


def _amount(tokens: list[str], grammar: FieldGrammar) -> Points:
    try:
        return points_of(tokens[0])
    except ValueError:
        raise Unreadable("read_amount", text=tokens[0]) from None


def _adjustment(tokens: list[str], grammar: FieldGrammar) -> Points:
    """Points other than 0 that are given or taken; raises ``Unreadable``."""
    decimals = grammar.decimals
    try:
        points = points_of(tokens[0])
    except ValueError:
        points = 0
    if not points or not (decimals or _WHOLE.fullmatch(tokens[0])):
        raise Unreadable("read_decimal_points" if decimals else "read_points", text=tokens[0])
    return points


def _place_reached(tokens: list[str], grammar: FieldGrammar) -> int:
    if not _NUMBER.fullmatch(tokens[0]) or tokens[0] == "0":
        raise Unreadable("read_place_reached", text=tokens[0])
    return int(tokens[0])


def _of_each_seat(read: Read[V]) -> Read[tuple[tuple[Seat, V], ...]]:
    """Reads words such as ``A=12``: what ``read`` makes of the text after the sign, in seat
    order. The first seat of a team stands for the one that is named, unless two of it are.
    """

    def each(tokens: list[str], grammar: FieldGrammar) -> tuple[tuple[Seat, V], ...]:
        found: dict[Seat, V] = {}
        for token in tokens:
            match = _SHEET_LINE.fullmatch(token)
            if not match:
                raise Unreadable("read_seat_value", text=token)
            seat = unquoted(match[1])
            if seat not in grammar.seats:
                raise Unreadable("read_seat", name=seat)
            if seat in found:
                raise Unreadable("read_repeated", key=seat)
            found[seat] = read([match[2]], grammar)
        sides = {grammar.first.get(seat, seat): of for seat, of in found.items()}
        found = sides if len(sides) == len(found) else found
        return tuple((seat, found[seat]) for seat in grammar.order if seat in found)

    return each


def _write_of_each_seat(
    write: Callable[[V], str],
) -> Callable[[Sequence[tuple[Seat, V]], FieldGrammar], str]:
    def words(values: Sequence[tuple[Seat, V]], grammar: FieldGrammar) -> str:
        return " ".join(f"{as_key(seat)}={write(value)}" for seat, value in values)

    return words


NO_LIMIT = "none"
_ROUNDS = re.compile(r"[1-9][0-9]{0,2}")


def _limits(tokens: list[str], grammar: FieldGrammar) -> tuple[Limit, ...]:
    """New ends of a match, ``target`` first; None: from now on there is none."""
    found: dict[str, Points | None] = {}
    for token in tokens:
        key, sign, text = token.partition("=")
        if not sign or key not in ("target", "rounds"):
            raise Unreadable("read_limit", text=token)
        if key in found:
            raise Unreadable("read_repeated", key=key)
        if key == "rounds" and text != NO_LIMIT and not _ROUNDS.fullmatch(text):
            raise Unreadable("read_rounds", text=text)
        found[key] = None if text == NO_LIMIT else _amount([text], grammar)
    return tuple((key, found[key]) for key in ("target", "rounds") if key in found)


def _write_limits(limits: Sequence[Limit], grammar: FieldGrammar) -> str:
    values = ((key, NO_LIMIT if to is None else points_text(to)) for key, to in limits)
    return " ".join(f"{key}={text}" for key, text in values)


def _yes_or_no(tokens: list[str], grammar: FieldGrammar) -> bool:
    if tokens[0] not in ("yes", "no"):
        raise Unreadable("read_yes_or_no", text=tokens[0])
    return tokens[0] == "yes"


def _text(tokens: list[str], grammar: FieldGrammar) -> str:
    token = tokens[0]
    if len(token) < 3 or token[0] != '"' or token[-1] != '"' or token.count('"') != 2:
        raise Unreadable("read_text", text=token)
    return token[1:-1]


def _reason(tokens: list[str], grammar: FieldGrammar) -> str:
    reason = _text(tokens, grammar)
    if not reason.strip() or len(reason) > MOST_REASON:
        raise Unreadable("read_reason", text=reason, most=MOST_REASON)
    return reason


def as_key(seat: Seat) -> str:
    """``seat`` as a record writes it before an equals sign."""
    return f'"{seat}"' if re.search(r"\s|[#=;]", seat) else seat


def _sheet(tokens: list[str], grammar: FieldGrammar) -> tuple[SheetLine, ...]:
    """The lines of a deal's sheet: who leads or deals, the seats in turn order, other keys.

    The words can have the lines in any order. Raises ``Unreadable``.
    """
    sheet = grammar.sheet
    assert sheet is not None  # without it the game has no such entry
    keys = [key for key in (sheet.first, sheet.cards, sheet.named) if key]
    lines: list[SheetLine] = []
    for token in tokens:
        match = _SHEET_LINE.fullmatch(token)
        if not match:
            raise Unreadable("read_sheet_line", text=token)
        key, text = unquoted(match[1]), " ".join(unquoted(match[2]).split())
        if match[1] in keys:
            pairs = _of_seats(text, grammar, sheet.card if key == sheet.cards else None)
            if key == sheet.first and len(pairs) != 1:
                raise Unreadable("read_seat", name=text)
            line = SheetLine(None, key, pairs)
        elif sheet.seats and key in grammar.seats:
            line = SheetLine(key, "", tuple((None, word) for word in text.split()))
            for word in text.split():
                sheet.card(word)
        else:
            raise Unreadable("read_tally_key", key=key)
        several = line.seat is None and key in (sheet.cards, sheet.named)
        if not several and any(line[:2] == other[:2] for other in lines):
            raise Unreadable("read_repeated", key=key)
        lines.append(line)

    def place(line: SheetLine) -> tuple[int, int]:
        if line.seat is not None:
            return 1, list(grammar.order).index(line.seat)
        return (0 if line.key == sheet.first else 2), keys.index(line.key)

    return tuple(sorted(lines, key=place))


def seat_and_card(seats: Collection[Seat], card: bool) -> re.Pattern[str]:
    """A seat and a card in digits, if there is one with it, up to the next blank."""
    names = "|".join(re.escape(seat) for seat in sorted(seats, key=len, reverse=True))
    return re.compile(rf"({names})({'[0-9]+(?:[*]1)?' if card else ''})(?: |$)")


def _of_seats(
    text: str, grammar: FieldGrammar, card: Callable[[str], object] | None
) -> tuple[tuple[Seat | None, str], ...]:
    """Pairs of seat and card: seats separated by blanks, each followed by a card in digits.

    Without ``card`` no digits follow and the card is "". Raises ``Unreadable``.
    """
    form = seat_and_card(grammar.seats, card is not None)
    pairs: list[tuple[Seat | None, str]] = []
    while text:
        match = form.match(text)
        if not match:
            raise Unreadable("read_tally_card" if card else "read_seat", text=text, name=text)
        if card:
            card(match[2])
        pairs.append((match[1], match[2].removesuffix("*1")))
        text = text[match.end() :]
    return tuple(pairs)


def _write_sheet(lines: Sequence[SheetLine], grammar: FieldGrammar) -> str:
    sheet = grammar.sheet
    assert sheet is not None
    keys = (sheet.first, sheet.cards, sheet.named)
    written = []
    for seat, key, words in lines:
        text = " ".join(f"{of or ''}{card}" for of, card in words)
        if seat is not None:
            key = f'"{seat}"' if seat in keys else as_key(seat)
        plain = key in (sheet.first, sheet.named) and seat is None
        written.append(f"{key}={quoted(text)}" if plain else f'{key}="{text}"')
    return " ".join(written)


OF_SEATS = ("points", "points_of_seats", "places_of_seats")
"""Kinds of fields that are pairs of a seat and a value."""

KINDS: Mapping[str, FieldKind] = {
    "number": _kind(_number("read_number"), lambda value, _: str(value)),
    "count": _kind(_number("read_count"), lambda value, _: str(value)),
    "rank": _kind(_card(rank_and_copies), lambda value, _: str(value)),
    "ranks": _kind(_cards(rank_and_copies), lambda value, _: " ".join(map(str, value)), many=True),
    "place": _kind(lambda tokens, grammar: _places(tokens, grammar)[0], lambda value, _: value),
    "places": _kind(_places, lambda value, _: " ".join(value), many=True),
    "face": _kind(_card(face_and_copies), lambda value, _: str(value)),
    "faces": _kind(_faces, lambda value, _: " ".join(value), many=True),
    "two_faces": _kind(_two_faces, lambda value, _: " ".join(value), many=True),
    "row_of_faces": _kind(_row, lambda value, _: ",".join(value)),
    "card": _kind(_card(card_and_copies), lambda value, _: str(value)),
    "cards": _kind(_cards(card_and_copies), lambda value, _: " ".join(value), many=True),
    "cards_named": _kind(_cards(card_named), lambda value, _: " ".join(value), many=True),
    "combination": _kind(_matching(_COMBINATION, "read_combination"), lambda value, _: value),
    "bid": _kind(_matching(_BID, "read_bid"), lambda value, _: str(value)),
    "suit": _kind(_matching(_SUIT, "read_suit"), lambda value, _: str(value)),
    "kanji": _kind(_kanji, lambda value, _: str(value)),
    "word": _kind(lambda tokens, grammar: _forms(tokens, grammar)[0], lambda value, _: str(value)),
    "words": _kind(_forms, lambda value, _: " ".join(value), many=True),
    "newcomer": _kind(_newcomer, _write_newcomer),
    "amount": _kind(_amount, lambda value, _: points_text(value)),
    "points_of_seats": _kind(_of_each_seat(_amount), _write_of_each_seat(points_text), many=True),
    "places_of_seats": _kind(_of_each_seat(_place_reached), _write_of_each_seat(str), many=True),
    "limits": _kind(_limits, _write_limits, many=True),
    "seat": _kind(_seat, lambda value, _: quoted(value)),
    "entry": _kind(_play, lambda value, grammar: grammar.print(value), many=True),
    "corrections": _kind(_corrections, _write_corrections, many=True),
    "sheet": _kind(_sheet, _write_sheet, many=True),
    "yes_or_no": _kind(_yes_or_no, lambda value, _: "yes" if value else "no"),
    "points": _kind(_of_each_seat(_adjustment), _write_of_each_seat(points_text), many=True),
    "reason": _kind(_reason, lambda value, _: f'"{value}"'),
    "text": _kind(_text, lambda value, _: f'"{value}"'),
}
