"""The timelines of a match: which plays were in force after each entry, and their steps.

A *timeline* is a linked list of steps, newest first. Moments that are no longer on the timeline of
now have lost their steps (``PastMoment``); they are made again from the entries here.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import dropwhile, takewhile
from operator import eq
from typing import Generic, cast

from referee.core import sheets
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
)
from referee.core.game import Game, Table
from referee.core.generic import Entry, P, S
from referee.core.log.edits import PlayToJudge, Voided, alters, corrected, voided
from referee.core.steps import (
    DealAndTrick,
    Moment,
    PastMoment,
    Step,
    deal_and_trick,
    depth,
    effective,
    number_of,
    resolved,
    steps,
)
from referee.core.verdict import Finding, Illegal, Legal, Seat, Unprovable, Verdict


class Timelines(Generic[S, P]):
    """The entries of a match, and the steps that were in force after each of them.

    Entry numbers are 1-based.
    """

    def __init__(self, game: Game[S, P], table: Table) -> None:
        self.game, self.table = game, table
        self.start = game.setup(table)
        self.entries: list[Entry] = []
        self.moments: list[Moment[S, P] | PastMoment] = [Moment(None, None, Legal("log.1"))]
        self._now: Moment[S, P] = Moment(None, None, Legal("log.1"))
        # Steps that were made again for a moment, by its number.
        self._again: dict[int, Step[S, P] | None] = {}
        # What has to be known to make them again: which plays were illegal when an entry accepted
        # them, as (play, entry), and what each entry that voids a deal has done.
        self._accepted: set[tuple[int, int]] = set()
        self._voids: dict[int, Voided] = {}

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

    def moment(self, seq: int) -> Moment[S, P]:
        """The table after entry ``seq``, with its steps."""
        kept = self.moments[seq]
        if isinstance(kept, Moment):
            return kept
        return Moment(self._made_again(seq), kept.chain, kept.verdict)

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
