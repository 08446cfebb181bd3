"""Crests of the games and the looks of the ranks, for pictures that no style sheet reaches."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from markupsafe import Markup

from referee import paths


@lru_cache
def crest(game: str) -> Markup:
    """The crest of ``game``, 48 units wide and high: an SVG element that fills what it lies in."""
    return Markup(_drawn(rf"\.m-{game}\{{--i:"))


class Tile(NamedTuple):
    """What is repeated in a pattern, and how large it is."""

    width: str
    height: str
    drawing: Markup


class Ink(NamedTuple):
    """The looks of the ranks from 1 to 10; a numeral fills what it lies in."""

    colours: tuple[str, ...]
    numerals: tuple[Markup, ...]
    tiles: tuple[Tile, ...]


@lru_cache
def ink() -> Ink:
    """The ranks as the style sheet draws them."""
    ranks = range(1, 11)
    return Ink(
        tuple(_found(rf"\.r{rank}\{{--c:(#\w+)") for rank in ranks),
        tuple(Markup(_drawn(rf"\.r{rank}\{{.*?--n:")) for rank in ranks),
        tuple(_tile(_drawn(rf"\.r{rank}\{{.*?--p:")) for rank in ranks),
    )


def _tile(svg: str) -> Tile:
    found = re.fullmatch(r"<svg [^>]*width='([\d.]+)' height='([\d.]+)'>(.*)</svg>", svg)
    assert found, svg
    return Tile(found[1], found[2], Markup(found[3]))


def _drawn(before: str) -> str:
    return unquote(_found(before + r'url\("data:image/svg\+xml,(.*?)"\)'))


def _found(pattern: str) -> str:
    sheet = paths.shipped("static") / "css" / "glyphs.css"
    found = re.search(pattern, sheet.read_text(encoding="utf-8"))
    assert found, pattern
    return found[1]
