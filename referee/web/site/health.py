"""What a service manager or a load balancer asks: can plays be recorded?"""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify

from referee.desk import Desk, Unavailable

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def healthz() -> tuple[Response, int]:
    """200 while an entry could be read and written now, otherwise 503; nothing about anybody."""
    desk: Desk = current_app.extensions["desk"]
    try:
        desk.store.ready()
    except Unavailable as fault:
        current_app.logger.error("healthz: %s", fault)
        return jsonify(status="unavailable"), 503
    return jsonify(status="ok"), 200
