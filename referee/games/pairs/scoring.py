"""The points of the rounds, and who has lost."""

from __future__ import annotations

from referee.core.game import Line, ScoreSheet
from referee.core.verdict import Evidence, Outcome
from referee.games.pairs.state import Score, State


def score(state: State) -> ScoreSheet:
    return ScoreSheet(tuple(map(_line, state.scores)), state.totals, fewest=True)


def _line(score: Score) -> Line:
    values = {"seat": score.seat, "rank": score.rank}
    if score.folded:
        fact = Evidence("folded", {**values, "source": score.source}, score.at)
        return Line(score.seat, score.rank, "score.2", (fact,), score.deal, None)
    fact = Evidence("paired", values, score.at)
    return Line(score.seat, score.rank, "score.1", (fact,), score.deal, None)


def outcome(state: State) -> Outcome | None:
    return state.ended
