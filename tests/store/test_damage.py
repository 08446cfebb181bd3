"""What a damaged or missing disk does: said clearly, and never made worse."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.app import create_app
from referee.cli import main
from referee.core.record import Header
from referee.desk import Desk
from referee.games.simulation import WIDEST
from referee.paths import DATABASE
from referee.store import Damaged, Store, Unavailable

pytestmark = pytest.mark.file

FIVE = ("A", "B", "C", "D", "E")


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A database with a few plays."""
    desk = Desk(Store(tmp_path / DATABASE))
    match = desk.open(Header(WIDEST, FIVE)).match
    desk.declare(match, "table deal leader=A", 0, "key-0000")
    desk.declare(match, "A lay 7", 1, "key-0001")
    desk.store.close()
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
    desk = app.extensions["desk"]
    match = desk.open(Header(WIDEST, FIVE)).match
    desk.declare(match, "table deal leader=A", 0, "key-0000")

    def full(*_args: object) -> None:
        raise Unavailable("database or disk is full")

    client = app.test_client()
    form = {"seen": "1", "key": "key-0001", "line": "A lay 7"}
    with monkeypatch.context() as patch:
        patch.setattr(desk.store, "append", full)
        answer = client.post(f"/t/{match}/play", data=form, headers={"Accept-Language": speaks})
    assert answer.status_code == 503
    assert said in answer.text
    assert desk.view(match).seq == 1
    assert client.post(f"/t/{match}/play", data=form).status_code == 303
    assert desk.view(match).seq == 2
    desk.store.close()
