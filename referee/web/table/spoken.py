"""What a screen reader says of the last entry: the strip in full names, as one sentence.

static/js/table.js puts it into the live region of the page, and after it whose turn it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from referee.core.verdict import Seat
from referee.http import language
from referee.http.language import gettext as _
from referee.screens.base import Strip
from referee.screens.wording import short
from referee.web.table.proven import Proven

ARROW = re.compile(r"\s[→·] ")
BETWEEN = "\u3000"  # what separates the parts of a strip in Japanese
LOWER = re.compile(r"[a-z]")


def of_strip(strip: Strip, seats: Iterable[Seat]) -> str:
    """ "B: 7, legal", and what the play has brought about."""
    shown = _in_full(BETWEEN.join(filter(None, (strip.head, strip.out, strip.text))), seats)
    head, *more = [part.strip() for part in shown.split(BETWEEN) if part.strip()]
    name = _name_before(head, seats)
    rest = head[len(name) + 1 :]
    if name and rest and language.current() != "ja" and not LOWER.match(rest):
        head = f"{name}: {rest}"
    play = [head]
    if strip.word and (name or strip.word != "legal"):
        play.append(verdicts()[strip.word])
    if strip.hands or strip.to or strip.show:
        play.append(_("ほかにないと申告"))
    return sentences(play, more)


def of_refusal(strip: Strip, seats: Iterable[Seat]) -> str:
    """What was not recorded, and why."""
    head = _in_full(strip.head, seats)
    return sentences([_("反則"), head] if strip.word else [head], [_in_full(strip.text, seats)])


def in_pauses(text: str) -> str:
    """``text`` with a pause for each gap between its parts."""
    parts = _in_full(text, ()).split(BETWEEN)
    return _("、").join(part.strip() for part in parts if part.strip())


def of_foul(foul: Proven, strip: Strip, seats: Iterable[Seat]) -> str:
    """A revoke that has become provable, and then the play that proved it, if ``strip`` has one."""
    more = _("（ほか%(count)s件）", count=foul.more) if foul.more else ""
    says = f"{foul.says} {more}".strip().rstrip("。.")
    played = " ".join(_("　").join(filter(None, (strip.head, strip.text))).split())
    return sentences([says], [_in_full(played, seats)] if played else [])


def sentences(*groups: list[str]) -> str:
    """Each of ``groups`` as one sentence, its parts after short pauses."""
    stop = "。" if language.current() == "ja" else "; "
    return stop.join(_("、").join(group) for group in groups if group)


def _in_full(text: str, seats: Iterable[Seat]) -> str:
    """``text`` with the whole names of ``seats``; an arrow or a dot is read as a pause."""
    for seat in seats:
        if (shortened := short(seat)) != seat:
            text = text.replace(shortened, seat)
    return ARROW.sub(_("、"), text)


def _name_before(head: str, seats: Iterable[Seat]) -> Seat:
    """The seat with which ``head`` begins, or ""."""
    begin = [s for s in seats if head.startswith(s) and head[len(s) : len(s) + 1] in " がの"]
    return max(begin, key=len, default="")


def verdicts() -> dict[str, str]:
    """The words of the verdicts as people say them."""
    return {"legal": _("合法"), "illegal": _("反則"), "unprovable": _("手札しだい")}
