"""The protocol of a match as a file: from its page, and from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from reading_room import Room

from referee.cli import main
from referee.games.simulation import WIDEST
from tools import check_protocol


def test_the_command_and_the_page_write_the_same_protocol(room: Room, tmp_path: Path) -> None:
    room.revoke()
    found = json.loads(room.phone.get(f"/t/{room.match}/protocol.json").text)
    assert [good for good, _ in check_protocol.check(found)] == [True]
    file = tmp_path / "record.txt"
    file.write_text(found["record"], encoding="utf-8")
    done = CliRunner().invoke(main, ["protocol", str(file)])
    assert (done.exit_code, json.loads(done.stdout)) == (0, found)
    assert room.get("score").select_one(f"a[href='/t/{room.match}/protocol.json']")


@pytest.mark.parametrize(
    ("text", "status"), [("game: x\n", 2), (f"tally: {WIDEST}\nseats: A B\n\nA: 3\nB: 5\n", 2)]
)
def test_what_has_no_protocol(text: str, status: int, tmp_path: Path) -> None:
    file = tmp_path / "record.txt"
    file.write_text(f"referee: 1\n{text}", encoding="utf-8")
    done = CliRunner().invoke(main, ["protocol", str(file)])
    assert done.exit_code == status
    assert done.stdout == ""
