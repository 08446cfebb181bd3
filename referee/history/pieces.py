"""Splits a file into pieces that fit a QR code or a link, and joins them again.

A piece is ``FILE.NUMBER.OF.TEXT``: the checksum of the file, the piece's number (1-based), the
number of pieces, and the content in characters that may stand in an address.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

PIECE = re.compile(r"([0-9a-f]{12})\.(\d{1,3})\.(\d{1,3})\.([A-Za-z0-9_-]+)")


class DamagedPieces(ValueError):
    """A text is no piece, or the joined pieces do not have the file's checksum."""


class Gathered(NamedTuple):
    """Pieces of one file. ``of``: how many it has; ``missing``: the numbers of those not found.

    ``content``: the file once no piece is missing, else empty.
    """

    of: int
    missing: list[int]
    content: bytes


def cut(content: bytes, size: int) -> list[str]:
    """``content`` in base64url, cut into pieces of at most ``size`` characters, heads not
    counted.
    """
    text = urlsafe_b64encode(content).decode().rstrip("=")
    parts = [text[at : at + size] for at in range(0, len(text), size)]
    name = name_of(content)
    return [f"{name}.{number}.{len(parts)}.{part}" for number, part in enumerate(parts, 1)]


def gather(texts: Iterable[str]) -> Gathered:
    """Join pieces, in any order, duplicates allowed.

    Pieces of another file than that of the last one are ignored. Raises ``DamagedPieces``.
    """
    found = [piece for piece in map(PIECE.fullmatch, texts) if piece]
    if not found:
        raise DamagedPieces
    name, of = found[-1][1], int(found[-1][3])
    parts = {int(piece[2]): piece[4] for piece in found if (piece[1], int(piece[3])) == (name, of)}
    missing = [number for number in range(1, of + 1) if number not in parts]
    if missing:
        return Gathered(of, missing, b"")
    text = "".join(parts[number] for number in range(1, of + 1))
    try:
        content = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError as fault:
        raise DamagedPieces from fault
    if name_of(content) != name:
        raise DamagedPieces
    return Gathered(of, [], content)


def name_of(content: bytes) -> str:
    """The checksum by which the pieces of ``content`` name their file."""
    return sha256(content).hexdigest()[:12]
