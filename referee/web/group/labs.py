"""Simulations that phones have requested: one at a time, each in a separate process."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock, Thread, Timer

from flask import Flask, current_app

from referee.history import records
from referee.insight.playing import Batch, Plan, Result
from referee.insight.statistics import Report, described
from referee.store import Store
from referee.store.past import Past
from referee.web.group.intake import Busy
from referee.web.group.lab_process import BatchDone, Job, Own

RUN = "from referee.web.group import lab_process; lab_process.main()"
SECONDS = 300.0
"""Wall-clock time from the start to the last match."""
REMEMBERED = 16  # simulations that are kept in memory
KEY = "labs"
NOTHING = Batch((), Counter(), frozenset())


@dataclass(slots=True)
class Lab:
    """A simulation for a group: its plans, and a batch of results for each plan.

    ``games``: matches wanted of each plan. ``pace``: seconds per entry in the group's own matches,
    None without times. ``own``: results of these matches. ``stopped``: a person stopped it;
    ``short``: it ran out of time. ``failed``: an exception stopped it, which is in the server's
    log.
    """

    circle: str
    plans: tuple[Plan, ...]
    games: int
    pace: float | None
    batches: list[Batch]
    own: tuple[Result, ...] = ()
    stopped: bool = False
    short: bool = False
    failed: bool = False
    over: bool = False
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    _final: list[Report] | None = field(default=None, repr=False)

    @property
    def done(self) -> int:
        """The number of matches played, of all plans together."""
        return sum(len(batch.results) for batch in self.batches)

    @property
    def total(self) -> int:
        return self.games * len(self.plans)

    def reports(self) -> list[Report]:
        """A report on each plan (see ``insight.statistics``), then one on the group's own matches.

        Plans without a match, and a group without one, have none. Kept once the simulation is over:
        tables wait while the server computes a report on thousands of matches.
        """
        if self._final is not None:
            return self._final
        over = self.over  # read before the batches: if it is over, they are complete
        found = [
            described(plan, batch, self.pace)
            for plan, batch in zip(self.plans, self.batches, strict=True)
            if batch.results
        ]
        if self.own:
            own = NOTHING._replace(results=self.own)
            found.append(described(self.plans[0]._replace(players=("people",)), own, self.pace))
        if over:
            self._final = found
        return found


_one = Lock()


def _labs() -> OrderedDict[tuple[str, str], Lab]:
    """The simulations by group and game, the oldest first."""
    found: OrderedDict[tuple[str, str], Lab] = current_app.extensions.setdefault(KEY, OrderedDict())
    return found


def current(circle: str, game: str) -> Lab | None:
    """The running or last simulation of this game for this group; None if there was none."""
    return _labs().get((circle, game))


def stop(circle: str, game: str) -> None:
    """Stop the running simulation of this group; what was played stays."""
    lab = current(circle, game)
    if lab and not lab.over and lab.process:
        lab.stopped = True
        lab.process.kill()


def start(store: Store, circle: str, plans: Sequence[Plan], games: int) -> None:
    """Start a simulation; raises ``Busy`` while another is running."""
    if not _one.acquire(blocking=False):
        raise Busy
    try:
        app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
        plan = plans[0]
        past = Past(store, circle)
        pace = past.pace(plan.game, plan.seats)
        lab = Lab(circle, tuple(plans), games, pace, [NOTHING] * len(plans))
        matches = past.alike(plan.game, plan.seats)
        process = lab.process = subprocess.Popen(
            [sys.executable, "-c", RUN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
    except BaseException:
        _one.release()
        raise
    labs = _labs()
    labs.pop((circle, plan.game), None)
    while len(labs) >= REMEMBERED:
        labs.popitem(last=False)
    labs[circle, plan.game] = lab
    timer = Timer(SECONDS, process.kill)
    timer.daemon = True
    timer.start()

    def run() -> None:
        try:
            _send(store, lab, process, matches)
            _listen(lab, process)
        except Exception as fault:  # the page reports it
            lab.failed = not lab.stopped
            app.logger.error("simulation", exc_info=fault)
        finally:
            timer.cancel()
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
            lab.over = True
            _one.release()

    Thread(target=run, name="lab", daemon=True).start()


def _send(store: Store, lab: Lab, process: subprocess.Popen[bytes], matches: Sequence[str]) -> None:
    """Write the job with the records of the group's own ``matches`` to the process."""
    assert process.stdin is not None
    files: dict[str, str] = {}
    texts = []
    for match in matches:
        texts.append(records.export(store, match))
        files |= records.files_beside(store, match)
    pickle.dump(Job(lab.plans, lab.games, tuple(texts), files), process.stdin)
    process.stdin.close()


def _listen(lab: Lab, process: subprocess.Popen[bytes]) -> None:
    """Collect what the process reports until it ends or is stopped."""
    assert process.stdout is not None
    while True:
        try:
            message = pickle.load(process.stdout)
        except (EOFError, pickle.UnpicklingError):
            break
        match message:
            case Own(results):
                lab.own = results
            case BatchDone(version, batch):
                before = lab.batches[version]
                lab.batches[version] = Batch(
                    before.results + batch.results,
                    before.clauses + batch.clauses,
                    before.asked | batch.asked,
                )
    lab.short = lab.done < lab.total and not lab.stopped
