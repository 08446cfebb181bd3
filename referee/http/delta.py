"""Shortens answers to what is new, for a page that says which fragments it has.

A fragment is deflated with those that the page has as the dictionary: the last one, and of those
before it every line that no later one has, because a pad that a question replaces comes back after
it. If the text gets too long, the oldest lines of which there are many versions are lost first, so
that rare ones stay: those of a deal or of a question. The page puts this text in front of the
answer as a stored block, so that the decompression of any browser can read it (static/js/page.js).
This reduces the answer to a play to a quarter of its gzip.
"""

from __future__ import annotations

import zlib
from collections import Counter, OrderedDict
from collections.abc import Sequence
from threading import Lock

from flask import Response, request

from referee.http.machine import machine

HOLDS = "X-Has"
"""Request header: the key of the fragment that the page has.

Whenever ``joined`` changes, it gets another name, so that pages of an earlier version get whole
fragments.
"""
KEY = "X-Key"
"""Response header: the key of this fragment."""
BUILDS_ON = "X-Builds-On"
"""Response header: the key of the fragment that this answer must be read with."""

KEPT = 16 * 1024 * 1024  # bytes in all: the fragments of some five hundred pages
LONGEST = 32_000  # bytes that a page keeps: the distance to which deflate can refer
VERSIONS = 4
"""How many of the lines that are alike up to their third quote are not lost before others."""
KNOWN = 20_000  # lines


class Fragments:
    """The text that each page keeps of its fragments, by the key of the newest one.

    A page whose text is not here any more gets whole fragments.
    """

    def __init__(self) -> None:
        self._held: OrderedDict[str, Sequence[bytes]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def shorten(self, response: Response, key: str) -> None:
        """Shorten the fragment in ``response`` by what the page has, and store it under ``key``.

        Without distance to the page, shortening and reading it would take longer than it saves.
        """
        if not machine().distance:
            return
        fragment = response.get_data()
        response.headers[KEY] = key
        named = request.headers.get(HOLDS, "")
        with self._lock:
            held = self._held.pop(named, NOTHING)  # the page will have more than this from now on
            self._held[key] = joined(held, fragment.split(b"\n"))
            self._bytes += length(self._held[key]) - length(held)
            while self._bytes > KEPT:
                self._bytes -= length(self._held.popitem(last=False)[1])
        if held is not NOTHING:
            level, window = zlib.Z_BEST_COMPRESSION, -zlib.MAX_WBITS
            deflate = zlib.compressobj(level, wbits=window, zdict=b"\n".join(held))
            response.set_data(deflate.compress(fragment) + deflate.flush())
            response.mimetype = "application/octet-stream"
            response.headers[BUILDS_ON] = named


def joined(held: Sequence[bytes], fragment: Sequence[bytes]) -> Sequence[bytes]:
    """The lines that a page keeps when it gets those of ``fragment``, as page.js keeps them."""
    again = set(fragment)
    old = [line for line in held if line not in again]
    over = length([*old, *fragment]) - LONGEST
    if over > 0:
        starts = [_STARTS.get(line) or _start(line) for line in old]
        versions, rare = Counter(starts), list[bytes]()
        for i, (line, start) in enumerate(zip(old, starts, strict=True)):
            if over <= 0:
                rare += old[i:]
                break
            if versions[start] > VERSIONS:
                versions[start] -= 1
                over -= len(line) + 1
            else:
                rare.append(line)
        old = rare
    kept = [*old, *fragment]
    if over > 0:
        first = 0
        while over >= 0 and first < len(kept) - 1:  # at 0, page.js does not see that a line begins
            over -= len(kept[first]) + 1
            first += 1
        return kept[first:]
    return kept


def length(lines: Sequence[bytes]) -> int:
    """The bytes of the text with these lines."""
    return sum(map(len, lines)) + len(lines) - 1


NOTHING = (b"",)
"""The lines of an empty text."""

_STARTS: dict[bytes, bytes] = {}
"""Lines, and what they begin with; emptied when it is full."""


def _start(line: bytes) -> bytes:
    if len(_STARTS) >= KNOWN:
        _STARTS.clear()
    _STARTS[line] = start = b",".join(line.split(b'"', 3)[:3])
    return start
