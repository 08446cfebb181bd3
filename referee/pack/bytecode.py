"""A cache of byte code, since Pyodide needs a minute to compile everything."""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from referee.pack import compiling

COMPILER = Path(__file__).parent / "browser" / "compile.mjs"
"""Compiles in Pyodide, run by Node.js."""


class Kept:
    """Byte code in ``folder``, found by the hash of its source, for one version of Python."""

    def __init__(self, folder: Path, python: str) -> None:
        self._folder = folder
        makers = (Path(compiling.__file__), COMPILER)
        self._made_by = python.encode() + b"".join(maker.read_bytes() for maker in makers)

    def put_in(self, folders: Iterable[Path]) -> dict[Path, Path]:
        """Replace the modules in ``folders`` whose byte code is cached.

        Returns, for the others, the path of their future byte code → the path at which ``keep``
        stores it. Unused cache entries are deleted.
        """
        due: dict[Path, Path] = {}
        known: set[Path] = set()
        self._folder.mkdir(parents=True, exist_ok=True)
        for folder in folders:
            for module in folder.rglob("*.py"):
                path = module.relative_to(folder).as_posix().encode()
                made_from = b"\0".join((self._made_by, path, module.read_bytes()))
                place = self._folder / sha256(made_from).hexdigest()
                known.add(place)
                made = module.with_suffix(".pyc")
                if place.is_file():
                    made.write_bytes(place.read_bytes())
                    module.unlink()
                else:
                    due[made] = place
        for old in {*self._folder.iterdir()} - known:
            old.unlink(missing_ok=True)
        return due

    def keep(self, due: dict[Path, Path]) -> None:
        """Store the byte code that was made since ``put_in``."""
        for made, place in due.items():
            part = place.with_name(f"{place.name}.{os.getpid()}")
            part.write_bytes(made.read_bytes())
            part.replace(place)
