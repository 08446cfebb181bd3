"""The way from the plain HTTP address on the local network to the secure one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple
from urllib.parse import quote, urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import segno
from flask import Blueprint, Response, abort, current_app, render_template, request

from referee.http import access, bad_headers
from referee.http.assets import YEAR_SECONDS
from referee.http.language import gettext as _
from referee.http.machine import machine
from referee.web.site.settings import own_page

bp = Blueprint("trust", __name__)

COOKIE = "secure"  # this phone has reached the secure address, so it needs no explanation
STAYS = "plain"  # this phone stays at the plain address
PLAIN = ("/trust", "/bundle/", "/static/", "/settings")  # paths without explanation or redirect


class Secure(NamedTuple):
    """The secure address of this server: its port, and the authority that phones must trust."""

    port: int
    authority: bytes
    fingerprint: str


@bp.get("/trust")
def trust() -> str:
    """Page that explains how a phone comes to trust this machine."""
    secure = _secure()
    wanted = own_page(request.args.get("next", "")) or "/"
    here = request.url_root if request.scheme == "http" else ""
    code = segno.make(f"{here}trust", micro=False) if here else None
    return render_template(
        "site/trust.html",
        secure=secure,
        address=_address(request.host, secure.port, wanted),
        wanted=wanted,
        code=code.svg_data_uri(scale=4, border=2, light="#fff") if code else "",
    )


@bp.get("/trust/fudami.crt")
def authority() -> Response:
    return Response(_secure().authority, mimetype="application/x-x509-ca-cert")


@bp.get("/trust/plain")
def stay() -> Response:
    """Stay at the plain address: everything works there except what browsers forbid."""
    response = Response("", 303, {"Location": own_page(request.args.get("next", "")) or "/"})
    response.set_cookie(STAYS, "1", max_age=YEAR_SECONDS, samesite="Lax", httponly=True)
    return response


def remember(response: Response) -> Response:
    """Store that this browser has used the secure address: the plain one then redirects at once."""
    known = current_app.config.get("SECURE")
    if known and request.scheme == "https" and COOKIE not in request.cookies:
        response.set_cookie(COOKIE, "1", max_age=YEAR_SECONDS, samesite="Lax", httponly=True)
    return response


def leading(app: WSGIApplication, port: int) -> WSGIApplication:
    """``app`` for the plain address: it explains the secure one, or redirects to it.

    ``port``: that of the secure address. Paths in ``PLAIN``, and phones that stay there, get the
    app itself.
    """

    def plain(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path, cookies = environ["PATH_INFO"], environ.get("HTTP_COOKIE", "")
        if path.startswith(PLAIN) or f"{STAYS}=1" in cookies:
            return app(environ, start_response)
        query = f"?{environ['QUERY_STRING']}" if environ["QUERY_STRING"] else ""
        wanted = quote(path.encode("latin-1")) + query
        if f"{COOKIE}=1" in cookies:
            host = environ.get("HTTP_HOST", "")
            to = _address(host if bad_headers.readable(host) else "localhost", port, wanted)
        else:
            to = f"/trust?next={quote(wanted, safe='')}"
        start_response("307 Temporary Redirect", [("Location", to), ("Content-Length", "0")])
        return [b""]

    return plain


def _address(host: str, port: int, path: str) -> str:
    name = urlsplit(f"//{host}").hostname or "localhost"
    name = f"[{name}]" if ":" in name else name
    return f"https://{name}:{port}{path}"


def _secure() -> Secure:
    found: Secure | None = current_app.config.get("SECURE")
    return found or abort(404)


@bp.app_context_processor
def gain() -> dict[str, Callable[[], str]]:
    """For templates: ``lacks_https()``, what this phone would gain by the secure address.

    "" if its address is secure, or if the app is in a browser tab and has no server.
    """
    return {"lacks_https": _lacks_https}


def _lacks_https() -> str:
    # browsers treat addresses of the own computer as secure
    secure = request.scheme == "https" or access.host() in access.HERE
    if secure or not machine().certificate:
        return ""
    return _(
        "安全な接続（HTTPS）なら、オフラインでも卓が開き、アプリとして追加でき、画面も消えません。"
    )
