"""Quick checks of Trumps: score piles, and the places of a round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.core.cards import Deck
from referee.core.draws import Draws
from referee.core.moves import Drew
from referee.core.verdict import Illegal, Seat
from referee.games import trumps
from referee.games.trumps import Cover, Deal, Lay, Step
from referee.screens import quick_check
from referee.screens.quick_check import Answer, Asked, Column, Fault, Field, Part, Question
from referee.screens.wording import won
from referee.web.http.language import gettext as _

DOWN = "X"


def _ranks(asked: Asked) -> tuple[str, ...]:
    return tuple(map(str, range(1, trumps.TOP[len(asked.seats)] + 1)))


def _piles(asked: Asked) -> tuple[Field, ...]:
    hint = _("得点札。9*5 は 9 が五枚。")
    return tuple(Field(seat, seat, _ranks(asked), hint=hint) for seat in asked.seats)


def _score(asked: Asked) -> Answer:
    if not any(asked.texts.values()):
        return ()
    told = {seat: asked.texts[seat] for seat in asked.seats}
    sheet, ended = quick_check.tallied(asked, told)
    assert ended is not None  # ties are shared here
    why = quick_check.says("trumps", ended.evidence)
    parts = quick_check.columns("trumps", sheet, ended.winners)
    return (Part(won(ended.winners), ended.clause, why, parts),)


def _plays(asked: Asked) -> tuple[Field, ...]:
    hint = _("シングルかペア。X は裏向き。%(seat)s から。", seat=asked.seats[0])
    keys = _ranks(asked)
    return tuple(
        Field(seat, seat, (*keys, DOWN) if i else keys, 2, hint)
        for i, seat in enumerate(asked.seats)
    )


def _places(asked: Asked) -> Answer:
    if not all(asked.texts[seat] for seat in asked.seats):
        return ()
    # with the covered card removed its number need not be told; the places are the same
    state: Any = trumps.apply(trumps.setup(asked.table(facedown_to_field="remove")), Deal())
    plays = [_play(asked, seat) for seat in asked.seats]
    state = state._replace(
        step=Step.PLAY,
        starter=asked.seats[0],
        contest=(),
        due=asked.seats,
        round=1,
        hands=_hands(state.deck, plays),
    )
    for seat, play in zip(asked.seats, plays, strict=True):
        verdict = trumps.judge(state, play)
        if isinstance(verdict, Illegal):
            why = quick_check.line("trumps", verdict.evidence)
            raise Fault(seat, f"{why} ({verdict.clause})")
        state = trumps.apply(state, play)
    order = state.ranking
    parts = tuple(
        Column(_("%(n)s 位 %(seat)s", n=place, seat=seat), (), asked.texts[seat], place == 1)
        for place, seat in enumerate(order, 1)
    )
    title = _("%(order)s の順", order=" → ".join(order))
    return (Part(title, "rank.1", (), parts),)


def _hands(deck: Deck, plays: Sequence[Lay | Cover]) -> Draws:
    """Hands of what is laid and no more: a covered card may be somebody's last."""
    hands = Draws.dealt(deck, [play.seat for play in plays], 1)
    for play in plays:
        if isinstance(play, Lay) and len(play.ranks) > 1:
            hands = hands.add(Drew(play.seat, 1))
    return hands


def _play(asked: Asked, seat: Seat) -> Lay | Cover:
    if asked.texts[seat] == DOWN:
        return Cover(seat)
    return Lay(seat, tuple(asked.ranks(seat)))


QUESTIONS = (
    Question("piles", lambda: _("得点札は何点"), trumps.SEATS, _piles, _score, ("tie_chain",)),
    Question("places", lambda: _("出した札の順位"), trumps.SEATS, _plays, _places),
)
