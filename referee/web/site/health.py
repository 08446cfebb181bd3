"""The endpoint for service managers and load balancers: can entries be recorded?"""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify

from referee.http import errors
from referee.ledger import Ledger
from referee.store import Unavailable

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def healthz() -> tuple[Response, int]:
    """200 if an entry could be read and written now, otherwise 503; contains no user data.

    If another version has changed the data, ``message`` says what to do.
    """
    ledger: Ledger = current_app.extensions["ledger"]
    try:
        ledger.store.ready()
    except Unavailable as fault:
        current_app.logger.error("healthz: %s", fault)
        message = errors.of_another_version(fault)
        return jsonify({"status": "unavailable"} | ({"message": message} if message else {})), 503
    return jsonify(status="ok"), 200
