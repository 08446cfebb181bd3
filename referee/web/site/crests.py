"""Crests of the games and the looks of the ranks, for pictures that no style sheet reaches."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from referee import paths


@lru_cache
def crest(game: str) -> Markup:
    """The crest of ``game``, or a plain one: an SVG element that fills what it lies in."""
    own = f"games/{game}/crest.svg"
    drawn = _read(own if (paths.shipped("static") / own).is_file() else "glyphs/crest.svg")
    return Markup(drawn[drawn.index("<svg") :])


@lru_cache
def share_picture(game: str = "") -> str:
    """The file in ``static`` that messengers show beside a link to ``game``; "": the app's own."""
    own = f"games/{game}/share.png"
    return own if (paths.shipped("static") / own).is_file() else "pictures/app.png"


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
    numerals, tiles = _read("glyphs/numerals.svg"), _read("glyphs/patterns.svg")
    cells = enumerate(re.findall(r"^<g .*</g>$", numerals, re.M))
    found = re.findall(r'<pattern .*width="([\d.]+)" height="([\d.]+)".*?>(.*)</pattern>', tiles)
    return Ink(
        tuple(re.findall(r"\.r\d+\{--c:(#\w+)", _read("css/numbered.css"))),
        tuple(_with_pen(numerals, f'svg viewBox="{100 * n} 0 84 86"', cell) for n, cell in cells),
        tuple(Tile(wide, high, _with_pen(tiles, "g", drawn)) for wide, high, drawn in found),
    )


def _with_pen(sheet: str, tag: str, drawing: str) -> Markup:
    """``drawing`` in an element of its own, with what its sheet says of lines."""
    pen = re.search(r' fill="none" stroke="\S+" stroke-width="\S+"', sheet)
    assert pen, sheet
    return Markup(f"<{tag}{pen[0]}>{drawing}</{tag.split()[0]}>")


def _read(name: str) -> str:
    return (paths.shipped("static") / name).read_text(encoding="utf-8")
