"""Byte code in the place of modules. Runs in Pyodide, too, so it imports nothing of the program."""

from __future__ import annotations

import compileall
from pathlib import Path
from py_compile import PycInvalidationMode


def compile_in(folder: Path) -> None:
    """Replace every module under ``folder`` by its byte code for the Python that runs this."""
    done = compileall.compile_dir(
        folder,
        maxlevels=100,
        quiet=1,
        legacy=True,  # beside the module, where it is found without it
        invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
        stripdir=str(folder),
    )
    if not done:
        raise SyntaxError(f"{folder}: a module cannot be compiled")
    for module in folder.rglob("*.py"):
        module.unlink()
