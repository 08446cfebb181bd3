"""A column of 熟語ライン opened large: its cards, the words that can be named, the claim.

All orders of the three cards are offered as words, whether they are any or not: what counts is said
when the claim has been made, unless the table has asked for hints.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import permutations
from typing import NamedTuple, TypeAlias

from referee.core.corrections import Strike
from referee.core.log import steps
from referee.core.verdict import Seat
from referee.desk import View
from referee.games import jukugo_line as game
from referee.games.jukugo_line import FLAGS, Claim, Grant, Play, State, Word
from referee.games.jukugo_line.state import OpenClaim
from referee.jukugo.decks import JOKER
from referee.jukugo.formations import COLUMN, Formation
from referee.rulings import book, sentences
from referee.screens.pad import GAP
from referee.screens.wording import short
from referee.web.http import language
from referee.web.http.language import gettext as _

NAMED = 2  # words of two kanji that can be named at once
FlagView: TypeAlias = View[State, Play]


class KanjiTile(NamedTuple):
    """A kanji card; ``value`` is None where nobody has registered the deck."""

    kanji: str
    value: int | None
    newest: bool = False


class FlagAct(NamedTuple):
    """A key that is no card: ``name`` is "line" for what is recorded, else the next step's.

    ``of``: for which values of a step that the page has with it; see static/js/taps.js.
    """

    text: str
    name: str
    value: str
    word: str = "legal"
    on: bool = False
    sign: str = ""
    of: str = ""


class OpenSide(NamedTuple):
    """One seat's cards at the open flag; ``told``: what they are worth, where that may be said."""

    seat: Seat
    tiles: list[KanjiTile]
    told: str
    lost: bool


class Naming(NamedTuple):
    """An open column. ``words``: text, next step, whether it is named."""

    flag: int
    sides: list[OpenSide]
    words: list[tuple[str, str, bool]]
    acts: list[FlagAct]


class ClaimQuestion(NamedTuple):
    """An open claim on ``flag``: what the other seat is asked, and the keys that answer it."""

    flag: int
    text: str
    acts: list[FlagAct]


def opened(view: FlagView, wish: Mapping[str, str]) -> Naming | None:
    """The column that the address opens: ``?flag=3``, or ``?flag=3:日本 本音`` with words named;
    None if it opens none.
    """
    number, _colon, named = wish.get("flag", "").partition(":")
    if number not in map(str, range(1, FLAGS + 1)):
        return None
    flag, seat = int(number), _claimant(view.state, wish)
    back = _back(wish)
    if game.claim_fault(view.state, Claim(seat, flag)):
        acts = [back]
        if view.state.owners[flag - 1] is None:
            acts.append(
                FlagAct(_("宣言する"), "line", view.grammar.print(Claim(seat, flag)), "illegal")
            )
        return Naming(flag, _sides(view, flag), [], acts)
    words = _allowed(game.column(view.state, seat, flag), named.split())
    claim = Claim(seat, flag, words)
    word = sentences.word(game.judge(view.state, claim)) if _hints(view) else "legal"
    return Naming(
        flag,
        _sides(view, flag),
        _keys(view, seat, flag, words),
        [back, _claim_key(view, claim, word)],
    )


class ClaimStep(NamedTuple):
    """What the page has with it of all columns that can be claimed; see static/js/taps.js.

    ``of``: the values of the step. ``parts``: each flag with the cards of the claimant's column.
    ``words``: like those of ``Naming``, each
    with the values for which it can be named, "" for all.
    """

    of: str
    parts: str
    words: list[tuple[str, str, str]]
    acts: list[FlagAct]


def step_to(view: FlagView, wish: Mapping[str, str]) -> ClaimStep | None:
    """Any column that can be claimed; also if none can, so that the next page is no longer for it.

    None with hints: every choice of words has a verdict of its own, and is a page.
    """
    state, seat = view.state, _claimant(view.state, wish)
    if _hints(view):
        return None
    flags = [f for f in range(1, FLAGS + 1) if not game.claim_fault(state, Claim(seat, f))]
    cards = {flag: game.column(state, seat, flag) for flag in flags}

    def of(first: int) -> str:
        return _values(flag for flag in flags if cards[flag][first] != JOKER)

    words = [
        (
            "".join(f"{GAP}{i + 1}" for i in order),
            "" if of(order[0]) == _values(flags) else of(order[0]),
        )
        for count in (COLUMN - 1, COLUMN)
        for order in permutations(range(COLUMN), count)
    ]
    claim = view.grammar.print(Claim(seat, 1)).removesuffix("1")
    acts = [
        _back(wish),
        FlagAct(_("役だけで宣言"), "line", f"{claim}{GAP}", of="-"),
        FlagAct(_("「%(words)s」で宣言", words=f"{GAP}b"), "line", f"{claim}{GAP}{GAP}w", of="+"),
    ]
    finds = view.log.table.option("assist") == "auto" and view.state.words
    return ClaimStep(
        _values(flags),
        " ".join(f"{flag}{''.join(own)}" for flag, own in cards.items()),
        [] if finds else [(text, f"{GAP}:{text}", of) for text, of in words],
        acts,
    )


