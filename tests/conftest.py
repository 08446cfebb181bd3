"""Hypothesis draws the same examples every time; the profile ``explore`` draws new ones.

With ``--database=postgresql`` (or ``REFEREE_TEST_DATABASE``) every store that a test makes for a
file lies on a PostgreSQL server instead, each in a schema of its own.

With ``REFEREE_TEST_BASE`` no accelerator can be imported: see ``as_imported``, `make test-base`.

With ``--switch-interval 0.000005`` threads take turns a thousand times as often as by themselves:
what goes wrong only where one comes between two steps of another then does. Not for the tests of
the browser, which would become slow and find nothing by it.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from functools import wraps
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any

import as_imported  # before what it decides about
import cluster as clusters
import compiling
import pytest
from hypothesis import HealthCheck, settings

from referee import paths
from referee.store import gathering, log, opening, sqlite

pytest.register_assert_rewrite("table_talk", "years")

CALM = [HealthCheck.too_slow]  # it goes by the clock: a machine may be busy
settings.register_profile(
    "table", deadline=None, derandomize=True, database=None, suppress_health_check=CALM
)
settings.register_profile("explore", deadline=None, max_examples=500, print_blob=True)
settings.load_profile("table")

compiling.once()

for name in [name for name in os.environ if name.startswith("REFEREE_")]:
    if not name.startswith("REFEREE_TEST_"):
        del os.environ[name]  # of a server that somebody runs from this shell

# They use the certificates of the extra [https] themselves.
collect_ignore = (
    ["server/test_https.py", "test_public.py", "test_two_servers.py"] if as_imported.BASE else []
)

POSTGRESQL = "postgresql"
SWITCH_SECONDS = sys.getswitchinterval()
LONG = {"torture", "browser"}  # folders of few files that take their time: not for the end
# Files that take half a minute and more, and would come late: first, in this order, else the end
# waits for one of them, while the other workers have nothing to do.
LONGEST = (
    *("test_every_tap", "test_packed_app", "test_pairs_daifugo_table", "test_accessible"),
    *("test_unbroken_words", "test_large_text", "test_torture", "test_targets"),
    *("test_trumps_table", "test_deploy", "test_stops", "test_postgres"),
    *("test_running_deal", "test_deal_review", "test_undo_of_half_entered_plays"),
    *("test_history", "test_weight", "test_reading_every_game", "test_spoken"),
)


def pytest_addoption(parser: pytest.Parser) -> None:
    default = os.environ.get("REFEREE_TEST_DATABASE", "sqlite")
    parser.addoption("--database", choices=("sqlite", POSTGRESQL), default=default)
    every = "all taps at every latency, tests marked as rare, and all tests of a new game"
    parser.addoption("--every-cell", action="store_true", help=every)
    parser.addoption("--switch-interval", type=float, metavar="SECONDS")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the taps of whole games, if browser tests have counted them."""
    games: dict[str, tuple[int, int, float]] = {}
    for report in terminalreporter.getreports("passed"):
        for name, measured in getattr(report, "user_properties", ()):
            if name == "taps":
                game, taps, plays, goal = measured
                before = games.get(game, (0, 0, goal))
                games[game] = (before[0] + taps, before[1] + plays, goal)
    for game, (taps, plays, goal) in sorted(games.items()):
        counted = f"{game}: {taps} taps for {plays} plays, {taps / plays:.2f} (goal {goal})"
        terminalreporter.write_line(counted)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    longest = {name: place - len(LONGEST) for place, name in enumerate(LONGEST)}  # else 0
    if not config.getoption("--every-cell"):
        rare = [item for item in items if item.get_closest_marker("rare")]
        config.hook.pytest_deselected(items=rare)
        items[:] = [item for item in items if item not in set(rare)]
    items.sort(key=lambda item: (longest.get(item.path.stem, 0), LONG.isdisjoint(item.path.parts)))
    if config.getoption("--database") == POSTGRESQL:
        for item in items:
            if mark := item.get_closest_marker("file"):
                reason = mark.args[0] if mark.args else "is about the file that SQLite keeps"
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_collection_finish() -> None:
    """Freezes the objects that exist before the first test: the garbage collector need not visit
    them.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


@pytest.hookimpl(tryfirst=True)  # before what the test stands on is set up
def pytest_runtest_setup(item: pytest.Item) -> None:
    if interval := item.config.getoption("--switch-interval"):
        browser = item.get_closest_marker("browser")
        sys.setswitchinterval(SWITCH_SECONDS if browser else interval)


@pytest.fixture(scope="session")
def cluster() -> Iterator[clusters.Cluster]:
    """A PostgreSQL server; without one the test is skipped, but in CI that fails."""
    try:
        with clusters.running() as found, pytest.MonkeyPatch.context() as patch:
            # The driver draws a number when a connection joins the pool, in a thread of its own.
            # While Hypothesis makes an example, nothing may use the common generator.
            patch.setattr("psycopg_pool.base.random", Random().random)
            yield found
    except clusters.NoServer as fault:
        if os.environ.get("REFEREE_TEST_NEEDS_POSTGRESQL"):
            raise
        pytest.skip(str(fault))


@pytest.fixture(scope="session")
def schemas(cluster: clusters.Cluster) -> clusters.Schemas:
    return clusters.Schemas(cluster)


@pytest.fixture(scope="session", autouse=True)
def _instead_of_files(request: pytest.FixtureRequest) -> Iterator[None]:
    """Puts stores on PostgreSQL instead of files, if the run asks for it."""
    if request.config.getoption("--database") != POSTGRESQL:
        yield
        return
    schemas: clusters.Schemas = request.getfixturevalue("schemas")
    database = paths.database

    def instead(place: Path | str) -> str:
        return schemas.address(place) if isinstance(place, Path) else place

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log, "opened", lambda place: opening.opened(instead(place)))
        patch.setattr(paths, "database", lambda folder: instead(database(folder)))
        yield


@pytest.fixture(scope="session", autouse=True)
def _without_the_disk() -> Iterator[None]:
    """A store in the tests' own process is quick: that a play has reached the disk when it is
    acknowledged is found out in processes that are killed, see ``torture``."""
    connect = sqlite._connect

    @wraps(connect)
    def quick(path: Path) -> Any:
        connection = connect(path)
        connection.execute("PRAGMA synchronous = OFF").fetchall()
        return connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite, "_connect", quick)
        yield


class Clock(datetime):
    """A clock that never shows the same millisecond twice, however quick a test is.

    The order of matches, and of people in a circle, is known only by their times.
    """

    shown = datetime.min.replace(tzinfo=UTC)
    lock = Lock()

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Clock:
        with cls.lock:
            cls.shown = max(super().now(tz), cls.shown + timedelta(milliseconds=1))
            return cls.shown


@pytest.fixture(scope="session", autouse=True)
def _a_clock_that_goes_on() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "datetime", Clock)
        yield


@pytest.fixture(scope="session")
def environment(request: pytest.FixtureRequest) -> Callable[[Path], dict[str, str]]:
    """The environment of a server process whose data are those of the file."""
    if request.config.getoption("--database") != POSTGRESQL:
        return lambda path: dict(os.environ)
    schemas: clusters.Schemas = request.getfixturevalue("schemas")
    return lambda path: os.environ | {"REFEREE_DATABASE": schemas.address(path)}


@pytest.fixture(autouse=True)
def _emptied(request: pytest.FixtureRequest, _instead_of_files: None) -> Iterator[None]:
    """Deletes on PostgreSQL what a test has written."""
    if request.config.getoption("--database") != POSTGRESQL:
        yield
        return
    schemas: clusters.Schemas = request.getfixturevalue("schemas")
    before = set(schemas.of)
    yield
    for path in schemas.of.keys() - before:
        schemas.give_back(schemas.of.pop(path))
