"""Where things lie: the folder of what people enter, and the files that come with the package."""

import os
from pathlib import Path

import platformdirs

DATABASE = "referee.db"
KEY = "secret.key"


def data_location() -> Path:
    """The folder of all that people enter: `REFEREE_DATA`, or else one of the user's own."""
    named = os.environ.get("REFEREE_DATA")
    if named:
        return Path(named).expanduser().absolute()
    return platformdirs.user_data_path("referee", appauthor=False)


def data_dir(folder: Path | None = None) -> Path:
    """`folder` or `data_location()`, made if need be; only its owner may look into a new one."""
    folder = folder or data_location()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def database(folder: Path) -> Path | str:
    """Where matches are kept: a file in `folder`, unless `REFEREE_DATABASE` says otherwise.

    It names another file (`sqlite:PATH`) or a server (`postgresql://…`).
    """
    return place(os.environ.get("REFEREE_DATABASE", "")) or folder / DATABASE


def place(address: str) -> Path | str:
    """The path in `sqlite:PATH`; another address stays as it is."""
    kind, _, path = address.partition(":")
    return Path(path).expanduser().absolute() if kind == "sqlite" and path else address


def shipped(name: str) -> Path:
    """The folder "templates" or "static": in the installed package, or at the top of a checkout."""
    package = Path(__file__).parent
    packed = package / name
    return packed if packed.is_dir() else package.parent / name
