"""How good a seating is: exact numbers, the first one counts most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from referee.tonight.call import Mode, Pair, SeatedRound, SeatingCall, Wish


class Measure(NamedTuple):
    """What a seating costs; the lexicographically least is wanted."""

    wishes: int
    sit_outs: int
    low: Fraction
    repeats: int
    spread: Fraction
    season: int

    def shown(self, mode: Mode) -> dict[str, int | Fraction]:
        """The measures that a mode has, by their names."""
        if mode == Mode.ROUND_ROBIN:
            return {}
        hidden = () if mode == Mode.STANDING else ("low", "spread")
        return {name: value for name, value in self._asdict().items() if name not in hidden}


def measure(call: SeatingCall, rounds: Sequence[SeatedRound]) -> Measure:
    """The measures of a seating; points count in the mode ``standing`` alone."""
    now = meetings(rounds)
    all_met = met(call, now)
    idle = Counter(person for each in rounds for person in each.sits_out)
    counts = [call.sat_out.get(person, 0) + idle[person] for person in range(len(call.people))]
    ranked = call.mode == Mode.STANDING
    return Measure(
        wishes=len(broken(call, rounds)),
        sit_outs=sum(count**2 for count in counts),
        low=sum((points(call, each) * n for each, n in idle.items() if ranked), Fraction(0)),
        repeats=sum(count * (count - 1) // 2 for count in all_met.values()),
        spread=sum((apart(call, pair) * n for pair, n in now.items() if ranked), Fraction(0)),
        season=sum(count * call.season.get(pair, 0) for pair, count in now.items()),
    )


def meetings(rounds: Sequence[SeatedRound]) -> Counter[Pair]:
    """How often every two people meet in these rounds."""
    return Counter(pair for each in rounds for pair in each.meetings())


def met(call: SeatingCall, now: Mapping[Pair, int]) -> Counter[Pair]:
    """How often every two people have met tonight, with the meetings ``now``."""
    return Counter(call.met) + Counter(now)


def points(call: SeatingCall, person: int) -> Fraction:
    """A person's points."""
    return call.points.get(person, Fraction(0))


def apart(call: SeatingCall, pair: Pair) -> Fraction:
    """The squared difference of the points of two people."""
    return (points(call, pair[0]) - points(call, pair[1])) ** 2


def broken(call: SeatingCall, rounds: Sequence[SeatedRound]) -> list[tuple[int, Wish]]:
    """The wishes that do not hold, with the number of the round."""
    return [
        (number, wish)
        for number, each in enumerate(rounds)
        for places in [_places(each)]
        for wish in call.wishes
        if not holds(wish, *(places.get(person) for person in wish.people))
    ]


def holds(wish: Wish, one: int | None, other: int | None) -> bool:
    """Whether a wish holds if the two are at these tables: -1 sits out, None is away."""
    if one is None or other is None:
        return True
    return one == other if wish.together else one != other or one < 0


def _places(seated: SeatedRound) -> dict[int, int]:
    at = {person: at for at, people in enumerate(seated.tables) for person in people}
    return at | dict.fromkeys(seated.sits_out, -1)
