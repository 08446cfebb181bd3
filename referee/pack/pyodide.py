"""Python for the browser: one pinned version of Pyodide, from the npm registry."""

from __future__ import annotations

import json
import os
import tarfile
from base64 import b64encode
from hashlib import sha512
from pathlib import Path
from urllib.request import urlopen

import platformdirs

VERSION = "314.0.7"
INTEGRITY = "sha512-" + (
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
REGISTRY = "https://registry.npmjs.org"
PATIENCE = 60  # seconds without an answer
LIBRARY = "python_stdlib.zip"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", LIBRARY)
"""The files that a browser needs."""


class WrongTarball(ValueError):
    """The file is not the pinned version, or is damaged."""


def fetched(registry: str = "") -> Path:
    """The tarball, from this user's cache or else from the registry.

    Raises ``OSError`` if the registry does not answer, and ``WrongTarball``.
    """
    file = cache() / f"pyodide-{VERSION}.tgz"
    if file.is_file():
        try:
            check(file.read_bytes())
            return file
        except WrongTarball:
            file.unlink()
    address = f"{(registry or REGISTRY).rstrip('/')}/pyodide/-/pyodide-{VERSION}.tgz"
    with urlopen(address, timeout=PATIENCE) as answer:
        content: bytes = answer.read()
    check(content)
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{os.getpid()}")
    part.write_bytes(content)
    part.replace(file)
    return file


def cache() -> Path:
    """This user's folder for files that can be fetched again."""
    return platformdirs.user_cache_path("referee", appauthor=False)


def check(content: bytes, integrity: str = INTEGRITY) -> None:
    """Raise ``WrongTarball`` unless ``content`` has this checksum, in npm's notation."""
    found = f"sha512-{b64encode(sha512(content).digest()).decode()}"
    if found != integrity:
        raise WrongTarball(found)


def unpack(tarball: Path, folder: Path, integrity: str = INTEGRITY) -> None:
    """Write ``FILES`` of the tarball into ``folder``; raises ``WrongTarball``."""
    check(tarball.read_bytes(), integrity)
    with tarfile.open(tarball) as tar:
        for name in FILES:
            found = tar.extractfile(f"package/{name}")
            assert found is not None
            (folder / name).write_bytes(found.read())
    _shorten(folder / "pyodide-lock.json")


def python_of(folder: Path) -> str:
    """The version of Python in an unpacked Pyodide, such as "3.14.2"."""
    version: str = json.loads((folder / "pyodide-lock.json").read_bytes())["info"]["python"]
    return version


def _shorten(lock: Path) -> None:
    """Remove the packages that could be loaded from elsewhere: none is needed."""
    lock.write_text(json.dumps({**json.loads(lock.read_bytes()), "packages": {}}), "utf-8")
