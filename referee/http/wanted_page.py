"""Remembers the page that a phone was refused, and redirects it there after it has joined."""

from __future__ import annotations

import re

from flask import Response, request
from werkzeug.urls import iri_to_uri

from referee.http import htmx

COOKIE, SECONDS = "onward", 60 * 60
MOST = 2000  # characters of the address: browsers drop cookies above some 4,000
_OWN = re.compile(r"/(?!/)[!-\[\]-~]*")


def remember(refusal: Response) -> Response:
    """``refusal`` with a cookie that has the refused address, if it is that of a page."""
    if request.method == "GET" and "text/html" in request.headers.get("Accept", ""):
        page = iri_to_uri(request.full_path.rstrip("?"))
        if len(page) <= MOST:
            refusal.set_cookie(COOKIE, page, max_age=SECONDS, httponly=True, samesite="Lax")
    return refusal


def go(instead: str, within: str = "/") -> Response:
    """Redirect to the refused page, if it is under ``within``, or else to ``instead``."""
    page = request.cookies.get(COOKIE, "")
    wanted = page.startswith(within) and _OWN.fullmatch(page)
    response = htmx.go_to(page if wanted else instead)
    if page:
        response.delete_cookie(COOKIE, httponly=True, samesite="Lax")
    return response
