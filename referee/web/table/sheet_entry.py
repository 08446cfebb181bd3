"""The pad for a sheet: a finished deal that is entered, or one that is corrected.

All of its state is in the address: ``sheet`` is the draft, ``at`` the row to enter next, ``no`` a
word that was refused (see ``referee.screens.sheet_pad``), ``instead`` the entry that is corrected.
``static/js/scores.js`` changes drafts in the same way, so that the network is needed only to save
the sheet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flask import url_for

from referee.core.game import Line
from referee.core.sheets import TableSheet
from referee.core.steps import Moment, Step
from referee.core.verdict import Illegal, Legal, Seat
from referee.http import language
from referee.http.current import ledger
from referee.http.language import gettext as _
from referee.ledger import View
from referee.rulings import book_of, sentences
from referee.screens import screen, sheet_pad
from referee.screens.base import Strip
from referee.screens.pad import query
from referee.screens.sheet_pad import CLOSED, Draft, SheetKey, SheetRow
from referee.web.table import message

DRAFT = "table draft "
"""The prefix of a draft that the button of the pad sends; the record has no such entry."""


class Spot(NamedTuple):
    """The deal that is entered; ``view``: the match before it.

    ``instead``: the play in force that the sheet corrects; None for a deal that could begin now.
    """

    view: View
    instead: Step | None = None

    @property
    def number(self) -> str:
        """The number of the corrected entry, as in an address."""
        return str(self.instead.seq) if self.instead else ""

    def line(self, sheet: TableSheet) -> str:
        """The line that records ``sheet``."""
        line = self.view.grammar.print(sheet)
        return f"table amend {self.number} {line}" if self.instead else line


def spot(view: View, instead: str = "") -> Spot | None:
    """The deal that can be entered at ``view``; None if none can begin, or be corrected."""
    if view.game.HOOKS.sheet is None:
        return None
    if not instead:
        return None if view.outcome or view.to_act else Spot(view)
    known = {str(number) for number in range(1, view.seq + 1)}
    step = view.step(int(instead)) if instead in known else None
    if step is None or not isinstance(step.play, TableSheet):
        return None
    return Spot(view._replace(moment=Moment(step.before, None, Legal("log.1"))), step)


class PadRow(NamedTuple):
    """A row of the pad; ``to``: the query that moves the cursor here."""

    row: SheetRow
    draft: tuple[str, ...]
    words: tuple[str, ...]
    closed: bool
    here: bool
    to: str
    says: str
    points: int | None


class PadKey(NamedTuple):
    """A key of the pad: the query of a tap, and whether the game allows it."""

    key: SheetKey
    to: str
    off: bool


class Pad(NamedTuple):
    """The keys of a row, by their words. ``columns``: for games that draw the keys as a deck."""

    row: SheetRow
    keys: dict[str, PadKey]
    columns: object


class SheetEntry(NamedTuple):
    """The pad with its draft. ``line``: what the button sends, "" while something is missing.

    ``row``: the row with the cursor, None if every row is complete; ``pad`` has its keys. ``pads``
    has the keys of every row by their kind: "@" and the key for a row of seats, "" for any other,
    or the first half of a word. ``words``: the labels of the words on keys. ``close``: the query
    that ends the row, ``back``: the one that removes the last word; "": not possible. ``first``:
    the page that has to show what a correction changes before it is made, or "".
    """

    instead: str
    rows: list[PadRow]
    row: SheetRow | None
    pad: Pad | None
    pads: dict[str, Pad]
    words: list[str]
    close: str
    back: str
    missing: int
    line: str
    first: str
    totals: list[tuple[Seat, int]]
    refused: Strip | None


class SheetRequest(NamedTuple):
    """A draft for the rows of ``spot``, with the cursor in row ``at`` (0-based; -1: nowhere)."""

    spot: Spot
    rows: tuple[SheetRow, ...]
    draft: Draft
    at: int

    @property
    def pad(self) -> sheet_pad.SheetPad:
        return screen(self.spot.view.game.NAME).sheet_pad

    def query(self, draft: Draft, at: int, no: str = "") -> str:
        """The query of this pad with another draft and cursor; ``no``: a word that is refused."""
        written = sheet_pad.written(draft) or ";"
        return query(instead=self.spot.number, sheet=written, at=str(at), no=no)

    def sheet(self) -> TableSheet:
        """The draft as a sheet."""
        return self.pad.sheet(self.spot.view, self.rows, self.draft)


def read(spot: Spot, asked: Mapping[str, str]) -> SheetRequest:
    """The draft in an address; without one, that of the corrected sheet."""
    pad = screen(spot.view.game.NAME).sheet_pad
    rows = pad.rows(spot.view)
    if spot.instead and "sheet" not in asked:
        draft = pad.drafted(spot.view, rows, spot.instead.play)
    else:
        draft = sheet_pad.read(asked.get("sheet", ""), pad, rows, spot.view)
    seats = spot.view.header.seats
    if asked.get("leader") in seats and rows[0].key == "leader" and not draft[0]:
        draft = ((str(seats.index(asked["leader"])),), *draft[1:])
    wanted = _row(asked.get("at", ""), rows)
    if wanted is not None and asked.get("edit"):
        return SheetRequest(spot, rows, sheet_pad.opened(rows, draft, wanted), wanted)
    return SheetRequest(spot, rows, draft, sheet_pad.cursor(rows, draft, wanted or 0))


def incomplete(request: SheetRequest) -> bool:
    """Whether rows of the draft are missing, or the game says that it is impossible."""
    left = sheet_pad.missing(request.draft)
    return left > 0 or isinstance(request.pad.verdict(request.spot.view, request.draft), Illegal)


def shown_first(spot: Spot, line: str) -> str:
    """The address of the preview of ``line``, a correction that changes more than its own deal.

    "" if it changes no more, or ``spot`` is a new deal.
    """
    if not spot.instead:
        return ""
    changes = ledger().preview(spot.view.match, line).changes
    own = spot.view.state.deal + 1
    alone = (
        all(change.seq == spot.instead.seq for change in changes.verdicts)
        and all(trick.deal == own for trick in changes.tricks)
        and changes.outcomes[0] == changes.outcomes[1]
    )
    if alone:
        return ""
    play = line.removeprefix(f"table amend {spot.number} ")
    match, number = spot.view.match, spot.number
    return url_for("corrections.correct", match=match, number=number, do="amend", line=play)


def drawn(request: SheetRequest, asked: Mapping[str, str]) -> SheetEntry:
    """The pad as the page shows it."""
    spot, rows, draft, at = request
    view, pad = spot.view, request.pad
    lines = pad.arithmetic(view, draft)
    points = sheet_pad.points(lines, view.header.seats)
    left, whole = sheet_pad.missing(draft), not incomplete(request)
    if spot.instead and whole:
        # as the pad writes it: a record may have the same cards in another order
        recorded = pad.sheet(view, rows, pad.drafted(view, rows, spot.instead.play))
        whole = request.sheet() != recorded
    pads = _pads(request)
    return SheetEntry(
        instead=spot.number,
        rows=_pad_rows(request, lines, points),
        row=rows[at] if at >= 0 else None,
        pad=_pad(request, at) if at >= 0 and not sheet_pad.done(rows[at], draft[at]) else None,
        pads=pads,
        words=[word for part in pads.values() if not part.row.seats for word in part.keys],
        close=_closing(request),
        back=_back(request),
        missing=left,
        line=DRAFT + sheet_pad.written(draft) if whole else "",
        first=shown_first(spot, spot.line(request.sheet())) if whole else "",
        totals=list(points.items()) if lines else [],
        refused=_refused(
            request, left, whole, asked.get("no", ""), _row(asked.get("at", "0"), rows)
        ),
    )


def _pad_rows(
    request: SheetRequest, lines: Sequence[Line], points: Mapping[Seat, int]
) -> list[PadRow]:
    """The rows as the page shows them; ``lines``: the arithmetic of the draft, with its points."""
    rules, tongue = book_of(request.spot.view.game), language.current()
    shown = []
    for i, (row, words) in enumerate(zip(request.rows, request.draft, strict=True)):
        says = " ".join(
            sentences.says(sentences.in_sentences(line.evidence, rules, tongue), tongue)
            for line in lines
            if line.seat == row.seat
        )
        closed = words[-1:] == (CLOSED,)
        shown.append(
            PadRow(
                row,
                words,
                words[:-1] if closed else words,
                closed,
                i == request.at,
                request.query(request.draft, i),
                says,
                points[row.seat] if row.seat is not None and lines else None,
            )
        )
    return shown


def _row(number: str, rows: Sequence[SheetRow]) -> int | None:
    """The 0-based row with this number; None if there is none."""
    numbers = [str(i) for i in range(len(rows))]
    return numbers.index(number) if number in numbers else None


def _pad(request: SheetRequest, at: int) -> Pad:
    """The keys of row ``at``, each with the query of a tap and the game's verdict on it."""
    keys = {key.word: _key(request, at, key) for key in _keys(request, at)}
    return Pad(request.rows[at], keys, _columns(request, at))


