"""Quick check of ペアーズ大富豪: may these cards be played on those?"""

from __future__ import annotations

from referee.core.situation import ImpossibleSituation
from referee.core.verdict import Illegal, Verdict
from referee.games import pairs_daifugo as game
from referee.games.pairs_daifugo import DECK, Lay
from referee.http.language import gettext as _
from referee.screens import quick_check
from referee.screens.quick_check import (
    CheckAnswers,
    CheckField,
    CheckInput,
    CheckSetting,
    QuickCheck,
)

# clauses by which such cards do not exist, or can't be played together
ABOUT_CARDS = ("deck.", "cards.")


def _fields(entered: CheckInput) -> tuple[CheckField, ...]:
    ranks = tuple(str(card) for card in DECK.cards)
    return (
        CheckField("lies", _("場に出ているカード"), ranks, hint=_("1枚ずつ。7*2は7が2枚。")),
        CheckField("lay", _("出すカード"), ranks, hint=_("場に何もないときは、ここだけ入力。")),
    )


def _settings(entered: CheckInput) -> tuple[CheckSetting, ...]:
    orders = (("usual", _("通常（1が最強）")), ("revolution", _("革命中（10が最強）")))
    passed = (("no", _("まだパスしていない")), ("yes", _("パス済み")))
    return (
        CheckSetting("order", _("そのカードが出る前の強さの順"), orders),
        CheckSetting("passed", _("出す人"), passed),
    )


def _verdict(entered: CheckInput, *, passed: bool) -> Verdict | None:
    """The verdict on the cards to be played; None without any."""
    lies, lay = entered.ranks("lies"), entered.ranks("lay")
    revolution = entered.chosen["order"] == "revolution"
    state = game.situation(entered.table(), lies, revolution=revolution, passed=passed)
    leader, follower = entered.seats[:2]
    return game.judge(state, Lay(follower if lies else leader, tuple(lay))) if lay else None


def _existing(entered: CheckInput) -> None:
    """Refuse impossible cards. Whether possible ones may follow is what the check answers."""
    verdict = _verdict(entered, passed=False)
    if isinstance(verdict, Illegal) and verdict.clause.startswith(ABOUT_CARDS):
        raise ImpossibleSituation("lay", verdict)


def _answer(entered: CheckInput) -> CheckAnswers:
    verdict = _verdict(entered, passed=entered.chosen["passed"] == "yes")
    if verdict is None:
        return ()
    title = _("出せません") if isinstance(verdict, Illegal) else _("出せます")
    return (quick_check.judged("pairs_daifugo", title, verdict),)


QUESTIONS = (
    QuickCheck(
        "follow",
        lambda: _("場のカードに、このカードを出せるか"),
        range(3, 4),
        _fields,
        quick_check.possible(_existing),
        _answer,
        ("pairs_back_in_revolution",),
        _settings,
    ),
)
