"""The game files that tests play: those of the program, and those of the tests."""

from __future__ import annotations

from pathlib import Path

from referee.kit import shipped

FOLDER = Path(__file__).parent / "files"
WRITTEN = FOLDER.with_name("written")
"""Well-known games, each written from its rules with the tutorial alone."""

FILES = sorted(
    file for folder in (shipped.FOLDER, FOLDER, WRITTEN) for file in folder.glob("*.toml")
)
OF_TRICKS = [file for file in FILES if 'family = "trick_taking"' in file.read_text("utf-8")]


def named(name: str) -> Path:
    """The file of the game with this key."""
    return next(file for file in FILES if file.stem == name)
