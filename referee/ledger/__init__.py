"""The only place where rules and storage meet: read the log, replay, judge, append.

Matches that are being played stay replayed in memory, so a play costs one verdict and one durable
append however long the match is.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import NamedTuple, TypeAlias

from referee.contacts import Contacts
from referee.core import sheets
from referee.core.compare import Changes, compare
from referee.core.corrections import NO_PLAYS, Rule
from referee.core.generic import Entry
from referee.core.log import Log
from referee.core.naming import Script
from referee.core.record import (
    Grammar,
    Header,
    print_header,
)
from referee.core.repair import taken_along
from referee.core.standing import Standing, barred
from referee.core.steps import Moment
from referee.core.verdict import (
    Illegal,
    Legal,
    Seat,
    Unprovable,
    Verdict,
)
from referee.games import game_of
from referee.headers import header_of, read_header
from referee.ledger.replayed import Replayed, new_entry
from referee.ledger.view import NotReplayed, View
from referee.store import (
    NOBODYS,
    Circles,
    Clash,
    Extent,
    People,
    Seats,
    Store,
    new_id,
)

REPLAYED = 256  # matches kept in memory, at most: mostly some hundred kilobytes each
REPLAYED_BYTES = 100_000_000  # that all of them take, about
MEANWHILE = 1_000  # entries of a match that are replayed before others are put out of memory


StandingAt: TypeAlias = Callable[[View], Standing]
"""Returns role and seat, at a match, of the phone that makes the request."""


class Answer(NamedTuple):
    """The answer to a declared entry.

    ``seq``: its number; None if it was refused and not recorded. ``verdict``: its evidence has
    entry numbers in place of positions. ``repeated``: it was recorded before.
    """

    view: View
    verdict: Verdict
    seq: int | None
    repeated: bool = False


class Preview(NamedTuple):
    """What a correction would do; nothing is recorded.

    ``along``: how many later entries it moves to other seats.
    """

    before: View
    after: View
    verdict: Verdict
    changes: Changes
    correction: Entry
    along: int


class StaleTable(Exception):
    """There are newer entries than the phone has seen; ``view`` is the match now."""

    def __init__(self, view: View) -> None:
        super().__init__(view.match)
        self.view = view


class NotYours(Exception):
    """This phone may not enter ``line``; ``verdict`` says why."""

    def __init__(self, view: View, line: str, verdict: Illegal) -> None:
        super().__init__(view.match)
        self.view, self.line, self.verdict = view, line, verdict


class Ledger:
    """Referees the matches of one store; thread-safe.

    Each of ``listeners`` is called with the match and its position once an entry is durable. It is
    called in the thread that wrote the entry, or that heard of it from another process; it must
    return at once and raise nothing. Those of ``departures`` are called in the same way when phones
    were removed.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.listeners: list[Callable[[str, int], None]] = []
        self.departures: list[Callable[[], None]] = []
        self.contacts = Contacts()
        self._matches: OrderedDict[str, Replayed] = OrderedDict()
        self._lock = Lock()
        store.subscribe(self._written_elsewhere)

    def open(self, header: Header, circle: str = NOBODYS, opened: str = "") -> View:
        """Begin a match of the group ``circle``; returns its empty table.

        ``opened``: when it was played (UTC, ISO 8601), "": now. Raises ``Unreadable`` if no record
        could hold it.
        """
        header = read_header(self.store, "\n".join(print_header(header)))
        match = new_id()
        self.store.open(match, "\n".join(print_header(header)), header.seats, circle, opened)
        return self.view(match)

    def view(self, match: str) -> View:
        """The match as it stands now; raises ``NoSuchMatch``."""
        replayed = self._replayed(match)
        with replayed.lock:
            self._catch_up(match, replayed)
            return replayed.view(match)

    def branch(self, match: str) -> View:
        """The match as it stands now, in a log of its own: what is added to it is not recorded."""
        replayed = self._replayed(match)
        with replayed.lock:
            view = self.view(match)
            return view._replace(log=view.log.branch())

    def replays(self, matches: Sequence[str]) -> Iterator[NotReplayed]:
        """Matches as they are now, in this order; those in memory cost one query together."""
        extents, generation = self.store.extents(matches), self.store.generation()
        for match in matches:
            extent = extents.get(match)
            view = partial(self._view_at, match, extent, generation)
            yield NotReplayed(match, (extent, generation), view)

    def _view_at(self, match: str, extent: Extent | None, generation: int) -> View:
        replayed = self._replayed(match)
        with replayed.lock:
            self._bring_to(extent, generation, match, replayed)
            return replayed.view(match)

    def declare(
        self,
        match: str,
        line: str,
        seen: int,
        key: str,
        *,
        overrule: bool = False,
        undeclared: bool = False,
        standing: StandingAt | None = None,
    ) -> Answer:
        """Judge ``line`` on the table after entry ``seen``, and record it.

        An illegal entry is answered and not recorded, unless the table overrules the referee
        (``overrule``) and accepting it has an effect. Nor is an entry recorded that depends on the
        hand while its player has declared nothing about the hand (``undeclared``). A ``key`` that
        was used before gets the first answer again. ``standing`` decides whether the phone may
        enter ``line``; without it everything may be entered. Raises ``Unreadable``,
        ``NoSuchMatch``, ``NotYours``, and ``StaleTable`` if there are newer entries, unless the
        next one is the same line.
        """
        replayed = self._replayed(match)
        with replayed.lock:
            self._catch_up(match, replayed)
            # ``append`` finds a repetition where nothing was recorded since
            if seen != len(replayed.log):
                return self._repeated(match, replayed, line, seen, key)
            entries = [replayed.grammar.parse(line)]
            moment = replayed.log.consider(entries[0])
            if standing:
                here = standing(replayed.view(match))
                refusal = barred(here, replayed.log, entries[0], moment)
                if refusal:
                    raise NotYours(replayed.view(match), line, refusal)
            if undeclared and isinstance(moment.verdict, Unprovable):
                return Answer(replayed.view(match), moment.verdict, None)
            if isinstance(moment.verdict, Illegal):
                stands = overrule and self._stands(replayed, entries[0])
                if not stands and not _refusal_has_effect(replayed, moment):
                    return Answer(replayed.view(match), moment.verdict, None)
                if stands:
                    entries.append(Rule(seen + 1))
            try:
                self._write(match, replayed, entries, moment, seen, key)
            except Clash:
                self._catch_up(match, replayed)
                return self._repeated(match, replayed, line, seen, key)
            return Answer(replayed.view(match), moment.verdict, seen + 1)

    def correct(
        self,
        match: str,
        line: str,
        seen: int,
        key: str,
        *,
        along: bool,
        standing: StandingAt | None = None,
    ) -> Answer:
        """Record the correction ``line``; ``along``: move the plays after it, as in ``preview``.

        Raises like ``declare``.
        """
        replayed = self._replayed(match)
        with replayed.lock:
            self._catch_up(match, replayed)
            earlier = self.store.find(match, key)
            if earlier is not None:
                line = replayed.grammar.print(replayed.log.entries[earlier - 1])
            elif along and seen == len(replayed.log):
                entry = replayed.grammar.parse(line)
                line = replayed.grammar.print(taken_along(replayed.log, entry) or entry)
            return self.declare(match, line, seen, key, standing=standing)

    def can_overrule(self, view: View, line: str) -> bool:
        """Whether accepting the illegal ``line`` now would have an effect that makes sense."""
        if view.log.table.option("allow_override") == "off":
            return False
        entry = view.grammar.parse(line)
        if isinstance(entry, NO_PLAYS):
            return False
        table = view.log.table
        return sheets.let_stand(view.game, table, view.state, entry) is not None

    def undo(
        self, match: str, seen: int, key: str, *, standing: StandingAt | None = None
    ) -> Answer:
        """Undo the last play; raises like ``declare``."""
        earlier = self.store.find(match, key)
        view = self.view(match)
        if earlier is not None:  # a repeated request: the first answer again
            line = view.grammar.print(view.log.entries[earlier - 1])
            return self.declare(match, line, seen, key, standing=standing)
        if view.seq != seen:
            raise StaleTable(view)
        target = view.undo_target()
        if target is None:
            return Answer(view, Legal("log.1"), None)
        return self.declare(match, f"table rewind {target}", seen, key, standing=standing)

    def preview(self, match: str, line: str, *, along: bool = False) -> Preview:
        """What recording ``line`` now would change; raises ``Unreadable``, ``NoSuchMatch``.

        ``along``: also give the plays after it to the seats that are then due, if fewer entries
        become illegal by that.
        """
        replayed = self._replayed(match)
        with replayed.lock:
            view = self.view(match)
            entry = view.grammar.parse(line)
            more = taken_along(view.log, entry) if along else None
            count = len(more.parts) - len(view.log.parts(entry, view.moment)) if more else 0
            entry = more or entry
            moment = view.log.consider(entry)
        after = view._replace(moment=moment)
        changes = compare(view.log, view.moment, moment)
        return Preview(view, after, moment.verdict, changes, entry, count)

    def in_order(self, match: str, order: Sequence[Seat]) -> View | int:
        """The match with its seats in ``order``, or the number of the first entry that forbids it.

        An entry forbids the order if its verdict would change. 0: no entry does, but another seat
        would be due, or score, outcome or findings would differ.
        """
        now, fresh = self.view(match), self._fresh(match)
        header = replace(fresh.header, seats=tuple(order))
        game = fresh.log.game
        log, grammar = Log(game, header.table(game)), Grammar(game, header.seats)
        for seq, entry in enumerate(now.log.entries, 1):
            verdict, before = log.push(entry), now.log.moments[seq].verdict
            if (type(verdict), verdict.clause) != (type(before), before.clause):
                return seq
        after = View(match, header, log, grammar, len(log), log.now)
        return after if _result(after) == _result(now) else 0

    def reorder(self, match: str, order: Sequence[Seat], seen: int) -> bool:
        """Put the seats into ``order``; False if an entry forbids it (see ``in_order``).

        Raises ``StaleTable`` if the table has newer entries than ``seen``.
        """
        view, after = self.view(match), self.in_order(match, order)
        if isinstance(after, int):
            return False
        recorded = header_of(self.store, match)
        places = [view.header.seats.index(seat) + 1 for seat in order]
        seats = tuple(recorded.seats[place - 1] for place in places)
        header = "\n".join(print_header(replace(recorded, seats=seats)))
        try:
            Seats(self.store).reorder(match, places, header, seen)
        except Clash:
            raise StaleTable(self.view(match)) from None
        self.reseated(match)
        return True

    def _stands(self, replayed: Replayed, entry: Entry) -> bool:
        return self.can_overrule(replayed.view(""), replayed.grammar.print(entry))

    def _repeated(self, match: str, replayed: Replayed, line: str, seen: int, key: str) -> Answer:
        """The first answer, if this entry is a repetition; otherwise raises ``StaleTable``."""
        log, seq = replayed.log, self.store.find(match, key)
        fresh = seq is None and seen + 1 in log.in_force()  # another phone was faster
        if fresh:
            seq = seen + 1
        elif seq is not None and seq > len(log):  # another process has just written it
            self._catch_up(match, replayed)
        if seq is None or log.entries[seq - 1] != replayed.grammar.parse(line):
            raise StaleTable(replayed.view(match))
        if fresh:  # from now on this key gets this answer, whatever happens to the play
            self.store.repeat(match, key, seq)
        return Answer(replayed.view(match), log.moments[seq].verdict, seq, repeated=True)

    def _write(
        self,
        match: str,
        replayed: Replayed,
        entries: Sequence[Entry],
        moment: Moment,
        seen: int,
        key: str,
    ) -> None:
        rows = [new_entry(replayed, entry, moment.verdict, key) for entry in entries[:1]]
        rows += [new_entry(replayed, e, Legal("log.3"), f"{key}+") for e in entries[1:]]
        learned = replayed.learned
        newcomers = replayed.newcomers(moment)
        self.store.append(match, seen, rows, replayed.names_version, newcomers)
        for entry in entries:
            replayed.script.hear(entry)
            replayed.grammar.hear(entry)
        replayed.log.push(entries[0], moment)
        for entry in entries[1:]:
            replayed.log.push(entry)
        if replayed.learned != learned:
            self.store.shelf.learn(match, replayed.learned, Circles(self.store).of_match(match))
        self._make_room(match, replayed)
        self._notify(match, Extent(len(replayed.log), replayed.names_version))

    def reseated(self, match: str) -> None:
        """Notify ``listeners`` that the seats of ``match`` have changed."""
        extent = self.store.extent(match)
        if extent:
            self._notify(match, extent)

    def _written_elsewhere(self, match: str, seq: int) -> None:
        """Another process has written entry ``seq``; its names version is not known here.

        The position may be too low then: streams ignore a lower one, and poll the store as well.
        """
        replayed = self._matches.get(match)
        self._notify(match, Extent(seq, replayed.names_version if replayed else 0))

    def _notify(self, match: str, extent: Extent) -> None:
        for listener in self.listeners:
            listener(match, extent.position)

    def _replayed(self, match: str) -> Replayed:
        with self._lock:
            replayed = self._matches.get(match)
            if replayed is not None:
                self._matches.move_to_end(match)
                return replayed
        fresh = self._fresh(match)
        with self._lock:
            replayed = self._matches.setdefault(match, fresh)
            while len(self._matches) > REPLAYED:
                self._matches.popitem(last=False)
        return replayed

    def _make_room(self, match: str, replayed: Replayed) -> None:
        """Let go of the matches that nobody has used for longest if all take too many bytes."""
        if not replayed.weigh():
            return
        with self._lock:
            size = sum(each.size for each in self._matches.values())
            for other in [other for other in self._matches if other != match]:
                if size <= REPLAYED_BYTES:
                    return
                size -= self._matches.pop(other).size

    def _fresh(self, match: str) -> Replayed:
        """The match without its entries, under the present names."""
        # read first, so that a change while the rest is read is noticed
        generation, extent = self.store.generation(), self.store.extent(match)
        recorded = header_of(self.store, match)
        names = People(self.store).names(match)
        game, seats = game_of(recorded), tuple(names.get(seat, seat) for seat in recorded.seats)
        header = replace(recorded, seats=seats)
        log = Log(game, header.table(game))
        script, named = Script(game, recorded.seats, names), extent.names_version if extent else 0
        grammar = Grammar(game, seats, header.options)
        return Replayed(header, log, grammar, script, generation, named)

    def _catch_up(self, match: str, replayed: Replayed) -> None:
        """Replay the entries that other processes have written."""
        # read first: it may notice that another server has taken over
        extent = self.store.extent(match)
        self._bring_to(extent, self.store.generation(), match, replayed)

    def _bring_to(
        self, extent: Extent | None, generation: int, match: str, replayed: Replayed
    ) -> None:
        """Replay up to ``extent``; from the start if names have changed or the store was
        replaced.
        """
        tail, names_version, reviewed = extent or Extent(0, replayed.names_version)
        if replayed.names_version != names_version or replayed.generation != generation:
            fresh = self._fresh(match)
            replayed.header, replayed.log = fresh.header, fresh.log
            replayed.grammar, replayed.script = fresh.grammar, fresh.script
            replayed.no_longer_legal, replayed.weighed = fresh.no_longer_legal, 0
            replayed.names_version, replayed.generation = fresh.names_version, fresh.generation
        replayed.reviewed = reviewed
        known = len(replayed.log)
        if tail > known:
            for stored in self.store.read(match, known):
                replayed.restore(stored)
                if stored.seq % MEANWHILE == 0:
                    self._make_room(match, replayed)
            self._make_room(match, replayed)


def _result(view: View) -> tuple[object, ...]:
    """What must not change when seats are reordered: who is due, score, outcome, findings."""
    return (
        {*view.to_act},
        view.game.score(view.state).totals,
        view.outcome,
        {(found.seat, found.at) for found in view.findings()},
    )


def _refusal_has_effect(replayed: Replayed, moment: Moment) -> bool:
    """Whether the refused play of ``moment`` changes the state; then it is recorded as illegal."""
    return replayed.log.state_at(moment) is not replayed.log.state_at(replayed.log.now)
