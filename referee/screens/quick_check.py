"""Quick checks: their fields and settings, their addresses, and their answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias, TypeVar

from referee.core.game import COMMON_OPTIONS, ScoreSheet, Table
from referee.core.normalised import normalised
from referee.core.record import Unreadable, face_and_copies, rank_and_copies, words
from referee.core.situation import ImpossibleSituation
from referee.core.verdict import Facts, Outcome, Seat, Verdict, word_of
from referee.core.written import written
from referee.http import current, language
from referee.http.current import BOOKS
from referee.http.forms import sentence
from referee.http.language import gettext as _
from referee.rulings import sentences
from referee.screens.wording import won

TEXT_LENGTH = 2000
CARDS = 400  # no table has more cards

T = TypeVar("T")


class CheckFault(Exception):
    """The fault in one field or setting, in the language of the person.

    ``key``: the field or the setting.
    """

    def __init__(self, key: str, text: str) -> None:
        super().__init__(text)
        self.key = key


class CheckSetting(NamedTuple):
    """A choice, as (value, words) pairs; the address leaves out the first value."""

    key: str
    title: str
    choices: tuple[tuple[str, str], ...]


class CheckField(NamedTuple):
    """A field for cards. ``keys``: the words that taps add; ``most``: the number of words it takes.

    ``worth``: the values of kanji, which are drawn as cards. ``spelled``: words that are drawn
    otherwise than they are written. ``joined``: words are single
    characters, which may be typed without blanks. ``faces``: French cards, with letters such as J.
    """

    key: str
    title: str
    keys: tuple[str, ...]
    most: int = CARDS
    hint: str = ""
    worth: Mapping[str, int] = {}
    faces: bool = False
    spelled: Mapping[str, str] = {}
    joined: bool = False

    def read(self, typed: str) -> str:
        """Typed text, split into words."""
        text = plain(typed)
        return " ".join("".join(text.split())) if self.joined else text


@dataclass(frozen=True, slots=True)
class CheckInput:
    """The input of a check: the seats, the chosen settings, the words of each field."""

    game: str
    seats: tuple[Seat, ...]
    chosen: Mapping[str, str]
    texts: Mapping[str, str] = field(default_factory=dict)

    def table(self, kit: object = None, **options: str) -> Table:
        """The table of the check; ``options`` replace what was chosen."""
        own = current.game(self.game).OPTIONS
        chosen = {key: value for key, value in self.chosen.items() if key in own}
        return Table(self.seats, {**chosen, **options}, {**COMMON_OPTIONS, **own}, kit)

    def adding(self, key: str, word: str) -> CheckInput:
        """This input with one more word in a field."""
        return self.saying(key, f"{self.texts[key]} {word}".strip())

    def saying(self, key: str, text: str) -> CheckInput:
        """This input with another text in a field."""
        return replace(self, texts={**self.texts, key: text})

    def ranks(self, key: str, most: int = CARDS) -> list[int]:
        """The numbers in a field, as entered; ``CheckFault`` if one is no number."""
        return self._cards(key, rank_and_copies, most)

    def faces(self, key: str, most: int = CARDS) -> list[str]:
        """The French cards in a field, as entered; ``CheckFault`` if a word is no card."""
        return self._cards(key, face_and_copies, most)

    def _cards(self, key: str, read: Callable[[str], list[T]], most: int) -> list[T]:
        cards: list[T] = []
        try:
            for word in words(self.texts[key]):
                cards += read(word)
                if len(cards) > most:
                    raise CheckFault(key, _("カードが多すぎます。%(most)s枚までです。", most=most))
        except Unreadable as fault:
            raise CheckFault(key, sentence(fault)) from None
        return cards


class PointsLine(NamedTuple):
    """A line of arithmetic: the sentence, its clause, the points as they are shown."""

    text: str
    clause: str
    points: str


class SeatPoints(NamedTuple):
    """The points of one seat; ``total`` is "" if nothing is added up."""

    title: str
    sums: tuple[PointsLine, ...]
    total: str
    won: bool


class CheckAnswer(NamedTuple):
    """One answer. ``word``: that of a verdict, or "". ``why``: the sentences of the evidence."""

    title: str
    clause: str
    why: tuple[str, ...]
    columns: tuple[SeatPoints, ...] = ()
    word: str = ""


CheckAnswers: TypeAlias = tuple[CheckAnswer, ...]
"""The answers to a question, empty while the input is incomplete."""


@dataclass(frozen=True, slots=True)
class QuickCheck:
    """A question about single situations of one game.

    ``answer`` and ``offers`` raise ``CheckFault``, or ``ImpossibleSituation`` with a field or a
    setting. ``offers``: the keys of a field's pad that can be tapped next. ``options``: the keys of
    the house rules that matter. ``settings``: the other choices.
    """

    name: str
    title: Callable[[], str]
    seats: range
    fields: Callable[[CheckInput], tuple[CheckField, ...]]
    offers: Callable[[CheckInput, CheckField], Iterable[str]]
    answer: Callable[[CheckInput], CheckAnswers]
    options: tuple[str, ...] = ()
    settings: Callable[[CheckInput], tuple[CheckSetting, ...]] = lambda entered: ()


def possible(
    read: Callable[[CheckInput], object],
) -> Callable[[CheckInput, CheckField], tuple[str, ...]]:
    """``QuickCheck.offers`` that keeps the keys with which ``read`` raises nothing."""

    def offers(entered: CheckInput, field: CheckField) -> tuple[str, ...]:
        return tuple(key for key in field.keys if reads(entered.adding(field.key, key)))

    def reads(entered: CheckInput) -> bool:
        try:
            read(entered)
        except (CheckFault, ImpossibleSituation):
            return False
        return True

    return offers


def seat_names(n: int) -> tuple[Seat, ...]:
    """A, B, C …; numbers beyond the alphabet."""
    return tuple(chr(ord("A") + i) if n <= 26 else str(i + 1) for i in range(n))


def plain(text: str) -> str:
    """Typed text in the form of the record: no full-width forms, commas, ×."""
    text = normalised(text)[:TEXT_LENGTH].upper()
    for sign, instead in (("×", "*"), ("、", " "), (",", " "), ("・", " "), ('"', "")):
        text = text.replace(sign, instead)
    return " ".join(text.split())


def says(game: str, facts: Facts) -> tuple[str, ...]:
    """The sentences of ``facts``."""
    spoken = sentences.in_sentences(facts, BOOKS[game], language.current())
    return tuple(each.text for each in spoken)


def line(game: str, facts: Facts) -> str:
    """The sentences of ``facts`` as one line."""
    spoken = sentences.in_sentences(facts, BOOKS[game], language.current())
    return sentences.says(spoken, language.current(), len(spoken))


def columns(game: str, sheet: ScoreSheet, winners: tuple[Seat, ...]) -> tuple[SeatPoints, ...]:
    """A score sheet, seat by seat."""
    sums: dict[Seat, list[PointsLine]] = {seat: [] for seat in sheet.totals}
    for each in sheet.lines:
        text = line(game, each.evidence)
        sums[each.seat].append(PointsLine(text, each.clause, written(each.points)))
    return tuple(
        SeatPoints(seat, tuple(sums[seat]), written(total), seat in winners)
        for seat, total in sheet.totals.items()
    )


def tallied(
    entered: CheckInput, texts: Mapping[str, str], **options: str
) -> tuple[ScoreSheet, Outcome | None]:
    """The score that the game computes from fields; ``CheckFault`` at the field that is wrong."""
    lines = {key: [(i, text)] for i, (key, text) in enumerate(texts.items(), 1)}
    work_out = current.game(entered.game).HOOKS.tally
    assert work_out is not None  # only games with a tally sheet offer such a check
    try:
        tally = work_out(entered.table(**options), lines, len(lines) + 1, {})
    except Unreadable as fault:
        fault.game = entered.game
        wrong = (key for key, [(i, _text)] in lines.items() if i == fault.line)
        raise CheckFault(next(wrong, next(iter(texts))), sentence(fault)) from None
    return tally.sheet, tally.outcome


def seats_tallied(entered: CheckInput) -> tuple[ScoreSheet, Outcome | None]:
    """``tallied`` of a check whose fields are the seats."""
    return tallied(entered, {seat: entered.texts[seat] for seat in entered.seats})


def winners(entered: CheckInput) -> CheckAnswers:
    """Who has won by what the seats have, of games in which a tie is a shared win."""
    if not any(entered.texts.values()):
        return ()
    sheet, ended = seats_tallied(entered)
    assert ended is not None
    shown = columns(entered.game, sheet, ended.winners)
    why = says(entered.game, ended.evidence)
    return (CheckAnswer(won(ended.winners), ended.clause, why, shown),)


def refusal(game: str, fault: ImpossibleSituation) -> str:
    """The sentence why a situation is impossible, with the clause."""
    says = line(game, fault.verdict.evidence)
    return _("%(says)s（%(clause)s）", says=says, clause=fault.verdict.clause)


def judged(game: str, title: str, verdict: Verdict) -> CheckAnswer:
    """A verdict as an answer; its sentences refer to no entries."""
    why = sentences.on_a_question(verdict, BOOKS[game], language.current())
    return CheckAnswer(title, verdict.clause, tuple(why), (), word_of(verdict))