def _columns(request: SheetRequest, at: int) -> object:
    if request.rows[at].seats:
        return None
    return request.pad.columns(request.spot.view, request.draft, at)


def _pads(request: SheetRequest) -> dict[str, Pad]:
    """The keys of every kind of row for an empty draft, for phones without network."""
    empty: Draft = ((),) * len(request.rows)
    found: dict[str, Pad] = {}
    for at, row in enumerate(request.rows):
        kind = f"@{row.key}" if row.seats else ""
        if kind in found:
            continue
        halves = ("",) if row.seats else ("", *request.pad.HALVES)
        for half in halves:
            draft = sheet_pad.put(empty, at, (half,) if half else ())
            blank = request._replace(draft=draft, at=at)
            keys = {key.word: PadKey(key, "", False) for key in _keys(blank, at)}
            found[half or kind] = Pad(row, keys, _columns(blank, at))
    return found


def _keys(request: SheetRequest, at: int) -> list[SheetKey]:
    if request.rows[at].seats:
        taken = set(request.draft[at])
        seats = enumerate(request.spot.view.header.seats)
        return [SheetKey(str(i), seat) for i, seat in seats if str(i) not in taken]
    return request.pad.keys(request.spot.view, request.draft, at)


def _key(request: SheetRequest, at: int, key: SheetKey) -> PadKey:
    after = sheet_pad.put(request.draft, at, request.pad.tapped(request.draft[at], key.word))
    if (key.copies and not key.left) or request.pad.possible(request.spot.view, after):
        return PadKey(key, request.query(request.draft, at, key.word), True)
    return PadKey(key, request.query(after, sheet_pad.cursor(request.rows, after, at)), False)


