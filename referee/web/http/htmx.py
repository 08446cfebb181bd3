"""Pages and their fragments: one template serves both. The only module that knows htmx-flask."""

from __future__ import annotations

from typing import Any

from flask import Response, current_app, render_template
from htmx_flask import make_response as with_headers
from htmx_flask import request

from referee.web.http import language


def wants_partial() -> bool:
    """Whether htmx asks, and so wants the fragment alone."""
    asks = request.htmx
    return bool(asks) and not asks.history_restore_request


def fragment(template: str, **context: Any) -> Response:
    """``template`` rendered for htmx or as a page; caches must not mix the two up."""
    return varying(Response(render_template(template, **context)))


def part(template: str, **context: Any) -> Response:
    """``template`` for a page that is there: without the theme and what else pages alone need."""
    found = current_app.jinja_env.get_template(template)
    tongue = language.current()
    said = language.gettext_in(tongue)
    return varying(Response(found.render(lang=tongue, _=said, **context)))


def notice(template: str, **context: Any) -> Response:
    """A fragment that leaves the page as it is and goes into its line for messages."""
    response: Response = with_headers(
        render_template(template, **context), retarget="#notice", reswap="innerHTML"
    )
    return varying(response)


def go_to(address: str) -> Response:
    """Off to another page; htmx would put the answer of a plain redirect into this one."""
    if wants_partial():
        response: Response = with_headers("", redirect=address)
    else:
        response = Response("", 303, {"Location": address})
    return varying(response)


def varying(response: Response) -> Response:
    """Mark ``response`` as depending on who asks."""
    response.headers["Vary"] = "HX-Request"
    return response
