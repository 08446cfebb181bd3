"""What onlookers may know by now: a delay never shows what was undone meanwhile."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import accumulate
from typing import NamedTuple

from referee.core.corrections import Rewind
from referee.core.verdict import Legal, word_of
from referee.ledger import View
from referee.store import Stored


class FeedLine(NamedTuple):
    """An entry in the feed, with the verdict on it. ``again``: it was hidden before."""

    number: int
    line: str
    verdict: str
    clause: str
    again: bool


class Heard(NamedTuple):
    """What onlookers hear: entry ``number``, ``hidden`` or not, or ``again`` after it was."""

    number: int
    hidden: bool = False
    again: bool = False


class Released(NamedTuple):
    """The part of a match that onlookers may know.

    ``last``: the newest entry whose time has come. ``heard``: all until then, in order. ``hidden``:
    the entries that were undone when their time came, and did not come back. ``due``: seconds until
    the time of the next entry, None without one.
    """

    whole: View
    last: int
    heard: Sequence[Heard]
    hidden: frozenset[int]
    due: float | None

    @property
    def view(self) -> View:
        """The match as onlookers see it."""
        shown = self.last
        while shown in self.hidden:
            shown -= 1
        return self.whole if shown == self.whole.seq else self.whole.before(shown + 1)

    def feed(self, after: int = 0) -> Iterator[FeedLine]:
        """What onlookers hear after entry ``after``.

        In place of a hidden entry there is a rewind to the entry before it, which changes nothing,
        so that all numbers stay. If it comes back in force, it is heard again, with its number.
        """
        known = not after
        for row in self.heard:
            if known:
                yield self._line(row)
            elif row.number == after and not row.again:
                known = True

    def lines(self) -> Iterator[str]:
        """The lines of the record."""
        for number in range(1, self.last + 1):
            yield self._line(Heard(number, number in self.hidden)).line

    def _line(self, row: Heard) -> FeedLine:
        number, log, grammar = row.number, self.whole.log, self.whole.grammar
        if row.hidden:
            line = grammar.print(Rewind(number - 1))
            return FeedLine(number, line, word_of(Legal("log.1")), "log.1", again=False)
        verdict, line = log.moments[number].verdict, grammar.print(log.entries[number - 1])
        return FeedLine(number, line, word_of(verdict), verdict.clause, row.again)


def released(view: View, stored: Sequence[Stored], delay: int, now: datetime) -> Released:
    """What may be known at ``now`` of ``view``, whose entries are ``stored``.

    Without a delay that is everything, and ``stored`` is not read.
    """
    if not delay:
        heard = [Heard(number) for number in range(1, view.seq + 1)]
        return Released(view, view.seq, heard, frozenset(), None)
    made = (datetime.fromisoformat(entry.at) for entry in stored[: view.seq])
    times, late = list(accumulate(made, max)), timedelta(seconds=delay)
    last = bisect_right(times, now - late)
    due = (times[last] + late - now).total_seconds() if last < len(times) else None
    heard, hidden = _heard(view, times, late, last)
    return Released(view, last, heard, hidden, due)


def _heard(
    view: View, times: Sequence[datetime], late: timedelta, last: int
) -> tuple[list[Heard], frozenset[int]]:
    """What was heard up to entry ``last``, and the entries that are hidden now.

    An entry in force when its time comes needs all that it stands on; what of it is hidden comes
    back before it.
    """
    below = _below(view)
    stands = _Standing(below)
    heard, hidden = list[Heard](), set[int]()
    for number in range(1, last + 1):
        known = bisect_right(times, times[number - 1] + late)
        if not stands.under(number, known):
            hidden.add(number)
            heard.append(Heard(number, hidden=True))
            continue
        back, each = list[int](), below[number]
        while each in hidden:
            hidden.discard(each)
            back.append(each)
            each = below[each]
        heard += [Heard(each, again=True) for each in reversed(back)]
        heard.append(Heard(number))
    return heard, frozenset(hidden)


def _below(view: View) -> list[int]:
    """The entry on which each entry stands: the one before it, or to which a rewind went back."""
    below = [0]
    for number, entry in enumerate(view.log.entries[: view.seq], 1):
        done = isinstance(view.log.moments[number].verdict, Legal)
        below.append(entry.to if isinstance(entry, Rewind) and done else number - 1)
    return below


class _Standing:
    """The tree of entries that stand on others; each has the places of those above it in a row.

    So it is found at once what is in force, however often a match was undone and redone.
    """

    def __init__(self, below: Sequence[int]) -> None:
        self._size = [1] * len(below)
        for number in range(len(below) - 1, 0, -1):
            self._size[below[number]] += self._size[number]
        self._place, free = [0] * len(below), [1] * len(below)
        for number in range(1, len(below)):
            under = below[number]
            self._place[number] = free[under]
            free[under] += self._size[number]
            free[number] = self._place[number] + 1

    def under(self, number: int, moment: int) -> bool:
        """Whether entry ``number`` is in force after entry ``moment``."""
        first = self._place[number]
        return first <= self._place[moment] < first + self._size[number]
