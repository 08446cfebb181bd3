"""An open column of 熟語ライン: its cards, the words that can be named, the claim.

All orders of the three cards are offered as words, whether they are words or not: the verdict comes
with the claim, unless the table has chosen hints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, permutations
from typing import NamedTuple, TypeAlias

from referee.core.corrections import Strike
from referee.core.record import quoted
from referee.core.steps import number_of
from referee.core.verdict import Seat, word_of
from referee.games import jukugo_line as game
from referee.games.jukugo_line import FLAGS, Claim, Grant, Play, State, Word
from referee.http import language
from referee.http.language import gettext as _
from referee.jukugo.decks import JOKER
from referee.jukugo.formations import COLUMN, Formation
from referee.ledger import View
from referee.rulings import book
from referee.screens.pad import GAP
from referee.screens.wording import short

FlagView: TypeAlias = View[State, Play]


class KanjiTile(NamedTuple):
    """A kanji card, which entry ``seq`` placed; ``value`` is None if the deck is not registered."""

    kanji: str
    value: int | None
    newest: bool = False
    seq: int = 0


class FlagAct(NamedTuple):
    """A key that is no card; ``name`` is "line" if it records, else the parameter of the next step.

    ``of``: the values of a step in advance for which it is shown; see static/js/taps.
    """

    text: str
    name: str
    value: str
    word: str = "legal"
    on: bool = False
    sign: str = ""
    of: str = ""


class OpenSide(NamedTuple):
    """One seat's cards at the open flag; ``worth``: their formation, if it may be shown."""

    seat: Seat
    tiles: list[KanjiTile]
    worth: str
    lost: bool


class Naming(NamedTuple):
    """An open column, and the keys that name its words."""

    flag: int
    sides: list[OpenSide]
    words: list[FlagAct]
    acts: list[FlagAct]


class ClaimQuestion(NamedTuple):
    """An open claim on ``flag``: the question to the other seat, and the keys that answer it."""

    flag: int
    text: str
    acts: list[FlagAct]


def opened(view: FlagView, params: Mapping[str, str]) -> Naming | None:
    """The column in the address (``?flag=3``, with words ``?flag=3:日本 本音``), or None."""
    number, _colon, named = params.get("flag", "").partition(":")
    if number not in map(str, range(1, FLAGS + 1)):
        return None
    flag, seat = int(number), _claimant(view.state, params)
    back = _back(params)
    if game.claim_fault(view.state, Claim(seat, flag)):
        acts = [back]
        if view.state.owners[flag - 1] is None:
            acts.append(
                FlagAct(_("宣言する"), "line", view.grammar.print(Claim(seat, flag)), "illegal")
            )
        return Naming(flag, _sides(view, flag), [], acts)
    own = game.column(view.state, seat, flag)
    claim = Claim(seat, flag, _allowed(own, named.split()))
    word = word_of(game.judge(view.state, claim)) if _hints(view) else "legal"
    return Naming(
        flag,
        _sides(view, flag),
        [] if _finds(view) else [_key(view, claim, way) for way in _ways(own)],
        [back, _claim_key(view, claim, word)],
    )


class ClaimStep(NamedTuple):
    """A step that the page has in advance for all columns that can be claimed.

    See static/js/taps. ``of``: the flags. ``parts``: each flag with the cards of the claimant.
    ``words``: as in ``Naming``, for any cards. ``seat``: the claimant as the record writes it. The
    lines of the keys have ``GAP`` and "s" in its place, because it would be most of their bytes.
    """

    seat: str
    of: str
    parts: str
    words: list[FlagAct]
    acts: list[FlagAct]


def step_to(view: FlagView, params: Mapping[str, str]) -> ClaimStep | None:
    """The step for all columns that can be claimed, with an empty ``of`` if there are none.

    It is sent even then, so that pages differ less from each other. None with hints: each choice of
    words then has its own verdict, and needs a page.
    """
    state, seat = view.state, _claimant(view.state, params)
    if _hints(view):
        return None
    flags = [f for f in range(1, FLAGS + 1) if not game.claim_fault(state, Claim(seat, f))]
    cards = {flag: game.column(state, seat, flag) for flag in flags}
    name = quoted(seat)
    line = view.grammar.print(Claim(seat, 1))
    claim = f"{GAP}s{line.removeprefix(name).removesuffix('1')}{GAP}"
    return ClaimStep(
        name,
        " ".join(map(str, flags)),
        " ".join(f"{flag}{''.join(own)}" for flag, own in cards.items()),
        [] if _finds(view) else list(_any_words(claim, cards)),
        [_back(params), FlagAct(_("役だけで宣言"), "line", claim)],
    )


def _any_words(claim: str, cards: Mapping[int, tuple[str, ...]]) -> Iterator[FlagAct]:
    """The keys for words of any cards."""
    for way in _ways(tuple(f"{GAP}{i + 1}" for i in range(COLUMN))):
        flags = [flag for flag in cards if _fits(way, cards[flag])]
        of = "" if len(flags) == len(cards) else " ".join(map(str, flags))
        text = _("・").join(way)
        yield FlagAct(text, "line", f"{claim} {' '.join(way)}", of=of)


def _fits(way: tuple[str, ...], cards: tuple[str, ...]) -> bool:
    """Whether no word of ``way``, which refers to cards by number, begins with 々."""
    return JOKER not in [cards[int(word[len(GAP)]) - 1] for word in way]


def _back(params: Mapping[str, str]) -> FlagAct:
    return FlagAct(_("戻る"), "seat", params.get("seat", ""))


