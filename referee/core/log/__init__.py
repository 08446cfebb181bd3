"""The log of a match: which plays are in force after its plays and corrections.

A *timeline* is a linked list of steps, newest first. Every entry, corrections included, leaves a
``Moment``: the newest step in force and the chain of entries that led to it. So a rewind to entry n
points at moment n again, nothing is ever lost, and a correction replays only what comes after the
entry that it corrects.

Each correction makes new steps for all plays after the entry that it corrects. If a match kept them
all, it would take memory with the square of its length; so moments that are no longer on the
timeline lose their steps (``PastMoment``), and ``timelines`` makes them again from the entries.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from itertools import islice, takewhile

from referee.core import agreeing, contests, sheets
from referee.core.adjusting import Adjust
from referee.core.contests import Contested
from referee.core.corrections import (
    NO_PLAYS,
    Agree,
    Amend,
    Contest,
    Decide,
    Insert,
    Part,
    Rewind,
    Rule,
    Strike,
    Together,
    Unread,
    Void,
    Vote,
)
from referee.core.game import Game, Table
from referee.core.generic import Entry, P, S
from referee.core.log.edits import PlayToJudge, Voided, edited, made
from referee.core.log.timelines import Timelines
from referee.core.steps import (
    Chain,
    Moment,
    PastMoment,
    Step,
    deal_and_trick,
    dealt,
    depth,
    effective,
    steps,
)
from referee.core.verdict import (
    Illegal,
    Legal,
    Seat,
    Verdict,
    evidence,
)

# How many plays after a correction are compared with the old ones. A state holds its whole history,
# so more comparisons would cost more than they save.
NEAR = 100
# How many steps of older timelines are kept, at least: more than an ordinary match ever has.
KEPT = 2_000

NO_CHANGE = "nothing_changes"
"""The fact for which a correction is refused that would leave every entry as it is."""


class Log(Timelines[S, P]):
    """A match under replay: entries are added one by one, and ``now`` is what is in force.

    An illegal entry is kept and changes nothing.
    """

    def __init__(self, game: Game[S, P], table: Table) -> None:
        super().__init__(game, table)
        self.older = 0  # steps of older timelines that are kept
        # Contests at the end of a chain, cached: there can be thousands, and each entry asks for
        # all.
        self._contested: tuple[Chain | None, dict[int, Contested]] = (None, {})

    def branch(self) -> Log[S, P]:
        """A log of its own with the same entries, which grows apart from this one."""
        other = Log(self.game, self.table)
        other.entries, other.moments, other._now = self.entries[:], self.moments[:], self.now
        other.older, other._again = self.older, self._again.copy()
        other._accepted, other._voids = self._accepted.copy(), self._voids.copy()
        return other

    def push(self, entry: Entry, moment: Moment[S, P] | None = None) -> Verdict:
        """Record ``entry`` and return the verdict on it.

        ``moment``: the result of ``consider`` for the same entry, so that it is not judged twice.
        """
        moment, before = moment or self.consider(entry), self.now
        self.entries.append(entry)
        self.moments.append(moment)
        self._now = moment
        if moment.step is not before.step and isinstance(entry, NO_PLAYS):
            self.older += self._made(entry, before, moment)
            if self.older > max(KEPT, len(self) // 2):
                self._forget(before)
        return moment.verdict

    def consider(self, entry: Entry) -> Moment[S, P]:
        """The table as it would be after ``entry``; records nothing."""
        now, seq = self.now, len(self.entries) + 1
        chain = Chain(now.chain, seq)
        if not isinstance(entry, NO_PLAYS):
            step = self.judged(now.step, seq, entry, None)
            return Moment(step, chain, step.verdict)
        match entry:
            case Unread(why=why):
                return Moment(now.step, chain, Illegal("log.7", (why,)))
            case Rewind(to=to):
                return self._rewound(to, chain)
            case Agree():
                result = agreeing.result(self.game, self.state)
                verdict = agreeing.judge(entry, result, self.agreeing_with(result))
                return Moment(now.step, chain, verdict)
            case Contest() | Vote() | Decide():
                present = self.present_at(self.state_at(now))
                fault = contests.fault(entry, self.contests(now), self.table, present, self.fault)
                if fault:
                    return Moment(now.step, chain, fault)
                if not isinstance(entry, Decide):
                    return Moment(now.step, chain, contests.noted(entry))
        parts = self.parts(entry, now)
        fault = self._correction_fault(entry, parts)
        return Moment(now.step, chain, fault) if fault else self._corrected(entry, parts, seq)

    def contests(self, moment: Moment[S, P] | PastMoment | None = None) -> list[contests.Contested]:
        """The contests in force at ``moment`` (now), in the order in which they were made."""
        link, numbers = (moment or self.now).chain, list[int]()
        while link and link.seq > len(self):  # considered, but not recorded
            link = link.before
        here, (known, found) = link, self._contested
        while link and link is not known:
            numbers.append(link.seq)
            link = link.before
        if link is not known:  # what is cached was undone by a rewind
            found = {}
        found = contests.contested(
            (
                (seq, self.entries[seq - 1])
                for seq in reversed(numbers)
                if not isinstance(self.moments[seq].verdict, Illegal)
            ),
            found,
        )
        self._contested = (here, found)
        return list(found.values())

    def open_contests(self, moment: Moment[S, P] | PastMoment | None = None) -> list[Contested]:
        """The contests in force at ``moment`` (now) that the table has not decided."""
        return [one for one in self.contests(moment) if one.decided is None]

    def agreements(self) -> list[tuple[int, Seat]]:
        """The entries in force by which a seat has agreed with a result: number and seat."""
        numbers = sorted(self.in_force())
        return [
            (seq, entry.seat)
            for seq in numbers
            if isinstance(entry := self.entries[seq - 1], Agree)
            and isinstance(self.moments[seq].verdict, Legal)
        ]

    def agreeing_with(self, result: agreeing.FinalResult | None) -> set[Seat]:
        """The seats that have agreed with ``result``."""
        return {
            seat
            for seq, seat in self.agreements()
            if agreeing.result(self.game, self.state_at(self.moment(seq))) == result
        }

    def parts(self, entry: Entry, moment: Moment[S, P]) -> tuple[Part, ...]:
        """The corrections of single entries that a correction made at ``moment`` consists of."""
        if not isinstance(entry, Void):
            return self._parts(entry)
        number = entry.number
        if self.game.HOOKS.whole_deals:
            return (Strike(number),)
        played = list(steps(moment.step))
        deals = {step.seq: step.state.deal for step in played}
        deal = deals.get(number)
        same = [
            step.seq for step in played if step.state.deal == deal and sheets.of_a_deal(step.play)
        ]
        return tuple(Strike(seq) for seq in reversed(same)) or (Strike(number),)

    def parts_of(self, seq: int) -> tuple[Part, ...]:
        """The ``parts`` of entry ``seq``, made at its moment."""
        entry = self.entries[seq - 1]
        if isinstance(entry, Void):
            return self.parts(entry, self.moment(seq - 1))
        return self._parts(entry)

    def rows(
        self, parts: Iterable[Part], seq: int
    ) -> tuple[Step[S, P] | None, list[PlayToJudge], int]:
        """The plays to be judged again if entry ``seq`` makes the corrections ``parts``.

        Each part must aim at a play in force. Returns the step before them, these plays in order,
        and how many of them, counted from the end, are unchanged.
        """
        edits: dict[int, list[Part]] = {}
        for part in parts:
            edits.setdefault(part.number, []).append(part)
        head, rows, same, left = self.now.step, list[PlayToJudge](), 0, len(edits)
        while left and head is not None:
            row, edit = PlayToJudge(head.seq, head.play, head.ruled), edits.get(head.seq)
            if edit is None:
                rows.append(row)
                same += left == len(edits)
            else:
                left -= 1
                rows += reversed(list(edited(row, edit, seq)))
            head = head.before
        return head, rows[::-1], same

    def _rewound(self, to: int, chain: Chain) -> Moment[S, P]:
        if to >= chain.seq:
            return Moment(self.now.step, chain, Illegal("log.1", evidence("no_entry", number=to)))
        past = self.moment(to)
        fact = "stands_again" if to else "stands_at_start"
        return Moment(
            past.step, Chain(past.chain, chain.seq), Legal("log.1", evidence(fact, number=to))
        )

    def _correction_fault(self, entry: Entry, parts: tuple[Part, ...]) -> Illegal | None:
        """Why a correction can't be made, whatever its effect would be; None if it can."""
        played = {step.seq: step for step in steps(self.now.step)}
        aims = set()
        inserts = 0
        for part in parts:
            fact = self.fault(part.number, played)
            if fact:
                clause = made(entry, len(parts)).clause if fact == "not_a_play" else "log.1"
                return Illegal(clause, evidence(fact, number=part.number))
            aims.add((part.number, isinstance(part, Insert)))
            inserts += isinstance(part, Insert)
        if isinstance(entry, Together) and (inserts > 1 or len(aims) != len(entry.parts)):
            return Illegal("log.2", evidence("not_together"))
        if isinstance(entry, Amend | Together) and all(_idle(part, played) for part in parts):
            return Illegal("log.2", evidence(NO_CHANGE, number=parts[0].number))
        if isinstance(entry, Void) and not self._deal_of(entry.number):
            return Illegal("log.6", evidence("no_deal_there", number=entry.number))
        return None

    def fault(self, number: int, played: Container[int] | None = None) -> str | None:
        """Why no correction can aim at entry ``number``, as a fact of the ruling book; None if one
        can.

        ``played``: the numbers of the plays in force, if the caller has them.
        """
        if played is None:
            played = {step.seq for step in steps(self.now.step)}
        if not 1 <= number <= len(self.entries):
            return "no_entry"
        if isinstance(self.entries[number - 1], NO_PLAYS):
            return "not_a_play"
        return None if number in played else "not_in_force"

    def _deal_of(self, number: int) -> int:
        """The deal in which the play ``number`` lies, 1-based; 0 if it lies in none."""
        found = next(step for step in steps(self.now.step) if step.seq == number)
        whole = self.game.HOOKS.whole_deals
        if whole and not (isinstance(found.play, whole) and found.took_effect):
            return 0
        return 0 if isinstance(found.play, Adjust) else int(found.state.deal)

    def _corrected(self, entry: Entry, parts: tuple[Part, ...], seq: int) -> Moment[S, P]:
        """The moment after the corrections ``parts``, with everything after them judged again."""
        chain = Chain(self.now.chain, seq)
        ruling = any(isinstance(part, Rule) for part in parts)
        if ruling and self.table.option("allow_override") == "off":
            return Moment(self.now.step, chain, Illegal("log.3", evidence("no_rulings")))
        head, rows, same = self.rows(parts, seq)
        old = {step.seq: step for step in islice(steps(self.now.step), same)}
        # deals after a voided one stay as they were dealt, even if the rotation now says otherwise
        later = dealt(self.now.step) if isinstance(entry, Void) else ()
        for place, row in enumerate(rows):
            if len(rows) - place == same and place < NEAR and self._as_before(head, old[row.seq]):
                # from an equal state on, the same plays have the same verdicts
                for row in rows[place:]:
                    was = old[row.seq]
                    head = was._replace(before=head, onto=effective(head))
                break
            head = self.judged(head, *row)
            if row.seq in later and isinstance(head.verdict, Illegal):
                head = self.judged(head.before, row.seq, row.play, seq)
                continue
            illegal = isinstance(head.verdict, Illegal)
            # A missing play that was illegal is inserted only for what it costs, such as a draw.
            if illegal and row.seq == seq and head.state == self.before(head):
                return Moment(self.now.step, chain, head.verdict)
            if illegal and row.ruled == seq and not head.took_effect:
                return Moment(
                    self.now.step, chain, Illegal("log.3", evidence("no_effect", number=row.seq))
                )
        return Moment(head, chain, made(entry, len(parts)))

    def _as_before(self, head: Step[S, P] | None, old: Step[S, P]) -> bool:
        """Whether the table stands at ``head`` as it stood before ``old``."""
        now = head.state if head else self.start
        return depth(head) == depth(old.before) and bool(now == self.before(old))

    def _made(self, entry: Entry, before: Moment[S, P], now: Moment[S, P]) -> int:
        """Note what the last entry has changed; returns how many steps it has made."""
        if isinstance(entry, Rewind):
            again = isinstance(self.moments[entry.to], PastMoment)
            return len(list(steps(now.step))) if again else 0
        seq, old = len(self), {step.seq: step for step in steps(before.step)}
        fresh = [*takewhile(lambda step: old.get(step.seq) is not step, steps(now.step))]
        ruled = [step.seq for step in fresh if step.ruled == seq]
        for number in ruled:
            if isinstance(old[number].verdict, Illegal):
                self._accepted.add((number, seq))
        if isinstance(entry, Void):
            played = {step.seq for step in steps(now.step)}
            gone = [number for number in old if number not in played]
            self._voids[seq] = Voided(gone[-1], gone[0], tuple(ruled))
        return len(fresh)

    def _forget(self, before: Moment[S, P]) -> None:
        """Keep the steps of two timelines alone: that of now, and the one ``before`` it."""
        kept = {id(step) for moment in (self.now, before) for step in steps(moment.step)}
        for seq, moment in enumerate(self.moments):
            step = None if isinstance(moment, PastMoment) else moment.step
            if step is not None and id(step) not in kept:
                at, proven = (
                    deal_and_trick(self.game, step.state),
                    bool(self.game.audit(step.state)),
                )
                self.moments[seq] = PastMoment(at, proven, moment.chain, moment.verdict)
        self.older, self._again = 0, {}


def _idle(part: Part, played: Mapping[int, Step]) -> bool:
    """Whether a correction of a play in force, one of ``played``, leaves it as it is."""
    step = played[part.number]
    return isinstance(part, Amend) and part.play == step.play and step.ruled is None
