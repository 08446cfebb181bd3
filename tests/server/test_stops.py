"""A stopped program leaves all data in one file; a file that is not whole is never begun anew."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.ledger import Ledger
from referee.paths import DATABASE, KEY
from referee.store import Store, sqlite
from referee.store.at_rest import journal
from referee.upkeep import backup

pytestmark = pytest.mark.file

ROUNDS = int(os.environ.get("STOPS", "6"))
RECORD = f"referee: 1\ngame: {WIDEST}\nseats: A B\n\ntable deal leader=A\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "data"
    made.mkdir(mode=0o700)
    return made


@contextmanager
def serving(folder: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """A server that answers, killed at the end if it still runs."""
    command = [sys.executable, "-m", "referee", "serve", "--host", "127.0.0.1", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--data", str(folder), *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "LANGUAGE": "en", "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if "Ctrl+C" in line:
                break
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def command(folder: Path, *words: str, language: str = "en") -> Result:
    env = {"REFEREE_DATA": str(folder), "LANGUAGE": language}
    return CliRunner().invoke(main, list(words), env=env)


def play(store: Store) -> str:
    ledger = Ledger(store)
    match = ledger.open(Header(WIDEST, ("A", "B"))).match
    ledger.declare(match, "table deal leader=A", 0, "the very first deal")
    return match


def played(folder: Path) -> str:
    with closing(Store(folder / DATABASE)) as store:
        return play(store)


def matches(file: Path) -> set[str]:
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return {match for (match,) in db.execute("SELECT match FROM entries")}


def journals(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir() if file.name.startswith(f"{DATABASE}-")]


def alone(folder: Path, to: Path) -> Path:
    """The database without what lies beside it, copied to a folder of its own."""
    to.mkdir()
    return Path(shutil.copy(folder / DATABASE, to / DATABASE))


def test_after_every_stop_the_one_file_is_the_data(folder: Path, tmp_path: Path) -> None:
    """Ctrl+C, SIGTERM and the end of each command, in turn."""
    record, out = tmp_path / "record.txt", tmp_path / "out"
    record.write_text(RECORD)
    commands = (
        ["doctor"],
        ["import", str(record)],
        ["export", "--to", str(out)],
        ["export", "--history", str(tmp_path / "all.json")],
        ["circles"],
        ["rebuild"],
        ["backup", str(tmp_path / "backup.db")],
        ["restore", "--yes", str(tmp_path / "backup.db")],
        ["copy", "--from", f"sqlite:{folder / DATABASE}", "--to", f"sqlite:{tmp_path / 'to.db'}"],
    )
    known = {played(folder)}
    for turn in range(ROUNDS):
        with serving(folder) as server:
            with closing(Store(folder / DATABASE)) as beside:  # as another server on the file
                known.add(play(beside))
            server.send_signal((signal.SIGINT, signal.SIGTERM)[turn % 2])
            assert server.wait() == 0
        assert journals(folder) == []
        assert matches(alone(folder, tmp_path / f"stop-{turn}")) >= known
        for number, words in enumerate(commands):
            done = command(folder, *words)
            assert done.exit_code == 0 or words[0] == "copy", (words, done.output)
            assert journals(folder) == [], words
            assert matches(alone(folder, tmp_path / f"{turn}-{number}")) >= known, words
        (tmp_path / "to.db").unlink()


def test_several_servers_on_one_file_leave_it_whole(folder: Path, tmp_path: Path) -> None:
    with serving(folder) as one, serving(folder) as other, closing(Store(folder / DATABASE)) as me:
        one.send_signal(signal.SIGTERM)
        assert one.wait() == 0
        match = play(me)
        me.close()
        other.send_signal(signal.SIGINT)
        assert other.wait() == 0
    assert journals(folder) == []
    assert matches(alone(folder, tmp_path / "copy")) == {match}


def test_servers_that_stop_at_the_same_moment_leave_no_doubt(folder: Path) -> None:
    with serving(folder) as one, serving(folder) as other:
        match = played(folder)
        for each in (one, other):
            each.send_signal(signal.SIGTERM)
        assert [one.wait(), other.wait()] == [0, 0]
    assert journals(folder) == []
    assert matches(folder / DATABASE) == {match}
    done = command(folder, "export")
    assert (done.exit_code, "copied" in done.output) == (0, False)


def test_a_killed_server_recovers_without_a_word(folder: Path) -> None:
    with serving(folder) as server:
        match = played(folder)
        server.kill()
        server.wait()
    assert journal(folder / DATABASE).stat().st_size
    done = command(folder, "export")
    assert (done.exit_code, done.stderr) == (0, "")
    assert match in done.output
    assert journals(folder) == []


def test_the_doctor_takes_the_journal_of_a_killed_server_in(folder: Path) -> None:
    with serving(folder) as server:
        match = played(folder)
        server.kill()
        server.wait()
    assert command(folder, "doctor").exit_code == 0
    assert journals(folder) == []
    assert matches(folder / DATABASE) == {match}


def test_a_file_copied_alone_from_a_running_server_is_said(folder: Path, tmp_path: Path) -> None:
    with serving(folder), closing(Store(folder / DATABASE)) as store:
        play(store)
        copy = alone(folder, tmp_path / "copy")
    copy.parent.chmod(0o700)
    found = command(copy.parent, "doctor")
    assert (found.exit_code, "copied while it was in use" in found.output) == (1, True)
    assert journals(copy.parent) == []
    restored = command(folder, "restore", "--yes", str(copy), language="ja")
    assert (restored.exit_code, "使用中のファイルのコピー" in restored.stderr) == (0, True)
    assert "copied while it was in use" in command(copy.parent, "export").stderr
    assert "copied" not in command(copy.parent, "export").stderr  # it is said once


@pytest.mark.parametrize("words", [["export"], ["rebuild"], ["backup"], ["circles"], ["serve"]])
@pytest.mark.parametrize(
    ("language", "said"), [("en", "does not belong to"), ("ja", "のものではないジャーナル")]
)
def test_a_backup_copied_by_hand_over_a_used_file_is_refused(
    folder: Path, tmp_path: Path, words: list[str], language: str, said: str
) -> None:
    played(folder)
    backup.back_up(folder / DATABASE, tmp_path / "backup.db")
    left = killed(folder)
    shutil.copy(tmp_path / "backup.db", folder / DATABASE)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    done = command(folder, *words, language=language)
    assert done.exit_code == 1
    assert said in done.output
    assert str(left) in done.output
    found = command(folder, "doctor", language=language)
    assert (found.exit_code, said in found.output) == (1, True)
    after = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    assert {name: after[name] for name in before} == before

    left.unlink()  # as the sentence says
    assert command(folder, "export").exit_code == 0


def killed(folder: Path) -> Path:
    """The journal that a program leaves when it is killed, with a match in it."""
    store = Store(folder / DATABASE)
    play(store)
    content = journal(folder / DATABASE).read_bytes()
    store.close()
    with closing(sqlite.sqlite3.connect(folder / DATABASE)) as db:
        db.execute("PRAGMA journal_mode = WAL")
    left = journal(folder / DATABASE)
    left.write_bytes(content)
    return left


def test_a_journal_without_its_file_is_not_deleted(folder: Path) -> None:
    played(folder)
    left = killed(folder)
    content = left.read_bytes()
    (folder / DATABASE).unlink()
    done = command(folder, "export")
    assert (done.exit_code, left.read_bytes()) == (1, content)


def test_a_foreign_journal_is_put_aside_by_a_restore(folder: Path, tmp_path: Path) -> None:
    match = played(folder)
    backup.back_up(folder / DATABASE, tmp_path / "backup.db")
    killed(folder)
    shutil.copy(tmp_path / "backup.db", folder / DATABASE)
    done = command(folder, "restore", "--yes", str(tmp_path / "backup.db"))
    assert done.exit_code == 0, done.output
    assert matches(folder / DATABASE) == {match}
    assert journals(folder) == []


@pytest.mark.parametrize("harm", ["empty", "no tables", "missing"])
@pytest.mark.parametrize(("language", "said"), [("en", "no records"), ("ja", "記録がありません")])
def test_lost_data_beside_backups_is_not_begun_anew(
    folder: Path, harm: str, language: str, said: str
) -> None:
    match = played(folder)
    assert command(folder, "backup").exit_code == 0
    [copy] = (folder / backup.FOLDER).iterdir()
    file = folder / DATABASE
    file.unlink()
    if harm == "empty":
        file.touch()
    elif harm == "no tables":
        with closing(sqlite3.connect(file)) as db:
            db.execute("CREATE TABLE t (x)")
            db.execute("DROP TABLE t")
    for words in (["export"], ["backup"], ["serve"], ["circles"]):
        done = command(folder, *words, language=language)
        assert (done.exit_code, said in done.output) == (1, True), words
        assert f"referee restore {copy}" in done.output
    found = command(folder, "doctor", language=language)
    assert (found.exit_code, said in found.output) == (1, True)
    assert command(folder, "restore", "--yes", str(copy)).exit_code == 0
    assert matches(file) == {match}


def test_an_empty_file_beside_a_key_is_not_begun_anew(folder: Path) -> None:
    (folder / KEY).write_bytes(bytes(32))
    (folder / DATABASE).touch()
    done = command(folder, "export")
    assert (done.exit_code, "no records" in done.output) == (1, True)


def test_a_first_start_that_was_killed_begins_again(folder: Path) -> None:
    (folder / DATABASE).touch()
    assert command(folder, "export").exit_code == 0


def test_data_of_an_older_version_is_taken_over_without_a_word(folder: Path) -> None:
    """It stopped in write-ahead mode, without a mark in the file, and left its journal."""
    match = played(folder)
    file = folder / DATABASE
    with closing(sqlite.sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("PRAGMA application_id = 0")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("UPDATE phones SET since = since")
        copies = {name: name.read_bytes() for name in (file, journal(file))}
    for name, content in copies.items():
        name.write_bytes(content)
    done = command(folder, "export")
    assert (done.exit_code, done.stderr) == (0, "")
    assert match in done.output


def test_a_missing_key_is_said_where_phones_have_been(folder: Path) -> None:
    with closing(Store(folder / DATABASE)) as store, store.engine.transaction() as db:
        db.execute("INSERT INTO phones VALUES ('abc', '2026-01-01')")
    assert "secret.key is missing" in command(folder, "doctor").output
    (folder / KEY).write_bytes(bytes(32))
    (folder / KEY).chmod(0o600)
    assert "secret.key is missing" not in command(folder, "doctor").output


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "network drive (NFS, SMB)"), ("ja", "ネットワークドライブ（NFS、SMB）")],
)
def test_a_file_that_cannot_be_locked_names_network_drives(
    folder: Path, monkeypatch: pytest.MonkeyPatch, language: str, said: str
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0)
    played(folder)
    with closing(sqlite.sqlite3.connect(folder / DATABASE, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for words in (["export"], ["doctor"]):
            done = command(folder, *words, language=language)
            assert (done.exit_code, said in done.output.replace("\n", "")) == (1, True), words
