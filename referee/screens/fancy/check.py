"""Quick check of Fancy: the points of one trick."""

from __future__ import annotations

from referee.games import fancy
from referee.screens import quick_check
from referee.screens.families.must_not_follow_check import laid, leads, so_far, trick
from referee.screens.quick_check import Answer, Asked, Part, Question
from referee.web.http.language import gettext as _


def _answer(asked: Asked) -> Answer:
    state = laid(asked)
    if state.last is None:
        return so_far(state)
    sheet = fancy.score(state)
    # the lowest card's line carries the clause of the lead
    lowest = next(line for line in sheet.lines if line.clause == "score.1")
    title = _("%(seat)s が最小", seat=lowest.seat)
    why = (leads(state),)
    return (Part(title, "lead.1", why, quick_check.columns("fancy", sheet, (lowest.seat,))),)


QUESTIONS = (
    Question(
        "trick",
        lambda: _("このトリックは何点"),
        fancy.SEATS,
        lambda asked: trick(10, asked),
        _answer,
    ),
)
