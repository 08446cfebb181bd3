"""The one meeting place of rules and storage: read the log, replay, judge, append.

Matches that are being played stay replayed in memory, so a play costs one verdict and one durable
append however long the match is.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock, RLock
from typing import Any, NamedTuple

from referee.core.compare import Changes, compare
from referee.core.game import Game
from referee.core.log import CORRECTIONS, Log, Moment, Rewind, Rule, Step, steps
from referee.core.record import Grammar, Header, parse_header, print_header
from referee.core.verdict import Finding, Illegal, Legal, Outcome, Seat, Verdict
from referee.games import GAMES
from referee.store import Clash, NewEntry, NoSuchMatch, Store, Unavailable

REPLAYED = 256  # matches kept in memory: some hundred kilobytes each


class View(NamedTuple):
    """A match as it stood after entry ``seq``. Later entries don't change a view."""

    match: str
    header: Header
    log: Log
    grammar: Grammar
    seq: int
    moment: Moment

    @property
    def game(self) -> Game:
        return self.log.game

    @property
    def state(self) -> Any:
        return self.log.state_at(self.moment)

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        return self.game.to_act(self.state)

    def findings(self) -> tuple[Finding, ...]:
        """Proven infractions with entry numbers."""
        return self.log.findings(self.moment)

    def in_force(self) -> set[int]:
        """Numbers of the entries that no rewind has undone."""
        return self.log.in_force(self.moment)

    def step(self, seq: int) -> Step | None:
        """The play in force that entry ``seq`` told, or None."""
        return next((step for step in steps(self.moment.step) if step.seq == seq), None)

    def before(self, seq: int) -> View:
        """The match as it stood before entry ``seq`` was made; for a step use its ``before``."""
        return self._replace(seq=seq - 1, moment=self.log.moments[seq - 1])

    def undo_target(self) -> int | None:
        """The entry to go back to when the last thing done is undone; None at the beginning.

        Going back twice goes back two plays, not forth again. A ruling and the play that it lets
        stand came with one tap and go with one.
        """
        last = standing_at(self.log, self.seq)
        if last == 0:
            return None
        entry = self.log.entries[last - 1]
        if isinstance(entry, Rule) and entry.number == last - 1:
            return last - 2
        return last - 1


def standing_at(log: Log, seq: int) -> int:
    """The entry, not a rewind, at which the table stands after entry ``seq``."""
    while seq and isinstance(log.entries[seq - 1], Rewind):
        done = isinstance(log.moments[seq].verdict, Legal)
        seq = log.entries[seq - 1].to if done else seq - 1
    return seq


class Answer(NamedTuple):
    """What the referee says to a declared entry.

    ``seq``: its number, None if it was refused and nothing recorded. ``verdict`` has positions
    for entry numbers in its evidence. ``repeated``: it had been told before.
    """

    view: View
    verdict: Verdict
    seq: int | None
    repeated: bool = False


class Preview(NamedTuple):
    """What a correction would do; nothing is recorded."""

    before: View
    after: View
    verdict: Verdict
    changes: Changes


class StaleTable(Exception):
    """The table has moved on since the phone looked; ``view`` is how it stands now."""

    def __init__(self, view: View) -> None:
        super().__init__(view.match)
        self.view = view


@dataclass(slots=True)
class Replayed:
    """A match in memory, and the lock under which it grows."""

    header: Header
    log: Log
    grammar: Grammar
    lock: RLock = field(default_factory=RLock)

    def view(self, match: str) -> View:
        seq = len(self.log)
        return View(match, self.header, self.log, self.grammar, seq, self.log.moments[seq])


