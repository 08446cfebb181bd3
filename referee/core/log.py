"""The log of a match: plays and corrections, folded into what is in force.

A *timeline* is a linked list of steps, newest first. Every entry, corrections included, leaves a
``Moment``: the newest step in force and the chain of entries that led to it. So rewinding to
entry n is pointing at moment n again, nothing is ever lost, and a correction replays only what
comes after the entry that it corrects.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, ClassVar, NamedTuple, TypeAlias

from referee.core.game import TABLE, Game, Table
from referee.core.verdict import Evidence, Facts, Finding, Illegal, Legal, Verdict


@dataclass(frozen=True, slots=True)
class Rewind:
    """The table stands again as entry ``to`` left it (0: before the first)."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "rewind {to:number}"
    to: int


@dataclass(frozen=True, slots=True)
class Amend:
    """Entry ``number`` was really ``play``."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "amend {number} {play:entry}"
    number: int
    play: Any


@dataclass(frozen=True, slots=True)
class Strike:
    """Entry ``number`` never happened."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "strike {number}"
    number: int


@dataclass(frozen=True, slots=True)
class Insert:
    """``play`` happened just before entry ``number``."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "insert {number} {play:entry}"
    number: int
    play: Any


@dataclass(frozen=True, slots=True)
class Rule:
    """The table lets entry ``number`` stand although the referee calls it illegal."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "rule {number} stands"
    number: int


Correction: TypeAlias = Rewind | Amend | Strike | Insert | Rule
CORRECTIONS = (Rewind, Amend, Strike, Insert, Rule)


class Step(NamedTuple):
    """A play in force: the entry ``seq`` that told it, its verdict, and the state after it.

    ``depth`` counts the plays that took effect up to here. ``ruled`` is the entry by which the
    table lets the play stand.
    """

    before: Step | None
    seq: int
    play: Any
    verdict: Verdict
    state: Any
    depth: int
    ruled: int | None

    def __repr__(self) -> str:  # the inherited one would print the whole match
        return f"Step({self.seq}, {self.play!r}, {self.verdict!r})"


class Chain(NamedTuple):
    """The entries that led to a moment, newest first."""

    before: Chain | None
    seq: int

    def __repr__(self) -> str:
        return f"Chain({self.seq}, …)"


class Moment(NamedTuple):
    """How the table stands after an entry; ``verdict`` is the one given to that entry then."""

    step: Step | None
    chain: Chain | None
    verdict: Verdict


