"""Crests of games and the colours of ranks, for pictures that no style sheet applies to."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from referee import paths


@lru_cache
def crest(game: str) -> Markup:
    """The crest of ``game``, or a default one: an SVG element that fills its container."""
    own = f"games/{game}/crest.svg"
    drawn = _read(own if (paths.shipped("static") / own).is_file() else "glyphs/crest.svg")
    return Markup(drawn[drawn.index("<svg") :])


@lru_cache
def share_picture(game: str = "") -> str:
    """The picture that messengers show beside a link: its file in ``static``.

    It is that of ``game`` if it has one, else that of the app.
    """
    own = f"games/{game}/share.png"
    return own if (paths.shipped("static") / own).is_file() else "pictures/app.png"


class Tile(NamedTuple):
    """The repeated part of a pattern, and its size."""

    width: str
    height: str
    drawing: Markup


class Ink(NamedTuple):
    """The colours and patterns of the ranks from 1 to 10; a numeral fills its container."""

    colours: tuple[str, ...]
    numerals: tuple[Markup, ...]
    tiles: tuple[Tile, ...]


@lru_cache
def ink() -> Ink:
    """The colours and patterns of the ranks, from the style sheet."""
    numerals, tiles = _read("glyphs/numerals.svg"), _read("glyphs/patterns.svg")
    cells = enumerate(re.findall(r"^<g .*</g>$", numerals, re.M))
    found = re.findall(r'<pattern .*width="([\d.]+)" height="([\d.]+)".*?>(.*)</pattern>', tiles)
    return Ink(
        tuple(re.findall(r"\.r\d+ ?\{\s*--c: ?(#\w+)", _read("css/numbered.css"))),
        tuple(_with_pen(numerals, f'svg viewBox="{100 * n} 0 84 86"', cell) for n, cell in cells),
        tuple(Tile(wide, high, _with_pen(tiles, "g", drawn)) for wide, high, drawn in found),
    )


def _with_pen(sheet: str, tag: str, drawing: str) -> Markup:
    """``drawing`` in an element ``tag``, with the stroke properties of the file ``sheet``."""
    pen = re.search(r' fill="none" stroke="\S+" stroke-width="\S+"', sheet)
    assert pen, sheet
    return Markup(f"<{tag}{pen[0]}>{drawing}</{tag.split()[0]}>")


def _read(name: str) -> str:
    return (paths.shipped("static") / name).read_text(encoding="utf-8")
