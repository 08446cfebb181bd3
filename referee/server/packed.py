"""An ASGI app of static files: serves the folder that `referee pack` writes.

It needs an address of its own: the packed app answers every path there, and other pages must not
have access to its data in the browser.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from werkzeug.security import safe_join

START = "sw.js"
"""A file that every folder of `referee pack` has."""
TYPES = {
    ".css": "text/css",
    ".gz": "application/gzip",  # the service worker unpacks it, so no Content-Encoding
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
HEADERS = [
    (b"cache-control", b"no-cache"),  # the service worker does the caching
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]


class PackedFiles:
    """Answers GET and HEAD with the files in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def __call__(
        self,
        scope: dict[str, Any],
        receive: Callable[[], Awaitable[object]],
        send: Callable[[dict[str, object]], Awaitable[None]],
    ) -> None:
        path = str(scope["path"]).removeprefix("/")
        found = safe_join(str(self._folder), f"{path}index.html" if path[-1:] in "/" else path)
        file = Path(found) if found else None
        if file is None or not file.is_file() or scope["method"] not in ("GET", "HEAD"):
            await self._answer(send, 404, b"", [])
            return
        content = await asyncio.to_thread(file.read_bytes)
        kind = TYPES.get(file.suffix, "application/octet-stream")
        body = b"" if scope["method"] == "HEAD" else content
        head = [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(content))]
        await self._answer(send, 200, body, head)

    async def _answer(
        self,
        send: Callable[[dict[str, object]], Awaitable[None]],
        status: int,
        body: bytes,
        headers: list[tuple[bytes, bytes]],
    ) -> None:
        start = {"type": "http.response.start", "status": status, "headers": [*headers, *HEADERS]}
        await send(start)
        await send({"type": "http.response.body", "body": body})
