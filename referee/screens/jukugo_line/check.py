"""Quick checks of 熟語ライン: two columns compared, a claim judged, a word looked up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from referee.core.game import Table
from referee.core.situation import ImpossibleSituation
from referee.core.verdict import Facts, Illegal, Legal, Unprovable, Verdict
from referee.games import jukugo_line as game
from referee.games.jukugo_line import Claim, State
from referee.games.jukugo_line.evidence import MIGHT_WIN
from referee.http import shelf
from referee.http.language import gettext as _
from referee.http.language import pgettext
from referee.jukugo import library
from referee.jukugo.decks import JOKER, SUITS
from referee.jukugo.equipment import Kit, equip
from referee.jukugo.formations import COLUMN
from referee.jukugo.words import clean_form
from referee.screens import quick_check
from referee.screens.quick_check import (
    CheckAnswer,
    CheckAnswers,
    CheckFault,
    CheckField,
    CheckInput,
    CheckSetting,
    QuickCheck,
)
from referee.screens.wording import won

FORMATION_OPTIONS = ("same_pair_counts", "three_with_noma", "proper_nouns", "two_witnesses")


def _decks(entered: CheckInput) -> tuple[CheckSetting, ...]:
    registered = tuple((deck.id, deck.name) for deck in shelf.decks())
    # the usual one first
    tiers = {"standard": _("標準"), "strict": _("厳格"), "liberal": _("寛大")}
    return (
        CheckSetting(
            "deck", pgettext("choice", "デッキ"), ((library.OPEN, _("札見のデッキ")), *registered)
        ),
        CheckSetting("words", _("辞書"), tuple(tiers.items())),
    )


def _kit(entered: CheckInput) -> Kit:
    return equip(entered.chosen, entered.table().option, shelf.shelf().deck)


def _table(entered: CheckInput) -> Table:
    return entered.table(_kit(entered))


def _cards(
    entered: CheckInput, key: str, title: str, most: int, hint: str, *, joker: bool
) -> CheckField:
    """A field for cards of the deck, each of which exists once; with ``joker``, also for 々."""
    deck = _kit(entered).deck
    assert deck is not None
    order = sorted(deck.cards, key=lambda card: (SUITS.index(card.suit), card.rank))
    kanji = tuple(card.kanji for card in order)
    worth = {card.kanji: card.value for card in order} | ({JOKER: 0} if joker else {})
    keys = (*kanji, JOKER) if joker else kanji
    return CheckField(key, title, keys, most, hint, worth, joined=True)


def _fitting(
    state: Callable[[Table, CheckInput], State],
) -> Callable[[CheckInput, CheckField], tuple[str, ...]]:
    """``QuickCheck.offers`` with the keys for which ``state`` raises nothing."""

    def offers(entered: CheckInput, field: CheckField) -> tuple[str, ...]:
        return quick_check.possible(partial(state, _table(entered)))(entered, field)

    return offers


# ---------------------------------------------------------------- two columns


def _pair(entered: CheckInput) -> tuple[CheckField, ...]:
    hint = _("3枚。順番は自由。")
    return tuple(_cards(entered, seat, seat, COLUMN, hint, joker=True) for seat in entered.seats)


def _first(entered: CheckInput) -> tuple[CheckSetting, ...]:
    choices = tuple((seat, seat) for seat in entered.seats)
    return (*_decks(entered), CheckSetting("first", _("先に3枚そろえた人"), choices))


def _columns(table: Table, entered: CheckInput) -> State:
    """Both columns, completed in the order that was chosen."""
    first = entered.chosen["first"]
    order = sorted(entered.seats, key=lambda seat: seat != first)
    columns = {seat: entered.texts[seat].split() for seat in order}
    return game.situation(table, columns)


def _compared(entered: CheckInput) -> CheckAnswers:
    state = _columns(_table(entered), entered)
    if any(len(game.column(state, seat, 1)) < COLUMN for seat in entered.seats):
        return ()
    mine, theirs = entered.seats
    verdict = game.judge(state, Claim(mine, 1))
    winner = mine if isinstance(verdict, Legal) else theirs
    facts = tuple(fact._replace(at=None) for fact in verdict.evidence)
    why = (*quick_check.says("jukugo_line", facts), *_read(entered, facts))
    return (CheckAnswer(won((winner,)), verdict.clause, why),)


def _read(entered: CheckInput, facts: Facts) -> tuple[str, ...]:
    """The readings of the words in ``facts``, as one sentence; none if no list has them."""
    listed = _kit(entered).words.listed
    assert listed is not None
    named = dict.fromkeys(word for fact in facts for word in _named(fact.values.get("words")))
    entries = [entry for word in named if (entry := listed.entry(word)) and entry.readings]
    if not entries:
        return ()
    words = [f"{entry.form} {_('・').join(entry.readings)}" for entry in entries]
    return (_("読み：%(words)s", words=_("　").join(words)),)


def _named(words: object) -> tuple[str, ...]:
    return words if isinstance(words, tuple) else ()


# ---------------------------------------------------------------- a claim


def _claim(entered: CheckInput) -> tuple[CheckField, ...]:
    own = _("宣言する人の3枚。")
    open_ = _("0枚から2枚。なければ空のまま。")
    gone = _("取られたフラッグのカードも。「々」は下の条件で。")
    deck = _kit(entered).deck
    assert deck is not None
    letters = (*(card.kanji for card in deck.cards), JOKER)
    return (
        _cards(entered, "own", _("宣言する側"), COLUMN, own, joker=True),
        _cards(entered, "other", _("相手側"), COLUMN - 1, open_, joker=True),
        _cards(entered, "gone", _("ほかの場のカード"), len(deck.cards), gone, joker=False),
        CheckField(
            "word", _("宣言する熟語"), letters, COLUMN, _("言わなくても判定できます。"), joined=True
        ),
    )


def _conditions(entered: CheckInput) -> tuple[CheckSetting, ...]:
    joker = (("left", _("まだ置いていない")), ("placed", _("置いた")))
    shown = (("ask", _("まだ見せない")), ("show", _("相手の了承を得て見せる")))
    return (
        *_decks(entered),
        CheckSetting("joker", _("相手のジョーカー"), joker),
        CheckSetting("witness", _("反例"), shown),
    )


def _flags(table: Table, entered: CheckInput) -> State:
    """The columns at a flag, of which the opponent's is not full, and the cards at the others."""
    _spelled(entered)
    lies = {key: entered.texts[key].split() for key in ("own", "other", "gone")}
    if JOKER in lies["gone"]:
        raise CheckFault("gone", _("「々」を置いたかどうかは、下の条件で選びます。"))
    if len(lies["other"]) == COLUMN:
        raise CheckFault("other", _("相手も3枚なら「どちらの列が強いか」で判定できます。"))
    mine, theirs = entered.seats
    placed = entered.chosen["joker"] == "placed" and JOKER not in lies["other"]
    columns = {mine: lies["own"], theirs: lies["other"]}
    spent = (theirs,) if placed else ()
    try:
        return game.situation(table, columns, lies["gone"], spent)
    except ImpossibleSituation as fault:
        field = {mine: "own", theirs: "other"}.get(fault.field, fault.field)
        raise ImpossibleSituation(field, fault.verdict) from None


