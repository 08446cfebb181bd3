"""What a quick check asks, what the address of one says, and what the answer is made of."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias, TypeVar

from referee.core.game import COMMON_OPTIONS, ScoreSheet, Table
from referee.core.record import Unreadable, face_and_copies, rank_and_copies, words
from referee.core.verdict import Facts, Outcome, Seat, Verdict
from referee.games import GAMES
from referee.rulings import book, sentences
from referee.web.http import language
from referee.web.http.forms import sentence
from referee.web.http.language import gettext as _

TEXT_LENGTH = 2000
CARDS = 400  # more are on no table

T = TypeVar("T")


class Fault(Exception):
    """What is wrong with one field, in the language of the person."""

    def __init__(self, key: str, text: str) -> None:
        super().__init__(text)
        self.key = key


class Setting(NamedTuple):
    """Something to choose, as (value, words) pairs; the first value needs no mention."""

    key: str
    title: str
    choices: tuple[tuple[str, str], ...]


class Field(NamedTuple):
    """Cards to be told: ``keys`` are the words that taps write, ``most`` so many of them fit in.

    ``single``: words that vanish from the pads of all fields that name them, once they are told.
    ``worth``: the values of kanji, which are drawn as cards. ``faces``: the words are faces of
    French cards, which are printed; otherwise a number is a rank, which is drawn. ``joined``:
    somebody who types may leave out the spaces between the words, each of which is one sign.
    """

    key: str
    title: str
    keys: tuple[str, ...]
    most: int = CARDS
    hint: str = ""
    single: frozenset[str] = frozenset()
    worth: Mapping[str, int] = {}
    faces: bool = False
    joined: bool = False

    def read(self, typed: str) -> str:
        """What somebody typed, as words."""
        text = plain(typed)
        return " ".join("".join(text.split())) if self.joined else text


@dataclass(frozen=True, slots=True)
class Asked:
    """One question as its address has it: the seats, what was chosen, the words of each field."""

    game: str
    seats: tuple[Seat, ...]
    chosen: Mapping[str, str]
    texts: Mapping[str, str] = field(default_factory=dict)

    def table(self, kit: Any = None, **options: str) -> Table:
        """The table that the question is about; ``options`` outdo what was chosen."""
        own = GAMES[self.game].OPTIONS
        chosen = {key: value for key, value in self.chosen.items() if key in own}
        return Table(self.seats, {**chosen, **options}, {**COMMON_OPTIONS, **own}, kit)

    def ranks(self, key: str) -> list[int]:
        """The numbers in a field, in the order told; ``Fault`` if one is no number."""
        return self._cards(key, rank_and_copies)

    def faces(self, key: str) -> list[str]:
        """The French cards in a field, in the order told; ``Fault`` if one is none."""
        return self._cards(key, face_and_copies)

    def _cards(self, key: str, read: Callable[[str], list[T]]) -> list[T]:
        cards: list[T] = []
        try:
            for word in words(self.texts[key]):
                cards += read(word)
                if len(cards) > CARDS:
                    raise Fault(key, _("札が多すぎます。%(most)s 枚まで読めます。", most=CARDS))
        except Unreadable as fault:
            raise Fault(key, sentence(fault)) from None
        return cards


class Sum(NamedTuple):
    """A line of arithmetic: the sentence, its clause, the points as they are shown."""

    text: str
    clause: str
    points: str


class Column(NamedTuple):
    """What one seat comes to; ``total`` is empty where nothing is added up."""

    title: str
    sums: tuple[Sum, ...]
    total: str
    won: bool


class Part(NamedTuple):
    """One answer: ``word`` is a verdict's (or empty), ``why`` the sentences that carry it."""

    title: str
    clause: str
    why: tuple[str, ...]
    columns: tuple[Column, ...] = ()
    word: str = ""


Answer: TypeAlias = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A kind of question about one game.

    ``answer`` gives an empty answer while something is still to be told, and raises ``Fault``.
    ``options``: the house rules that matter; ``settings``: what else there is to choose.
    """

    name: str
    title: Callable[[], str]
    seats: range
    fields: Callable[[Asked], tuple[Field, ...]]
    answer: Callable[[Asked], Answer]
    options: tuple[str, ...] = ()
    settings: Callable[[Asked], tuple[Setting, ...]] = lambda asked: ()


def seat_names(n: int) -> tuple[Seat, ...]:
    """A, B, C …; numbers beyond the alphabet."""
    return tuple(chr(ord("A") + i) if n <= 26 else str(i + 1) for i in range(n))


def plain(text: str) -> str:
    """What somebody typed, as the record has it: no full-width forms, commas, ×."""
    text = unicodedata.normalize("NFKC", text)[:TEXT_LENGTH].upper()
    for sign, instead in (("×", "*"), ("、", " "), (",", " "), ("・", " "), ('"', "")):
        text = text.replace(sign, instead)
    return " ".join(text.split())


def says(game: str, facts: Facts) -> tuple[str, ...]:
    """The sentences of ``facts``."""
    spoken = sentences.told(facts, book(game), language.current())
    return tuple(each.text for each in spoken)


def line(game: str, facts: Facts) -> str:
    """The sentences of ``facts`` as one line."""
    spoken = sentences.told(facts, book(game), language.current())
    return sentences.says(spoken, language.current(), len(spoken))


def columns(game: str, sheet: ScoreSheet, winners: tuple[Seat, ...]) -> tuple[Column, ...]:
    """A score sheet, seat by seat."""
    sums: dict[Seat, list[Sum]] = {seat: [] for seat in sheet.totals}
    for each in sheet.lines:
        told = line(game, each.evidence)
        sums[each.seat].append(Sum(told, each.clause, signed(each.points)))
    return tuple(
        Column(seat, tuple(sums[seat]), signed(total), seat in winners)
        for seat, total in sheet.totals.items()
    )


def signed(points: int) -> str:
    return str(points).replace("-", "−")


def tallied(
    asked: Asked, told: Mapping[str, str], **options: str
) -> tuple[ScoreSheet, Outcome | None]:
    """The score that the game works out from fields; ``Fault`` at the field that is wrong."""
    lines = {key: [(i, text)] for i, (key, text) in enumerate(told.items(), 1)}
    try:
        tally = GAMES[asked.game].tally(asked.table(**options), lines, len(lines) + 1)
    except Unreadable as fault:
        at = next((key for key, [(i, _text)] in lines.items() if i == fault.line), next(iter(told)))
        raise Fault(at, sentence(fault)) from None
    return tally.sheet, tally.outcome


def too_many(key: str, card: object) -> Fault:
    """More copies of ``card`` were told than there are."""
    return Fault(key, sentence(Unreadable("read_too_many", text=str(card))))


def judged(game: str, title: str, verdict: Verdict) -> Part:
    """A verdict as an answer; there are no entries that its sentences could point at."""
    verdict = replace(verdict, evidence=tuple(f._replace(at=None) for f in verdict.evidence))
    why = sentences.evidence(verdict, None, book(game), language.current())
    return Part(
        title, verdict.clause, tuple(each.text for each in why), (), sentences.word(verdict)
    )