class Log:
    """A match replayed: entries go in one by one, what is in force comes out.

    Entry numbers are 1-based. An illegal entry is kept and changes nothing.
    """

    def __init__(self, game: Game, table: Table) -> None:
        self.game, self.table = game, table
        self.start = game.setup(table)
        self.entries: list[Any] = []
        self.moments: list[Moment] = [Moment(None, None, Legal("log.1"))]

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def now(self) -> Moment:
        return self.moments[-1]

    @property
    def state(self) -> Any:
        return self.state_at(self.now)

    def state_at(self, moment: Moment) -> Any:
        """The game's state at ``moment``."""
        return moment.step.state if moment.step else self.start

    def push(self, entry: Any) -> Verdict:
        """Record ``entry`` and answer what the referee says of it."""
        moment = self.consider(entry)
        self.entries.append(entry)
        self.moments.append(moment)
        return moment.verdict

    def consider(self, entry: Any) -> Moment:
        """How the table would stand after ``entry``; records nothing."""
        now, seq = self.now, len(self.entries) + 1
        chain = Chain(now.chain, seq)
        if not isinstance(entry, CORRECTIONS):
            step = self._judged(now.step, seq, entry, None)
            return Moment(step, chain, step.verdict)
        if isinstance(entry, Rewind):
            if entry.to >= seq:
                return Moment(now.step, chain, _refused("no_entry", entry.to))
            past = self.moments[entry.to]
            fact = "stands_again" if entry.to else "stands_at_start"
            verdict = Legal("log.1", _fact(fact, entry.to))
            return Moment(past.step, Chain(past.chain, seq), verdict)
        fault = self._fault(entry.number)
        if fault:
            return Moment(now.step, chain, _refused(fault, entry.number))
        return self._corrected(entry, seq, chain)

    def steps(self) -> list[Step]:
        """The plays in force, in order; illegal ones that changed nothing are among them."""
        return list(reversed(list(steps(self.now.step))))

    def in_force(self, moment: Moment | None = None) -> set[int]:
        """Numbers of the entries that no rewind has undone at ``moment``, corrections included."""
        numbers, link = set(), (moment or self.now).chain
        while link:
            numbers.add(link.seq)
            link = link.before
        return numbers

    def findings(self, moment: Moment | None = None) -> tuple[Finding, ...]:
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

    def _fault(self, number: int) -> str | None:
        """Why a correction can't aim at entry ``number``, as a fact of the ruling book."""
        if not 1 <= number <= len(self.entries):
            return "no_entry"
        if isinstance(self.entries[number - 1], CORRECTIONS):
            return "not_a_play"
        if all(step.seq != number for step in steps(self.now.step)):
            return "not_in_force"
        return None

    def _corrected(self, entry: Amend | Strike | Insert | Rule, seq: int, chain: Chain) -> Moment:
        """The timeline with ``entry`` made good and everything after it judged again."""
        number, now = entry.number, self.now
        after = list(takewhile(lambda step: step.seq != number, steps(now.step)))
        target = next(step for step in steps(now.step) if step.seq == number)
        head, verdict = target.before, Legal("log.2")
        match entry:
            case Amend(play=play):
                head = self._judged(head, number, play, None)
                verdict = Legal("log.2", _fact("amended", number))
            case Strike():
                verdict = Legal("log.2", _fact("struck", number))
            case Insert(play=play):
                head = self._judged(head, seq, play, None)
                after.append(target)
                if isinstance(head.verdict, Illegal):
                    return Moment(now.step, chain, head.verdict)
                verdict = Legal("log.2", _fact("inserted", number))
            case Rule():
                if self.table.option("allow_override") == "off":
                    return Moment(now.step, chain, Illegal("log.3", (Evidence("no_rulings", {}),)))
                head = self._judged(head, number, target.play, seq)
                if isinstance(head.verdict, Illegal) and head.depth == depth(head.before):
                    return Moment(now.step, chain, Illegal("log.3", _fact("no_effect", number)))
                verdict = Legal("log.3", _fact("ruled", number))
        for step in reversed(after):
            head = self._judged(head, step.seq, step.play, step.ruled)
        return Moment(head, chain, verdict)

    def _judged(self, before: Step | None, seq: int, play: Any, ruled: int | None) -> Step:
        state = before.state if before else self.start
        reached = depth(before)
        verdict = self.game.judge(state, play)
        if not isinstance(verdict, Illegal):
            after = self.game.apply(state, play)
            return Step(before, seq, play, verdict, after, reached + 1, ruled)
        if ruled is not None:
            stands = self.game.let_stand(state, play)
            if stands is not None:
                return Step(before, seq, play, verdict, stands, reached + 1, ruled)
        refused = getattr(self.game, "refused", None)  # few games know a price of a refusal
        left = refused(state, play) if refused else state
        return Step(before, seq, play, verdict, left, reached, ruled)


def steps(step: Step | None) -> Iterator[Step]:
    """``step`` and those before it, newest first."""
    while step is not None:
        yield step
        step = step.before


def depth(step: Step | None) -> int:
    """How many plays took effect up to ``step``."""
    return step.depth if step else 0


def number_of(last: Step | None, at: int) -> int:
    """The entry that took effect at position ``at`` of the timeline that ends with ``last``."""
    return next(
        step.seq for step in steps(last) if step.depth == at and depth(step.before) == at - 1
    )


def resolved(evidence: Facts, last: Step | None) -> Facts:
    """``evidence`` with entry numbers for positions."""
    return tuple(
        fact if fact.at is None else fact._replace(at=number_of(last, fact.at)) for fact in evidence
    )


def _fact(fact: str, number: int) -> Facts:
    return (Evidence(fact, {"number": number}),)


def _refused(fact: str, number: int) -> Illegal:
    return Illegal("log.1", _fact(fact, number))
