"""``create_app()``: configuration, extensions, blueprints; what they do lies elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flask import Flask, request
from flask_babel import Babel  # type: ignore[import-untyped]
from htmx_flask import Htmx

from referee import logs, paths
from referee.desk import Desk
from referee.invites import key_in
from referee.store import Store
from referee.web import (
    about,
    access,
    assets,
    board,
    circle,
    contests,
    corrections,
    decks,
    delta,
    entries,
    errors,
    health,
    history,
    home,
    install,
    join,
    lang,
    people,
    picks,
    pieces,
    proofs,
    public,
    questions,
    rules,
    scores,
    settings,
    shown,
    tables,
    transfers,
    trust,
    words,
)
from referee.web.checks import pages as checks

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    # the drawn numerals and crests are data: addresses inside the style sheets
    " img-src 'self' data:; media-src 'self'; connect-src 'self'; manifest-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
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
        PUBLIC=False,  # `referee serve --public`: see web/public.py
        LOG_REQUESTS=False,
        MAX_FORM_PARTS=250,  # a table of a hundred has a name each, and its house rules
        SEND_FILE_MAX_AGE_DEFAULT=assets.YEAR_SECONDS,
    )
    app.config.update(config)
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    folder = app.config["DATA_DIR"] = data_dir or paths.data_dir()
    app.extensions["desk"] = Desk(Store(paths.database(folder)))
    app.extensions["fragments"] = delta.Fragments()
    Htmx(app)
    Babel(app, locale_selector=lang.choose)
    app.extensions["asset"] = assets.register(app)
    _prepare_templates(app)
    for module in (
        home,
        tables,
        entries,
        proofs,
        corrections,
        questions,
        contests,
        scores,
        shown,
        rules,
        checks,
        words,
        decks,
        about,
        settings,
        join,
        circle,
        people,
        history,
        transfers,
        install,
        trust,
        health,
    ):
        app.register_blueprint(module.bp)
    errors.register(app)
    if app.config["LOG_REQUESTS"]:
        logs.register(app)
    if app.config["PUBLIC"]:
        public.register(app)
    app.before_request(errors.refuse_other_sites)
    access.register(app, key_in(folder))
    app.after_request(_guard)
    app.after_request(trust.remember)
    return app


def _prepare_templates(app: Flask) -> None:
    """What every template may use: ``_``, ``asset``, ``piece``, ``sits``, ``lang``, ``theme``."""
    app.jinja_env.globals.update(
        _=lang.gettext, asset=app.extensions["asset"], piece=pieces.piece, sits=access.sits
    )
    app.jinja_env.filters.update(day_of=lang.day_of, is_long=board.is_long)
    app.jinja_env.filters.update(key_template=picks.key_template, with_line=picks.with_line)
    app.context_processor(lambda: {"lang": lang.current(), "theme": lang.theme()})
    app.context_processor(settings.at_table)


def _guard(response: Any) -> Any:
    """The headers that every answer carries; only static files may be kept."""
    said = {name.lower() for name, _ in response.headers}
    for name, value in SECURITY_HEADERS.items():
        if name.lower() not in said:
            response.headers.add(name, value)
    if request.endpoint not in ("static", "bundle"):
        response.headers.setdefault("Cache-Control", "no-store")
    return response
