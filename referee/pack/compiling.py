"""Byte code in the place of modules. Runs in Pyodide, too, so it imports nothing of the program."""

from __future__ import annotations

import ast
import compileall
from pathlib import Path
from py_compile import PycInvalidationMode

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def compile_in(folder: Path) -> None:
    """Replace every module under ``folder`` by its byte code for the Python that runs this."""
    for module in folder.rglob("*.py"):
        module.write_bytes(without_docstrings(module.read_bytes()))
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


def without_docstrings(source: bytes) -> bytes:
    """The module with a point in the place of each docstring, and with the same lines.

    Nobody reads them in a tab, and they are a fifth of the download. A class without any would get
    one from ``dataclasses``, which takes time.
    """
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    spans = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False):
            said = node.body[0]
            assert said.end_lineno is not None
            assert said.end_col_offset is not None
            end = starts[said.end_lineno - 1] + said.end_col_offset
            spans.append((starts[said.lineno - 1] + said.col_offset, end))
    for begin, end in sorted(spans, reverse=True):
        source = (
            source[:begin] + b'("."' + source[begin:end].count(b"\n") * b"\n" + b")" + source[end:]
        )
    return source
