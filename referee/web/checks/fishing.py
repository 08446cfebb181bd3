"""Quick checks of Three Kings: which sets there are, and the totals by all three methods."""

from __future__ import annotations

from collections import Counter
from typing import Any

from referee.core.draws import Draws
from referee.core.moves import Turned
from referee.games import three_kings as game
from referee.games.three_kings import KING, NUMBERS, VALUE, Capture, Deal, Discard, King
from referee.web.checks import asking
from referee.web.checks.asking import Answer, Asked, Fault, Field, Part, Question, Setting
from referee.web.lang import gettext as _

FACES = (*NUMBERS, KING)
SEATS = range(2, 7)  # more people than that ask with a table
METHODS = ("1", "2", "3")
NOBODY = "-"
TABLEAU = 12


def _hand_and_tableau(asked: Asked) -> tuple[Field, ...]:
    return (
        Field("hand", _("手札の一枚"), FACES, 1),
        Field("tableau", _("場札"), FACES, TABLEAU),
    )


def _sets(asked: Asked) -> Answer:
    hand, tableau = asked.faces("hand"), asked.faces("tableau")
    if len(hand) > 1:
        raise Fault("hand", _("手札から出すのは一枚です。"))
    if len(tableau) > TABLEAU:
        raise Fault("tableau", _("札が多すぎます。%(most)s 枚まで読めます。", most=TABLEAU))
    _count("tableau", asked, [*hand, *tableau])
    if not hand or not tableau:
        return ()
    [rank] = hand
    seat = asked.seats[0]
    state: Any = game.setup(asked.table())
    state = game.apply(state, Deal(asked.seats[-1], tuple(tableau)))
    # towards the end of a deal a hand is small: two cards, one of them just drawn
    hands = Draws.dealt(state.deck, asked.seats, 1).add(Turned(tuple(tableau), 0))
    state = state._replace(hands=hands, stock=1)
    if rank == KING:
        plays: list[Any] = [King(seat)]
    else:
        plays = [Capture(seat, rank, pair) for pair in game.sets_with(state.tableau, rank)]
    plays.append(Discard(seat, rank))
    return tuple(
        asking.judged("three_kings", _title(play), game.judge(state, play)) for play in plays
    )


def _title(play: Any) -> str:
    match play:
        case Capture():
            return _("%(rank)s で %(pair)s を取る", rank=play.rank, pair=_("と").join(play.pair))
        case King():
            return _("場のキングを取る")
        case _:
            return _("%(rank)s を捨てる", rank=play.rank)


def _count(key: str, asked: Asked, faces: list[str]) -> None:
    deck = game.deck_for(len(asked.seats))
    for face, count in Counter(faces).items():
        if count > deck.copies[deck.place[face]]:
            raise asking.too_many(key, face)


def _piles(asked: Asked) -> tuple[Field, ...]:
    hint = _("取ったセットを三枚ずつ。4+8=Q とも書けます。")
    return tuple(Field(seat, seat, NUMBERS, hint=hint) for seat in asked.seats)


def _holder(asked: Asked) -> tuple[Setting, ...]:
    seats = tuple((seat, seat) for seat in asked.seats)
    return (Setting("declarer", _("キング三枚を見せた人"), ((NOBODY, _("なし")), *seats)),)


def _totals(asked: Asked) -> Answer:
    told = {}
    for seat in asked.seats:
        text = asked.texts[seat]
        told[seat] = text if "+" in text or "=" in text else _threes(seat, asked)
    if not any(told.values()):
        return ()
    declarer = asked.chosen["declarer"]
    if declarer != NOBODY:
        told["declarer"] = declarer
    return tuple(_by(method, asked, told) for method in METHODS)


def _threes(seat: str, asked: Asked) -> str:
    """Tapped cards, three a set, in the form of a tally sheet; a set begun is left out."""
    faces = asked.faces(seat)
    if KING in faces:
        raise Fault(seat, _("キングはセットに入りません。"))
    sets = [sorted(faces[i : i + 3], key=VALUE.__getitem__) for i in range(0, len(faces), 3)]
    return " ".join(f"{low}+{middle}={high}" for low, middle, high in filter(_full, sets))


def _full(cards: list[str]) -> bool:
    return len(cards) == 3


def _by(method: str, asked: Asked, told: dict[str, str]) -> Part:
    sheet, ended = asking.tallied(asked, told, method=method)
    assert ended is not None  # ties are shared here
    title = {"1": _("決めかた 1"), "2": _("決めかた 2"), "3": _("決めかた 3")}[method]
    title = _("%(method)s：%(winners)s", method=title, winners=asking.winners(ended.winners))
    why = asking.says("three_kings", ended.evidence)
    parts = () if method == "1" else asking.columns("three_kings", sheet, ended.winners)
    return Part(title, ended.clause, why, parts)


QUESTIONS = (
    Question(
        "sets",
        lambda: _("どのセットが取れるか"),
        SEATS,
        _hand_and_tableau,
        _sets,
        ("set_compulsory",),
    ),
    Question("totals", lambda: _("三つの決めかたで何点"), SEATS, _piles, _totals, (), _holder),
)
