"""Static files as pages ask for them: together, compressed, and to be kept for ever.

A page waits for every file that it names, so there is one style sheet and one script for each kind
of page. An address changes with its content.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from flask import Flask, Response, abort, request
from rcssmin import cssmin
from rjsmin import jsmin

YEAR_SECONDS = 365 * 24 * 60 * 60
_EVERYWHERE = ("css/tokens.css", "css/glyphs.css", "css/components.css", "css/app.css")
_PAGES = {
    "table": (),
    "pages": ("css/pages.css",),
    "reading": ("css/pages.css", "css/reading.css", "css/history.css"),
}
_GAMES = {"": "css/games.css", "_jukugo_line": "games/jukugo_line/table.css"}
TOGETHER = {
    **{
        f"{kind}{game}.css": (*_EVERYWHERE, drawn, *more)
        for kind, more in _PAGES.items()
        for game, drawn in _GAMES.items()
    },
    "table.js": ("js/page.js", "js/table.js", "js/live.js", "js/taps.js"),
    "app.js": ("vendor/htmx-4.0.1.min.js", "js/page.js", "js/forms.js", "js/taps.js"),
}
TYPES = {".css": "text/css", ".js": "text/javascript"}
MINIFIED = {".css": cssmin, ".js": jsmin}
COMPRESSED = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
DRAWN = re.compile(r'url\("\.\./(glyphs/\w+\.svg)"\)')
IN_ADDRESSES = (
    " !'()*+,-./:;=@_~"  # beside letters and digits, what a quoted data: address may hold
)
WORTH_IT = 500  # bytes: below, a packet is a packet


def register(app: Flask) -> Callable[[str], str]:
    """Serve bundles and compress answers; returns the function that gives a file's address."""
    folder = Path(str(app.static_folder))
    bundles = {name: together(folder, parts) for name, parts in TOGETHER.items()}

    @cache
    def asset(name: str) -> str:
        content = bundles.get(name) or (folder / name).read_bytes()
        under = "/bundle" if name in bundles else app.static_url_path
        return f"{under}/{name}?v={sha256(content).hexdigest()[:12]}"

    def bundle(name: str) -> Response:
        if name not in bundles:
            abort(404)
        response = Response(bundles[name], mimetype=TYPES[Path(name).suffix])
        response.headers["Cache-Control"] = f"public, max-age={YEAR_SECONDS}, immutable"
        return response

    app.add_url_rule("/bundle/<name>", "bundle", bundle)
    app.after_request(compress)
    return asset


def compress(response: Response) -> Response:
    """Gzip what is worth it, for those who take it; the servers around us do not."""
    if not (response.mimetype or "").startswith(COMPRESSED) or response.status_code in (
        204,
        206,
        304,
    ):
        return response
    varies = response.headers.get("Vary")
    response.headers["Vary"] = f"{varies}, Accept-Encoding" if varies else "Accept-Encoding"
    if "gzip" not in request.headers.get("Accept-Encoding", "") or response.content_encoding:
        return response
    if response.direct_passthrough:
        response.direct_passthrough = False
    content = response.get_data()
    if len(content) >= WORTH_IT:
        lasting = "max-age" in response.headers.get("Cache-Control", "")
        response.set_data(_squeezed(content) if lasting else gzip.compress(content, 5, mtime=0))
        response.content_encoding = "gzip"
        etag, _ = response.get_etag()
        if etag:
            response.set_etag(etag, weak=True)
    return response


@lru_cache(maxsize=64)
def _squeezed(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)


def together(folder: Path, parts: tuple[str, ...]) -> bytes:
    """``parts`` of one kind as a single file, with the glyphs that they name inside."""

    def glyphs(found: re.Match[str]) -> str:
        lines = (folder / found[1]).read_text("utf-8").splitlines()[1:]  # the first says what it is
        drawing = "".join(lines).replace('"', "'")
        return f'url("data:image/svg+xml,{quote(drawing, IN_ADDRESSES)}")'

    bare = (_bare(folder / part) for part in parts)
    return DRAWN.sub(glyphs, "\n".join(bare)).encode()


@cache
def _bare(file: Path) -> str:
    """Without comments and indentation, which phones have no use for; most bundles share files."""
    content = file.read_text("utf-8")
    if file.parent.name == "vendor":
        return content
    short: str = MINIFIED[file.suffix](content)
    return short
