"""The points of the rounds, and the loser."""

from __future__ import annotations

from referee.core.game import Line, ScoreSheet
from referee.core.verdict import Evidence, Outcome
from referee.games.pairs.state import Score, State


def score(state: State) -> ScoreSheet:
    return ScoreSheet(tuple(map(_line, state.scores)), state.totals, fewest=True)


def _line(score: Score) -> Line:
    seat, rank = score.seat, score.rank
    if score.by_sheet:
        kept = Evidence("kept", {"seat": seat, "rank": rank}, score.at)
        return Line(seat, rank, "score.3", (kept,), score.deal, None)
    if score.folded:
        values = {"seat": seat, "rank": rank, "source": score.source}
        fact = Evidence("folded" if score.source != seat else "folded_own", values, score.at)
        return Line(seat, rank, "score.2", (fact,), score.deal, None)
    fact = Evidence("paired", {"seat": seat, "rank": rank}, score.at)
    return Line(seat, rank, "score.1", (fact,), score.deal, None)


def outcome(state: State) -> Outcome | None:
    return state.ended
