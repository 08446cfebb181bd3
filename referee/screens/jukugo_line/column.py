"""A column of 熟語ライン opened large: its cards, the words that can be named, the claim.

All orders of the three cards are offered as words, whether they are any or not: what counts is told
when the claim has been made, unless the table has asked for hints.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import Any, NamedTuple

from referee.core.verdict import Agreed, Illegal, Seat, Unprovable, Verdict
from referee.desk import View
from referee.games import jukugo_line as game
from referee.games.jukugo_line import FLAGS, Claim, Word
from referee.jukugo.decks import JOKER
from referee.jukugo.formations import COLUMN, Formation
from referee.rulings import book, sentences
from referee.screens.base import short
from referee.web.http import language
from referee.web.http.language import gettext as _

NAMED = 2  # so many words of two kanji can be named at once
IN_TURN = ("turn.1", "turn.2", "claim.1", "claim.2", "claim.3")
"""Clauses that refuse a claim whatever the cards are worth."""


class Tile(NamedTuple):
    """A kanji card; ``value`` is None where nobody has registered the deck."""

    kanji: str
    value: int | None
    newest: bool = False


class Act(NamedTuple):
    """A key that is no card: ``name`` is "line" for what is recorded, else the next step's."""

    text: str
    name: str
    value: str
    word: str = "legal"
    on: bool = False
    sign: str = ""


class Side(NamedTuple):
    """One seat's cards at the open flag; ``told``: what they are worth, where that may be said."""

    seat: Seat
    tiles: list[Tile]
    told: str
    lost: bool


class Naming(NamedTuple):
    """An open column. ``words``: text, next step, whether it is named; ``question``: what both
    have to decide before the claim is recorded.
    """

    flag: int
    sides: list[Side]
    words: list[tuple[str, str, bool]]
    question: str
    acts: list[Act]


def opened(view: View, wish: Mapping[str, str]) -> Naming | None:
    """The column that the address opens: ``?flag=3``, ``?say=3:日本,本音`` with words named, or
    ``?ask=3:日本`` when both have to agree; None if it opens none.
    """
    text = wish.get("ask") or wish.get("say") or wish.get("flag") or ""
    number, _colon, named = text.partition(":")
    if number not in map(str, range(1, FLAGS + 1)):
        return None
    flag, seat = int(number), _claimant(view.state, wish)
    bare = _judged(view, Claim(seat, flag))
    back = Act(_("もどる"), "seat", wish.get("seat", ""))
    if _is_out_of_turn(bare):
        acts = [back]
        if view.state.owners[flag - 1] is None:
            acts.append(
                Act(_("宣言する"), "line", view.grammar.print(Claim(seat, flag)), "illegal")
            )
        return Naming(flag, _sides(view, flag), [], "", acts)
    words = _allowed(game.column(view.state, seat, flag), named.split(","))
    claim = Claim(seat, flag, words)
    verdict = _judged(view, claim)
    if wish.get("ask") and isinstance(verdict, Unprovable):
        question, acts = _asked(view, claim, verdict)
        return Naming(flag, _sides(view, flag), [], question, [back, *acts])
    offered = _orders(game.column(view.state, seat, flag))
    if view.log.table.option("assist") == "auto" and view.state.words:
        offered = []  # the app finds them
    keys = [(word, f"{flag}:{','.join(_toggled(words, word))}", word in words) for word in offered]
    return Naming(flag, _sides(view, flag), keys, "", [back, _claim_key(view, claim, verdict)])


def may(state: Any, flag: int) -> bool:
    """Whether the seat that may claim now could claim ``flag``, whatever its cards are worth."""
    seat = _claimant(state, {})
    if state.owners[flag - 1] is not None or len(game.column(state, seat, flag)) < COLUMN:
        return False
    return not _is_out_of_turn(game.judge(state, Claim(seat, flag)))


def tile(state: Any, kanji: str) -> Tile:
    """A card; without a value if nobody knows it."""
    if not state.words:
        return Tile(kanji, 0 if kanji == JOKER else None)
    known = kanji == JOKER or kanji in state.words.deck.by_kanji
    return Tile(kanji, state.words.value(kanji) if known else None)


