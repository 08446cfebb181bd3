"""How a deal is entered as its sheet, tap by tap; whether it can be is asked of the game itself.

A draft has a tuple of words for each row of the pad. ``CLOSED`` as the last word of a row says that
there is nothing more to enter; it is no word of the record.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar, Generic, NamedTuple, TypeAlias

from referee.core import sheets
from referee.core.game import DealSheet, Line, SheetLine
from referee.core.generic import P, S
from referee.core.sheets import TableSheet
from referee.core.verdict import Illegal, Seat, Verdict
from referee.desk import View
from referee.web.http.language import gettext as _

Draft: TypeAlias = tuple[tuple[str, ...], ...]
CLOSED = "-"
MOST_WORDS = 100
"""In a row that takes any number: no deal has as many."""
_UNFINISHED = {
    "sheet_lacks",
    "sheet_undecided",
    "sheet_one_card",
    "sheet_tricks",
    "read_tally_trick",
    "kit_sheet_few",
}
"""Facts of a refusal that more taps can put right."""


class SheetRow(NamedTuple):
    """A row of the pad: the line ``key`` of the sheet, or the line of ``seat``.

    ``most``: how many words it takes, 0 for any number. ``seats``: its words are numbers of seats,
    counted from 0. ``none``: what the button says that leaves it empty; "" if it must be entered.
    ``once``: the next deal has no such row.
    """

    key: str
    seat: Seat | None
    head: str
    most: int = 0
    seats: bool = False
    none: str = ""
    once: bool = False


class SheetKey(NamedTuple):
    """A key of the pad. ``copies`` of the card exist, ``left`` are on no row yet; 0 copies: those
    are not counted.
    """

    word: str
    label: str
    note: str = ""
    left: int = 0
    copies: int = 0


class SheetPad(Generic[S, P]):
    """How a deal of one game is entered; ``asks`` is what its keys stand for.

    ``templates/games/<name>/sheet.html`` draws its words and keys.
    """

    WORD: ClassVar[re.Pattern[str]] = re.compile(r"[1-9][0-9]{0,2}")
    """A whole word of a row, unless its words are seats: other words of an address are left out.

    static/js/scores.js knows their forms: ``9*3`` says how many of a card, ``4+`` is half a word.
    """

    HALVES: ClassVar[tuple[str, ...]] = ()
    """The words that are half of one; their second halves have keys of their own."""

    def asks(self, view: View[S, P]) -> str:
        """What the keys stand for, as a heading."""
        return _("得点表")

    def rows(self, view: View[S, P]) -> tuple[SheetRow, ...]:
        """What is to be entered, from the top: who leads where that is open, then the deal."""
        first = sheet_of(view).first
        begins = sheet_of(view).deal(view.log.table, None)
        if first and isinstance(view.game.judge(view.state, begins), Illegal):
            once = not self.leader_stays_open(view)
            leader = SheetRow(first, None, _("スタートプレイヤー"), 1, True, once=once)
            return (leader, *self.lines(view))
        return self.lines(view)

    def leader_stays_open(self, view: View[S, P]) -> bool:
        """Whether each deal has to be asked who leads it; else the first deal alone."""
        return False

    def lines(self, view: View[S, P]) -> tuple[SheetRow, ...]:
        """The rows of the deal itself."""
        return tuple(SheetRow("", seat, seat) for seat in view.header.seats)

    def keys(self, view: View[S, P], draft: Draft, at: int) -> list[SheetKey]:
        """The keys for the row ``at``, unless its words are seats."""
        return []

    def tapped(self, words: tuple[str, ...], word: str) -> tuple[str, ...]:
        """A row after ``word`` was tapped."""
        return (*words, word)

    def drafted(self, view: View[S, P], rows: Sequence[SheetRow], sheet: TableSheet) -> Draft:
        """``sheet`` as it was entered, row by row: what ``sheet`` reads again."""
        found = {line[:2]: line.words for line in sheet.lines}
        seats = view.header.seats
        draft = []
        for row in rows:
            said = found.get((row.seat, row.key), ())
            if row.seats:
                words = [str(seats.index(seat)) for seat, _ in said if seat is not None]
            else:
                words = [word for _, each in said for word in self.entered(each)]
            draft.append(_all_of(row, tuple(words)))
        return tuple(draft)

    def entered(self, word: str) -> tuple[str, ...]:
        """The taps that enter ``word`` of a record: ``4*2`` are two."""
        card, _, count = word.partition("*")
        return (card,) * min(int(count or 1), MOST_WORDS)

    def sheet(self, view: View[S, P], rows: Sequence[SheetRow], draft: Draft) -> TableSheet:
        """The sheet as far as it is entered; what is missing counts as none."""
        lines = []
        for row, words in zip(rows, draft, strict=True):
            said = [word for word in words if word != CLOSED]
            if row.seats:
                seats = tuple((view.header.seats[int(word)], "") for word in said)
                if seats:
                    lines.append(SheetLine(None, row.key, seats))
            else:
                lines.append(SheetLine(row.seat, row.key, tuple((None, word) for word in said)))
        return TableSheet(tuple(lines))

    def possible(self, view: View[S, P], draft: Draft) -> Verdict | None:
        """What the game says against ``draft``; None if it can be, or become, a deal."""
        rows = self.rows(view)
        verdict = self.verdict(view, _led(view, rows, draft))
        if isinstance(verdict, Illegal) and verdict.evidence[0].fact not in _UNFINISHED:
            return verdict
        return None

    def verdict(self, view: View[S, P], draft: Draft) -> Verdict:
        """The verdict of the game on ``draft`` as it stands."""
        sheet = self.sheet(view, self.rows(view), draft)
        return sheets.judge(view.game, view.log.table, view.state, sheet)

    def arithmetic(self, view: View[S, P], draft: Draft) -> tuple[Line, ...]:
        """What ``draft`` comes to so far, as the game has it; () while that can't be said."""
        rows = self.rows(view)
        draft = _led(view, rows, draft)
        if isinstance(self.verdict(view, draft), Illegal):
            return ()
        sheet = self.sheet(view, rows, draft)
        after = sheets.apply(view.game, view.log.table, view.state, sheet)
        return tuple(line for line in view.game.score(after).lines if line.deal == after.deal)


