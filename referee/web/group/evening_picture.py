"""The table of an evening as a picture that a phone can send."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias, get_args

from flask import Blueprint, Response, abort, render_template, request

from referee.core.clusters import clusters
from referee.games import room
from referee.http import access, htmx, language
from referee.http.language import gettext as _
from referee.http.local_time import local_time
from referee.screens.wording import short, width
from referee.web.group import evening_pages, history
from referee.web.group.evening_pages import EveningTable
from referee.web.site import crests

bp = Blueprint("evening_picture", __name__)

Naming: TypeAlias = Literal["whole", "initials", "none"]
NAMINGS: tuple[Naming, ...] = get_args(Naming)

NAMES, GAME, SUM, EDGE = 190, 72, 84, 64  # widths: column of names, of a game, of the sum; margin
NARROWEST = 600
TITLE_WIDTH = 10  # half-width characters on a line of a game's title
# The same of a name, on one line and on two; bold Latin letters are wider than half a square.
NAME_WIDTH, SMALL_NAME_WIDTH = 14, 19


class NamingOffered(NamedTuple):
    """How the picture can name people."""

    key: Naming
    title: str
    on: bool


class EveningShown(NamedTuple):
    """An evening as its picture shows it; ``names``: as chosen, each on one or two
    lines, in the order of the rows."""

    session: int
    began: datetime
    ended: datetime | None
    group: str
    table: EveningTable
    titles: list[list[str]]
    names: list[list[str]]
    naming: Naming

    @property
    def width(self) -> int:
        """Of the whole picture."""
        return max(NARROWEST, 2 * EDGE + NAMES + GAME * len(self.titles) + SUM)

    @property
    def rule(self) -> str:
        """The key of the rule by which the table is made."""
        return next(rule.key for rule in self.table.rules if rule.on)


@bp.get("/history/evening/<int(max=999999999):session>/picture")
def page(session: int) -> Response:
    """Page that shows the picture and sends it."""
    shown = _shown(session)
    titles = {"whole": _("名前をそのまま"), "initials": _("頭文字"), "none": _("名前なし")}
    offered = [NamingOffered(key, titles[key], key == shown.naming) for key in NAMINGS]
    return htmx.fragment("group/evening_picture.html", shown=shown, offered=offered)


@bp.get("/history/evening/<int(max=999999999):session>/picture.svg")
def picture(session: int) -> Response:
    """The picture as SVG; a phone makes a PNG of it with its own fonts (``share.js``)."""
    shown = _shown(session)
    drawn = [crests.crest(room(match.game)) for match in shown.table.matches]
    said = folded(shown.table.said, (shown.width - 2 * EDGE - 100) * 2 // 15)
    text = render_template("group/evening_picture.svg", shown=shown, crests=drawn, said=said)
    return Response(text, content_type="image/svg+xml; charset=utf-8")


def _shown(session: int) -> EveningShown:
    """The evening as the address asks for it; 404 without people in it."""
    _left, past = history.current()
    about = access.circles().session(access.circle(), session)
    table = evening_pages.evening_table(past, session, language.current())
    if not table.rows:
        abort(404)
    began = local_time(about.began)
    took = history.took(*past.clocked(session, history.CLOCKED))
    asked = request.args.get("names")
    naming = next((key for key in NAMINGS if key == asked), NAMINGS[0])
    return EveningShown(
        session,
        began,
        began + took if took else None,
        access.circles().get(access.circle()).name,
        table,
        [_lines(title, TITLE_WIDTH, TITLE_WIDTH) for title in table.titles],
        [_lines(_named(row.name, naming), NAME_WIDTH, SMALL_NAME_WIDTH) for row in table.rows],
        naming,
    )


def _named(name: str, naming: Naming) -> str:
    if naming == "initials":
        return next(iter(clusters(name)), "")
    return name if naming == "whole" else ""


def _lines(text: str, one: int, two: int) -> list[str]:
    """``text`` on a line of ``one`` half-width characters, or on two of ``two``, of like length."""
    if width(text) <= one:
        return [text]
    first, *more = folded(text, min(two, (width(text) + 1) // 2 + (" " in text) * two))
    rest = (" " if " " in text else "").join(more)
    return [short(first, two), *([short(rest, two)] if rest else [])]


def folded(text: str, wide: int) -> list[str]:
    """``text`` in lines of at most ``wide`` half-width characters, longer words apart.

    Lines end between words or, in a text without blanks, between any two characters.
    """
    blank = " " if " " in text else ""
    lines = [""]
    for word in text.split(" ") if blank else clusters(text):
        longer = f"{lines[-1]}{blank}{word}" if lines[-1] else word
        if lines[-1] and width(longer) > wide:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
