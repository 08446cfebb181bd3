"""The house rules of a score pad, and which of them exclude each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.core.game import Option, Options
from referee.core.record import Unreadable
from referee.core.verdict import Seat
from referee.core.written import Points, points_of, points_text

NONE = "none"
MOST_ROUNDS = 999


def _number(text: str) -> str:
    return points_text(points_of(text))


def _rounds(text: str) -> str:
    points = points_of(text)
    if not isinstance(points, int) or text != str(points) or not 1 <= points <= MOST_ROUNDS:
        raise ValueError(text)
    return text


OPTIONS: Options = {
    "wins": Option(("most", "least", "places", "together")),
    "start": Option(("0",), number=_number),
    "target": Option((NONE,), number=_number),
    "rounds": Option((NONE,), number=_rounds),
    "sum": Option((NONE,), number=_number),
    "teams": Option((NONE, "opposite", "alternate")),
}

LEFT_OUT: Mapping[str, tuple[str, ...]] = {
    "places": ("start", "target", "rounds", "sum"),
    "together": ("start", "target", "rounds", "sum", "teams"),
}
"""The options that a record must leave out, by the value of ``wins``."""


def number(value: str) -> Points | None:
    """The number that an option's value is; None for ``none``."""
    return None if value == NONE else points_of(value)


def fits(seats: Sequence[Seat], chosen: Mapping[str, str]) -> None:
    """Raise ``Unreadable`` if these seats and chosen house rules make no table."""
    wins = chosen.get("wins", "most")
    for key in chosen:
        if key in LEFT_OUT.get(wins, ()):
            raise Unreadable("read_option_left_out", key=key, wins=wins)
        if key == "target" and chosen[key] == chosen.get("start", "0"):
            raise Unreadable("read_target_is_start", key=key, value=chosen[key])
    if chosen.get("teams", NONE) != NONE and (len(seats) < 4 or len(seats) % 2):
        raise Unreadable("read_team_seats", key="seats", count=len(seats))
