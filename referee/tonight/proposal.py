"""The answer to a call: who sits where, and how good it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from referee.tonight.call import Pair, SeatedRound, SeatingCall, Wish
from referee.tonight.measure import broken, measure, meetings, met


@dataclass(frozen=True)
class Proposal:
    """The answer to a call."""

    call: SeatingCall
    seed: int
    rounds: Sequence[SeatedRound]

    @property
    def broken(self) -> list[tuple[int, Wish]]:
        """The wishes that do not hold, with the round."""
        return broken(self.call, self.rounds)

    @property
    def measure(self) -> dict[str, int | Fraction]:
        """The measures of the mode."""
        return measure(self.call, self.rounds).shown(self.call.mode)

    @property
    def again(self) -> list[tuple[Pair, int]]:
        """Who meets in this call and has then met at least twice."""
        now = meetings(self.rounds)
        counts = met(self.call, now)
        return [(pair, counts[pair]) for pair in sorted(now) if counts[pair] > 1]

    def table(self, at: int) -> str:
        """The name of a table; the boards of a round robin are numbered."""
        return self.call.tables[at].table if self.call.tables else str(at + 1)

    def names(self, people: Sequence[int]) -> list[str]:
        """The names of people."""
        return [self.call.people[person] for person in people]

    def as_json(self) -> dict[str, object]:
        """The answer for programs."""
        return {
            "referee": 1,
            "seed": self.seed,
            "mode": str(self.call.mode),
            "rounds": [self._round(number, each) for number, each in enumerate(self.rounds, 1)],
            "measure": {
                name: value if isinstance(value, int) else str(value)
                for name, value in self.measure.items()
            },
            "broken": [
                {"round": at + 1, "wish": wish.name, "people": self.names(wish.people)}
                for at, wish in self.broken
            ],
            "again": [[*self.names(pair), count] for pair, count in self.again],
        }

    def _round(self, number: int, seated: SeatedRound) -> dict[str, object]:
        tables = [
            {"table": self.table(at), "people": self.names(people)}
            for at, people in enumerate(seated.tables)
            if people
        ]
        return {"round": number, "tables": tables, "sits_out": self.names(seated.sits_out)}
