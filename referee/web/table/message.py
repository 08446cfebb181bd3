"""The strip above the pad: what just happened, what was refused, which phone was faster."""

from __future__ import annotations

from typing import NamedTuple

from referee.core.compare import broken as broken_at
from referee.core.corrections import (
    CORRECTIONS,
    NO_PLAYS,
    Agree,
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
from referee.core.generic import Entry
from referee.core.hands import ALL_SEEN, HAND_SHOWN
from referee.core.naming import renamed
from referee.core.record import Unreadable, form
from referee.core.steps import Step
from referee.core.verdict import Facts, Illegal, Seat, Verdict, word_of
from referee.http import access, language
from referee.http.current import book_at
from referee.http.language import gettext as _
from referee.http.language import pgettext
from referee.ledger import Answer, NotYours, View
from referee.rulings import book_of, sentences
from referee.screens import screen
from referee.screens.base import Strip
from referee.screens.wording import short
from referee.web.table.dealing import how_to_deal

CORRECTING = (Amend, Strike, Insert, Together, Void, Decide)
NO_CARD_LEFT = (ALL_SEEN, HAND_SHOWN)  # refusals by which an earlier entry may be the wrong one
SENTENCES = 2  # of a refusal's evidence; the page of the entry or the rule has the rest


class FasterPhone(NamedTuple):
    """The question of a table on which another phone was faster.

    ``theirs`` and ``mine``: the cards of ``seat`` in entry ``seq`` and in ``line``, None if the
    entries are not about one seat. Two other questions use the same place: ``declares``, the entry
    would be a declaration now and was none when it was tapped; ``first``, the address of a page
    that has to show what the entry would change.
    """

    seat: Seat | None = None
    seq: int = 0
    theirs: int | str | None = None
    mine: int | str | None = None
    line: str = ""
    declares: bool = False
    first: str = ""


def latest(view: View) -> Strip | None:
    """The strip about the last entry; None before the first."""
    if view.seq == 0:
        return None
    entry = view.log.entries[view.seq - 1]
    strip = _done(view, entry, word_of(view.moment.verdict))
    if isinstance(entry, CORRECTING):
        before = broken_at(view.log, view.log.moment(view.seq - 1))
        broken = len(set(broken_at(view.log, view.moment)) - set(before))
        if broken:
            said = _("%(n)s件の記録が合わなくなりました", n=broken)
            return strip._replace(text=_("・").join(filter(None, (strip.text, said))))
    return strip


def _done(view: View, entry: Entry, word: str) -> Strip:
    """The strip about the last entry, whose verdict is ``word``, without its effect on others."""
    match entry:
        case Rewind(to=to):
            return _went_back(view, to)
        case Rule(number=number):
            what = _brief(view, view.log.entries[number - 1])
            return Strip("illegal", what, _("卓の了承で有効"))
        case Amend(number=number):
            return Strip("", _("記録%(n)sを訂正しました", n=number))
        case Strike(number=number):
            return Strip("", _("記録%(n)sを取り消しました", n=number))
        case Insert(number=number):
            return Strip("", _("記録%(n)sの前に追加しました", n=number))
        case Together(parts=parts):
            return Strip("", _("記録をまとめて訂正しました"), _("%(count)s件", count=len(parts)))
        case Void(number=number):
            return Strip("", _("記録%(n)sの配札を無効にしました", n=number))
        case Contest(seat=seat, number=number):
            head, text = _("%(name)sの異議", name=seat), _("記録 %(n)s", n=number)
            return Strip("", head, text, vote=_undecided(view, view.seq))
        case Vote(seat=seat, number=number, agrees=agrees):
            head = _("%(name)sは賛成", name=seat) if agrees else _("%(name)sは反対", name=seat)
            return Strip("", head, _("異議 %(n)s", n=number), vote=_undecided(view, number))
        case Decide(number=number, right=right):
            head = _("異議%(n)sを認めました", n=number) if right else _("元の記録のまま")
            return Strip("", head, "" if right else _("異議 %(n)s", n=number))
        case Agree(seat=seat):
            return Strip("", _("%(name)sが結果を確認しました", name=seat))
        case Unread(text=text):
            return Strip("illegal", text, _("現在のバージョンでは読めません"))
        case _:
            strip = screen(view.game.NAME).said(view, _shortened(view, entry), word)
            return _with_dealing(view, strip) if form(entry.FORM).verb == "deal" else strip


def _undecided(view: View, number: int) -> int | None:
    """``number``, if the contest in this entry waits for a decision."""
    waiting = view.log.open_contests(view.moment)
    return number if any(one.seq == number for one in waiting) else None


def _with_dealing(view: View, strip: Strip) -> Strip:
    """The strip after a deal, with how to deal if the game says it."""
    dealing = how_to_deal(view.game, view.state)
    if not dealing:
        return strip
    return strip._replace(text=pgettext("steps", "・").join(dealing.steps), how=True)


def _brief(view: View, entry: Entry) -> str:
    """A play, or an entry that every game has, in a few words."""
    return screen(view.game.NAME).brief(_shortened(view, entry))


def _shortened(view: View, entry: Entry) -> Entry:
    """``entry`` with names for which a strip has room."""
    return renamed(entry, {seat: short(seat) for seat in view.header.seats if short(seat) != seat})


def _brief_line(view: View, line: str) -> str:
    """The entry in ``line`` in a few words; for a correction, what it is."""
    entry = view.grammar.parse(line)
    if isinstance(entry, Contest | Vote | Decide):
        return _("異議")
    if isinstance(entry, Agree):
        return _("結果の確認")
    return pgettext("heading", "訂正") if isinstance(entry, CORRECTIONS) else _brief(view, entry)


def refused(answer: Answer, line: str, can_overrule: bool, laid_open: bool = False) -> Strip:
    """The strip that says why ``line`` was not recorded.

    ``laid_open``: the opponent permits it to show the facts that the game keeps back
    (``Screen.kept_back``). ``can_overrule``: it offers to accept the line.
    """
    view, rules = answer.view, book_of(answer.view.game)
    kept = {} if laid_open else screen(view.game.NAME).kept_back
    found = _sentences_of(answer.verdict.evidence)
    verdict = Illegal(answer.verdict.clause, tuple(f for f in found if f.fact not in kept))
    facts = sentences.evidence(verdict, view.moment.step, rules, language.current())
    facts += [sentences.Sentence(kept[f.fact](), None) for f in found if f.fact in kept]
    return Strip(
        "illegal",
        _brief_line(view, line),
        sentences.says(facts, language.current(), SENTENCES),
        clause=verdict.clause,
        overrule=line if can_overrule else None,
        kept=line if len(verdict.evidence) < len(found) else "",
        clash=line if verdict.clause in NO_CARD_LEFT else None,
    )


def _sentences_of(facts: Facts) -> Facts:
    """The first ``SENTENCES`` of ``facts``, without the beginning of a list that goes on."""
    head, rest = facts[:SENTENCES], facts[SENTENCES:]
    if rest and len(head) > 1 and head[-1].at is not None and head[-1].fact == rest[0].fact:
        return head[:-1]
    return head


def why(view: View, verdict: Verdict, last: Step | None = None, most: int = sentences.MOST) -> str:
    """Why an entry gets ``verdict``; ``last``: the play to whose entries the sentences refer."""
    facts = sentences.evidence(verdict, last, book_at(view), language.current())
    return sentences.says(facts, language.current(), most)


def barred(fault: NotYours) -> Strip:
    """The strip that says why this phone may not make this entry."""
    view, [fact] = fault.view, fault.verdict.evidence
    seats, hosts = view.header.seats, access.way(view.match).hosts()
    held = fact.fact == "entry_own_hand" and hosts and fact.values["seat"] in seats
    return Strip(
        "",  # no rule of the game is broken
        _brief_line(view, fault.line),
        why(view, fault.verdict, most=SENTENCES),
        clause=fault.verdict.clause,
        held=1 + seats.index(fact.values["seat"]) if held else 0,
    )


def clash(view: View, seen: int, line: str) -> FasterPhone:
    """The first entry after ``seen`` beside the refused ``line``, if both are cards of one seat."""
    try:
        mine = view.grammar.parse(line)
    except Unreadable:
        return FasterPhone()
    if not seen < view.seq:
        return FasterPhone()
    theirs = view.log.entries[seen]
    look = screen(view.game.NAME)
    cards = look.card(theirs), look.card(mine)
    seats = {getattr(theirs, "seat", ""), getattr(mine, "seat", "")}
    if None in cards or len(seats) > 1:
        return FasterPhone()
    return FasterPhone(seats.pop(), seen + 1, *cards, line)


def _went_back(view: View, to: int) -> Strip:
    """The strip after a rewind to ``to``, or a redo if it undid a rewind."""
    undone = view.log.entries[to] if to < view.seq - 1 else None
    if isinstance(undone, Rewind):
        return Strip("", _("やり直しました"), _undone(view, undone.to))
    return Strip("", _("戻しました"), _undone(view, to), again=f"table rewind {view.seq - 1}")


def _undone(view: View, to: int) -> str:
    """The first entry that a rewind to ``to`` undid, as text."""
    undone = view.log.entries[to : to + 1]
    return _brief(view, undone[0]) if undone and not isinstance(undone[0], NO_PLAYS) else ""
