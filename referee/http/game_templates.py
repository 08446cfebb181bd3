"""The templates of games, with defaults for those that a game does not have."""

from __future__ import annotations

from flask import current_app
from jinja2 import Template

from referee.http import current


def drawn(game: str, part: str) -> Template:
    """The template with which ``game`` draws ``part`` ("table.html"): its own, else the default."""
    own = f"games/{current.folder(game)}/{part}"
    return current_app.jinja_env.select_template([own, f"games/_{part}"])
