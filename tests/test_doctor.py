"""What the doctor sees, and where the data lies."""

import shutil
from collections import namedtuple
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # as the doctor

from referee import paths
from referee.http.invites import key_in
from referee.upkeep import doctor

pytestmark = pytest.mark.file


def by_subject(folder: Path) -> dict[str, doctor.Check]:
    return {check.subject: check for check in doctor.report(folder)}


@pytest.fixture(autouse=True)
def in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "en")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "data"
    made.mkdir(mode=0o700)
    return made


@pytest.fixture
def database(folder: Path) -> Path:
    path = folder / paths.DATABASE
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE entries (line TEXT)")
        connection.executemany("INSERT INTO entries VALUES (?)", [("B lay 7",)] * 2000)
        connection.commit()
    return path


def test_a_healthy_installation_is_fine(database: Path) -> None:
    checks = doctor.report(database.parent)
    assert doctor.exit_status(checks) == 0, doctor.as_text(checks)
    assert "!!" not in doctor.as_text(checks)
    subjects = {check.subject for check in checks}
    assert subjects >= {"python", "flask", "htmx-flask", "sqlite-utils", "uvicorn", "referee"}


def test_an_installation_that_never_ran_is_fine_and_stays_untouched(tmp_path: Path) -> None:
    folder = tmp_path / "none"
    assert doctor.exit_status(doctor.report(folder)) == 0
    assert not folder.exists()


@pytest.mark.parametrize(
    ("number", "faulty"),
    [("3.6.23", False), ("3.40.1", True), ("3.51.2", True), ("3.51.3", False), ("3.53.0", False)],
)
def test_the_wal_reset_fault_is_reported_with_the_versions_that_have_it(
    number: str, faulty: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.upkeep.doctor.sqlite3.sqlite_version", number)
    check = by_subject(folder)["sqlite"]
    assert check.result.startswith(f"{number} (")
    assert ("only the server writes" in check.result) == faulty
    assert check.fine


def test_the_report_speaks_japanese(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "ja")
    database.parent.chmod(0o777)
    lines = doctor.as_text(doctor.report(database.parent)).splitlines()
    assert any("ok  データベース      referee.db、" in line for line in lines), lines
    assert any("!!  権限" in line and "ほかのアカウントが書き込めます" in line for line in lines)


def test_the_look_at_the_database_leaves_it_as_it_is(database: Path) -> None:
    before = database.read_bytes()
    assert "intact" in by_subject(database.parent)["database"].result
    assert database.read_bytes() == before


def test_the_size_of_the_database_counts_what_is_only_in_its_journal(database: Path) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.executemany("INSERT INTO entries VALUES (?)", [("C lay 3" * 9000,)] * 9)
        journal = database.with_name(database.name + "-wal").stat().st_size
        assert journal > database.stat().st_size
        size = f" {database.stat().st_size + journal:,} bytes"
        assert size in by_subject(database.parent)["database"].result


def test_the_look_at_the_database_does_not_wait_for_the_writer(database: Path) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO entries VALUES ('C lay 3')")
        assert by_subject(database.parent)["database"].fine


def test_a_damaged_database_is_reported(database: Path) -> None:
    content = bytearray(database.read_bytes())
    content[3 * 4096 : 4 * 4096] = b"\xff" * 4096
    database.write_bytes(content)
    checks = doctor.report(database.parent)
    assert doctor.exit_status(checks) == 1
    assert "!!  database" in doctor.as_text(checks)


def test_a_file_that_is_no_database_is_reported(folder: Path) -> None:
    (folder / paths.DATABASE).write_text("not a database, and long enough to look like one" * 100)
    assert not by_subject(folder)["database"].fine


def test_a_file_in_place_of_the_folder_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "data"
    file.touch()
    assert not by_subject(file)["data folder"].fine


def test_a_folder_that_others_can_write_is_reported(folder: Path) -> None:
    folder.chmod(0o777)
    assert not by_subject(folder)["permissions"].fine
    folder.chmod(0o755)
    check = by_subject(folder)["permissions"]
    assert check.fine
    assert "look in" in check.result


def test_a_database_that_others_can_read_is_reported_where_they_can_get_at_it(folder: Path) -> None:
    (folder / paths.DATABASE).touch(mode=0o644)  # as earlier versions made it
    assert by_subject(folder)["permissions"].fine
    folder.chmod(0o755)
    assert f"chmod 700 {folder}" in by_subject(folder)["permissions"].result
    assert not by_subject(folder)["permissions"].fine


def test_little_free_disk_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda place: usage(10**9, 9 * 10**8, 10**8))
    assert by_subject(folder)["free disk"] == doctor.Check("free disk", "95 MB", fine=False)


def test_the_data_folder_is_the_one_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "a" / "b"))
    assert not paths.data_location().exists()
    made = paths.data_dir()
    assert made == tmp_path / "a" / "b"
    assert made.stat().st_mode & 0o777 == 0o700
    assert paths.data_dir() == made


def test_the_data_folder_is_the_users_own_by_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("REFEREE_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert paths.data_location().name == "referee"


@pytest.mark.parametrize("name", ["templates", "static"])
def test_the_shipped_files_are_found(name: str) -> None:
    assert paths.shipped(name).is_dir()


def test_a_key_that_others_can_read_is_reported(folder: Path) -> None:
    assert "key" not in by_subject(folder)
    key_in(folder)
    assert by_subject(folder)["key"].fine
    (folder / paths.KEY).chmod(0o644)
    report = by_subject(folder)["key"]
    assert not report.fine
    assert "chmod 600" in report.result


def test_a_word_list_that_was_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(doctor.library.EDITIONS, "2021-04", "0" * 64)
    [words] = [check for check in doctor.report(tmp_path) if check.subject == "words"]
    assert not words.fine
    assert "2021-04" in words.result
