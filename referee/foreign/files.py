"""Which files are of other programs, and what is in them."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import NamedTuple, TypeAlias

from referee.foreign import bg_stats, pasted
from referee.foreign.plays import ForeignPlay, NoPlays, PlayFault

GLANCE = 4096  # bytes by which a file is recognised
MOST_BYTES = max(bg_stats.MOST_BYTES, pasted.MOST_BYTES)
TABLES = (".csv", ".tsv", ".txt")
Source: TypeAlias = "str | bytes"
"""A table as text, or an export of BG Stats."""
_OURS = re.compile(rb'\{\s*"format"')


class ForeignFile(NamedTuple):
    """What is in a file. ``local``: its times are those of the group, and not UTC. ``whole``:
    nothing of it can come in until its faults are mended.
    """

    table: bool
    local: bool
    plays: tuple[ForeignPlay, ...]
    faults: tuple[PlayFault, ...] = ()
    whole: bool = False


def recognised(name: str, head: bytes) -> bool:
    """Whether a file with this name and beginning is of another program."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text[:1] == b"{":
        return not _OURS.match(text)
    if name.lower().endswith(TABLES):
        with suppress(NoPlays):
            return pasted.looks_like(pasted.decoded(text[: text.rfind(b"\n") + 1] or text))
    return False


def source_of(content: bytes) -> Source:
    """The content of a file that was recognised; raises ``NoPlays``."""
    is_json = content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"
    return content if is_json else pasted.decoded(content)


def read(source: Source, zone: str) -> ForeignFile:
    """What is in a file; raises ``NoPlays``. ``zone``: that of the group."""
    if isinstance(source, str):
        table = pasted.read(source)
        whole = not pasted.without(table.faults)
        return ForeignFile(True, True, table.plays, table.faults, whole)
    export = bg_stats.read(source, zone)
    return ForeignFile(False, export.local, export.plays, export.faults)
