"""Behind a proxy on the internet: only requests that came over HTTPS are answered.

The server sets scheme and address from the headers of its trusted proxy; only the result is checked
here.
"""

from __future__ import annotations

from flask import Flask, Response, request

from referee.http.assets import YEAR_SECONDS

HSTS = f"max-age={YEAR_SECONDS}; includeSubDomains"
HEALTH = "health.healthz"  # asked on the machine itself, by a service monitor
MISLED = (
    "このサーバーは HTTPS の代理サーバーの後ろで動きます。代理サーバーの設定を確かめてください。\n"
    "This server runs behind an HTTPS proxy, which has to send X-Forwarded-Proto: see"
    " docs/deploy.md.\n"
)


def register(app: Flask) -> None:
    """Refuse insecure requests, and tell browsers to use HTTPS from now on."""
    app.before_request(_insist)
    app.after_request(_remember)


def _insist() -> Response | None:
    if request.is_secure or request.endpoint == HEALTH:
        return None
    if request.headers.get("X-Forwarded-Proto") == "http" and request.method in ("GET", "HEAD"):
        return Response("", 308, {"Location": request.url.replace("http:", "https:", 1)})
    return Response(MISLED, 421, mimetype="text/plain")


def _remember(response: Response) -> Response:
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = HSTS
    return response
