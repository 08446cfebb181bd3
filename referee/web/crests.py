"""Crests of the games and colours of the ranks, for pictures that no style sheet reaches."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import unquote

from markupsafe import Markup

from referee import paths


@lru_cache
def crest(game: str) -> Markup:
    """The crest of ``game``, 48 units wide and high: an SVG element that fills what it lies in."""
    return Markup(unquote(_found(rf'\.m-{game}\{{--i:url\("data:image/svg\+xml,(.*?)"\)')))


@lru_cache
def colours() -> tuple[str, ...]:
    """The colours of the ranks from 1 to 10."""
    return tuple(_found(rf"\.r{rank}\{{--c:(#\w+)") for rank in range(1, 11))


def _found(pattern: str) -> str:
    sheet = paths.shipped("static") / "css" / "glyphs.css"
    found = re.search(pattern, sheet.read_text(encoding="utf-8"))
    assert found, pattern
    return found[1]
