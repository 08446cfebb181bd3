"""How long a proposal for seats takes, and what it is worth beside a search that goes further."""

from __future__ import annotations

from bench.timing import seconds
from referee.tonight.call import Limits, SeatingCall
from referee.tonight.measure import measure
from referee.tonight.seating import Effort, seating

CALLS = [(12, 3), (20, 4), (24, 6), (40, 5), (64, 1), (64, 6)]
"""People and rounds, at tables of three to five."""
LIMITS = {(64, 1): 2.0, (64, 6): 20.0}
"""Seconds: for one round even on a small computer, four times slower than most."""
LONG = Effort(restarts=12, fewest=20_000, each=1_200, most=500_000)


def run() -> None:
    """Print the time of each call, and how often people meet again, beside a longer search."""
    print("\nA proposal for seats (people, rounds)")
    for (people, rounds), asked in ((size, _call(*size)) for size in CALLS):
        spent = seconds(lambda asked=asked: seating(asked))  # type: ignore[misc]
        found, longer = (measure(asked, seating(asked, 0, how)) for how in (Effort(), LONG))
        limit = LIMITS.get((people, rounds))
        late = "  TOO LONG" if limit is not None and spent > limit else ""
        print(
            f"  {people} {rounds}: {spent:.2f} s{late}, repeats {found.repeats}"
            f" (longer search: {longer.repeats})"
        )


def _call(people: int, rounds: int) -> SeatingCall:
    """People who have met once before, at such tables."""
    tables = tuple(Limits(str(at + 1), 3, 5, 4) for at in range(people // 3))
    first = seating(SeatingCall(tuple(map(str, range(people))), tables), 1)
    met = dict.fromkeys(first[0].meetings(), 1)
    return SeatingCall(tuple(map(str, range(people))), tables, rounds, met=met)
