"""Headers that the libraries fail at: a host that no address can have, and impossible dates.

HTTP says that the dates of conditional requests are ignored if they are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, request
from werkzeug.http import parse_date

from referee.http.language import gettext as _

UNREADABLE = "referee.unreadable_host"
"""Environment key of a request whose ``Host`` was replaced, because no address could have it."""
_SIGNS = re.compile(r"(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
MOST_PORT = 65535
DATED = ("HTTP_IF_MODIFIED_SINCE", "HTTP_IF_UNMODIFIED_SINCE", "HTTP_IF_RANGE")


@lru_cache(maxsize=256)
def readable(host: str) -> bool:
    """Whether a ``Host`` header ``host`` can be part of an address."""
    if not _SIGNS.fullmatch(host):
        return False
    try:
        parts = urlsplit(f"//{host}")
        name, port = parts.hostname or "", parts.port
        name.encode().decode("idna")  # as the routing encodes and decodes it
        name.encode("idna")
    except ValueError:  # UnicodeError is one
        return False
    return bool(name) and (port is None or 0 < port <= MOST_PORT)


def register(app: Flask) -> None:
    """Refuse requests with an invalid ``Host``, one without any is answered; drop odd dates."""
    app.wsgi_app = _mending(app.wsgi_app)  # type: ignore[method-assign,assignment]
    app.before_request(_refuse)


def _mending(app: WSGIApplication) -> WSGIApplication:
    """``app``, which gets "localhost" and ``UNREADABLE`` in place of an invalid ``Host``."""

    def mended(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        odd = [name for name in DATED if name in environ and _fails(environ[name])]
        if odd:
            environ = {name: value for name, value in environ.items() if name not in odd}
        if not readable(environ.get("HTTP_HOST") or "localhost"):
            environ = {**environ, "HTTP_HOST": "localhost", UNREADABLE: True}
        return app(environ, start_response)

    return mended


def _fails(value: str) -> bool:
    """Whether reading this date fails; what is no date reads as None."""
    try:
        parse_date(value)
    except OverflowError:
        return True
    return False


def _refuse() -> Response | None:
    if UNREADABLE not in request.environ:
        return None
    says = _("アドレスのサーバー名が正しくありません。アドレスを確かめて、もう一度開いてください。")
    return Response(says, 400, mimetype="text/plain")
