"""Logs as JSON lines, about the server and never about its users.

An answered request is logged as its route pattern: a path may contain the secret of an invitation,
and an address or a name shows who was there. Of an exception, its type and place are logged, not
its text: it may contain what a person typed.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from time import perf_counter
from typing import TextIO

from flask import Flask, Response, g, request

REQUESTS = logging.getLogger("referee.requests")


class JsonLines(logging.Formatter):
    """Formats a log record as one line of JSON; ``members`` in its extras are added."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {"at": at, "level": record.levelname.lower()}
        line |= getattr(record, "members", None) or {"message": record.getMessage()}
        if record.exc_info and record.exc_info[0]:
            line["fault"] = record.exc_info[0].__name__
            frames = traceback.extract_tb(record.exc_info[2])
            line["where"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        return json.dumps(line, ensure_ascii=False)


def begin(to: TextIO | None = None) -> logging.Handler:
    """Write every log record of this process to ``to`` (None: standard error), as JSON."""
    handler = logging.StreamHandler(to or sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    return handler


def begun() -> bool:
    """Whether this process logs as JSON."""
    return any(isinstance(h.formatter, JsonLines) for h in logging.getLogger().handlers)


def register(app: Flask) -> None:
    """Log each answer: method, route, status, milliseconds."""
    app.before_request(_started)
    app.after_request(_answered)


def _started() -> None:
    g.started = perf_counter()


def _answered(response: Response) -> Response:
    route = request.url_rule.rule if request.url_rule else None
    members = {
        "method": request.method,
        "route": route,
        "status": response.status_code,
        "ms": round((perf_counter() - g.started) * 1000, 1),
    }
    REQUESTS.info("%s", route, extra={"members": members})
    return response
