"""The paths of the data that people enter, and of the files that come with the package."""

import os
from pathlib import Path

import platformdirs

DATABASE = "referee.db"
KEY = "secret.key"


def data_location() -> Path:
    """The data folder: `REFEREE_DATA`, or else one in the user's home."""
    named = os.environ.get("REFEREE_DATA")
    if named:
        return Path(named).expanduser().absolute()
    return platformdirs.user_data_path("referee", appauthor=False)


def data_dir(folder: Path | None = None) -> Path:
    """`folder` or `data_location()`, created if needed; a new one is readable by its owner only."""
    folder = folder or data_location()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def database(folder: Path) -> Path | str:
    """The database: a file in `folder`, unless `REFEREE_DATABASE` says otherwise.

    That variable is another file (`sqlite:PATH`) or a server (`postgresql://…`).
    """
    return place(os.environ.get("REFEREE_DATABASE", "")) or folder / DATABASE


def place(address: str) -> Path | str:
    """The path in `sqlite:PATH`; any other address unchanged."""
    kind, _, path = address.partition(":")
    return Path(path).expanduser().absolute() if kind == "sqlite" and path else address


def shipped(name: str) -> Path:
    """The folder "templates" or "static": in the installed package, or at the top of a checkout."""
    package = Path(__file__).parent
    packed = package / name
    return packed if packed.is_dir() else package.parent / name