def _claimed(entered: CheckInput) -> CheckAnswers:
    state = _flags(_table(entered), entered)
    mine = entered.seats[0]
    if len(game.column(state, mine, 1)) < COLUMN or len(_typed(entered)) == 1:
        return ()
    verdict = game.judge(state, Claim(mine, 1, _words(entered)))
    hidden = isinstance(verdict, Illegal) and entered.chosen["witness"] == "ask"
    kept = tuple(fact for fact in verdict.evidence if not (hidden and fact.fact in MIGHT_WIN))
    part = quick_check.judged("jukugo_line", _title(verdict), replace(verdict, evidence=kept))
    if len(kept) < len(verdict.evidence):
        part = part._replace(why=(*part.why, _("相手が勝てる3枚が残っています。")))
    return (part._replace(why=(*part.why, *_read(entered, kept))),)


def _spelled(entered: CheckInput) -> None:
    """Refuse a word that begins with 々."""
    if entered.texts["word"].startswith(JOKER):
        raise CheckFault("word", _("漢字2字か3字の語を入力してください。"))


def _typed(entered: CheckInput) -> str:
    return "".join(entered.texts["word"].split())


def _words(entered: CheckInput) -> tuple[str, ...]:
    text = _typed(entered)
    if not text:
        return ()
    form = clean_form(text)
    if not form:
        raise CheckFault("word", _("漢字2字か3字の語を入力してください。"))
    return (form,)


def _title(verdict: Verdict) -> str:
    match verdict:
        case Legal():
            return _("フラッグを取れる")
        case Unprovable():
            return _("2人が認めれば取れる")
        case _:
            return _("まだ取れない")


# ---------------------------------------------------------------- a word


def _letters(entered: CheckInput) -> tuple[CheckField, ...]:
    deck = _kit(entered).deck
    assert deck is not None
    worth = {card.kanji: card.value for card in deck.cards} | {JOKER: 0}
    hint = _("2字か3字。「々」は2字目から。")
    return (CheckField("word", _("熟語"), tuple(worth), COLUMN, hint, worth=worth, joined=True),)


def _looked_up(entered: CheckInput) -> CheckAnswers:
    _spelled(entered)
    if len(entered.texts["word"].split()) < 2:
        return ()
    [form] = _words(entered)
    words = _kit(entered).words
    assert words.listed is not None
    entry = words.listed.entry(form)
    why = [_("・").join(entry.readings), entry.gloss] if entry else []
    counts = form in words
    if not counts:
        why.append(
            _("辞書にありますが、この条件では数えません。") if entry else _("辞書にありません。")
        )
        why.append(_("2人が認めれば使えます。"))
    title = _("「%(word)s」は熟語", word=form) if counts else _("「%(word)s」は使えない", word=form)
    mark = "legal" if counts else "illegal"
    return (CheckAnswer(title, "words.2", tuple(filter(None, why)), (), mark),)


QUESTIONS = (
    QuickCheck(
        "columns",
        lambda: _("どちらの列が強いか"),
        game.SEATS,
        _pair,
        _fitting(_columns),
        _compared,
        FORMATION_OPTIONS,
        _first,
    ),
    QuickCheck(
        "claim",
        lambda: _("フラッグを取れるか"),
        game.SEATS,
        _claim,
        _fitting(_flags),
        _claimed,
        (*FORMATION_OPTIONS, "dispute"),
        _conditions,
    ),
    QuickCheck(
        "word",
        lambda: _("これは熟語か"),
        game.SEATS,
        _letters,
        quick_check.possible(_spelled),
        _looked_up,
        ("proper_nouns", "two_witnesses"),
        _decks,
    ),
)
