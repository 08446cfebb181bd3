"""Replaces modules by their byte code. Runs in Pyodide, too, so it imports nothing of the
program.
"""

from __future__ import annotations

import ast
import compileall
from pathlib import Path
from py_compile import PycInvalidationMode

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def compile_in(folder: Path) -> None:
    """Replace every module under ``folder`` by byte code for the running Python."""
    for module in folder.rglob("*.py"):
        module.write_bytes(without_docstrings(module.read_bytes()))
    done = compileall.compile_dir(
        folder,
        maxlevels=100,
        quiet=1,
        legacy=True,  # write it beside the module's place, where it is found without the source
        invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
        stripdir=str(folder),
    )
    if not done:
        raise SyntaxError(f"{folder}: a module cannot be compiled")
    for module in folder.rglob("*.py"):
        module.unlink()


def without_docstrings(source: bytes) -> bytes:
    """The module with the text "." as every docstring, and unchanged line numbers.

    Nobody reads docstrings in a tab, and they are a fifth of the download. They are not removed,
    because ``dataclasses`` would compute one for a class without, which takes time.
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
