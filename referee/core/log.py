"""The log of a match: which plays are in force after its plays and corrections.

A *timeline* is a linked list of steps, newest first. Every entry, corrections included, leaves a
``Moment``: the newest step in force and the chain of entries that led to it. So a rewind to entry n
points at moment n again, nothing is ever lost, and a correction replays only what comes after the
entry that it corrects.

Each correction makes new steps for all plays after the entry that it corrects. If a match kept them
all, it would take memory with the square of its length; so moments that are no longer on the
timeline lose their steps (``PastMoment``), and ``moment`` makes them again from the entries.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from itertools import dropwhile, islice, takewhile
from operator import eq
from typing import Generic, cast

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
from referee.core.edits import PlayToJudge, Voided, alters, corrected, edited, made, voided
from referee.core.game import Game, Table
from referee.core.generic import Entry, P, S
from referee.core.steps import (
    Chain,
    DealAndTrick,
    Moment,
    PastMoment,
    Step,
    deal_and_trick,
    dealt,
    depth,
    effective,
    number_of,
    resolved,
    steps,
)
from referee.core.verdict import (
    Finding,
    Illegal,
    Legal,
    Seat,
    Unprovable,
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


class Log(Generic[S, P]):
    """A match under replay: entries are added one by one, and ``now`` is what is in force.

    Entry numbers are 1-based. An illegal entry is kept and changes nothing.
    """

    def __init__(self, game: Game[S, P], table: Table) -> None:
        self.game, self.table = game, table
        self.start = game.setup(table)
        self.entries: list[Entry] = []
        self.moments: list[Moment[S, P] | PastMoment] = [Moment(None, None, Legal("log.1"))]
        self._now: Moment[S, P] = Moment(None, None, Legal("log.1"))
        # Steps of older timelines that are kept, and those made again for a moment, by its number.
        self.older = 0
        self._again: dict[int, Step[S, P] | None] = {}
        # What has to be known to make them again: which plays were illegal when an entry accepted
        # them, as (play, entry), and what each entry that voids a deal has done.
        self._accepted: set[tuple[int, int]] = set()
        self._voids: dict[int, Voided] = {}
        # Contests at the end of a chain, cached: there can be thousands, and each entry asks for
        # all.
        self._contested: tuple[Chain | None, dict[int, Contested]] = (None, {})

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def now(self) -> Moment[S, P]:
        return self._now

    @property
    def state(self) -> S:
        return self.state_at(self.now)

    def state_at(self, moment: Moment[S, P]) -> S:
        """The game's state at ``moment``."""
        return moment.step.state if moment.step else self.start

    def seats_at(self, state: S) -> tuple[Seat, ...]:
        """All seats of the match at ``state``: those of the table, and those that have joined."""
        return self.game.HOOKS.seats(state) if self.game.HOOKS.seats else self.table.seats

    def present_at(self, state: S) -> tuple[Seat, ...]:
        """The seats that are in at ``state``; all others sit out."""
        return self.game.HOOKS.present(state) if self.game.HOOKS.present else self.table.seats

    def place(self, seq: int) -> DealAndTrick:
        """Deal and trick at the moment ``seq``."""
        moment = self.moments[seq]
        if isinstance(moment, PastMoment):
            return moment.place
        return deal_and_trick(self.game, self.state_at(moment))

    def before(self, step: Step[S, P]) -> S:
        """The game's state to which the play of ``step`` was made."""
        return step.before.state if step.before else self.start

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

    def moment(self, seq: int) -> Moment[S, P]:
        """The table after entry ``seq``, with its steps."""
        kept = self.moments[seq]
        if isinstance(kept, Moment):
            return kept
        return Moment(self._made_again(seq), kept.chain, kept.verdict)

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

    def steps(self) -> list[Step[S, P]]:
        """The plays in force, in order; illegal ones that changed nothing are among them."""
        return list(steps(self.now.step))[::-1]

    def in_force(self, moment: Moment[S, P] | PastMoment | None = None) -> set[int]:
        """Numbers of the entries that no rewind has undone at ``moment``, corrections included."""
        numbers, link = set(), (moment or self.now).chain
        while link:
            numbers.add(link.seq)
            link = link.before
        return numbers

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

    def findings(self, moment: Moment[S, P] | None = None) -> tuple[Finding, ...]:
        """Proven infractions at ``moment`` (now), with entry numbers for positions."""
        moment = moment or self.now
        last = moment.step
        return tuple(
            finding._replace(
                at=number_of(last, finding.at),
                proof=tuple(number_of(last, at) for at in finding.proof),
                evidence=resolved(finding.evidence, last),
            )
            for finding in self.game.audit(self.state_at(moment))
        )

    def findings_after(self, seq: int) -> tuple[Finding, ...]:
        """The ``findings`` at the moment ``seq``; needs its steps only if there are some."""
        past = self.moments[seq]
        none = isinstance(past, PastMoment) and not past.proven
        return () if none else self.findings(self.moment(seq))

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

    def _parts(self, entry: Entry) -> tuple[Part, ...]:
        """As ``parts``, for every correction but a voided deal."""
        match entry:
            case Amend() | Strike() | Insert() | Rule():
                return (entry,)
            case Together(parts=parts):
                return parts
            case Decide(number=number, right=True):
                contest = self.entries[number - 1]
                assert isinstance(contest, Contest)
                if contest.play is None:
                    return (Strike(contest.number),)
                return (Amend(contest.number, contest.play),)
            case _:
                return ()

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

    def judged(
        self, before: Step[S, P] | None, seq: int, entry: Entry, ruled: int | None
    ) -> Step[S, P]:
        """The play ``entry`` with the number ``seq``, judged after ``before``; records nothing."""
        play = cast(P, entry)  # no correction: the grammar reads plays of this game alone
        state = before.state if before else self.start
        onto, reached = effective(before), depth(before)
        verdict = sheets.judge(self.game, self.table, state, play)
        if ruled is not None and self._let_stand(verdict, seq, ruled):
            stands = sheets.let_stand(self.game, self.table, state, play)
            if stands is not None:
                return Step(before, onto, seq, play, verdict, stands, reached + 1, ruled)
        if not isinstance(verdict, Illegal):
            after = sheets.apply(self.game, self.table, state, play)
            return Step(before, onto, seq, play, verdict, after, reached + 1, ruled)
        left = self.game.HOOKS.refused(state, play)
        return Step(before, onto, seq, play, verdict, left, reached, ruled)

    def _let_stand(self, verdict: Verdict, seq: int, ruled: int) -> bool:
        """Whether ruling ``ruled`` accepts an illegal play, so that what it declares is not
        believed.

        True also if the play was illegal when it was accepted and a correction has since made it
        one that depends on the hand.
        """
        if not isinstance(verdict, Unprovable):
            return isinstance(verdict, Illegal)
        if ruled <= len(self):
            return (seq, ruled) in self._accepted
        then = next((step for step in steps(self.now.step) if step.seq == seq), None)
        return then is not None and isinstance(then.verdict, Illegal)

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

    def _made_again(self, seq: int) -> Step[S, P] | None:
        """The steps at the moment ``seq``, from the nearest moment before it that has them.

        They are kept, with those of the moments in between, until others are made.
        """
        again, trail, here = self._again, list[int](), seq
        while isinstance(past := self.moments[here], PastMoment) and here not in again:
            entry = self.entries[here - 1]
            if isinstance(entry, Rewind) and isinstance(past.verdict, Legal):
                here = entry.to
                continue
            if alters(entry, past.verdict):
                trail.append(here)
            here -= 1
        head = past.step if isinstance(past, Moment) else again[here]
        edits = list(dropwhile(lambda n: not isinstance(self.entries[n - 1], NO_PLAYS), trail))
        if edits:
            head, again = self._edited(head, edits[::-1]), {}
            again[edits[0]] = head
        for number in reversed(trail[: len(trail) - len(edits)]):
            head = again[number] = self.judged(head, number, self.entries[number - 1], None)
        again[seq] = head
        self._again = again
        return head

    def _edited(self, last: Step[S, P] | None, numbers: Iterable[int]) -> Step[S, P] | None:
        """The steps after the plays and corrections ``numbers``, made in order after ``last``."""
        known = list(steps(last))[::-1]
        before = [PlayToJudge(step.seq, step.play, step.ruled) for step in known]
        rows = {row.seq: row for row in before}
        for number in numbers:
            entry = self.entries[number - 1]
            if number in self._voids:
                rows = voided(rows, self._voids[number], number)
            elif isinstance(entry, NO_PLAYS):
                rows = corrected(rows, self._parts(entry), number)
            else:
                rows[number] = PlayToJudge(number, entry, None)
        played = list(rows.values())
        same = sum(1 for _ in takewhile(bool, map(eq, before, played)))
        head = known[same - 1] if same else None
        for row in played[same:]:
            head = self.judged(head, *row)
        return head


def _idle(part: Part, played: Mapping[int, Step]) -> bool:
    """Whether a correction of a play in force, one of ``played``, leaves it as it is."""
    step = played[part.number]
    return isinstance(part, Amend) and part.play == step.play and step.ruled is None
