"""A file in pieces that a QR code or a link can carry, and put together again.

A piece is ``FILE.NUMBER.OF.TEXT``: what file it is part of (its checksum), which part of how many,
and the part itself in letters that an address may hold.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

PIECE = re.compile(r"([0-9a-f]{12})\.(\d{1,3})\.(\d{1,3})\.([A-Za-z0-9_-]+)")


class Damaged(ValueError):
    """No piece at all, or the pieces do not come to the file that they were cut from."""


class Gathered(NamedTuple):
    """Pieces of one file: the numbers that are not there yet; the file when all are."""

    of: int
    missing: list[int]
    content: bytes


def cut(content: bytes, size: int) -> list[str]:
    """``content`` in pieces that carry ``size`` characters of it."""
    text = urlsafe_b64encode(content).decode().rstrip("=")
    parts = [text[at : at + size] for at in range(0, len(text), size)]
    name = name_of(content)
    return [f"{name}.{number}.{len(parts)}.{part}" for number, part in enumerate(parts, 1)]


def gather(texts: Iterable[str]) -> Gathered:
    """Put pieces together, in any order and however often; those of another file than the last
    one are left out. Raises ``Damaged``."""
    found = [piece for piece in map(PIECE.fullmatch, texts) if piece]
    if not found:
        raise Damaged
    name, of = found[-1][1], int(found[-1][3])
    parts = {int(piece[2]): piece[4] for piece in found if (piece[1], int(piece[3])) == (name, of)}
    missing = [number for number in range(1, of + 1) if number not in parts]
    if missing:
        return Gathered(of, missing, b"")
    text = "".join(parts[number] for number in range(1, of + 1))
    try:
        content = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError as fault:
        raise Damaged from fault
    if name_of(content) != name:
        raise Damaged
    return Gathered(of, [], content)


def name_of(content: bytes) -> str:
    """What the pieces of ``content`` say that they belong to."""
    return sha256(content).hexdigest()[:12]
