"""The log of a match: which plays are in force after its plays and corrections.

A *timeline* is a linked list of steps, newest first. Every entry, corrections included, leaves a
``Moment``: the newest step in force and the chain of entries that led to it. So a rewind to entry n
points at moment n again, nothing is ever lost, and a correction replays only what comes after the
entry that it corrects.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Generic, NamedTuple, cast

from referee.core import contests, sheets
from referee.core.contests import Contested
from referee.core.corrections import (
    NO_PLAYS,
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
from referee.core.edits import PlayToJudge, edited, made
from referee.core.game import Game, Table
from referee.core.generic import Entry, P, S
from referee.core.record import form
from referee.core.verdict import (
    Evidence,
    Facts,
    Finding,
    Illegal,
    Legal,
    Position,
    Unprovable,
    Verdict,
    evidence,
)

# How many plays after a correction are compared with the old ones. A state holds its whole history,
# so more comparisons would cost more than they save.
NEAR = 100

NO_CHANGE = "nothing_changes"
"""The fact for which a correction is refused that would leave every entry as it is."""


class Step(NamedTuple, Generic[S, P]):
    """A play in force: the entry ``seq`` that records it, its verdict, and the state after it.

    ``before``: the previous step; ``onto``: the last previous one that took effect. ``depth``
    counts the plays that took effect, this one included. ``ruled``: the entry by which the table
    accepted the play.
    """

    before: Step[S, P] | None
    onto: Step[S, P] | None
    seq: int
    play: P
    verdict: Verdict
    state: S
    depth: int
    ruled: int | None

    @property
    def took_effect(self) -> bool:
        """Whether the play was legal, or the table accepted it."""
        return self.depth > depth(self.before)

    @property
    def by_sheet(self) -> bool:
        """Whether this play enters a whole deal by its sheet, and took effect."""
        return isinstance(self.play, sheets.TableSheet) and self.took_effect

    def __repr__(self) -> str:  # the inherited one would print the whole match
        return f"Step({self.seq}, {self.play!r}, {self.verdict!r})"


class Chain(NamedTuple):
    """The entries that led to a moment, newest first."""

    before: Chain | None
    seq: int

    def __repr__(self) -> str:
        return f"Chain({self.seq}, …)"


class Moment(NamedTuple, Generic[S, P]):
    """The table after an entry; ``verdict`` is the one that was given to that entry."""

    step: Step[S, P] | None
    chain: Chain | None
    verdict: Verdict


class Log(Generic[S, P]):
    """A match under replay: entries are added one by one, and ``now`` is what is in force.

    Entry numbers are 1-based. An illegal entry is kept and changes nothing.
    """

    def __init__(self, game: Game[S, P], table: Table) -> None:
        self.game, self.table = game, table
        self.start = game.setup(table)
        self.entries: list[Entry] = []
        self.moments: list[Moment[S, P]] = [Moment(None, None, Legal("log.1"))]
        # Contests at the end of a chain, cached: there can be thousands, and each entry asks for
        # all.
        self._contested: tuple[Chain | None, dict[int, Contested]] = (None, {})

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def now(self) -> Moment[S, P]:
        return self.moments[-1]

    @property
    def state(self) -> S:
        return self.state_at(self.now)

    def state_at(self, moment: Moment[S, P]) -> S:
        """The game's state at ``moment``."""
        return moment.step.state if moment.step else self.start

    def before(self, step: Step[S, P]) -> S:
        """The game's state to which the play of ``step`` was made."""
        return step.before.state if step.before else self.start

    def push(self, entry: Entry, moment: Moment[S, P] | None = None) -> Verdict:
        """Record ``entry`` and return the verdict on it.

        ``moment``: the result of ``consider`` for the same entry, so that it is not judged twice.
        """
        moment = moment or self.consider(entry)
        self.entries.append(entry)
        self.moments.append(moment)
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
            case Contest() | Vote() | Decide():
                fault = contests.fault(entry, self.contests(now), self.table, self.fault)
                if fault:
                    return Moment(now.step, chain, fault)
                if not isinstance(entry, Decide):
                    return Moment(now.step, chain, contests.noted(entry))
        parts = self.parts(entry, now)
        fault = self._correction_fault(entry, parts)
        return Moment(now.step, chain, fault) if fault else self._corrected(entry, parts, seq)

    def steps(self) -> list[Step[S, P]]:
        """The plays in force, in order; illegal ones that changed nothing are among them."""
        return list(reversed(list(steps(self.now.step))))

    def in_force(self, moment: Moment[S, P] | None = None) -> set[int]:
        """Numbers of the entries that no rewind has undone at ``moment``, corrections included."""
        numbers, link = set(), (moment or self.now).chain
        while link:
            numbers.add(link.seq)
            link = link.before
        return numbers

    def contests(self, moment: Moment[S, P] | None = None) -> list[contests.Contested]:
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

    def open_contests(self, moment: Moment[S, P] | None = None) -> list[Contested]:
        """The contests in force at ``moment`` (now) that the table has not decided."""
        return [one for one in self.contests(moment) if one.decided is None]

    def broken(self, moment: Moment[S, P] | None = None) -> list[int]:
        """Plays in force at ``moment`` (now) that a correction has made illegal, by number.

        Without those that the table accepts, and those that were illegal when they were recorded.
        """
        if not any(isinstance(entry, NO_PLAYS) for entry in self.entries):
            return []
        return sorted(
            step.seq
            for step in steps((moment or self.now).step)
            if isinstance(step.verdict, Illegal)
            and step.ruled is None
            and step.seq <= len(self)
            and not isinstance(self.entries[step.seq - 1], NO_PLAYS)
            and not isinstance(self.moments[step.seq].verdict, Illegal)
        )

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

    def parts(self, entry: Entry, moment: Moment[S, P]) -> tuple[Part, ...]:
        """The corrections of single entries that a correction made at ``moment`` consists of."""
        match entry:
            case Amend() | Strike() | Insert() | Rule():
                return (entry,)
            case Together(parts=parts):
                return parts
            case Void(number=number):
                played = list(steps(moment.step))
                deals = {step.seq: step.state.deal for step in played}
                deal = deals.get(number)
                same = [
                    step.seq
                    for step in played
                    if step.state.deal == deal and not isinstance(step.play, sheets.Stop)
                ]
                return tuple(Strike(seq) for seq in reversed(same)) or (Strike(number),)
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
        past = self.moments[to]
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
        found = next(step for step in steps(self.now.step) if step.seq == number)
        return int(found.state.deal)

    def _corrected(self, entry: Entry, parts: tuple[Part, ...], seq: int) -> Moment[S, P]:
        """The moment after the corrections ``parts``, with everything after them judged again."""
        chain = Chain(self.now.chain, seq)
        ruling = any(isinstance(part, Rule) for part in parts)
        if ruling and self.table.option("allow_override") == "off":
            return Moment(self.now.step, chain, Illegal("log.3", evidence("no_rulings")))
        head, rows, same = self.rows(parts, seq)
        old = {step.seq: step for step in islice(steps(self.now.step), same)}
        # deals after a voided one stay as they were dealt, even if the rotation now says otherwise
        dealt = _dealt(self.now.step) if isinstance(entry, Void) else ()
        for place, row in enumerate(rows):
            if len(rows) - place == same and place < NEAR and self._as_before(head, old[row.seq]):
                # from an equal state on, the same plays have the same verdicts
                for row in rows[place:]:
                    was = old[row.seq]
                    head = was._replace(before=head, onto=effective(head))
                break
            head = self.judged(head, *row)
            if row.seq in dealt and isinstance(head.verdict, Illegal):
                head = self.judged(head.before, row.seq, row.play, seq)
                continue
            illegal = isinstance(head.verdict, Illegal)
            if illegal and row.seq == seq:
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
        then = next((s for s in steps(self.moments[ruled - 1].step) if s.seq == seq), None)
        return then is not None and isinstance(then.verdict, Illegal)