class CardPad(SheetPad[S, P]):
    """A pad whose keys are the numbers of the deck."""

    WORD = re.compile(r"[1-9][0-9]{0,2}(/[1-9][0-9]{0,2})?")

    def keys(self, view: View[S, P], draft: Draft, at: int) -> list[SheetKey]:
        dealing = view.game.HOOKS.dealing(view.state)
        assert dealing is not None
        deck = dealing.deck
        used = Counter(rank_of(word) for words in draft for word in words if word != CLOSED)
        return [
            SheetKey(str(rank), str(rank), "", max(0, copies - used[str(rank)]), copies)
            for rank, copies in zip(deck.cards, deck.copies, strict=True)
        ]


def rank_of(word: str) -> str:
    """The number in ``9``, ``1/3``."""
    return word.partition("/")[0]


def sheet_of(view: View[S, P]) -> DealSheet:
    """The sheet as which deals of this game are entered."""
    sheet = view.game.HOOKS.sheet
    assert sheet is not None
    return sheet


def _all_of(row: SheetRow, words: tuple[str, ...]) -> tuple[str, ...]:
    """The draft of a row that has these words and no more."""
    whole = 0 < row.most <= len(words)
    return words if whole or not (words or row.none) else (*words, CLOSED)


def _led(view: View[S, P], rows: Sequence[SheetRow], draft: Draft) -> Draft:
    """``draft`` with somebody to lead, so that the rest of it can be judged."""
    if rows[0].key and rows[0].key == sheet_of(view).first and not draft[0]:
        return (("0",), *draft[1:])
    return draft


# ---- drafts in addresses


def read(text: str, pad: SheetPad[S, P], rows: Sequence[SheetRow], view: View[S, P]) -> Draft:
    """The draft of an address; what can't be read there is left out.

    A sheet that waited without network may have been entered for another deal, where it was open
    who leads, or was not.
    """
    parts = [part.split() for part in text.split(";")]
    asked = rows[0].seats and rows[0].key == sheet_of(view).first
    if asked and len(parts) == len(rows) - 1:
        parts.insert(0, [])
    elif sheet_of(view).first and not asked and len(parts) == len(rows) + 1:
        del parts[0]
    return tuple(
        _words(parts[i] if i < len(parts) else [], pad, row, view) for i, row in enumerate(rows)
    )


def _words(
    said: Sequence[str], pad: SheetPad[S, P], row: SheetRow, view: View[S, P]
) -> tuple[str, ...]:
    seats = [str(i) for i in range(len(view.header.seats))]
    known = [word for word in said if (word in seats if row.seats else pad.WORD.fullmatch(word))]
    closed = (CLOSED,) if said[-1:] == [CLOSED] and may_end(row, known) else ()
    return (*known[: row.most or MOST_WORDS], *closed)


def written(draft: Draft) -> str:
    """``draft`` as an address holds it."""
    return ";".join(" ".join(words) for words in draft)


def done(row: SheetRow, words: Sequence[str]) -> bool:
    """Whether nothing more goes into the row."""
    return words[-1:] == (CLOSED,) or (row.most > 0 and len(words) >= row.most)


def may_end(row: SheetRow, words: Sequence[str]) -> bool:
    """Whether the row can be left with these words, and no more."""
    return bool(row.none or (words and not row.most))


def cursor(rows: Sequence[SheetRow], draft: Draft, at: int) -> int:
    """The row that is to be entered next, ``at`` or the first unfinished one after it; -1: none."""
    count = len(rows)
    order = [(at + step) % count for step in range(count)]
    return next((i for i in order if not done(rows[i], draft[i])), -1)


def put(draft: Draft, at: int, words: tuple[str, ...]) -> Draft:
    """``draft`` with other words in the row ``at``."""
    return (*draft[:at], words, *draft[at + 1 :])


def opened(rows: Sequence[SheetRow], draft: Draft, at: int) -> Draft:
    """``draft`` with the row ``at`` to be entered: a row of one word is entered anew."""
    words = draft[at]
    if words[-1:] == (CLOSED,):
        return put(draft, at, words[:-1])
    return put(draft, at, ()) if rows[at].most == 1 else draft


def missing(rows: Sequence[SheetRow], draft: Draft) -> int:
    """How many rows nobody has entered yet."""
    return sum(not words for words in draft)


def points(lines: Sequence[Line], seats: Sequence[Seat]) -> Mapping[Seat, int]:
    """What the arithmetic comes to for every seat."""
    totals = dict.fromkeys(seats, 0)
    for line in lines:
        totals[line.seat] += line.points
    return totals