def _hints(view: FlagView) -> bool:
    return view.log.table.option("hints") == "on"


def _finds(view: FlagView) -> bool:
    """Whether the app itself finds the words of a claim."""
    return view.log.table.option("assist") == "auto" and view.state.words is not None


def _key(view: FlagView, claim: Claim, way: tuple[str, ...]) -> FlagAct:
    """The key of ``way``: it claims. With hints it only names words."""
    text = _("・").join(way)
    if _hints(view):
        wanted = () if way == claim.words else way
        value = f"{claim.flag}:{' '.join(wanted)}".removesuffix(":")
        return FlagAct(text, "flag", value, on=not wanted)
    line = view.grammar.print(Claim(claim.seat, claim.flag, way))
    return FlagAct(text, "line", line)


def may(state: State, flag: int) -> bool:
    """Whether the seat that may claim now could claim ``flag``, whatever its cards are worth."""
    return game.claim_fault(state, Claim(game.claimant(state), flag)) is None


def tile(state: State, kanji: str) -> KanjiTile:
    """A card; without a value if the deck is not registered."""
    if not state.words:
        return KanjiTile(kanji, 0 if kanji == JOKER else None)
    known = kanji == JOKER or kanji in state.words.deck.by_kanji
    return KanjiTile(kanji, state.words.value(kanji) if known else None)


def tiles(view: FlagView, seat: Seat, flag: int) -> list[KanjiTile]:
    """The cards of ``seat`` at ``flag`` in playing order; in their best order if ``is_sorted``."""
    state = view.state
    shown = game.formation(state, seat, flag) if is_sorted(view, seat, flag) else None
    order = shown.order if shown else game.column(state, seat, flag)
    return [tile(state, card) for card in order]


def is_sorted(view: FlagView, seat: Seat, flag: int) -> bool:
    """Whether full columns are shown in their best order: at decided flags, and with hints."""
    state = view.state
    open_ = state.owners[flag - 1] is None and not _hints(view)
    return not open_ and game.formation(state, seat, flag) is not None


def label(shown: Formation) -> str:
    """A formation as text, with its words."""
    kind = book(game.NAME).says(shown.kind.label, {}, language.current())
    return f"{kind} {_('・').join(shown.words)}".rstrip()


def _claimant(state: State, params: Mapping[str, str]) -> Seat:
    """The seat that claims: the one in the address, else the one that may claim."""
    named = params.get("seat", "")
    return named if named in state.table.seats else game.claimant(state)


def _sides(view: FlagView, flag: int) -> list[OpenSide]:
    state, found = view.state, []
    for seat in reversed(view.header.seats):
        shown = game.formation(state, seat, flag) if is_sorted(view, seat, flag) else None
        owner = state.owners[flag - 1]
        worth = f"{label(shown)} {_('%(n)s点', n=shown.primary)}" if shown else ""
        found.append(OpenSide(seat, tiles(view, seat, flag), worth, owner not in (None, seat)))
    return found


def _ways(cards: tuple[str, ...]) -> list[tuple[str, ...]]:
    """All ways to name words of ``cards``: one of three kanji, one of two, two of two.

    Two words that share the middle card are in its order. No word begins with 々.
    """
    twos = [a + b for a, b in permutations(cards, COLUMN - 1)]
    chains = [(a + b, b + c) for a, b, c in permutations(cards)]
    others = [pair for pair in combinations(twos, 2) if not {pair, pair[::-1]} & set(chains)]
    said: list[tuple[str, ...]] = [(a + b + c,) for a, b, c in permutations(cards)]
    said += [*((word,) for word in twos), *chains, *others]
    return [way for way in said if not any(word.startswith(JOKER) for word in way)]


def _allowed(cards: tuple[str, ...], named: list[str]) -> tuple[str, ...]:
    """The words in an address, if they can be named."""
    words = tuple(named)
    return words if words in _ways(cards) else ()


def _claim_key(view: FlagView, claim: Claim, word: str) -> FlagAct:
    """The key that claims; ``word``: the verdict, as far as it may be seen."""
    words = _("・").join(claim.words)
    text = _("「%(words)s」で宣言", words=words) if words else _("役だけで宣言")
    return FlagAct(text, "line", view.grammar.print(claim), word)


def asked(view: FlagView) -> list[ClaimQuestion]:
    """The open claims to which the other seat may agree, by flag."""
    state, found = view.state, []
    for flag, claim in sorted(state.claims.items()):
        rival = game.other(state, claim.seat)
        values = {"seat": short(claim.seat), "n": flag, "other": short(rival)}
        if claim.words:
            text = _(
                "%(seat)sがフラッグ%(n)sを「%(words)s」で宣言。%(other)sは了承しますか",
                words=_("・").join(claim.words),
                **values,
            )
        else:
            text = _("%(seat)sがフラッグ%(n)sを宣言。%(other)sは了承しますか", **values)
        acts = [FlagAct(_("了承する"), "line", view.grammar.print(Grant(rival, flag)))]
        unknown = [word for word in claim.words if state.words and word not in state.words]
        for word in unknown:
            refused = view.grammar.print(Word(word, False))
            acts.append(FlagAct(_("「%(word)s」は認めない", word=word), "line", refused))
        if not unknown:
            taken_back = Strike(number_of(view.moment.step, claim.at))
            acts.append(FlagAct(_("了承しない"), "line", view.grammar.print(taken_back)))
        found.append(ClaimQuestion(flag, text, acts))
    return found
