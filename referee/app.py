"""``create_app()``: configuration, extensions, blueprints; what they do lies elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flask import Flask, request
from flask_babel import Babel  # type: ignore[import-untyped]
from htmx_flask import Htmx

from referee import paths
from referee.desk import Desk
from referee.store import Store
from referee.web import (
    about,
    assets,
    board,
    decks,
    delta,
    entries,
    errors,
    home,
    install,
    lang,
    pieces,
    rules,
    scores,
    settings,
    tables,
    trust,
    words,
)
from referee.web.checks import pages as checks

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    # the drawn numerals and crests are data: addresses inside the style sheets
    " img-src 'self' data:; connect-src 'self'; manifest-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def create_app(data_dir: Path | None = None, **config: Any) -> Flask:
    """The web app on the data in ``data_dir`` (None: the user's own); ``config`` is Flask's."""
    app = Flask(
        "referee",
        template_folder=str(paths.shipped("templates")),
        static_folder=str(paths.shipped("static")),
    )
    app.config.update(
        MAX_CONTENT_LENGTH=64 * 1024,
        MAX_FORM_MEMORY_SIZE=64 * 1024,
        SECURE=None,  # `referee serve --https`: see web/trust.py
        MAX_FORM_PARTS=250,  # a table of a hundred has a name each, and its house rules
        SEND_FILE_MAX_AGE_DEFAULT=assets.YEAR_SECONDS,
    )
    app.config.update(config)
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.extensions["desk"] = Desk(Store((data_dir or paths.data_dir()) / paths.DATABASE))
    app.extensions["fragments"] = delta.Fragments()
    Htmx(app)
    Babel(app, locale_selector=lang.choose)
    app.extensions["asset"] = assets.register(app)
    _prepare_templates(app)
    modules = (home, tables, entries, scores, rules, checks, words, decks, about, settings)
    for module in (*modules, install, trust):
        app.register_blueprint(module.bp)
    errors.register(app)
    app.before_request(errors.refuse_other_sites)
    app.after_request(_guard)
    app.after_request(trust.remember)
    return app


def _prepare_templates(app: Flask) -> None:
    """What every template may use: ``_``, ``asset``, ``piece``, ``lang`` and ``theme``."""
    app.jinja_env.globals.update(_=lang.gettext, asset=app.extensions["asset"], piece=pieces.piece)
    app.jinja_env.filters.update(month_day=lang.month_day, is_long=board.is_long)
    app.context_processor(lambda: {"lang": lang.current(), "theme": lang.theme()})
    app.context_processor(settings.at_table)


def _guard(response: Any) -> Any:
    """The headers that every answer carries; only static files may be kept."""
    response.headers.extend(SECURITY_HEADERS)
    if request.endpoint not in ("static", "bundle"):
        response.headers.setdefault("Cache-Control", "no-store")
    return response
