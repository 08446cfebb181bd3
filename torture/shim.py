"""A library that records or fails a process's file operations, compiled when needed."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).with_name("shim.c")
_HEAD = struct.Struct("=cIqI")


class NoCompiler(Exception):
    """There is no C compiler on this machine, or this is no Linux."""


class Op(NamedTuple):
    """A file operation; ``at``: an offset, or a size, in bytes.

    ``what``: "C" created, "W" written from ``at`` on, "T" truncated to size ``at``, "S" synced, "U"
    unlinked.
    """

    what: str
    path: str
    at: int
    data: bytes


def compiled(folder: Path, source: Path = SOURCE) -> Path:
    """The shared library, made in ``folder``; raises ``NoCompiler``."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or os.uname().sysname != "Linux":
        raise NoCompiler(
            "the shim needs Linux and a C compiler (Debian: apt install gcc libc6-dev)"
        )
    library = folder / f"{source.stem}.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-o", str(library), str(source), "-ldl"],
        check=True,
    )
    return library


def environment(library: Path, folder: Path, journal: Path | None = None) -> dict[str, str]:
    """The environment of a process whose files in ``folder`` the shim watches."""
    found = {**os.environ, "LD_PRELOAD": str(library), "TORTURE_FOLDER": str(folder)}
    return found | ({"TORTURE_JOURNAL": str(journal)} if journal else {})


def journal(path: Path) -> Iterator[Op]:
    """The operations that the shim has recorded, in order."""
    text = path.read_bytes()
    place = 0
    while place < len(text):
        what, length, at, size = _HEAD.unpack_from(text, place)
        start = place + _HEAD.size
        place = start + length + size
        name = text[start : start + length].decode()
        yield Op(what.decode(), name, at, text[start + length : place])
