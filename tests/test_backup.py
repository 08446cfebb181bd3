"""The drill: back up a live database, lose it, put it back, play on."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from typing import NoReturn

import pytest
from click.testing import CliRunner
from waiting import wait_for

from referee.cli import main
from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.ledger import Ledger, StaleTable
from referee.paths import DATABASE
from referee.store import Circles, Doors, NoSuchMatch, Store
from referee.upkeep import backup
from referee.upkeep.backup import Progress

pytestmark = pytest.mark.file


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    store = Store(tmp_path / DATABASE)
    yield Ledger(store)
    store.close()


def opened(ledger: Ledger) -> str:
    match = ledger.open(Header(WIDEST, ("A", "B"))).match
    ledger.declare(match, "table deal leader=A", 0, "the very first deal")
    return match


def lay(ledger: Ledger, match: str, *lines: str) -> None:
    for line in lines:
        seen = ledger.view(match).seq
        assert ledger.declare(match, line, seen, f"{line} after {seen}").seq is not None


def test_a_live_database_is_put_back_and_the_server_goes_on(ledger: Ledger, tmp_path: Path) -> None:
    match, live = opened(ledger), tmp_path / DATABASE
    lay(ledger, match, "A lay 3")
    copy = tmp_path / "copies" / "one.db"
    backup.back_up(live, copy)
    lay(ledger, match, "B lay 4", "A lay 2")
    later = opened(ledger)

    before = backup.restore(copy, live)

    assert ledger.view(match).seq == 2
    with pytest.raises(NoSuchMatch):
        ledger.view(later)
    with pytest.raises(StaleTable) as stale:  # a phone that has not noticed
        ledger.declare(match, "A lay 1", 4, "sent to the lost table")
    assert stale.value.view.seq == 2
    lay(ledger, match, "B lay 1")
    assert [entry.line for entry in ledger.store.read(match)][-1] == "B lay 1"

    backup.restore(before, live)  # nothing was lost by restoring
    assert [entry.line for entry in ledger.store.read(match)][-2:] == ["B lay 4", "A lay 2"]
    assert ledger.view(later).seq == 1


def test_a_copy_made_while_people_play_is_whole(ledger: Ledger, tmp_path: Path) -> None:
    match, stop = opened(ledger), Event()

    def play() -> None:
        while not stop.is_set():
            seen = ledger.view(match).seq
            line = "A lay 3" if seen % 2 else "table rewind 1"
            ledger.declare(match, line, seen, f"written at {seen:06}")

    player = Thread(target=play)
    player.start()
    try:
        for number in range(5):
            backup.back_up(tmp_path / DATABASE, tmp_path / f"copy-{number}.db")
    finally:
        stop.set()
        player.join()
    for number in range(5):
        backup.check(tmp_path / f"copy-{number}.db")
        with closing(sqlite3.connect(tmp_path / f"copy-{number}.db")) as db:
            last, count = db.execute("SELECT max(seq), count(*) FROM entries").fetchone()
            assert last == count


def test_a_copy_is_one_private_file(ledger: Ledger, tmp_path: Path) -> None:
    opened(ledger)
    copy = tmp_path / "copies" / "one.db"
    seen: list[tuple[int, int]] = []
    backup.back_up(tmp_path / DATABASE, copy, lambda done, total: seen.append((done, total)))
    assert [path.name for path in copy.parent.iterdir()] == ["one.db"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert seen[-1][0] == seen[-1][1] > 0


@pytest.mark.parametrize("damage", ["text", "cut", "other"])
def test_what_is_no_whole_backup_changes_nothing(
    ledger: Ledger, tmp_path: Path, damage: str
) -> None:
    match, bad = opened(ledger), tmp_path / "bad.db"
    if damage == "text":
        bad.write_text("not a database at all, although its name says so")
    elif damage == "cut":
        backup.back_up(tmp_path / DATABASE, bad)
        bad.write_bytes(bad.read_bytes()[: bad.stat().st_size // 2])
    else:
        with closing(sqlite3.connect(bad)) as db:
            db.execute("CREATE TABLE recipes (id)")
    with pytest.raises(backup.NotABackup):
        backup.restore(bad, tmp_path / DATABASE)
    assert ledger.view(match).seq == 1
    assert not (tmp_path / backup.FOLDER).exists()


def test_backups_are_made_by_the_clock_and_old_ones_go(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(ledger)
    folder = tmp_path / backup.FOLDER
    folder.mkdir()
    for day in range(10, 20):
        (folder / f"referee-202501{day}-120000.db").touch()
    old = set(backup.scheduled_backups(folder))
    (folder / "by-hand-20250101-120000.db").touch()
    monkeypatch.setattr(backup, "_wait", lambda folder, hours: 0.05)
    with backup.scheduled(tmp_path / DATABASE, tmp_path / backup.FOLDER, 24, kept=3):
        wait_for(lambda: not old & set(backup.scheduled_backups(folder)))
    assert len(backup.scheduled_backups(folder)) <= 4
    assert (folder / "by-hand-20250101-120000.db").exists()
    backup.check(backup.scheduled_backups(folder)[-1])


def test_a_scheduled_backup_of_damaged_data_is_reported_and_pushes_no_good_one_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / backup.FOLDER
    folder.mkdir()
    (folder / "referee-20250101-120000.db").touch()
    (tmp_path / DATABASE).write_bytes(b"!" * 8_192)
    monkeypatch.setattr(backup, "_wait", lambda folder, hours: 0.05)
    with backup.scheduled(tmp_path / DATABASE, folder, 24, kept=1):
        wait_for(lambda: "damaged" in caplog.text)
    assert [path.name for path in folder.iterdir()] == ["referee-20250101-120000.db"]


@pytest.mark.parametrize("fault", [OSError("no room"), backup.sqlite3.OperationalError("locked")])
def test_a_scheduled_backup_that_fails_is_reported_and_tried_again_later(
    ledger: Ledger,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: Exception,
) -> None:
    tried, waits = [], []

    def fail(*args: object) -> NoReturn:
        tried.append(args)
        raise fault

    class Noted(Event):
        def wait(self, timeout: float | None = None) -> bool:
            waits.append(timeout)
            return super().wait(timeout)

    monkeypatch.setattr(backup, "Event", Noted)
    monkeypatch.setattr(backup, "_wait", lambda folder, hours: 0.01)
    monkeypatch.setattr(backup, "back_up", fail)
    with backup.scheduled(tmp_path / DATABASE, tmp_path / backup.FOLDER, 24):
        wait_for(lambda: len(waits) > 1)
        assert str(fault) in caplog.text
        assert (len(tried), waits) == (1, [0.01, backup.AGAIN_SECONDS])
    monkeypatch.setattr(backup, "AGAIN_SECONDS", 0.01)
    with backup.scheduled(tmp_path / DATABASE, tmp_path / backup.FOLDER, 24):
        wait_for(lambda: len(tried) > 2)


def test_a_backup_waits_for_a_first_start_that_takes_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    waits = []

    def noted(folder: Path, hours: float) -> float:
        waits.append(hours)
        return 0.01

    monkeypatch.setattr(backup, "_wait", noted)
    folder = tmp_path / "new" / backup.FOLDER
    with backup.scheduled(tmp_path / "new" / DATABASE, folder, 24):
        wait_for(lambda: len(waits) > 2 or bool(caplog.text))
        assert not caplog.text
        assert not folder.parent.exists()  # it is not for the backup to make
        folder.parent.mkdir()
        Store(tmp_path / "new" / DATABASE).close()
        wait_for(lambda: bool(backup.scheduled_backups(folder)))
    assert not caplog.text


def test_a_backup_under_way_at_the_end_is_given_up(
    ledger: Ledger,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    database, folder = tmp_path / DATABASE, tmp_path / backup.FOLDER
    opened(ledger)
    began, ends = Event(), Event()
    copy = backup._copy

    def slow(source: sqlite3.Connection, target: sqlite3.Connection, go_on: Progress) -> None:
        began.set()
        assert ends.wait(30)
        copy(source, target, go_on)

    class Seen(Event):
        def set(self) -> None:
            super().set()
            ends.set()

    monkeypatch.setattr(backup, "Event", Seen)
    monkeypatch.setattr(backup, "_wait", lambda folder, hours: 0.01)
    monkeypatch.setattr(backup, "_copy", slow)
    with backup.scheduled(database, folder, 24):
        assert began.wait(30)
        [part] = folder.iterdir()
        assert part.suffix == ".part"
    assert not list(folder.iterdir())
    assert not caplog.text


def test_no_scheduled_backup_begins_on_a_disk_that_it_would_fill(
    ledger: Ledger,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    database, folder = tmp_path / DATABASE, tmp_path / backup.FOLDER
    opened(ledger)
    size = database.stat().st_size + database.with_name(DATABASE + "-wal").stat().st_size
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(backup, "_wait", lambda folder, hours: 0.01)
    monkeypatch.setattr(
        backup, "disk_usage", lambda path: usage._replace(free=size + backup.LEAST_FREE - 1)
    )
    with backup.scheduled(database, folder, 24):
        wait_for(lambda: "bytes are free" in caplog.text)
    assert list(folder.iterdir()) == []
    monkeypatch.setattr(
        backup, "disk_usage", lambda path: usage._replace(free=size + backup.LEAST_FREE)
    )
    with backup.scheduled(database, folder, 24):
        wait_for(lambda: backup.scheduled_backups(folder))


def test_a_backup_that_is_deleted_while_it_is_looked_at_counts_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "referee-20250101-120000.db"
    monkeypatch.setattr(backup, "scheduled_backups", lambda folder: [gone])
    assert backup._wait(tmp_path, 24) == 5


def test_the_next_backup_is_due_a_day_after_the_last(tmp_path: Path) -> None:
    assert backup._wait(tmp_path, 24) == 5
    (tmp_path / "referee-20250101-120000.db").touch()
    assert 23.9 * 3600 < backup._wait(tmp_path, 24) <= 24 * 3600


def test_the_commands(ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path))
    match, run = opened(ledger), CliRunner()
    copy = tmp_path / "mine.db"
    assert run.invoke(main, ["backup", str(copy)]).exit_code == 0
    lay(ledger, match, "A lay 3")
    asked = run.invoke(main, ["restore", str(copy)], input="n\n")
    assert asked.exit_code == 1
    assert ledger.view(match).seq == 2
    done = run.invoke(main, ["restore", "--yes", str(copy)])
    assert done.exit_code == 0, done.output
    assert "before-restore-" in done.output
    assert ledger.view(match).seq == 1
    (tmp_path / "bad.db").write_text("no")
    assert run.invoke(main, ["restore", "--yes", str(tmp_path / "bad.db")]).exit_code == 1
    asked = run.invoke(main, ["restore", str(tmp_path / "bad.db")], input="y\n")
    assert asked.exit_code == 1
    assert "Continue" not in asked.output  # the file is examined before anything is asked
    assert run.invoke(main, ["rebuild"]).exit_code == 0
    out = tmp_path / "all.json.gz"
    assert run.invoke(main, ["export", "--history", str(out)]).exit_code == 0
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "elsewhere"))
    taken = run.invoke(main, ["import", str(out)])
    assert taken.exit_code == 0, taken.output
    assert "1 of 1 matches are new" in taken.output
    again = tmp_path / "again.json.gz"
    assert run.invoke(main, ["export", "--history", str(again)]).exit_code == 0
    assert again.read_bytes() == out.read_bytes()


@pytest.mark.parametrize("at", [0, 100, 4096, 20_000])
def test_a_damaged_database_is_no_backup_and_a_backup_takes_its_place(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    match, whole = opened(ledger), tmp_path / "whole.db"
    broken = tmp_path / "broken"
    for copy in (whole, broken / DATABASE):
        backup.back_up(tmp_path / DATABASE, copy)
    with (broken / DATABASE).open("r+b") as file:
        file.seek(at)
        file.write(b"!" * 40_000)
    found = (broken / DATABASE).read_bytes()
    monkeypatch.setenv("REFEREE_DATA", str(broken))
    run = CliRunner().invoke
    answer = run(main, ["backup", str(tmp_path / "copy.db")])
    assert answer.exit_code == 1
    assert "damaged" in answer.output
    assert not (tmp_path / "copy.db").exists()
    back = run(main, ["restore", "--yes", str(whole)])
    assert back.exit_code == 0, back.output
    assert Path(back.output.split()[-1]).read_bytes() == found
    with closing(Store(broken / DATABASE)) as store:
        assert store.tails([match]) == {match: ledger.view(match).seq}


def test_a_history_is_that_of_one_circle_and_which_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path))
    with closing(Store(tmp_path / DATABASE)) as store:
        for phone in ("one", "two"):
            Doors(store).greet(phone)
            circle = Circles(store).create(phone)
    run, out = CliRunner().invoke, tmp_path / "all.json"
    refused = run(main, ["export", "--history", str(out)])
    assert refused.exit_code == 1
    assert "--circle" in refused.output
    assert not out.exists()
    assert run(main, ["export", "--history", str(out), "--circle", circle]).exit_code == 0


def test_a_data_folder_that_can_not_be_is_reported_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "data"):
        monkeypatch.setenv("REFEREE_DATA", str(place))
        answer = CliRunner().invoke(main, ["circles"])
        assert (answer.exit_code, type(answer.exception)) == (1, SystemExit)
        assert str(place) in answer.output


DRILL = Path(__file__).parent.parent / "deploy" / "restore-drill.sh"


def drilled(folder: Path, *copy: Path) -> subprocess.CompletedProcess[str]:
    program = f"{sys.executable} -m referee"
    environ = os.environ | {"REFEREE_DATA": str(folder), "REFEREE": program}
    command = ["sh", str(DRILL), *map(str, copy)]
    return subprocess.run(command, env=environ, capture_output=True, text=True)


@pytest.mark.skipif(os.name != "posix", reason="the drill is a shell script")
def test_the_drill_puts_a_copy_back_beside_the_live_data(ledger: Ledger, tmp_path: Path) -> None:
    first, second = opened(ledger), opened(ledger)
    early = tmp_path / "early.db"
    backup.back_up(tmp_path / DATABASE, early)
    lay(ledger, first, "A lay 3")
    now = drilled(tmp_path)
    assert now.returncode == 0, now.stderr
    assert (
        "matches: 2 as they are live, 0 that have gone on since, 0 that differ, 2 live"
        in now.stdout
    )
    before = drilled(tmp_path, early)
    assert before.returncode == 0, before.stderr
    assert "matches: 1 as they are live, 1 that have gone on since" in before.stdout
    assert (ledger.view(first).seq, ledger.view(second).seq) == (2, 1)


@pytest.mark.skipif(os.name != "posix", reason="the drill is a shell script")
def test_the_drill_finds_a_copy_that_is_of_no_use(ledger: Ledger, tmp_path: Path) -> None:
    opened(ledger)
    copy = tmp_path / "copy.db"
    backup.back_up(tmp_path / DATABASE, copy)
    with closing(sqlite3.connect(copy)) as db:
        db.execute("UPDATE entries SET line = 'table deal leader=B'")
        db.commit()
    other = drilled(tmp_path, copy)
    assert other.returncode == 1
    assert "differs from what is live" in other.stderr
    copy.write_bytes(copy.read_bytes()[:4096])
    assert drilled(tmp_path, copy).returncode == 1
