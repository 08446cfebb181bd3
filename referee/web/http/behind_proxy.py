"""On the internet, behind a proxy: nothing is answered that did not come over HTTPS.

The server replaces scheme and address by what its proxy forwards, and by nobody else's word; here
only the result is judged.
"""

from __future__ import annotations

from flask import Flask, Response, request

YEAR_SECONDS = 365 * 24 * 60 * 60
HSTS = f"max-age={YEAR_SECONDS}; includeSubDomains"
HEALTH = "health.healthz"  # asked on the machine itself, by what looks after the service
MISLED = (
    "このサーバーは HTTPS の代理サーバーの後ろで動きます。代理サーバーの設定を確かめてください。\n"
    "This server runs behind an HTTPS proxy, which has to send X-Forwarded-Proto: see"
    " docs/deploy.md.\n"
)


def register(app: Flask) -> None:
    """Refuse what is not secure, and tell browsers to come securely from now on."""
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
