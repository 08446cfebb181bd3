"""Entering a deal by its sheet, tap by tap; the game itself judges the sheet.

A draft has a tuple of words for each row of the pad. ``CLOSED`` as the last word of a row means
that the row is complete; it is no word of the record.
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
from referee.core.written import whole
from referee.http.language import gettext as _
from referee.ledger import View

Draft: TypeAlias = tuple[tuple[str, ...], ...]
CLOSED = "-"
MOST_WORDS = 100
"""The limit of a row without one of its own; no deal reaches it."""
_UNFINISHED = {
    "sheet_lacks",
    "sheet_undecided",
    "sheet_one_card",
    "sheet_tricks",
    "read_tally_trick",
    "kit_sheet_few",
}
"""Facts of refusals that more taps can correct."""


class SheetRow(NamedTuple):
    """A row of the pad: the line ``key`` of the sheet, or the line of ``seat``.

    ``most``: how many words it takes, 0 for any number. ``seats``: its words are numbers of seats,
    0-based. ``none``: the label of the button that leaves it empty; "" if it is required. ``once``:
    the next deal has no such row.
    """

    key: str
    seat: Seat | None
    head: str
    most: int = 0
    seats: bool = False
    none: str = ""
    once: bool = False


class SheetKey(NamedTuple):
    """A key of the pad. ``copies`` of the card exist, ``left`` are in no row yet.

    0 ``copies``: they are not counted.
    """

    word: str
    label: str
    note: str = ""
    left: int = 0
    copies: int = 0


class SheetPad(Generic[S, P]):
    """How a deal of one game is entered; ``asks`` is the heading of its keys.

    ``templates/games/<name>/sheet.html`` draws its words and keys.
    """

    WORD: ClassVar[re.Pattern[str]] = re.compile(r"[1-9][0-9]{0,2}")
    """A complete word of a row, unless its words are seats; other words of an address are dropped.

    static/js/scores.js knows their forms: ``9*3`` gives the number of a card, ``4+`` is half a
    word.
    """

    HALVES: ClassVar[tuple[str, ...]] = ()
    """Words that are first halves of a word; the second halves have keys of their own."""

    def asks(self, view: View[S, P]) -> str:
        """The heading of the keys."""
        return _("得点表")

    def rows(self, view: View[S, P]) -> tuple[SheetRow, ...]:
        """The rows to be entered, from the top: who leads if that is open, then the deal."""
        first = sheet_of(view).first
        begins = sheet_of(view).deal(view.log.table, None)
        if first and isinstance(view.game.judge(view.state, begins), Illegal):
            once = not self.leader_stays_open(view)
            leader = SheetRow(first, None, _("スタートプレイヤー"), 1, True, once=once)
            return (leader, *self.lines(view))
        return self.lines(view)

    def leader_stays_open(self, view: View[S, P]) -> bool:
        """Whether the leader must be entered for each deal, not only for the first."""
        return False

    def lines(self, view: View[S, P]) -> tuple[SheetRow, ...]:
        """The rows of the deal itself."""
        return tuple(SheetRow("", seat, seat) for seat in view.header.seats)

    def keys(self, view: View[S, P], draft: Draft, at: int) -> list[SheetKey]:
        """The keys for the row ``at``, unless its words are seats."""
        return []

    def columns(self, view: View[S, P], draft: Draft, at: int) -> Sequence[object]:
        """The keys as columns, for a game that draws them so."""
        return ()

    def tapped(self, words: tuple[str, ...], word: str) -> tuple[str, ...]:
        """A row after ``word`` was tapped."""
        return (*words, word)

    def drafted(self, view: View[S, P], rows: Sequence[SheetRow], sheet: TableSheet) -> Draft:
        """``sheet`` as a draft, row by row: the inverse of ``sheet()``."""
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
        """The taps that enter ``word`` of a record: ``4*2`` takes two."""
        card, _, count = word.partition("*")
        return (card,) * min(int(count or 1), MOST_WORDS)

    def sheet(self, view: View[S, P], rows: Sequence[SheetRow], draft: Draft) -> TableSheet:
        """The sheet as far as it is entered; missing words count as none."""
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
        """Why ``draft`` cannot be a deal; None if it is one or can become one."""
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
        """The arithmetic of ``draft`` so far, by the game; () while there is none."""
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
    """The sheet definition of this game."""
    sheet = view.game.HOOKS.sheet
    assert sheet is not None
    return sheet


def _all_of(row: SheetRow, words: tuple[str, ...]) -> tuple[str, ...]:
    """The draft of a complete row with these words; ``CLOSED`` ends it where that is needed."""
    whole = 0 < row.most <= len(words)
    return words if whole or not (words or row.none) else (*words, CLOSED)


def _led(view: View[S, P], rows: Sequence[SheetRow], draft: Draft) -> Draft:
    """``draft`` with some seat as leader, if none is entered, so that the rest can be judged."""
    if rows[0].key and rows[0].key == sheet_of(view).first and not draft[0]:
        return (("0",), *draft[1:])
    return draft


# ---- drafts in addresses


def read(text: str, pad: SheetPad[S, P], rows: Sequence[SheetRow], view: View[S, P]) -> Draft:
    """The draft in an address; words that can't be read are dropped.

    A sheet that waited without network may have been entered for another deal, so it may have a row
    for the leader too many or too few.
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
    """``draft`` as text for an address."""
    return ";".join(" ".join(words) for words in draft)


def done(row: SheetRow, words: Sequence[str]) -> bool:
    """Whether the row takes no more words."""
    return words[-1:] == (CLOSED,) or (row.most > 0 and len(words) >= row.most)


def may_end(row: SheetRow, words: Sequence[str]) -> bool:
    """Whether the row may stay with exactly these words."""
    return bool(row.none or (words and not row.most))


def cursor(rows: Sequence[SheetRow], draft: Draft, at: int) -> int:
    """The index of the row to enter next: ``at`` or the first unfinished one after it; -1: none."""
    count = len(rows)
    order = [(at + step) % count for step in range(count)]
    return next((i for i in order if not done(rows[i], draft[i])), -1)


def put(draft: Draft, at: int, words: tuple[str, ...]) -> Draft:
    """``draft`` with other words in the row ``at``."""
    return (*draft[:at], words, *draft[at + 1 :])


def opened(rows: Sequence[SheetRow], draft: Draft, at: int) -> Draft:
    """``draft`` with the row ``at`` open again; a row of one word is emptied."""
    words = draft[at]
    if words[-1:] == (CLOSED,):
        return put(draft, at, words[:-1])
    return put(draft, at, ()) if rows[at].most == 1 else draft


def missing(draft: Draft) -> int:
    """The number of rows without a word, ``CLOSED`` included."""
    return sum(not words for words in draft)


def points(lines: Sequence[Line], seats: Sequence[Seat]) -> Mapping[Seat, int]:
    """The sum of the arithmetic for every seat."""
    totals = dict.fromkeys(seats, 0)
    for line in lines:
        totals[line.seat] += whole(line.points)
    return totals
