"""The help for players shows verdicts of this game: they are those that the referee gives."""

from __future__ import annotations

import pytest
from table_talk import recorded

from referee.rulings.report import report
from referee.web.site.player_help import HelpVerdict, texts


@pytest.mark.parametrize("shown", texts().verdicts, ids=lambda shown: shown.mark)
def test_each_example_gets_its_verdict(shown: HelpVerdict) -> None:
    laid = zip("ABC", (*shown.trick, shown.card), strict=True)
    plays = "\n".join(f"{seat} lay {card}" for seat, card in laid)
    record = f"referee: 1\ngame: fancy\nseats: A B C\n\ntable deal leader=A\n{plays}\n"
    assert report(recorded(record), "en")["entries"][-1]["verdict"] == shown.mark
