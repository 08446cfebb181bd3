"""Formations as facts of verdicts and as JSON."""

from __future__ import annotations

from referee.core.verdict import Facts, Seat, Term, evidence
from referee.jukugo.formations import Formation

PLAIN = {
    "shows": "shows_plain",
    "shows_if": "shows_if_plain",
    "best_left": "best_left_plain",
    "equal_left": "equal_left_plain",
    "would_win": "would_win_plain",
}
"""The facts about formations whose words are not named."""


MIGHT_WIN = ("would_win", PLAIN["would_win"])
"""The facts that show cards with which a claim could still be lost."""


def formed(fact: str, seat: Seat, formation: Formation, at: int | None = None) -> Facts:
    """The fact that ``seat`` has a formation, or could still form it.

    A formation without words, or whose word consists of its three cards, has a sentence without
    words.
    """
    cards = "".join(formation.order)
    named = formation.words and formation.words != (cards,)
    return evidence(
        fact if named else PLAIN[fact],
        at,
        seat=seat,
        cards=cards,
        formation=Term(formation.kind.label),
        words=formation.words,
        sum=formation.primary,
    )


def falls_short(seat: Seat, best: Formation, claimed: Formation) -> Facts:
    """Why the best formation that ``seat`` can still make does not win against ``claimed``."""
    return formed("equal_left" if best.strength == claimed.strength else "best_left", seat, best)


def wins(seat: Seat, stronger: Formation, weaker: Formation) -> Facts:
    """Why the first formation, that of ``seat``, is stronger than the other one."""
    kind = Term(stronger.kind.label)
    if stronger.kind != weaker.kind:
        return evidence("wins_by_kind", seat=seat, formation=kind, other=Term(weaker.kind.label))
    even = stronger.primary == weaker.primary
    return evidence("wins_by_third" if even else "wins_by_points", seat=seat, formation=kind)


def as_json(formation: Formation) -> dict[str, object]:
    """A formation as JSON data."""
    return {
        "name": formation.kind.label,
        "primary": formation.primary,
        "secondary": formation.secondary,
        "words": list(formation.words),
    }
