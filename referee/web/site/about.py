"""Pages about the app: its components, and their licences."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files

from flask import Blueprint, Response, abort, render_template

from referee import paths
from referee.games import GAMES
from referee.jukugo import library
from referee.rulings import book

bp = Blueprint("about", __name__)

_DATA = files("referee.jukugo") / "data" / "licences"
LICENCES = {
    "EDRDG": _DATA / "EDRDG.md",
    "UniDic": _DATA / "UniDic.txt",
    "IPADIC": _DATA / "IPADIC.txt",
    "htmx": paths.shipped("static") / "vendor" / "htmx-LICENSE",
}
"""The licence texts of data by others that come with the app."""


@bp.get("/about")
def about() -> str:
    """Page of the app's own licence, and the sources of its rules, words and drawings."""
    return render_template(
        "site/about.html",
        version=_version(),
        books=[book(name) for name in GAMES],
        editions=library.EDITIONS,
        size=len(library.word_list()),
        years=len(library.school_years()),
    )


@bp.get("/about/<name>.txt")
def licence(name: str) -> Response:
    """Page of the text of a licence."""
    if name not in LICENCES:
        abort(404)
    return Response(LICENCES[name].read_bytes(), content_type="text/plain; charset=utf-8")


def _version() -> str:
    try:
        return version("referee")
    except PackageNotFoundError:  # a checkout can run without being installed
        return ""
