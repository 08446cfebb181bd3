"""A result at an address that was given away: whoever knows it sees that card, and nothing else."""

from __future__ import annotations

from flask import Blueprint, Response, abort

from referee.web.http import access
from referee.web.http.current import desk
from referee.web.review import scores
from referee.web.table import join

bp = Blueprint("shown", __name__)


@bp.get("/shown/<secret>")
def result(secret: str) -> Response:
    """How the match ended; search engines are asked to leave it out."""
    match = access.keeper().unsealed(secret)
    view = desk().view(match) if match else None
    if view is None or view.outcome is None:
        abort(404)
    response = join.private(Response(scores.card_page(view, shared=True)))
    response.headers["X-Robots-Tag"] = "noindex"
    return response