def _values(flags: Iterable[int]) -> str:
    """Each of ``flags`` opened, and with any words."""
    return " ".join(f"{flag} {flag}:*" for flag in flags)


def _back(wish: Mapping[str, str]) -> FlagAct:
    return FlagAct(_("戻る"), "seat", wish.get("seat", ""))


def _hints(view: FlagView) -> bool:
    return view.log.table.option("hints") == "on"


def _keys(
    view: FlagView, seat: Seat, flag: int, words: tuple[str, ...]
) -> list[tuple[str, str, bool]]:
    """The words that can be named, with the step to which each leads."""
    if view.log.table.option("assist") == "auto" and view.state.words:
        return []  # the app finds them
    return [
        (word, f"{flag}:{' '.join(_toggled(words, word))}".removesuffix(":"), word in words)
        for word in _orders(game.column(view.state, seat, flag))
    ]


def may(state: State, flag: int) -> bool:
    """Whether the seat that may claim now could claim ``flag``, whatever its cards are worth."""
    return game.claim_fault(state, Claim(game.claimant(state), flag)) is None


def tile(state: State, kanji: str) -> KanjiTile:
    """A card; without a value if nobody knows it."""
    if not state.words:
        return KanjiTile(kanji, 0 if kanji == JOKER else None)
    known = kanji == JOKER or kanji in state.words.deck.by_kanji
    return KanjiTile(kanji, state.words.value(kanji) if known else None)


def tiles(view: FlagView, seat: Seat, flag: int) -> list[KanjiTile]:
    """The cards of ``seat`` at ``flag``, as they came; in their best order once it is decided."""
    state = view.state
    shown = game.formation(state, seat, flag) if is_sorted(view, seat, flag) else None
    return [tile(state, card) for card in (shown or _Came(game.column(state, seat, flag))).order]


class _Came(NamedTuple):
    order: tuple[str, ...]


def is_sorted(view: FlagView, seat: Seat, flag: int) -> bool:
    """Whether full columns are shown in their best order: at decided flags, and with hints."""
    state = view.state
    open_ = state.owners[flag - 1] is None and not _hints(view)
    return not open_ and game.formation(state, seat, flag) is not None


def label(shown: Formation) -> str:
    """A formation as people say it, with its words."""
    kind = book(game.NAME).says(shown.kind.label, {}, language.current())
    return f"{kind} {_('・').join(shown.words)}".rstrip()


def _claimant(state: State, wish: Mapping[str, str]) -> Seat:
    """The seat that claims: the one that the address names, else the one that may."""
    named = wish.get("seat", "")
    return named if named in state.table.seats else game.claimant(state)


def _sides(view: FlagView, flag: int) -> list[OpenSide]:
    state, found = view.state, []
    for seat in reversed(view.header.seats):
        shown = game.formation(state, seat, flag) if is_sorted(view, seat, flag) else None
        owner = state.owners[flag - 1]
        told = f"{label(shown)} {_('%(n)s点', n=shown.primary)}" if shown else ""
        found.append(OpenSide(seat, tiles(view, seat, flag), told, owner not in (None, seat)))
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


def _claim_key(view: FlagView, claim: Claim, word: str) -> FlagAct:
    """The key that claims; ``word``: the verdict, as far as it may be seen."""
    if not claim.words:
        text = _("役だけで宣言")
    else:
        text = _("「%(words)s」で宣言", words=_("・").join(claim.words))
    return FlagAct(text, "line", view.grammar.print(claim), word)


def _taken_back(view: FlagView, claim: OpenClaim) -> str:
    """The line by which ``claim`` never happened: no word can be denied."""
    [seq] = (step.seq for step in steps(view.moment.step) if step.depth == claim.at)
    return view.grammar.print(Strike(seq))


def asked(view: FlagView) -> list[ClaimQuestion]:
    """The claims that the other seat may agree to, by their flags."""
    state, found = view.state, []
    for flag, claim in sorted(state.claims.items()):
        rival = game.other(state, claim.seat)
        values = {"seat": short(claim.seat), "n": flag, "other": short(rival)}
        if claim.words:
            text = _(
                "%(seat)sのフラッグ %(n)s「%(words)s」。%(other)sは認めますか",
                words=_("・").join(claim.words),
                **values,
            )
        else:
            text = _("%(seat)sのフラッグ %(n)s。%(other)sは認めますか", **values)
        acts = [FlagAct(_("認める"), "line", view.grammar.print(Grant(rival, flag)))]
        unknown = [word for word in claim.words if state.words and word not in state.words.words]
        for word in unknown:
            refused = view.grammar.print(Word(word, False))
            acts.append(FlagAct(_("「%(word)s」は認めない", word=word), "line", refused))
        if not unknown:
            acts.append(FlagAct(_("認めない"), "line", _taken_back(view, claim)))
        found.append(ClaimQuestion(flag, text, acts))
    return found
