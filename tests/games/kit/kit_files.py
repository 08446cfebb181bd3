"""The game files that tests play: those that come with the program, and those of the tests."""

from __future__ import annotations

from pathlib import Path

from referee import shipped

FOLDER = Path(__file__).parent / "files"
FILES = sorted((*shipped.FOLDER.glob("*.toml"), *FOLDER.glob("*.toml")))


def named(name: str) -> Path:
    """The file of the game with this key."""
    return next(file for file in FILES if file.stem == name)
