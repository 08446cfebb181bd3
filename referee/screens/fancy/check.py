"""Quick check of Fancy: the points of one trick."""

from __future__ import annotations

from referee.games import fancy
from referee.http.language import gettext as _
from referee.screens import quick_check
from referee.screens.families.must_not_follow_check import leads, lying, next_ranks, so_far, trick
from referee.screens.quick_check import CheckAnswer, CheckAnswers, CheckInput, QuickCheck


def _answer(entered: CheckInput) -> CheckAnswers:
    state = lying(fancy.situation, entered)
    if state.last is None:
        return so_far(entered, state)
    sheet = fancy.score(state)
    lowest = next(line for line in sheet.lines if line.kind == fancy.LOWEST)
    title = _("%(seat)sが最小", seat=lowest.seat)
    columns = quick_check.columns("fancy", sheet, ())
    return (CheckAnswer(title, "lead.1", (leads(state),), columns),)


QUESTIONS = (
    QuickCheck(
        "trick",
        lambda: _("このトリックは何点"),
        fancy.SEATS,
        lambda entered: trick(len(fancy.DECK.cards), entered),
        next_ranks(fancy.situation),
        _answer,
    ),
)
