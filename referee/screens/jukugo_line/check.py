"""Quick checks of 熟語ライン: two columns compared, a claim judged, a word looked up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.core.verdict import Facts, Illegal, Legal, Unprovable, Verdict
from referee.games import jukugo_line as game
from referee.games.jukugo_line import Claim, Side
from referee.jukugo import library
from referee.jukugo.decks import JOKER, SUITS
from referee.jukugo.equipment import Kit, equip
from referee.jukugo.formations import COLUMN
from referee.jukugo.words import STANDARD, TIERS, clean_form
from referee.screens import quick_check
from referee.screens.quick_check import Answer, Asked, Fault, Field, Part, Question, Setting
from referee.screens.wording import won
from referee.web.http.language import gettext as _
from referee.web.library import shelf

FORMATION_OPTIONS = ("same_pair_counts", "three_with_noma", "proper_nouns", "two_witnesses")


def _decks(asked: Asked) -> tuple[Setting, ...]:
    registered = tuple((deck.id, deck.name) for deck in shelf.decks())
    tiers = {"standard": _("標準"), "strict": _("厳格"), "liberal": _("寛大")}
    return (
        Setting("deck", _("デッキ"), ((library.OPEN, _("札見のデッキ")), *registered)),
        Setting("words", _("辞書"), tuple((tier, tiers[tier]) for tier in _tiers())),
    )


def _tiers() -> tuple[str, ...]:
    return (STANDARD, *(tier for tier in TIERS if tier != STANDARD))


def _kit(asked: Asked) -> Kit:
    return equip(asked.chosen, asked.table().option, shelf.shelf().deck)


def _cards(asked: Asked, key: str, title: str, most: int, hint: str, *, joker: bool) -> Field:
    """A field of cards, each of which lies on the table once."""
    deck = _kit(asked).deck
    assert deck is not None
    order = sorted(deck.cards, key=lambda card: (SUITS.index(card.suit), card.rank))
    kanji = tuple(card.kanji for card in order)
    worth = {card.kanji: card.value for card in order} | ({JOKER: 0} if joker else {})
    keys = (*kanji, JOKER) if joker else kanji
    return Field(key, title, keys, most, hint, frozenset(kanji), worth, joined=True)


# ---------------------------------------------------------------- two columns


def _pair(asked: Asked) -> tuple[Field, ...]:
    hint = _("3 枚。並べる順は自由。")
    return tuple(_cards(asked, seat, seat, COLUMN, hint, joker=True) for seat in asked.seats)


def _first(asked: Asked) -> tuple[Setting, ...]:
    choices = tuple((seat, seat) for seat in asked.seats)
    return (*_decks(asked), Setting("first", _("先に 3 枚そろえた人"), choices))


def _compared(asked: Asked) -> Answer:
    columns = _told(asked, *asked.seats)
    state = _lying(asked, columns, asked.chosen["first"])
    if any(len(cards) < COLUMN for cards in columns.values()):
        return ()
    mine, theirs = asked.seats
    verdict = game.judge(state, Claim(mine, 1))
    winner = mine if isinstance(verdict, Legal) else theirs
    facts = tuple(fact._replace(at=None) for fact in verdict.evidence)
    why = (*quick_check.says("jukugo_line", facts), *_read(asked, facts))
    return (Part(won((winner,)), verdict.clause, why),)


def _read(asked: Asked, facts: Facts) -> tuple[str, ...]:
    """How the words that ``facts`` name are read, as one sentence; none where no list has them."""
    listed = _kit(asked).words.listed
    assert listed is not None
    named = dict.fromkeys(word for fact in facts for word in _named(fact.values.get("words")))
    entries = [entry for word in named if (entry := listed.entry(word)) and entry.readings]
    if not entries:
        return ()
    words = [f"{entry.form} {_('・').join(entry.readings)}" for entry in entries]
    return (_("読み：%(words)s", words="　".join(words)),)


def _named(words: object) -> tuple[str, ...]:
    return words if isinstance(words, tuple) else ()


def _told(asked: Asked, *keys: str) -> dict[str, tuple[str, ...]]:
    """The cards of each field; ``Fault`` for those that can't lie on the table together."""
    deck = _kit(asked).deck
    assert deck is not None
    lying: set[str] = set()
    told = {}
    for key in keys:
        cards = tuple(asked.texts[key].split())
        for card in cards:
            if card != JOKER and card not in deck.by_kanji:
                raise Fault(key, _("「%(card)s」は、このデッキにありません。", card=card))
            if card in lying or cards.count(card) > 1:
                raise Fault(key, _("「%(card)s」が二枚あります。", card=card))
        lying.update(card for card in cards if card != JOKER)
        told[key] = cards
    return told


def _lying(asked: Asked, columns: dict[str, tuple[str, ...]], first: str) -> Any:
    """A state in which these columns lie at the first flag, and the first seat has placed."""
    for key, cards in columns.items():
        if len(cards) > COLUMN:
            raise Fault(key, _("一つの側に置けるのは 3 枚までです。"))
    sides = [
        Side(cards, int(seat != first) if len(cards) == COLUMN else None)
        for seat, cards in columns.items()
    ]
    start = game.setup(asked.table(_kit(asked)))
    return replace(
        start,
        turn=asked.seats[0],
        done=True,
        sides=((sides[0], sides[1]), *start.sides[1:]),
        laid=dict.fromkeys((card for side in sides for card in side.cards if card != JOKER), 0),
        jokers={seat: cards.count(JOKER) for seat, cards in columns.items()},
    )


