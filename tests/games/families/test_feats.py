"""What the history remembers of a match of tricks."""

from __future__ import annotations

from referee.core.game import Feat, Line, ScoreSheet
from referee.games.families import feats


def test_each_line_of_a_trick_is_a_feat_and_no_other() -> None:
    lines = (
        Line("A", 3, "score.1", (), 1, 2),
        Line("B", 9, "score.2", (), 1, None),
        Line("B", 5, "score.1", (), 2, 1),
    )
    found = list(feats.tricks(ScoreSheet(lines, {"A": 3, "B": 14})))
    assert found == [Feat("A", "trick", "1.2", 3), Feat("B", "trick", "2.1", 5)]
