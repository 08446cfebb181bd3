"""Small records, each about one matter: what is legal there, what is not, and what is left of it.

``games/<game>/small_records.toml``; ``games/kit/small_records.toml`` is about games of files, each
record names its ``game``. ``entries`` carry their answers as comments
(``table_talk``), ``says`` has by entry what its sentence must contain, ``claim`` what a claim is
answered with.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from table_talk import check

from referee.games import GAMES
from referee.kit import shipped

FOLDER = Path(__file__).parent / "games"
FOUND = [
    (name, record)
    for name in GAMES
    for file in (FOLDER / name).glob("small_records.toml")
    for record in tomllib.loads(file.read_text(encoding="utf-8")).get("record", [])
]
OF_FILES = FOLDER / "kit" / "small_records.toml"
FILES = {game.KEY: game.hash for game in shipped.games().values()}
FOUND += [
    (record["game"], record)
    for record in tomllib.loads(OF_FILES.read_text(encoding="utf-8"))["record"]
]


@pytest.mark.parametrize(
    ("game", "record"), FOUND, ids=lambda part: part if isinstance(part, str) else part["title"]
)
def test_small_record(game: str, record: dict[str, Any]) -> None:
    head = ["referee: 1", f"game: {game}", f"seats: {record['seats']}", *record.get("header", [])]
    head += [f"kit: {FILES[game]}"] if game in FILES else []
    head += [f"option: {option}" for option in record.get("options", "").split()]
    answer = check("\n".join([*head, "", record["entries"].strip(), ""]))
    for seq, parts in record.get("says", {}).items():
        says = answer["entries"][int(seq) - 1]["says"]
        assert all(part in says for part in parts), says
    claims = {row["seq"]: row["claim"] for row in answer["entries"] if "claim" in row}
    open_or_proven = {str(seq): says for seq, says in claims.items() if isinstance(says, str)}
    assert open_or_proven == record.get("claim", {})
    for key in ("agreed", "adjustments"):
        if key in record:
            assert answer.get(key, []) == record[key]


def test_there_are_small_records() -> None:
    assert len(FOUND) > 60
