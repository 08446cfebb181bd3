"""What a damaged or missing disk does: said clearly, and never made worse."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.app import create_app
from referee.cli import main
from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.ledger import Ledger
from referee.paths import DATABASE
from referee.store import Damaged, Store, Unavailable

pytestmark = pytest.mark.file

LINES = ["table deal leader=A", "A lay 7"]
FIVE = ("A", "B", "C", "D", "E")


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A database with a few plays."""
    ledger = Ledger(Store(tmp_path / DATABASE))
    match = ledger.open(Header(WIDEST, FIVE)).match
    for seq, line in enumerate(LINES):
        ledger.declare(match, line, seq, f"key-000{seq}")
    ledger.store.close()
    return tmp_path / DATABASE


@pytest.mark.parametrize("harm", ["text", "middle", "cut"])
def test_a_damaged_file_is_left_alone(played: Path, harm: str) -> None:
    whole = played.read_bytes()
    match harm:
        case "text":
            played.write_bytes(b"this is no database at all\n" * 500)
        case "middle":
            played.write_bytes(whole[:4200] + bytes(4096) + whole[8296:])
        case "cut":
            played.write_bytes(whole[: len(whole) // 2])
    before = played.read_bytes()
    with pytest.raises(Damaged):
        Store(played)
    command = ["export", "--to", str(played.parent / "out")]
    answer = CliRunner().invoke(main, command, env={"REFEREE_DATA": str(played.parent)})
    assert answer.exit_code == 1
    assert "データが壊れています" in answer.output
    assert "backup" in answer.output
    assert played.read_bytes() == before


DIES = """
import os, signal, sys
from sqlite_utils.utils import sqlite3
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode = DELETE")
db.execute("PRAGMA cache_size = 1")
db.execute("BEGIN IMMEDIATE")
db.execute("UPDATE matches SET header = header || hex(zeroblob(100000))")
db.execute("UPDATE entries SET line = 'A lay 1'")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_file_is_recovered_if_a_program_was_killed_while_it_changed_it(played: Path) -> None:
    """The journal that undoes the change lies beside the file; without it the file is half new."""
    killed = subprocess.run([sys.executable, "-c", DIES, str(played)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert played.with_name(f"{played.name}-journal").stat().st_size
    ledger = Ledger(Store(played))
    [match] = ledger.store.matches()
    assert [entry.line for entry in ledger.store.read(match.id)] == LINES
    ledger.store.close()


def test_a_folder_that_cannot_hold_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / DATABASE).mkdir()
    with pytest.raises(Unavailable):
        Store(tmp_path / DATABASE)


@pytest.mark.parametrize(
    ("speaks", "said"), [("ja", "記録は増えていません"), ("en", "nothing was recorded")]
)
def test_a_full_disk_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, speaks: str, said: str
) -> None:
    app = create_app(tmp_path)
    ledger = app.extensions["ledger"]
    match = ledger.open(Header(WIDEST, FIVE)).match
    ledger.declare(match, "table deal leader=A", 0, "key-0000")

    def full(*_args: object) -> None:
        raise Unavailable("database or disk is full")

    client = app.test_client()
    form = {"seen": "1", "key": "key-0001", "line": "A lay 7"}
    with monkeypatch.context() as patch:
        patch.setattr(ledger.store, "append", full)
        answer = client.post(f"/t/{match}/play", data=form, headers={"Accept-Language": speaks})
    assert answer.status_code == 503
    assert said in answer.text
    assert ledger.view(match).seq == 1
    assert client.post(f"/t/{match}/play", data=form).status_code == 303
    assert ledger.view(match).seq == 2
    ledger.store.close()
