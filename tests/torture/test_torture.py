"""A little of ``make torture``, and proofs that its checkers can find what they look for."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from sockets import running
from sqlite_utils.utils import sqlite3

from referee import paths
from referee.app import create_app
from referee.http import bad_headers
from referee.server import live
from referee.server.bridge import Bridge
from referee.store import Store, Stored
from torture import cuts, faults, fuzz, history, kills, real_life, shim, unrest, uploads, visitors
from torture.writer import batch

pytestmark = pytest.mark.thorough

SEED = 20261


RECORDS = fuzz.seeds(Path(__file__).parent.parent / "games")


@pytest.fixture(autouse=True)
def compiler(tmp_path: Path) -> None:
    try:
        shim.compiled(tmp_path)
    except shim.NoCompiler as fault:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(fault))


@pytest.mark.file("fails the disk of the file: PostgreSQL sees to its own")
def test_it_starts_without_what_only_tests_find() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-m", "torture", "--help"]
    root = Path(__file__).parents[2]
    said = subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True)
    assert b"--unrest" in said.stdout


def test_power_cuts_take_nothing_that_was_promised(tmp_path: Path) -> None:
    report = cuts.run(tmp_path, SEED, times=250, cuts=60)
    assert report.faults == []
    assert report.promises > 1_000


@pytest.mark.file("fails the disk of the file: PostgreSQL sees to its own")
def test_a_store_that_does_not_wait_for_the_disk_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the syncs of ``synchronous=FULL`` in its journal, promises or pages are lost."""
    every = cuts.recorded
    monkeypatch.setattr(
        cuts,
        "recorded",
        lambda *run: [op for op in every(*run) if not op.path.endswith("-wal") or op.what != "S"],
    )
    found = cuts.run(tmp_path, SEED, 250, 60).faults
    assert any("is lost" in fault or "is damaged" in fault for fault in found)


@pytest.mark.file("fails the disk of the file: PostgreSQL sees to its own")
def test_a_failing_disk_refuses_a_play_whole_or_takes_it_whole(tmp_path: Path) -> None:
    report = faults.run(tmp_path, deepest=25)
    assert report.faults == []
    assert report.calls > 30


def test_thirty_kills_lose_double_and_reorder_nothing(
    tmp_path: Path, environment: Callable[[Path], dict[str, str]]
) -> None:
    database = environment(tmp_path / paths.DATABASE).get("REFEREE_DATABASE", "")
    report = kills.run(tmp_path, kills=30, seed=SEED, database=database)
    assert report.faults == []
    assert report.promises > 30  # ten times as many where nothing else runs
    assert report.resent > 0
    assert 0 < report.starting < 30


@pytest.mark.file("harms the file behind the store's back")
@pytest.mark.parametrize(
    ("harm", "said"),
    [
        ("DELETE FROM entries WHERE seq = 4", "entry 4 is lost"),
        ("UPDATE entries SET line = 'm batch 9 1/1' WHERE seq = 3", "promised was"),
        ("UPDATE entries SET line = 'm batch 0 1/1' WHERE seq = 3", "is doubled"),
        ("UPDATE entries SET line = 'x' WHERE seq = 5", "was never sent"),
        ("DELETE FROM entries WHERE seq = 5", "is half-applied"),
        ("DELETE FROM matches", "m is lost"),
    ],
)
def test_the_checker_of_histories_sees(tmp_path: Path, harm: str, said: str) -> None:
    store = Store(tmp_path / paths.DATABASE)
    store.open("m", "game: any\n")
    promised: list[list[object]] = [["open", "m"]]
    lines = [
        entry for number, size in enumerate((1, 1, 1, 2)) for entry in batch("m", number, size)
    ]
    store.append("m", 0, lines)
    promised += [["entry", "m", seq, entry.line] for seq, entry in enumerate(lines, 1)]
    store.close()
    with sqlite3.connect(tmp_path / paths.DATABASE) as db:
        db.execute(harm)
    db.close()
    store = Store(tmp_path / paths.DATABASE)
    assert any(said in fault for fault in history.faults(store, promised))
    store.close()


SENT = [kills.Sent("/t/m", seen, f"key-{seen}", f"A lay {seen}") for seen in (1, 2, 3)]


@pytest.mark.parametrize(
    ("stand", "said"),
    [
        ([0, 1, 2], None),
        ([0, 1], "lost: "),
        ([0, 1, 1, 2], "doubled or out of order"),
        ([1, 0, 2], "doubled or out of order"),
        ([0, 1, 2, None], "was never sent"),
    ],
)
def test_the_checker_of_kills_sees(stand: list[int | None], said: str | None) -> None:
    stranger = kills.Sent("/t/m", 0, "strange", "A lay 9")
    rows = [("key-of-the-deal", "table deal")]
    rows += [(s.key, s.line) for s in (stranger if i is None else SENT[i] for i in stand)]
    stored = [Stored(seq, line, key, "", "", "", "") for seq, (key, line) in enumerate(rows, 1)]
    sent = {(s.match, s.key): s for s in SENT}
    found = list(kills._faults("/t/m", stored, SENT, sent))
    assert any(said in fault for fault in found) if said else found == []


