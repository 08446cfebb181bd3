"""Answers that browsers save as files."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Response


def attached(body: str | bytes | Iterable[bytes], name: str, kind: str) -> Response:
    """Download of ``body`` as a file with this name."""
    content_type = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
    return as_file(Response(body, content_type=content_type), name)


def as_file(response: Response, name: str) -> Response:
    """``response``, which browsers save under this name."""
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response
