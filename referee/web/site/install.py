"""What makes the pages an installable app: manifest, service worker, offline page."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from flask import Blueprint, Response, current_app, render_template, url_for

from referee.games import GAMES
from referee.http import language
from referee.http.language import gettext as _

bp = Blueprint("install", __name__)

ICONS = (
    ("icons/icon.svg", "any", "any", "image/svg+xml"),
    ("icons/icon-192.png", "192x192", "any", "image/png"),
    ("icons/icon-512.png", "512x512", "any", "image/png"),
    ("icons/maskable-512.png", "512x512", "maskable", "image/png"),
)


@bp.get("/manifest.webmanifest")
def manifest() -> Response:
    asset = current_app.extensions["asset"]
    members: dict[str, object] = {
        "id": "/",
        "name": _("札見"),
        "short_name": _("札見"),
        "description": _("本物のカードで遊ぶゲームの審判。手札は見ません"),
        "lang": language.current(),
        "start_url": url_for("home.home"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#F7F2E7",
        "theme_color": "#F7F2E7",
        "icons": [
            {"src": asset(name), "sizes": sizes, "purpose": purpose, "type": kind}
            for name, sizes, purpose, kind in ICONS
        ],
    }
    return Response(json.dumps(members, ensure_ascii=False), mimetype="application/manifest+json")


@bp.get("/sw.js")
def worker() -> Response:
    """The service worker. A change of any file that it caches is a new version of it."""
    asset = current_app.extensions["asset"]
    code = (Path(str(current_app.static_folder)) / "sw.js").read_text(encoding="utf-8")
    pages = [url_for("home.home"), url_for(".offline"), url_for("rules.index")]
    pages += [url_for("rules.game", game=name) for name in GAMES]
    files = [asset(name) for name in (*current_app.extensions["bundles"], "icons/icon.svg")]
    version = sha256("".join([code, *files, *pages]).encode()).hexdigest()[:12]
    head = (
        f"const VERSION = {version!r}, FILES = {json.dumps(files)}, PAGES = {json.dumps(pages)};\n"
    )
    response = Response(head + code, mimetype="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    return response


@bp.get("/offline")
def offline() -> str:
    """The page shown instead of one that this phone has never opened, while offline."""
    return render_template("site/offline.html")
