"""Quick check of ペアーズ大富豪: may this be laid on that?"""

from __future__ import annotations

from typing import Any

from referee.core.verdict import Illegal
from referee.games import pairs_daifugo as game
from referee.games.pairs_daifugo import DECK, Deal, Lay, Pass
from referee.screens import quick_check
from referee.screens.quick_check import Answer, Asked, Fault, Field, Question, Setting
from referee.web.http.language import gettext as _

SEATS = ("A", "B", "C")
LEADER, FOLLOWER = SEATS[:2]


def _fields(asked: Asked) -> tuple[Field, ...]:
    ranks = tuple(str(card) for card in DECK.cards)
    return (
        Field("lies", _("場に出ている札"), ranks, hint=_("一枚ずつ。7*2 は 7 が二枚。")),
        Field("lay", _("出したい札"), ranks, hint=_("何もない場に出すなら、ここだけ。")),
    )


def _settings(asked: Asked) -> tuple[Setting, ...]:
    orders = (("usual", _("ふだん（1 が最強）")), ("revolution", _("革命中（10 が最強）")))
    passed = (("no", _("まだパスしていない")), ("yes", _("もうパスした")))
    return (
        Setting("order", _("場の札が出る前の順"), orders),
        Setting("passed", _("出す人は"), passed),
    )


def _answer(asked: Asked) -> Answer:
    lies, lay = asked.ranks("lies"), asked.ranks("lay")
    if not lay:
        return ()
    state = _state(asked)
    passed = asked.chosen["passed"] == "yes"
    if lies:
        state = _after(state, Lay(LEADER, tuple(lies)), "lies")
        if passed:
            state = game.apply(state, Pass(FOLLOWER))
    elif passed:
        raise Fault("lies", _("パスしたのなら、場に札があるはずです。"))
    seat = FOLLOWER if lies else LEADER
    verdict = game.judge(state, Lay(seat, tuple(lay)))
    wrong = isinstance(verdict, Illegal)
    title = _("出せません") if wrong else _("出せます")
    return (quick_check.judged("pairs_daifugo", title, verdict),)


def _state(asked: Asked) -> Any:
    """A deal among three in which anybody may hold anything, so that only the cards matter."""
    state = game.apply(game.setup(asked.table()), Deal(LEADER))
    return state._replace(
        untold=(),
        pyramids={seat: {} for seat in SEATS},
        hands=dict.fromkeys(SEATS, len(DECK)),
        reversed=asked.chosen["order"] == "revolution",
    )


def _after(state: Any, play: Lay, key: str) -> Any:
    verdict = game.judge(state, play)
    if isinstance(verdict, Illegal):
        raise Fault(key, quick_check.line("pairs_daifugo", verdict.evidence))
    return game.apply(state, play)


QUESTIONS = (
    Question(
        "follow",
        lambda: _("これはそれに出せるか"),
        range(3, 4),
        _fields,
        _answer,
        ("pairs_back_in_revolution",),
        _settings,
    ),
)
