"""The log of corrections as a plain list that is made anew and replayed from its beginning."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from referee.core import sheets
from referee.core.contests import carried
from referee.core.corrections import (
    NO_PLAYS,
    Amend,
    Contest,
    Decide,
    Insert,
    Rewind,
    Rule,
    Strike,
    Together,
    Void,
    Vote,
)
from referee.core.game import Game, Table
from referee.core.log import Log
from referee.core.steps import Step, deal_and_trick, steps
from referee.core.verdict import Illegal, Legal, Verdict


class Row(NamedTuple):
    seq: int
    play: Any
    ruled: int | None


class Replay(NamedTuple):
    verdicts: list[Verdict]
    state: Any
    took_effect: list[int]


class Plain:
    """The words of the record format, and nothing clever."""

    def __init__(self, game: Game, at: Table) -> None:
        self.game, self.table = game, at
        self.entries: list[Any] = []
        self.rows: list[list[Row]] = [[]]
        self.in_force: list[set[int]] = [set()]
        self.states: list[Any] = [game.setup(at)]
        self.good: set[int] = set()

    def replay(self, rows: list[Row]) -> Replay:
        state = self.game.setup(self.table)
        verdicts, took_effect = [], []
        for row in rows:
            verdict = sheets.judge(self.game, self.table, state, row.play)
            verdicts.append(verdict)
            after = None
            if not isinstance(verdict, Illegal):
                after = sheets.apply(self.game, self.table, state, row.play)
            elif row.ruled:
                after = sheets.let_stand(self.game, self.table, state, row.play)
            if after is not None:
                state = after
                took_effect.append(row.seq)
        return Replay(verdicts, state, took_effect)

    def push(self, entry: Any) -> type[Verdict]:
        """The kind of the verdict that the entry gets."""
        seq = len(self.entries) + 1
        rows, in_force, said = self.changed(entry, seq)
        self.entries.append(entry)
        self.rows.append(rows)
        self.in_force.append(in_force | {seq})
        self.states.append(self.replay(rows).state)
        if said is not Illegal:
            self.good.add(seq)
        return said

    def changed(self, entry: Any, seq: int) -> tuple[list[Row], set[int], type[Verdict]]:
        rows, in_force = self.rows[-1], self.in_force[-1]
        refused = rows, in_force, Illegal
        if not isinstance(entry, NO_PLAYS):
            rows = [*rows, Row(seq, entry, None)]
            return rows, in_force, type(self.replay(rows).verdicts[-1])
        match entry:
            case Rewind(to=to):
                return (self.rows[to], self.in_force[to], Legal) if to < seq else refused
            case Contest(number=number):
                return (rows, in_force, Legal) if self.is_play(number) else refused
            case Vote(number=number):
                asked = self.open(number) and self.table.option("contest") != "host"
                return (rows, in_force, Legal) if asked else refused
            case Decide(number=number, right=right):
                contest = self.open(number)
                if contest is None or not self.carried(number, right):
                    return refused
                aim = contest.number
                if right and not self.is_play(aim):
                    return refused
                change = Amend(aim, contest.play) if contest.play else Strike(aim)
                parts = [change] if right else []
            case Void(number=number):
                if not self.is_play(number) or not self.deal_of(number):
                    return refused
                deal = self.deal_of(number)
                parts = [Strike(row.seq) for row in rows if self.deal_of(row.seq) == deal]
            case Together(parts=together):
                parts = list(together)
                aims = [(part.number, isinstance(part, Insert)) for part in parts]
                if len(set(aims)) < len(aims) or sum(insert for _, insert in aims) > 1:
                    return refused
            case _:
                parts = [entry]
        if not all(self.is_play(part.number) for part in parts):
            return refused
        now = {row.seq: row for row in rows}
        same = (
            isinstance(part, Amend) and now[part.number] == (part.number, part.play, None)
            for part in parts
        )
        if isinstance(entry, Amend | Together) and all(same):
            return refused
        made: list[Row] = []
        for row in rows:
            of_row = [part for part in parts if part.number == row.seq]
            for part in of_row:
                if isinstance(part, Insert):
                    made.append(Row(seq, part.play, None))
                elif isinstance(part, Amend):
                    row = Row(row.seq, part.play, None)
                elif isinstance(part, Rule):
                    row = row._replace(ruled=seq)
            if not any(isinstance(part, Strike) for part in of_row):
                made.append(row)
        if isinstance(entry, Void):
            stood = self.replay(rows).took_effect
            for i, row in enumerate(made):
                wrong = isinstance(self.replay(made[: i + 1]).verdicts[-1], Illegal)
                if type(row.play).__name__ == "Deal" and row.seq in stood and wrong:
                    made[i] = row._replace(ruled=seq)
        replay = self.replay(made)
        for row, verdict in zip(made, replay.verdicts, strict=True):
            if row.seq == seq and isinstance(verdict, Illegal):
                return refused
            without_effect = row.ruled == seq and row.seq not in replay.took_effect
            if without_effect and not isinstance(entry, Void):
                return refused
        return made, in_force, Legal

    def is_play(self, number: int) -> bool:
        entry = self.entries[number - 1] if 1 <= number <= len(self.entries) else Rewind(0)
        in_force = any(row.seq == number for row in self.rows[-1])
        return in_force and not isinstance(entry, NO_PLAYS)

    def deal_of(self, number: int) -> int:
        rows = self.rows[-1]
        place = next(i for i, row in enumerate(rows) if row.seq == number)
        return int(self.replay(rows[: place + 1]).state.deal)

    def open(self, number: int) -> Contest | None:
        """The contest ``number``, if it is in force and undecided."""
        if number not in self.in_force[-1] or number not in self.good:
            return None
        entry = self.entries[number - 1]
        done = {
            one.number
            for seq, one in enumerate(self.entries, 1)
            if isinstance(one, Decide) and seq in self.in_force[-1] and seq in self.good
        }
        return entry if isinstance(entry, Contest) and number not in done else None

    def carried(self, number: int, right: bool) -> bool:
        votes = {self.entries[number - 1].seat: True}
        for seq, one in enumerate(self.entries, 1):
            good = seq in self.in_force[-1] and seq in self.good
            if isinstance(one, Vote) and one.number == number and good:
                votes[one.seat] = one.agrees
        return carried(self.table.option("contest"), self.table.seats, votes, right)


def forgets(log: Log) -> None:
    """Let the log forget the steps of older timelines now, as a long one does."""
    log._forget(log.now)


def same_past(log: Log, plain: Plain, rng: Random) -> None:
    """Compare every moment with the plain list, in any order, as pages ask for them."""
    order = list(range(len(log.moments)))
    for seq in rng.choice([order, order[::-1], rng.sample(order, len(order))]):
        past, rows = log.moment(seq), plain.rows[seq]
        made = list(steps(past.step))[::-1]
        assert [(step.seq, step.play, step.ruled) for step in made] == rows
        assert [step.verdict for step in made] == plain.replay(rows).verdicts
        assert log.state_at(past) == plain.states[seq]
        assert log.place(seq) == deal_and_trick(log.game, plain.states[seq])
        assert log.findings_after(seq) == log.findings(past)
        assert log.in_force(past) == log.in_force(log.moments[seq]) == plain.in_force[seq]


def alike(one: Step | None, other: Step | None) -> bool:
    """Whether two timelines are equal. ``==`` would come by each step on two ways, by its
    predecessor on four, and so on."""
    due, known = [(one, other)], set()
    while due:
        one, other = due.pop()
        if one is other or (id(one), id(other)) in known:
            continue
        known.add((id(one), id(other)))
        if one is None or other is None or one[2:] != other[2:]:
            return False
        due += [(one.before, other.before), (one.onto, other.onto)]
    return True


def same(log: Log, plain: Plain) -> None:
    """Compare every result of the log with the plain list."""
    rows = plain.rows[-1]
    replay = plain.replay(rows)
    steps = log.steps()
    assert [(s.seq, s.play, s.ruled) for s in steps] == rows
    assert [s.verdict for s in steps] == replay.verdicts
    assert log.state == replay.state
    assert log.in_force() == plain.in_force[-1]
    numbers = dict(enumerate(replay.took_effect, 1))
    found = [
        (f.clause, f.seat, numbers[f.at], tuple(numbers[at] for at in f.proof))
        for f in log.game.audit(replay.state)
    ]
    assert [(f.clause, f.seat, f.at, f.proof) for f in log.findings()] == found
