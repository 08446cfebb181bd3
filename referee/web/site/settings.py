"""What one phone prefers: kept in its cookies, nowhere else."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request
from flask import url_for as address
from werkzeug.wrappers import Response

from referee.web.http import access
from referee.web.http.language import CUES, LANGS, LOOKS, THEMES, TURNS, preference

bp = Blueprint("settings", __name__)

YEAR_SECONDS = 365 * 24 * 60 * 60
PREFERENCES = {"lang": LANGS, "theme": THEMES, "turn": TURNS, "look": LOOKS, "cue": CUES}


@bp.get("/settings")
def settings() -> str:
    """Language, theme, and how the table page behaves."""
    return render_template(
        "settings.html",
        chosen={name: request.cookies.get(name, "") for name in PREFERENCES},
        next=own_page(request.args.get("next", "")),
        has_circle=bool(access.circle()),
    )


@bp.post("/settings")
def keep() -> Response:
    """Keep what the form says; "auto" leaves it to the phone; what it doesn't mention stays."""
    page = own_page(request.form.get("next", "")) or address(".settings")
    response: Response = redirect(page, 303)
    for name, known in PREFERENCES.items():
        value = request.form.get(name)
        if value in known:
            response.set_cookie(name, value, max_age=YEAR_SECONDS, samesite="Lax", httponly=True)
        elif value == "auto":
            response.delete_cookie(name, samesite="Lax", httponly=True)
        elif value is not None:
            abort(400)
    return response


def at_table() -> dict[str, str]:
    """For templates: how the table page is turned and looks, how it tells of others' entries."""
    return {
        "turn": preference("turn", TURNS),
        "look": preference("look", LOOKS),
        "cue": preference("cue", CUES),
    }


def own_page(path: str) -> str:
    """``path`` if it is a page of this app and not an address somewhere else, otherwise ""."""
    safe = path.startswith("/") and not path.startswith("//")
    return path if safe and path.isprintable() and "\\" not in path else ""
