"""The app inside a browser tab: one request in, one answer out, without sockets and threads.

``worker.js`` calls it. Browsers give a service worker no cookies and accept none from it, so the
app's cookies are stored here, with its data.

Most of a start is always the same: imports, routes, templates. ``snapshot.js`` does it once with
``warm_up`` and stores the memory of Python; later starts continue from there.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterable
from http.cookies import SimpleCookie
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes, urlencode
from wsgiref.types import WSGIApplication, WSGIEnvironment

from flask import Flask
from jinja2 import ModuleLoader

from referee import paths
from referee.app import open_data, without_data
from referee.games.simulation import WIDEST
from referee.http.machine import TAB
from referee.web.site.keeping import PERSISTED

JAR = "cookies.json"
POSTED = "application/x-www-form-urlencoded"
NOT_PASSED_ON = ("set-cookie", "content-length")


class TabAnswer(NamedTuple):
    """The app's answer to a request."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


class Jar:
    """The cookies of the only browser that uses the app, in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._kept: dict[str, str] = json.loads(file.read_bytes()) if file.exists() else {}

    def header(self) -> str:
        """The ``Cookie`` header that the browser would send."""
        return "; ".join(f"{name}={value}" for name, value in self._kept.items())

    def take(self, header: str) -> None:
        """Apply a ``Set-Cookie`` header; cookies stay until they are deleted."""
        for name, cookie in SimpleCookie(header).items():
            if cookie["max-age"] == "0" or not cookie.value:
                self._kept.pop(name, None)
            else:
                self._kept[name] = cookie.coded_value
        self._file.write_text(json.dumps(self._kept), "utf-8")


class Tab:
    """Sends requests to ``app`` at the address of the page, such as ``https://example.org``."""

    def __init__(self, app: WSGIApplication, folder: Path, origin: str) -> None:
        self._app, self._jar = app, Jar(folder / JAR)
        self._scheme, _, self._host = origin.partition("://")

    def ask(
        self,
        method: str,
        target: str,
        headers: Iterable[tuple[str, str]],
        body: bytes,
        persisted: bool = False,
    ) -> TabAnswer:
        """The answer to one request.

        ``target``: path and query; ``persisted``: whether the browser promised to keep the data
        (see ``web.site.keeping``).
        """
        environ = self._environ(method, target, headers, body)
        environ[PERSISTED] = persisted
        status, said = 500, []

        def start(line: str, found: list[tuple[str, str]], fault: Any = None) -> Any:
            nonlocal status, said
            status, said = int(line.partition(" ")[0]), found

        parts = self._app(environ, start)
        try:
            content = b"".join(parts)
        finally:
            if hasattr(parts, "close"):
                parts.close()
        for name, value in said:
            if name.lower() == "set-cookie":
                self._jar.take(value)
        kept = [(name, value) for name, value in said if name.lower() not in NOT_PASSED_ON]
        return TabAnswer(status, kept, content)

    def _environ(
        self, method: str, target: str, headers: Iterable[tuple[str, str]], body: bytes
    ) -> WSGIEnvironment:
        """The request as a server would pass it to the app (PEP 3333)."""
        path, _, query = target.partition("?")
        environ: WSGIEnvironment = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": query,
            "SERVER_NAME": self._host.partition(":")[0],
            "SERVER_PORT": self._host.partition(":")[2] or "443",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "",
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_HOST": self._host,
            "HTTP_COOKIE": self._jar.header(),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": self._scheme,
            "wsgi.input": BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        for name, value in headers:
            key = name.upper().replace("-", "_")
            environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
        return environ


def _app() -> Flask:
    """The app without data. Its templates are compiled already: compiling takes half a second."""
    app = without_data(MACHINE=TAB)
    app.jinja_env.loader = ModuleLoader(paths.shipped("templates"))
    return app


_warm: list[Flask] = []
"""The app of ``warm_up``, if Python's memory was restored from there."""


def warm_up(scratch: str) -> None:
    """Do the part of a start that is always the same: answer the pages of a first session.

    Uses data in ``scratch`` that are deleted afterwards.
    """
    app, folder = _app(), Path(scratch)
    folder.mkdir()
    open_data(app, folder)
    tab = Tab(app, folder, "https://localhost")
    seats = [("name", name) for name in "ABC"]
    form = urlencode([("game", WIDEST), *seats]).encode()
    posted = [("Content-Type", POSTED), ("Sec-Fetch-Site", "same-origin")]
    table = tab.ask("POST", "/new", posted, form)
    for page in ("/", "/new", *(value for name, value in table.headers if name == "Location")):
        tab.ask("GET", page, [], b"")
    app.extensions["ledger"].store.close()
    shutil.rmtree(folder)
    _warm.append(app)


def opened(folder: str, origin: str) -> Callable[..., Any]:
    """``Tab.ask`` for the data in ``folder``, with arguments and results of JavaScript types."""
    from pyodide.ffi import to_js  # type: ignore[import-not-found]

    app = _warm.pop() if _warm else _app()
    open_data(app, Path(folder))
    tab = Tab(app, Path(folder), origin)

    def ask(method: str, target: str, headers: Any, body: Any, persisted: bool) -> Any:
        return to_js(tab.ask(method, target, headers.to_py(), body.to_bytes(), persisted))

    return ask