def steps(step: Step[S, P] | None) -> Iterator[Step[S, P]]:
    """``step`` and those before it, newest first."""
    while step is not None:
        yield step
        step = step.before


def depth(step: Step | None) -> int:
    """How many plays took effect up to ``step``."""
    return step.depth if step else 0


def effective(step: Step[S, P] | None) -> Step[S, P] | None:
    """The last step up to ``step`` that took effect."""
    return step.onto if step and not step.took_effect else step


def number_of(last: Step | None, at: int) -> int:
    """The number of the entry at position ``at`` of the timeline that ends with ``last``.

    Raises LookupError if there is none.
    """
    step = effective(last)
    while step is not None and step.depth > at:
        step = step.onto
    if step is None or step.depth < at:
        raise LookupError(at)
    return step.seq


def resolved(evidence: Facts, last: Step | None) -> Facts:
    """``evidence`` with entry numbers in place of positions."""
    return tuple(map(partial(_numbered, last), evidence))


def _numbered(last: Step | None, fact: Evidence) -> Evidence:
    if fact.at is None:
        return fact
    values = {
        name: number_of(last, value) if isinstance(value, Position) else value
        for name, value in fact.values.items()
    }
    return fact._replace(at=number_of(last, fact.at), values=values)


def _idle(part: Part, played: Mapping[int, Step]) -> bool:
    """Whether a correction of a play in force, one of ``played``, leaves it as it is."""
    step = played[part.number]
    return isinstance(part, Amend) and part.play == step.play and step.ruled is None


def _dealt(last: Step | None) -> set[int]:
    """Numbers of the entries that dealt, in the timeline that ends with ``last``."""
    return {
        step.seq
        for step in steps(last)
        if form(step.play.FORM).verb in ("deal", "sheet") and step.took_effect
    }
