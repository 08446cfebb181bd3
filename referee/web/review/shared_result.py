"""The result of a match at a shared address: whoever has it sees the result card, and no more."""

from __future__ import annotations

from flask import Blueprint, Response, abort, url_for

from referee.http import access
from referee.http.current import ledger
from referee.http.local_time import of_group
from referee.ledger import View
from referee.web.review import scores
from referee.web.table import join

bp = Blueprint("shown", __name__)


@bp.get("/shown/<secret>")
def result(secret: str) -> Response:
    """Page of the result card; search engines are asked not to index it."""
    view = _ended(secret)
    of_group(access.way(view.match).circle)  # everybody who has the link reads the same day
    picture = ""
    if access.pictures().get(view.match):
        picture = url_for(".picture", secret=secret, _external=True)
    page = scores.card_page(view, shared=True, picture=picture)
    return join.unlisted(Response(page))


@bp.get("/shown/<secret>/card.jpg")
def picture(secret: str) -> Response:
    """The picture that messengers show beside the link to a result."""
    found = access.pictures().get(_ended(secret).match) or abort(404)
    return join.unlisted(Response(found, content_type="image/jpeg"))


def _ended(secret: str) -> View:
    """The finished match of this secret (``Keeper.sealed``); otherwise 404."""
    match = access.keeper().unsealed(secret)
    view = ledger().view(match) if match else None
    if view is None or view.outcome is None:
        abort(404)
    return view
