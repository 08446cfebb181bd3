"""A match in memory, which grows with the entries that are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import RLock

from referee.core.generic import Entry
from referee.core.log import NO_CHANGE, Log
from referee.core.naming import Script, restored
from referee.core.record import Grammar, Header
from referee.core.steps import Moment
from referee.core.verdict import Illegal, Verdict, word_of
from referee.ledger.view import View
from referee.store import Newcomers, NewEntry, Stored
from referee.weight import weight


@dataclass(slots=True)
class Replayed:
    """A match in memory, and the lock under which it grows.

    ``script`` reads and writes the stored lines, with the seats' names of ``names_version`` (see
    ``Extent``). ``generation``: see ``Engine.generation``. ``no_longer_legal``: see ``View``.
    """

    header: Header
    log: Log
    grammar: Grammar
    script: Script
    generation: int
    names_version: int
    reviewed: int = 0
    no_longer_legal: list[int] = field(default_factory=list)
    lock: RLock = field(default_factory=RLock)
    size: int = 0
    """About how many bytes it took at its entry ``weighed``."""
    weighed: int = 0

    def weigh(self) -> bool:
        """Estimate ``size`` if many entries have come since; whether it is a new one."""
        if len(self.log) < self.weighed + max(20, self.weighed // 10):
            return False
        self.size, self.weighed = weight(self.log), len(self.log)
        return True

    def view(self, match: str) -> View:
        log, more = self.log, (self.no_longer_legal, self.names_version, self.reviewed)
        return View(match, self.header, log, self.grammar, len(log), log.now, *more)

    @property
    def learned(self) -> Mapping[str, bool]:
        """Words on which the table has agreed, as the log stands now."""
        return self.log.game.HOOKS.learned(self.log.state)

    def newcomers(self, moment: Moment) -> Newcomers | None:
        """Who has joined at ``moment``, by the recorded names; None if that are the same as now."""
        seats = self.log.seats_at(self.log.state_at(moment))
        if seats == self.log.seats_at(self.log.state):
            return None
        count = len(self.header.seats)
        return Newcomers(count, tuple(map(self.script.recorded, seats[count:])))

    def restore(self, stored: Stored) -> None:
        """Replay an entry that was written before, perhaps under other rules."""
        entry = restored(self.script, stored.line)
        self.grammar.hear(entry)
        verdict = self.log.push(entry)
        # a correction that changes nothing was once accepted, and changed nothing then either
        idle = any(fact.fact == NO_CHANGE for fact in verdict.evidence)
        if isinstance(verdict, Illegal) and stored.verdict in ("legal", "unprovable") and not idle:
            self.no_longer_legal.append(stored.seq)


def new_entry(replayed: Replayed, entry: Entry, verdict: Verdict, key: str) -> NewEntry:
    """``entry`` as the store appends it, with its verdict and the version of the rules."""
    version = replayed.log.game.VERSION
    return NewEntry(replayed.script.print(entry), key, word_of(verdict), verdict.clause, version)
