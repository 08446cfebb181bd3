"""The values of ``templates/table/_table.html``: for a table, and for trying a game file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jinja2.environment import TemplateModule

from referee.core.verdict import Seat
from referee.ledger import View
from referee.screens.band import TableBand
from referee.screens.base import Strip
from referee.store.doors import Seating
from referee.web.desk.at_table import LineOfDesk
from referee.web.own_games.trial import Trial
from referee.web.table.aloud import Aloud
from referee.web.table.dealing import HowToDeal
from referee.web.table.message import FasterPhone
from referee.web.table.proven import Proven


class Links(NamedTuple):
    """The links of the table page; computed once for each match. A trial has only the first."""

    table: str
    play: str
    rules: str
    undo: str = ""
    live: str = ""
    log: str = ""
    score: str = ""
    result: str = ""
    join: str = ""
    door: str = ""
    menu: str = ""


class Keyless(NamedTuple):
    """A table page without keys: the reason, and the seats whose keys this phone has."""

    why: str
    seats: tuple[Seat, ...]


class TablePage(NamedTuple):
    """A table as a page, or (``partial``) as an answer to a script.

    ``game``: the macros that draw the game. ``band``: what board and pad show. ``said``: the strip
    as a screen reader says it. ``you``: the seat of this phone, or "". ``back``: the query that
    takes back the last tap of a half-entered play. ``found`` and ``broken``: whether a revoke is
    undecided, how many entries a correction broke. ``door``: the phones that wait for admission;
    ``code_out``: one may come at any time. ``at_desk``: what the page shows of tonight's desk.
    ``aloud``: what this phone reads aloud. ``tried``: the result of the trial of a game file.
    """

    game: TemplateModule
    view: View
    title: str
    heading: str
    band: TableBand
    strip: Strip | None
    said: str
    links: Links
    key: str
    can_undo: bool
    undo_seconds: int
    dealing: HowToDeal | None
    partial: bool = False
    you: Seat = ""
    foul: Proven | None = None
    new_marks: bool = False
    clash: FasterPhone | None = None
    streams: bool = False
    back: str | None = None
    found: bool = False
    broken: int = 0
    looks_on: bool = False
    keyless: Keyless | None = None
    contestable: int | None = None
    person: str = ""
    seen_before: bool = False
    objections: int = 0
    door: Sequence[Seating] = ()
    code_out: bool = False
    onward: str | None = None
    at_desk: LineOfDesk | None = None
    aloud: Aloud | None = None
    tried: Trial | None = None