class Desk:
    """Referees the matches of one store; safe to use from several threads.

    Each of ``listeners`` is called with the match and its last entry once an entry is durable, in
    the thread that has written it: it must return at once and raise nothing.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.listeners: list[Callable[[str, int], None]] = []
        self._matches: OrderedDict[str, Replayed] = OrderedDict()
        self._lock = Lock()

    def open(self, header: Header) -> View:
        """Begin a match; returns its empty table. ``Unreadable`` if no record could hold it."""
        header = parse_header("\n".join(print_header(header)), GAMES)
        match = secrets.token_urlsafe(16)
        self.store.open(match, "\n".join(print_header(header)), header.seats)
        return self.view(match)

    def view(self, match: str) -> View:
        """The match as it stands now; raises ``NoSuchMatch``."""
        replayed = self._replayed(match)
        with replayed.lock:
            self._catch_up(match, replayed)
            return replayed.view(match)

    def declare(
        self, match: str, line: str, seen: int, key: str, *, overrule: bool = False
    ) -> Answer:
        """Judge ``line`` on the table that stood at entry ``seen`` and record it.

        An illegal entry is answered and not recorded, unless the table overrules the referee and
        letting it stand has an effect. A ``key`` that was used gets the first answer again.
        Raises ``Unreadable``, ``NoSuchMatch``, and ``StaleTable`` if the table has moved on and
        the same line does not stand there already.
        """
        replayed = self._replayed(match)
        with replayed.lock:
            self._catch_up(match, replayed)
            told = self._told_before(match, replayed, line, seen, key)
            if told:
                return told
            entries = [replayed.grammar.parse(line)]
            moment = replayed.log.consider(entries[0])
            if isinstance(moment.verdict, Illegal):
                if not overrule or not self._stands(replayed, entries[0]):
                    return Answer(replayed.view(match), moment.verdict, None)
                entries.append(Rule(seen + 1))
            try:
                self._write(match, replayed, entries, moment.verdict, seen, key)
            except Clash:
                self._catch_up(match, replayed)
                told = self._told_before(match, replayed, line, seen, key)
                if told:
                    return told
                raise StaleTable(replayed.view(match)) from None
            return Answer(replayed.view(match), moment.verdict, seen + 1)

    def can_overrule(self, view: View, line: str) -> bool:
        """Whether the table may let the illegal ``line`` stand now with a sensible effect."""
        if view.log.table.option("allow_override") == "off":
            return False
        entry = view.grammar.parse(line)
        if isinstance(entry, CORRECTIONS):
            return False
        return view.game.let_stand(view.state, entry) is not None

    def undo(self, match: str, seen: int, key: str) -> Answer:
        """Go back by one play; raises like ``declare``."""
        told = self.store.find(match, key)
        view = self.view(match)
        if told is not None:  # the first answer again
            line = view.grammar.print(view.log.entries[told - 1])
            return self.declare(match, line, seen, key)
        if view.seq != seen:
            raise StaleTable(view)
        target = view.undo_target()
        if target is None:
            return Answer(view, Legal("log.1"), None)
        return self.declare(match, f"table rewind {target}", seen, key)

    def preview(self, match: str, line: str) -> Preview:
        """What recording ``line`` now would change; raises ``Unreadable``, ``NoSuchMatch``."""
        replayed = self._replayed(match)
        with replayed.lock:
            view = self.view(match)
            moment = view.log.consider(view.grammar.parse(line))
        after = view._replace(moment=moment)
        return Preview(view, after, moment.verdict, compare(view.log, view.moment, moment))

    def _stands(self, replayed: Replayed, entry: Any) -> bool:
        return self.can_overrule(replayed.view(""), replayed.grammar.print(entry))

    def _told_before(
        self, match: str, replayed: Replayed, line: str, seen: int, key: str
    ) -> Answer | None:
        """The first answer, if this was told before; raises ``StaleTable`` if time has passed."""
        log, seq = replayed.log, self.store.find(match, key)
        if seq is None and seen == len(log):
            return None
        if seq is None and seen + 1 in log.in_force():
            seq = seen + 1
        elif seq is not None and seq > len(log):  # another process has just written it
            self._catch_up(match, replayed)
        if seq is None or log.entries[seq - 1] != replayed.grammar.parse(line):
            raise StaleTable(replayed.view(match))
        return Answer(replayed.view(match), log.moments[seq].verdict, seq, repeated=True)

    def _write(
        self,
        match: str,
        replayed: Replayed,
        entries: Sequence[Any],
        verdict: Verdict,
        seen: int,
        key: str,
    ) -> None:
        rows = [new_entry(replayed, entry, verdict, key) for entry in entries[:1]]
        rows += [new_entry(replayed, e, Legal("log.3"), f"{key}+") for e in entries[1:]]
        self.store.append(match, seen, rows)
        for entry in entries:
            replayed.log.push(entry)
        for tell in self.listeners:
            tell(match, len(replayed.log))

    def _replayed(self, match: str) -> Replayed:
        with self._lock:
            replayed = self._matches.get(match)
            if replayed is not None:
                self._matches.move_to_end(match)
                return replayed
        header = parse_header(self.store.header(match), GAMES)
        game = GAMES[header.game]
        log = Log(game, header.table(game))
        fresh = Replayed(header, log, Grammar(game, header.seats))
        with self._lock:
            replayed = self._matches.setdefault(match, fresh)
            while len(self._matches) > REPLAYED:
                self._matches.popitem(last=False)
        return replayed

    def _catch_up(self, match: str, replayed: Replayed) -> None:
        """Replay what other processes have written."""
        known = len(replayed.log)
        if self.store.tail(match) > known:
            for stored in self.store.read(match, known):
                replayed.log.push(replayed.grammar.parse(stored.line))


def new_entry(replayed: Replayed, entry: Any, verdict: Verdict, key: str) -> NewEntry:
    """The row of ``entry``, with the opinion of today's rules."""
    word = type(verdict).__name__.lower()
    version = replayed.log.game.VERSION
    return NewEntry(replayed.grammar.print(entry), key, word, verdict.clause, version)


__all__ = ["Answer", "Desk", "NoSuchMatch", "Preview", "StaleTable", "Unavailable", "View"]
