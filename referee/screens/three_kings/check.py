"""Quick checks of Three Kings: which sets there are, and the totals by all three methods."""

from __future__ import annotations

from collections import Counter
from typing import Any

from referee.core.draws import Draws
from referee.core.moves import Turned
from referee.core.verdict import Illegal, Lacks, Legal, Unprovable, Verdict
from referee.games import three_kings as game
from referee.games.three_kings import KING, NUMBERS, VALUE, Capture, Deal, Discard, King
from referee.screens import quick_check
from referee.screens.quick_check import Answer, Asked, Fault, Field, Part, Question, Setting
from referee.screens.wording import won
from referee.web.http.language import gettext as _

FACES = (*NUMBERS, KING)
SEATS = range(2, 7)  # more people than that ask with a table
METHODS = ("1", "2", "3")
NOBODY = "-"
THREE = "three-"  # before a seat: whether it holds three kings
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
    state = _holding(asked, tableau, 2)
    if rank == KING:
        plays: list[Any] = [King(seat)]
    else:
        plays = [Capture(seat, rank, pair) for pair in game.sets_with(state.tableau, rank)]
    judged = [(play, game.judge(state, play)) for play in plays]
    discard = Discard(seat, rank)
    judged.append((discard, _discarding(asked, tableau, discard)))
    return tuple(
        quick_check.judged("three_kings", _title(play), verdict) for play, verdict in judged
    )


def _holding(asked: Asked, tableau: list[str], cards: int) -> Any:
    """The seat in question is about to act and holds ``cards``; nothing is left to draw."""
    state: Any = game.setup(asked.table())
    state = game.apply(state, Deal(asked.seats[-1], tuple(tableau)))
    hands = Draws.dealt(state.deck, asked.seats, cards).add(Turned(tuple(tableau), 0))
    return state._replace(hands=hands, stock=0)


def _discarding(asked: Asked, tableau: list[str], discard: Discard) -> Verdict:
    """Nobody has told how many cards the hand has: one with a single card is accused of nothing
    that only other cards could make true, and a larger one has to say that it can make no set."""
    alone = game.judge(_holding(asked, tableau, 1), discard)
    among = game.judge(_holding(asked, tableau, 2), discard)
    if isinstance(alone, Illegal) or isinstance(among, Legal):
        return alone if isinstance(alone, Illegal) else among
    takers = tuple(face for face in NUMBERS if game.sets_with(tuple(tableau), face))
    return Unprovable(among.clause, Lacks(discard.seat, takers))


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
            raise quick_check.too_many(key, face)


def _piles(asked: Asked) -> tuple[Field, ...]:
    hint = _("取ったセットを三枚ずつ。4+8=Q とも書けます。")
    return tuple(Field(seat, seat, NUMBERS, hint=hint) for seat in asked.seats)


def _holder(asked: Asked) -> tuple[Setting, ...]:
    seats = tuple((seat, seat) for seat in asked.seats)
    return (Setting("declarer", _("キングを 3 枚見せた人"), ((NOBODY, _("なし")), *seats)),)


def _totals(asked: Asked) -> Answer:
    told = {seat: _sets_told(seat, asked) for seat in asked.seats}
    if not any(told.values()):
        return ()
    declarer = asked.chosen["declarer"]
    if declarer != NOBODY:
        told["declarer"] = declarer
    return tuple(_by(method, asked, told) for method in METHODS)


def _sets_told(seat: str, asked: Asked) -> str:
    text = asked.texts[seat]
    return text if "+" in text or "=" in text else _threes(seat, asked)


def _threes(seat: str, asked: Asked) -> str:
    """Tapped cards, three a set, in the form of a tally sheet; a set begun is left out."""
    faces = asked.faces(seat)
    if KING in faces:
        raise Fault(seat, _("キングはセットに入りません。"))
    sets = [sorted(faces[i : i + 3], key=VALUE.__getitem__) for i in range(0, len(faces), 3)]
    return " ".join(f"{low}+{middle}={high}" for low, middle, high in filter(_full, sets))


def _full(cards: list[str]) -> bool:
    return len(cards) == 3


def _kings(asked: Asked) -> tuple[Setting, ...]:
    few, many = ("no", _("2 枚まで")), ("yes", _("3 枚から"))
    return tuple(
        Setting(f"{THREE}{seat}", _("%(seat)s のキング", seat=seat), (few, many))
        for seat in asked.seats
    )


def _used_up(asked: Asked) -> Answer:
    told = {seat: _sets_told(seat, asked) for seat in asked.seats}
    if not any(told.values()):
        return ()
    holders = [seat for seat in asked.seats if asked.chosen[THREE + seat] == "yes"]
    if holders:
        told["declarer"] = " ".join(holders)
    try:
        return tuple(_by(method, asked, told, end="all_cards") for method in METHODS[1:])
    except Fault as fault:
        if fault.key != "declarer":
            raise
        raise Fault(THREE + holders[-1], str(fault)) from None


def _by(method: str, asked: Asked, told: dict[str, str], **options: str) -> Part:
    sheet, ended = quick_check.tallied(asked, told, method=method, **options)
    assert ended is not None  # ties are shared here
    title = {"1": _("決めかた 1"), "2": _("決めかた 2"), "3": _("決めかた 3")}[method]
    title = _("%(method)s：%(winners)s", method=title, winners=won(ended.winners))
    why = quick_check.says("three_kings", ended.evidence)
    parts = () if method == "1" else quick_check.columns("three_kings", sheet, ended.winners)
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
    Question(
        "used_up",
        lambda: _("札を使いきって何点"),
        SEATS,
        _piles,
        _used_up,
        ("all_cards_bonus",),
        _kings,
    ),
)
