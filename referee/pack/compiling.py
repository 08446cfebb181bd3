"""Replaces modules by their byte code; runs in Pyodide, so it imports nothing of the program."""

from __future__ import annotations

import ast
import compileall
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import NamedTuple

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def compile_in(folder: Path) -> None:
    """Replace every module under ``folder`` by byte code for the running Python."""
    for module in folder.rglob("*.py"):
        module.write_bytes(bare(module.read_bytes()))
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


class Cut(NamedTuple):
    """What stands from ``begin`` to ``end`` (bytes) goes; ``instead`` comes in its place."""

    begin: int
    end: int
    instead: bytes = b""


def bare(source: bytes) -> bytes:
    """The module without docstrings and annotations of functions; its lines stay where they were.

    Nobody reads either in a tab, and together they are a quarter of the download. Docstrings become
    the text ".": ``dataclasses`` would compute one for a class without, which takes time. The
    annotations of classes stay, since they make the fields of dataclasses and named tuples.
    """
    starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
    cuts: list[Cut] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False):
            begin, end = _span(node.body[0], starts)
            lines = source[begin:end].count(b"\n") * b"\n"
            cuts.append(Cut(begin, end, b'("."' + lines + b")"))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            cuts += _annotations(node, source, starts)
    for cut in sorted(cuts, reverse=True):
        source = source[: cut.begin] + cut.instead + source[cut.end :]
    return source


def _annotations(
    node: ast.FunctionDef | ast.AsyncFunctionDef, source: bytes, starts: Sequence[int]
) -> Iterator[Cut]:
    """The annotations of a function, each from the end of the name on.

    A function that ``singledispatch`` registers says with them what it is for.
    """
    if any(isinstance(by, ast.Attribute) and by.attr == "register" for by in node.decorator_list):
        return
    args = node.args
    for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg):
        if arg is not None and arg.annotation is not None:
            begin, end = _span(arg, starts)
            begin += len(arg.arg.encode())
            yield Cut(begin, end, source[begin:end].count(b"\n") * b"\n")
    if node.returns is not None:
        begin, end = _span(node.returns, starts)
        arrow = source.rindex(b"->", 0, begin)
        # a result type in parentheses, or over several lines, stays: outside them no line may end
        if not source[arrow + 2 : begin].strip() and b"\n" not in source[arrow:end]:
            yield Cut(arrow, end)


def _span(node: ast.stmt | ast.expr | ast.arg, starts: Sequence[int]) -> tuple[int, int]:
    """Where ``node`` begins and ends, in bytes."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    end = starts[node.end_lineno - 1] + node.end_col_offset
    return starts[node.lineno - 1] + node.col_offset, end
