"""The strip above the pad: what has just happened, what was refused, who was faster."""

from __future__ import annotations

from typing import NamedTuple

from referee.core.corrections import (
    NO_PLAYS,
    Amend,
    Contest,
    Decide,
    Insert,
    Rewind,
    Rule,
    Strike,
    Together,
    Unread,
    Void,
    Vote,
)
from referee.core.record import Unreadable
from referee.core.verdict import Illegal, Seat
from referee.desk import Answer, NotYours, View
from referee.rulings import book, sentences
from referee.screens import screen
from referee.screens.base import Screen, Strip
from referee.web.http import language
from referee.web.http.language import gettext as _

NO_CARD_LEFT = ("deck.2", "hand.3")  # clauses by which an earlier entry can't be true, too
SENTENCES = 2  # of a refusal's evidence; the entry or the rule page tells the rest


class Clash(NamedTuple):
    """Another phone was faster. ``theirs`` and ``mine`` are cards of the same seat, or None."""

    seat: Seat | None = None
    seq: int = 0
    theirs: int | str | None = None
    mine: int | str | None = None
    line: str = ""


def latest(view: View) -> Strip | None:
    """What the last entry did; None before the first."""
    if view.seq == 0:
        return None
    entry = view.log.entries[view.seq - 1]
    word = sentences.word(view.moment.verdict)
    match entry:
        case Rewind(to=to):
            return _went_back(view, to)
        case Rule(number=number):
            what = board(view).what(view.log.entries[number - 1])
            return Strip("illegal", what, _("卓の裁定で通した"))
        case Amend(number=number):
            return Strip("", _("記録 %(n)s を書きなおした", n=number))
        case Strike(number=number):
            return Strip("", _("記録 %(n)s をなかったことにした", n=number))
        case Insert(number=number):
            return Strip("", _("記録 %(n)s の前に足した", n=number))
        case Together(parts=parts):
            return Strip("", _("記録をまとめて直した"), _("%(count)s 件", count=len(parts)))
        case Void(number=number):
            return Strip("", _("記録 %(n)s のラウンドを無効にした", n=number))
        case Contest(seat=seat, number=number):
            return Strip("", _("%(name)s の異議", name=seat), _("記録 %(n)s", n=number))
        case Vote(seat=seat, number=number, agrees=agrees):
            head = _("%(name)s は賛成", name=seat) if agrees else _("%(name)s は反対", name=seat)
            return Strip("", head, _("異議 %(n)s", n=number))
        case Decide(number=number, right=right):
            head = _("異議 %(n)s を認めた", n=number) if right else _("もとの記録のまま")
            return Strip("", head, "" if right else _("異議 %(n)s", n=number))
        case Unread(text=text):
            return Strip("illegal", text, _("いまの規則では読めない"))
        case _:
            return board(view).said(view, entry, word)


def board(view: View) -> Screen:
    """The screen of the game that is played."""
    return screen(view.game.NAME)


def refused(answer: Answer, line: str, can_overrule: bool, laid_open: bool = False) -> Strip:
    """Why ``line`` was not recorded; what the opponent has to allow only if ``laid_open``."""
    view, rules = answer.view, book(answer.view.game.NAME)
    kept = {} if laid_open else board(view).kept_back
    found = answer.verdict.evidence[:SENTENCES]
    verdict = Illegal(answer.verdict.clause, tuple(f for f in found if f.fact not in kept))
    facts = sentences.evidence(verdict, view.moment.step, rules, language.current())
    facts += [sentences.Told(kept[f.fact](), None) for f in found if f.fact in kept]
    return Strip(
        "illegal",
        board(view).what(view.grammar.parse(line)),
        sentences.says(facts, language.current(), SENTENCES),
        clause=verdict.clause,
        overrule=line if can_overrule else None,
        kept=line if len(verdict.evidence) < len(found) else "",
        clash=line if verdict.clause in NO_CARD_LEFT else None,
    )


def barred(fault: NotYours) -> Strip:
    """Why this phone may not enter that."""
    view = fault.view
    facts = sentences.evidence(fault.verdict, None, book(view.game.NAME), language.current())
    return Strip(
        "illegal",
        board(view).what(view.grammar.parse(fault.line)),
        sentences.says(facts, language.current(), SENTENCES),
        clause=fault.verdict.clause,
    )


def clash(view: View, seen: int, line: str) -> Clash:
    """Which card of ours met which of theirs, where both are of one seat."""
    try:
        mine = view.grammar.parse(line)
    except Unreadable:
        return Clash()
    if not seen < view.seq:
        return Clash()
    theirs = view.log.entries[seen]
    cards = board(view).card(theirs), board(view).card(mine)
    if None in cards or theirs.seat != mine.seat:
        return Clash()
    return Clash(mine.seat, seen + 1, *cards, line)


def _went_back(view: View, to: int) -> Strip:
    """Back to ``to``; forth again, if it is a going back that this has undone."""
    undone = view.log.entries[to] if to < view.seq - 1 else None
    if isinstance(undone, Rewind):
        return Strip("", _("やり直した"), _undone(view, undone.to))
    return Strip("", _("戻した"), _undone(view, to), again=f"table rewind {view.seq - 1}")


def _undone(view: View, to: int) -> str:
    """What an entry that takes everything back to ``to`` undid first."""
    undone = view.log.entries[to : to + 1]
    return board(view).what(undone[0]) if undone and not isinstance(undone[0], NO_PLAYS) else ""
