"""Shortens answers to what is new, for a page that says which fragments it has.

A fragment is deflated with those that the page has as the dictionary: the last one, and of those
before it every line that no later one has, because a pad that a question replaces comes back after
it. If the text gets too long, lines of which there are many versions are lost first, so that rare
ones stay: those of a deal or of a question. The page puts this text in front of the answer as a
stored block, so that the decompression of any browser can read it (static/js/page.js). This reduces
the answer to a play to a quarter of its gzip.
"""

from __future__ import annotations

import zlib
from collections import Counter, OrderedDict
from threading import Lock

from flask import Response, request

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
VERSIONS = 4  # of lines that are alike up to their third quote, as many are kept before all others


class Fragments:
    """The text that each page keeps of its fragments, by the key of the newest one.

    A page whose text is not here any more gets whole fragments.
    """

    def __init__(self) -> None:
        self._held: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def shorten(self, response: Response, key: str) -> None:
        """Shorten the fragment in ``response`` by what the page has, and store it under ``key``."""
        fragment = response.get_data()
        response.headers[KEY] = key
        named = request.headers.get(HOLDS, "")
        with self._lock:
            held = self._held.pop(named, b"")  # the page will have more than this from now on
            self._held[key] = joined(held, fragment)
            self._bytes += len(self._held[key]) - len(held)
            while self._bytes > KEPT:
                self._bytes -= len(self._held.popitem(last=False)[1])
        if held:
            level, window = zlib.Z_BEST_COMPRESSION, -zlib.MAX_WBITS
            deflate = zlib.compressobj(level, wbits=window, zdict=held)
            response.set_data(deflate.compress(fragment) + deflate.flush())
            response.mimetype = "application/octet-stream"
            response.headers[BUILDS_ON] = named


def joined(held: bytes, fragment: bytes) -> bytes:
    """The text that a page keeps when it gets ``fragment``: whole lines, as page.js keeps them."""
    again = set(fragment.split(b"\n"))
    rare, many, seen = list[bytes](), list[bytes](), Counter[bytes]()
    for line in reversed(held.split(b"\n")):
        if line not in again:
            start = b",".join(line.split(b'"', 3)[:3])
            seen[start] += 1
            (rare if seen[start] <= VERSIONS else many).append(line)
    both = b"\n".join([*reversed(many), *reversed(rare), fragment])
    last = both[-LONGEST:]
    return both if len(both) == len(last) else last[last.find(b"\n") + 1 :]