def test_bad_lines_are_refused_with_a_word_and_good_ones_survive_printing() -> None:
    report = fuzz.lines(RECORDS, 95_000, SEED)
    assert report.faults == []
    assert 5_000 < report.taken < 50_000


def test_bad_records_are_refused_with_a_word(tmp_path: Path) -> None:
    report = fuzz.records(RECORDS, 3_000, SEED)
    assert report.faults == []
    assert 500 < report.taken < 2_500


def test_bad_requests_come_to_every_route_with_all_that_is_read_and_are_never_a_500(
    tmp_path: Path,
) -> None:
    report = visitors.requests(tmp_path, 4_000, SEED)
    assert report.faults == []
    assert 700 < report.taken < 3_600
    here = visitors.house(tmp_path / "another")
    here.app.extensions["ledger"].store.close()
    assert set(report.met) == {rule.endpoint for rule in here.rules}
    assert set().union(*report.met.values()) == set(visitors.ROLES)
    # asked for by Flask, Werkzeug, and ``access`` alone: nobody has listed them
    assert {"HTTP_X_FORWARDED_HOST", "HTTP_FORWARDED", "HTTP_USER_AGENT"} <= report.headers
    assert {
        "seen",
        "key",
        "line",
        "q",
        "since",
        "keep_illegal",
        "skip",
        "before",
    } <= visitors.asked_for()


def test_the_fuzz_of_requests_sees_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bad_headers, "readable", lambda host: True)
    assert visitors.requests(tmp_path, 1_000, SEED).faults


def test_unrest_sees_a_server_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unrest, "END_SECONDS", 0.1)
    deaf = "import signal, time; signal.signal(15, signal.SIG_IGN); print(1, flush=True)"
    for code, found in ((f"{deaf}; time.sleep(60)", 1), ("print(1, flush=True); input()", 0)):
        command = [sys.executable, "-c", code]
        with subprocess.Popen(command, stdin=-1, stdout=-1) as server:
            assert server.stdout
            server.stdout.readline()
            if not found:
                monkeypatch.setattr(unrest, "END_SECONDS", 60.0)
            assert len(list(unrest._ends(server))) == found
            server.kill()


def test_unrest_sees_a_server_that_takes_much_memory() -> None:
    size = (uploads.MOST_ABOVE + 20) * uploads.MB
    code = f"input(); greedy = b'x' * {size}; print(1, flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=-1, stdout=-1) as server:
        assert server.stdin
        assert server.stdout
        over = Event()
        watch = unrest.Memory(server.pid, over)
        watch.look()
        assert list(watch.faults()) == []
        server.stdin.write(b"\n")
        server.stdin.flush()
        server.stdout.readline()
        watch.look()
        assert len(list(watch.faults())) == 1
        server.kill()


@pytest.mark.parametrize("deaf", [False, True])
def test_unrest_sees_a_stream_that_stays_open(
    deaf: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app(tmp_path)
    ledger = app.extensions["ledger"]
    if deaf:  # it forgets to look who may still listen
        monkeypatch.setattr(unrest, "HEAR_SECONDS", 0.3)
        monkeypatch.setattr(live.Streams, "_open", lambda self: [])
    with running(Bridge(app, live.Streams(ledger))) as port:
        evening = kills.Evening([port])
        evening.tables = [kills.opened(evening)]
        found = list(unrest._removed(tmp_path, evening))
    ledger.store.close()
    assert len(found) == deaf


def test_the_clock_of_unrest_jumps(tmp_path: Path) -> None:
    clock = unrest.Clock(tmp_path)
    clock.jump(unrest.DAYS)
    code = "import time, datetime; print(time.time()); print(datetime.datetime.now().timestamp())"
    command = [sys.executable, "-c", code]
    said = subprocess.run(command, env=clock.environment(), check=True, capture_output=True)
    assert all(float(line) > time.time() + unrest.DAYS / 2 for line in said.stdout.split())


@pytest.mark.file("starts servers on a file of its own")
def test_no_incident_of_an_evening_loses_a_play(tmp_path: Path) -> None:
    report = real_life.run(tmp_path)
    assert report.faults == []
    assert len(report.tried) + len(report.skipped) == len(real_life.INCIDENTS)
    assert "another port" in report.tried


@pytest.mark.file("starts servers on a file of its own")
def test_incidents_see_a_phone_that_believes_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The header by which it knows the program is one that every server sends."""
    monkeypatch.setattr(real_life, "MARK", "Date")
    report = real_life.run(tmp_path, [real_life.login_page])
    assert any("a login page counts as the server" in fault for fault in report.faults)


@pytest.mark.file("starts servers on a file of its own")
def test_incidents_see_a_lost_and_a_doubled_play(tmp_path: Path) -> None:
    evening = real_life.played_away(tmp_path)
    lost = real_life.Waiting("lost-0000", "A lay 7")
    evening.one.recorded.append(lost)
    found = list(evening.faults())
    assert any("stands 0 times" in fault for fault in found)
    assert any("still on a phone" in fault for fault in found)
