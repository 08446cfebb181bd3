"""What onlookers of a match may know by now: a delay holds entries back, and so never shows what
was taken back meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from referee.core.corrections import Rewind
from referee.core.verdict import Legal, word_of
from referee.ledger import View
from referee.store import Stored


class FeedLine(NamedTuple):
    """An entry in the feed, with the verdict on it. ``again``: it was sent as taken back before."""

    number: int
    line: str
    verdict: str
    clause: str
    again: bool = False


class Released(NamedTuple):
    """The part of a match that onlookers may know.

    ``last``: the newest entry whose time has come. ``once_back``: entries that were taken back
    before that; onlookers see them if they are in force again (``hidden`` has the others).
    ``due``: seconds until the time of the next entry, None without one.
    """

    whole: View
    last: int
    once_back: frozenset[int]
    hidden: frozenset[int]
    due: float | None

    @property
    def view(self) -> View:
        """The match as onlookers see it."""
        shown = self.last
        while shown in self.hidden:
            shown -= 1
        return self.whole if shown == self.whole.seq else self.whole.before(shown + 1)

    def lines(self, after: int = 0) -> Iterator[FeedLine]:
        """The entries after entry ``after``, in order.

        In place of one that is hidden there is a rewind to the entry before it, which changes
        nothing, so that all numbers stay. Where a rewind puts it back in force, it comes again.
        """
        for number in range(after + 1, self.last + 1):
            for back in self._restored_by(number):
                yield self._line(back)._replace(again=True)
            yield self._line(number)

    def _line(self, number: int) -> FeedLine:
        log = self.whole.log
        if number in self.hidden:
            line = self.whole.grammar.print(Rewind(number - 1))
            return FeedLine(number, line, word_of(Legal("log.1")), "log.1")
        verdict = log.moments[number].verdict
        line = self.whole.grammar.print(log.entries[number - 1])
        return FeedLine(number, line, word_of(verdict), verdict.clause)

    def _restored_by(self, number: int) -> list[int]:
        log = self.whole.log
        if not self.once_back or not isinstance(log.entries[number - 1], Rewind):
            return []
        before, after = (log.in_force(log.moments[seq]) for seq in (number - 1, number))
        return sorted((after - before) & self.once_back - {number})


def released(view: View, stored: Sequence[Stored], delay: int, now: datetime) -> Released:
    """What may be known at ``now`` of ``view``, whose entries are ``stored``, all of them."""
    if not delay:
        return Released(view, view.seq, frozenset(), frozenset(), None)
    times = [datetime.fromisoformat(entry.at) for entry in stored[: view.seq]]
    late = timedelta(seconds=delay)
    last = next((i for i, at in enumerate(times) if at + late > now), len(times))
    due = (times[last] + late - now).total_seconds() if last < len(times) else None
    once_back = frozenset(_taken_back(view, times, late))
    return Released(view, last, once_back, once_back - view.in_force(), due)


def _taken_back(view: View, times: Sequence[datetime], late: timedelta) -> Iterator[int]:
    """The entries that a rewind undid no later than ``late`` after they were made."""
    for number, entry in enumerate(view.log.entries[: view.seq], 1):
        if isinstance(entry, Rewind) and isinstance(view.log.moments[number].verdict, Legal):
            for back in range(number - 1, entry.to, -1):
                if times[number - 1] - times[back - 1] > late:
                    break
                yield back