# ---------------------------------------------------------------- a claim


def _claim(asked: Asked) -> tuple[Field, ...]:
    own = _("宣言する人の 3 枚。")
    open_ = _("0 枚から 2 枚。なければ空のまま。")
    gone = _("取られた旗の札も。々 は下の条件で。")
    deck = _kit(asked).deck
    assert deck is not None
    letters = (*(card.kanji for card in deck.cards), JOKER)
    return (
        _cards(asked, "own", _("自分の列"), COLUMN, own, joker=True),
        _cards(asked, "other", _("相手の列"), COLUMN - 1, open_, joker=True),
        _cards(asked, "gone", _("ほかの場札"), len(deck.cards), gone, joker=False),
        Field("word", _("言う熟語"), letters, COLUMN, _("言わなくても判定できます。"), joined=True),
    )


def _conditions(asked: Asked) -> tuple[Setting, ...]:
    joker = (("left", _("まだ置いていない")), ("placed", _("もう置いた")))
    shown = (("ask", _("まだ見せない")), ("show", _("相手がよいと言ったので見せる")))
    return (
        *_decks(asked),
        Setting("joker", _("相手のジョーカー"), joker),
        Setting("witness", _("反例"), shown),
    )


def _claimed(asked: Asked) -> Answer:
    told = _told(asked, "own", "other", "gone")
    if JOKER in told["gone"]:
        raise Fault("gone", _("々 を置いたかどうかは、下の条件で選びます。"))
    if len(told["other"]) == COLUMN:
        raise Fault("other", _("相手も 3 枚なら「どちらの列が強いか」でたずねてください。"))
    mine, theirs = asked.seats
    state = _lying(asked, {mine: told["own"], theirs: told["other"]}, mine)
    if len(told["own"]) < COLUMN:
        return ()
    placed = JOKER in told["other"] or asked.chosen["joker"] == "placed"
    state = replace(
        state,
        laid={**state.laid, **dict.fromkeys(told["gone"], 0)},
        jokers={**state.jokers, theirs: int(placed)},
    )
    verdict = game.judge(state, Claim(mine, 1, _words(asked)))
    hidden = isinstance(verdict, Illegal) and asked.chosen["witness"] == "ask"
    kept = tuple(fact for fact in verdict.evidence if not (hidden and fact.fact == "would_win"))
    part = quick_check.judged("jukugo_line", _title(verdict), replace(verdict, evidence=kept))
    if len(kept) < len(verdict.evidence):
        part = part._replace(why=(*part.why, _("相手が勝てる 3 枚が残っています。")))
    return (part._replace(why=(*part.why, *_read(asked, kept))),)


def _words(asked: Asked) -> tuple[str, ...]:
    text = "".join(asked.texts["word"].split())
    if not text:
        return ()
    form = clean_form(text)
    if not form:
        raise Fault("word", _("漢字二字か三字の語を打ってください。"))
    return (form,)


def _title(verdict: Verdict) -> str:
    match verdict:
        case Legal():
            return _("旗を取れる")
        case Unprovable():
            return _("二人が認めれば取れる")
        case _:
            return _("まだ取れない")


# ---------------------------------------------------------------- a word


def _letters(asked: Asked) -> tuple[Field, ...]:
    deck = _kit(asked).deck
    assert deck is not None
    worth = {card.kanji: card.value for card in deck.cards} | {JOKER: 0}
    hint = _("二字か三字。々 は二字目から。")
    return (Field("word", _("熟語"), tuple(worth), COLUMN, hint, worth=worth, joined=True),)


def _looked_up(asked: Asked) -> Answer:
    if len(asked.texts["word"].split()) < 2:
        return ()
    [form] = _words(asked)
    words = _kit(asked).words
    assert words.listed is not None
    entry = words.listed.entry(form)
    why = [_("・").join(entry.readings), entry.gloss] if entry else []
    counts = form in words
    if not counts:
        why.append(_("この条件では数えません。") if entry else _("辞書にありません。"))
        why.append(_("二人が認めれば使えます。"))
    title = _("「%(word)s」は熟語", word=form) if counts else _("「%(word)s」は使えない", word=form)
    mark = "legal" if counts else "illegal"
    return (Part(title, "words.2", tuple(filter(None, why)), (), mark),)


QUESTIONS = (
    Question(
        "columns",
        lambda: _("どちらの列が強いか"),
        game.SEATS,
        _pair,
        _compared,
        FORMATION_OPTIONS,
        _first,
    ),
    Question(
        "claim",
        lambda: _("旗を取れるか"),
        game.SEATS,
        _claim,
        _claimed,
        (*FORMATION_OPTIONS, "dispute"),
        _conditions,
    ),
    Question(
        "word",
        lambda: _("これは熟語か"),
        game.SEATS,
        _letters,
        _looked_up,
        ("proper_nouns", "two_witnesses"),
        _decks,
    ),
)
