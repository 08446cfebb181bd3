"""What the machine that runs the app can do; pages offer nothing else.

A server can do everything. In a browser tab (``referee pack``) there is one phone, one thread and
the storage of the browser.
"""

from __future__ import annotations

from typing import NamedTuple

from flask import Flask, abort, current_app, request


class Machine(NamedTuple):
    """The abilities of the machine.

    ``phones``: other phones can reach it; ``streams``: they get live updates; ``certificate``: it
    can make its own; ``processes``: it has processes and threads; ``backups``: it has files on a
    disk and a server; ``distance``: its pages are elsewhere, so answers are shortened.
    ``only_here``: the data are in this browser alone. ``framed``: a page of the
    same host shows the app in a frame.
    """

    phones: bool = True
    streams: bool = True
    certificate: bool = True
    processes: bool = True
    backups: bool = True
    distance: bool = True
    only_here: bool = False
    framed: bool = False


SERVER = Machine()
TAB = Machine(
    phones=False,
    streams=False,
    certificate=False,
    processes=False,
    backups=False,
    distance=False,
    only_here=True,
    framed=True,
)
NEEDS = {
    "phones": ("join", "circle.by_link", "circle.renew", "live", "broadcasts", "results_out"),
    "streams": ("tables.live",),
    "certificate": ("trust",),
    "processes": ("lab",),
    "backups": ("transfers.back_up",),
}
"""Ability → the endpoints, or whole blueprints, that need it."""


def machine() -> Machine:
    """The machine that answers this request."""
    found: Machine = current_app.config["MACHINE"]
    return found


def register(app: Flask) -> None:
    """Make the machine available to templates; endpoints whose ability it lacks answer 404."""
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
