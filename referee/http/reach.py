"""Which address of the server invitations name, where it has several: with a VPN, for example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from flask import abort, current_app, request, url_for
from werkzeug.wrappers import Response

from referee.http.access import HERE, host

THROUGH = "through"  # the cookie with the address of the server that invitations name


def link(endpoint: str, secret: str) -> str:
    """The address of an invitation, or of a result, that other phones can reach."""
    path = url_for(endpoint, secret=secret)
    server, outside = request.host, _outside()
    if outside:
        port = urlsplit(f"//{server}").port
        server = f"{outside}:{port}" if port else outside
    return f"{request.scheme}://{server}{path}"


def _outside() -> str:
    """The address of this computer that invitations name; "": the one in the request."""
    known = _known()
    if host() not in (*HERE, *known):
        return ""  # a name of this computer, or that of a proxy before it
    chosen = request.cookies.get(THROUGH, "")
    return chosen if chosen in known else known[0] if known and host() in HERE else ""


def _known() -> Sequence[str]:
    """The addresses of the server at which phones may reach it, the likeliest first."""
    known: Sequence[str] = current_app.config.get("OUTSIDE", ())
    return known


def addresses() -> Mapping[str, bool]:
    """The addresses between which this browser can choose, and whether invitations name each.

    It is asked on the server's own computer alone: another device has a way to it.
    """
    known = _known()
    here = (*HERE, *known)
    if len(known) < 2 or host() not in here or request.remote_addr not in here:
        return {}
    named = _outside() or host()
    return {address: address == named for address in known}


def choose(response: Response, address: str) -> None:
    """Let invitations that this browser shows name ``address``; 400 if it is not one of them."""
    if address not in _known():
        abort(400)
    response.set_cookie(THROUGH, address, samesite="Lax", httponly=True)
