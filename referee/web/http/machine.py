"""What the machine that runs the app can do. Pages offer nothing else, and ask nobody but this.

A server can do everything. In a browser tab (``referee pack``) there is one phone, one thread and
the storage of the browser.
"""

from __future__ import annotations

from typing import NamedTuple

from flask import Flask, abort, current_app, request


class Machine(NamedTuple):
    """``phones``: others reach it; ``streams``: and hear of changes; ``certificate``: it can
    have one of its own; ``processes``: and threads; ``backups``: files on a disk, and a server
    they are for. ``only_here``: the data is in this browser alone. ``framed``: a page of the same
    host shows those of the app in a frame.
    """

    phones: bool = True
    streams: bool = True
    certificate: bool = True
    processes: bool = True
    backups: bool = True
    only_here: bool = False
    framed: bool = False


SERVER = Machine()
TAB = Machine(
    phones=False,
    streams=False,
    certificate=False,
    processes=False,
    backups=False,
    only_here=True,
    framed=True,
)
NEEDS = {
    "phones": ("join", "circle.by_link", "circle.renew"),
    "streams": ("tables.live",),
    "certificate": ("trust",),
    "backups": ("transfers.back_up",),
}
"""The endpoints, or whole blueprints, that there are only where the machine can do this."""


def machine() -> Machine:
    """The machine that answers this request."""
    found: Machine = current_app.config["MACHINE"]
    return found


def register(app: Flask) -> None:
    """Let templates ask; the addresses that need what the machine lacks answer 404."""
    found = app.config["MACHINE"]
    app.jinja_env.globals["machine"] = found
    lacking = {
        name for ability, names in NEEDS.items() if not getattr(found, ability) for name in names
    }

    def refuse() -> None:
        endpoint = request.endpoint or ""
        if endpoint in lacking or endpoint.partition(".")[0] in lacking:
            abort(404)

    if lacking:
        app.before_request(refuse)
