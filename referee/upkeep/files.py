"""The file that a command reads."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from referee.upkeep.language import in_one


class CannotRead(click.ClickException):
    """A file cannot be read, or is of another kind; the command exits with 2."""

    exit_code = 2


def content(file: str) -> bytes:
    """The content of a file, of standard input for "-"; ``CannotRead`` if there is none."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as fault:
        if isinstance(fault, FileNotFoundError):
            wrong = f"{file}：このファイルはありません", f"{file}: there is no such file"
        elif isinstance(fault, IsADirectoryError):
            wrong = (
                f"{file}：フォルダーです。ファイルを指定してください",
                f"{file}: this is a folder; name a file",
            )
        else:
            wrong = f"{file}：読めません（{fault.strerror}）", f"{file}: {fault.strerror}"
        raise CannotRead(in_one(*wrong)) from fault