def _closing(request: SheetRequest) -> str:
    """The query of a tap that ends this row."""
    at, draft = request.at, request.draft
    if at < 0 or sheet_pad.done(request.rows[at], draft[at]):
        return ""
    if not sheet_pad.may_end(request.rows[at], draft[at]):
        return ""
    after = sheet_pad.put(draft, at, (*draft[at], CLOSED))
    return request.query(after, sheet_pad.cursor(request.rows, after, at))


def _back(request: SheetRequest) -> str:
    """The query of a tap that removes the last word."""
    count = len(request.draft)
    start = request.at if request.at >= 0 else count - 1
    order = [i for i in (*range(start, -1, -1), *range(count - 1, start, -1)) if request.draft[i]]
    if not order:
        return ""
    i = order[0]
    return request.query(sheet_pad.put(request.draft, i, request.draft[i][:-1]), i)


def _refused(
    request: SheetRequest, left: int, whole: bool, no: str, at: int | None
) -> Strip | None:
    """Why a tapped word is impossible, or why a complete sheet is."""
    pad, view = request.pad, request.spot.view
    if at is not None and sheet_pad.read(no, pad, [request.rows[at]], view) == ((no,),):
        draft = sheet_pad.put(request.draft, at, pad.tapped(request.draft[at], no))
        verdict, head = pad.possible(view, draft), no
    elif not left and not whole:
        verdict, head = pad.verdict(view, request.draft), _("この得点表は記録できません")
    else:
        return None
    if not isinstance(verdict, Illegal):
        return None
    return Strip("illegal", head, message.why(view, verdict), clause=verdict.clause)
