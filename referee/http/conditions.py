"""Invalid dates in headers of conditional requests, which HTTP says to ignore."""

from __future__ import annotations

from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask
from werkzeug.http import parse_date

DATED = ("HTTP_IF_MODIFIED_SINCE", "HTTP_IF_UNMODIFIED_SINCE", "HTTP_IF_RANGE")


def register(app: Flask) -> None:
    """Remove dates at which the libraries would fail from the headers of each request."""
    app.wsgi_app = _without(app.wsgi_app)  # type: ignore[method-assign,assignment]


def _without(app: WSGIApplication) -> WSGIApplication:
    def answered(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        odd = [name for name in DATED if name in environ and not _readable(environ[name])]
        if odd:
            environ = {name: value for name, value in environ.items() if name not in odd}
        return app(environ, start_response)

    return answered


def _readable(value: str) -> bool:
    try:
        # returns None for what is no date; only the dates at which it fails are removed here
        parse_date(value)
    except OverflowError:
        return False
    return True
