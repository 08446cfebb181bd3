"""Pages and their fragments, from one template. The only module that uses htmx-flask."""

from __future__ import annotations

from typing import Any

from flask import Response, current_app, render_template
from htmx_flask import make_response as with_headers
from htmx_flask import request
from markupsafe import Markup

from referee.http import language


def wants_partial() -> bool:
    """Whether the request comes from htmx and needs only the fragment."""
    asks = request.htmx
    return bool(asks) and not asks.history_restore_request


def fragment(template: str, *, status_code: int = 0, **context: Any) -> Response:
    """``template`` rendered as a fragment for htmx, or as a page (see ``base.html``).

    ``status_code``: of the answer; without it, that is 400 for a page that says a ``fault``.
    """
    made = render_template(template, **context)
    return varying(Response(made, status_code or (400 if context.get("fault") else 200)))


def part(template: str, **context: Any) -> Response:
    """A part of a page that is loaded already."""
    return varying(Response(drawn(template, **context)))


def drawn(template: str, **context: Any) -> Markup:
    """A part of a page, rendered without the values of whole pages."""
    found = current_app.jinja_env.get_template(template)
    tongue = language.current()
    said = language.gettext_in(tongue)
    return Markup(found.render(lang=tongue, _=said, **context))


def notice(template: str, **context: Any) -> Response:
    """A fragment that htmx puts into the page's line for messages, and nowhere else."""
    response: Response = with_headers(
        render_template(template, **context), retarget="#notice", reswap="innerHTML"
    )
    return varying(response)


def go_to(address: str) -> Response:
    """Redirect to another page; of a plain redirect, htmx would put the target into this page."""
    if wants_partial():
        response: Response = with_headers("", redirect=address)
    else:
        response = Response("", 303, {"Location": address})
    return varying(response)


def varying(response: Response) -> Response:
    """Let caches keep answers to htmx apart from pages."""
    response.headers["Vary"] = "HX-Request"
    return response