def tiles(view: View, seat: Seat, flag: int) -> list[Tile]:
    """The cards of ``seat`` at ``flag``, as they came; in their best order once it is decided."""
    state = view.state
    shown = game.formation(state, seat, flag) if is_sorted(view, seat, flag) else None
    return [tile(state, card) for card in (shown or _Came(game.column(state, seat, flag))).order]


class _Came(NamedTuple):
    order: tuple[str, ...]


def is_sorted(view: View, seat: Seat, flag: int) -> bool:
    """Whether full columns are shown in their best order: at decided flags, and with hints."""
    state = view.state
    open_ = state.owners[flag - 1] is None and view.log.table.option("hints") == "off"
    return not open_ and game.formation(state, seat, flag) is not None


def label(shown: Formation) -> str:
    """A formation as people say it, with its words."""
    kind = book(game.NAME).says(shown.kind.label, {}, language.current())
    return f"{kind} {_('・').join(shown.words)}".rstrip()


def _claimant(state: Any, wish: Mapping[str, str]) -> Seat:
    """Who may claim: before the draw the seat in turn, at the start of a turn perhaps the next."""
    named = wish.get("seat", "")
    if named in state.table.seats:
        return named
    early = state.table.option("claim_timing") == "start_of_turn"
    seat: Seat = game.other(state, state.turn) if early and state.done else state.turn
    return seat


def _is_out_of_turn(verdict: Verdict) -> bool:
    return isinstance(verdict, Illegal) and verdict.clause in IN_TURN


def _judged(view: View, play: Any) -> Verdict:
    return game.judge(view.state, play)


def _sides(view: View, flag: int) -> list[Side]:
    state, found = view.state, []
    for seat in reversed(view.header.seats):
        shown = game.formation(state, seat, flag) if is_sorted(view, seat, flag) else None
        owner = state.owners[flag - 1]
        told = f"{label(shown)} {_('%(n)s 点', n=shown.primary)}" if shown else ""
        found.append(Side(seat, tiles(view, seat, flag), told, owner not in (None, seat)))
    return found


def _orders(cards: tuple[str, ...]) -> list[str]:
    """All that can be read from ``cards``: two of them, then all three; 々 is never first."""
    return [
        "".join(order)
        for count in (COLUMN - 1, COLUMN)
        for order in permutations(cards, count)
        if order[0] != JOKER
    ]


def _allowed(cards: tuple[str, ...], named: list[str]) -> tuple[str, ...]:
    orders = _orders(cards)
    return tuple(dict.fromkeys(word for word in named if word in orders))[:NAMED]


def _toggled(words: tuple[str, ...], word: str) -> tuple[str, ...]:
    """``words`` after a tap on ``word``: two of two kanji, or one of three."""
    if word in words:
        return tuple(other for other in words if other != word)
    if len(word) == COLUMN:
        return (word,)
    return (*[other for other in words if len(other) < COLUMN][1 - NAMED :], word)


def _claim_key(view: View, claim: Claim, verdict: Verdict) -> Act:
    """The key that claims. It looks the same whatever the proof will say, but for hints."""
    if not claim.words:
        text = _("役だけで宣言")
    else:
        text = _("「%(words)s」で宣言", words=_("・").join(claim.words))
    if isinstance(verdict, Unprovable):
        return Act(text, "ask", f"{claim.flag}:{','.join(claim.words)}")
    hints = view.log.table.option("hints") == "on"
    word = sentences.word(verdict) if hints else "legal"
    return Act(text, "line", view.grammar.print(claim), word)


def _asked(view: View, claim: Claim, verdict: Unprovable) -> tuple[str, list[Act]]:
    """What both have to decide, and its keys: with yes the claim is recorded, too."""
    line = view.grammar.print(claim)
    words = verdict.premise.words if isinstance(verdict.premise, Agreed) else ()
    if not words:
        question = _("%(seat)sの旗 %(n)s。二人とも認めますか", seat=short(claim.seat), n=claim.flag)
        return question, [Act(_("二人とも認める"), "line", line)]
    question = _("「%(words)s」は辞書にない。二人とも認めますか", words=_("・").join(words))
    agreed = [view.grammar.print(Word(word, True)) for word in words]
    acts = [Act(_("二人とも認める"), "line", "\n".join([*agreed, line]))]
    for word in words:
        refused = view.grammar.print(Word(word, False))
        acts.append(Act(_("「%(word)s」は認めない", word=word), "line", refused))
    return question, acts
