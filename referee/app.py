"""``create_app()``, the factory of the web app: configuration, extensions and blueprints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableMapping
from pathlib import Path
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, request
from flask.templating import Environment
from htmx_flask import Htmx

from referee import games, paths
from referee.core.sheets import stopped
from referee.core.written import written
from referee.desk import Desk
from referee.http import (
    access,
    assets,
    bad_headers,
    behind_proxy,
    cached_parts,
    delta,
    errors,
    game_templates,
    guarded,
    in_japanese,
    language,
    local_time,
    machine,
    quota,
    voice,
)
from referee.http.current import book_at
from referee.http.invites import key_in
from referee.http.white_space import WhiteSpace
from referee.kept import require_kept
from referee.ledger import Ledger
from referee.outgoing.results import ResultSender
from referee.screens import screen, wording
from referee.server import logs
from referee.store import Store
from referee.web.broadcast import looking, switching
from referee.web.broadcast.misses import Misses
from referee.web.desk import checkin, running, seating, shown, standings
from referee.web.desk import settings as desk_settings
from referee.web.group import (
    bg_stats,
    circle,
    copying,
    evening_pages,
    evening_picture,
    files,
    foreign_plays,
    history,
    lab_pages,
    people,
    results_out,
    revised,
    yearly,
)
from referee.web.group.waiting import WaitingFiles
from referee.web.library import decks, rules, words
from referee.web.library import quick_checks as checks
from referee.web.own_games import pages
from referee.web.review import (
    alternatives,
    contests,
    corrections,
    deal_reviews,
    entries,
    proofs,
    questions,
    replays,
    rounds,
    scores,
    shared_result,
)
from referee.web.site import about, crests, health, home, install, player_help, settings, trust
from referee.web.table import (
    adjusting,
    agreed,
    carried,
    claiming,
    comings,
    join,
    menu,
    seats,
    tables,
)
from referee.web.table import scores as sheets

PAGES = (
    *(home, about, player_help, settings, install, trust, health),
    *(tables, adjusting, agreed, carried, claiming, comings, join, menu, seats, sheets),
    *(entries, deal_reviews, replays, rounds, proofs, corrections, questions, contests, scores),
    *(shared_result, rules, checks, words, decks, pages),
    *(circle, people, history, revised, yearly, lab_pages, files, bg_stats, copying),
    *(evening_pages, evening_picture, foreign_plays, results_out),
    *(checkin, desk_settings, seating, running, standings, shown),
    *(looking, switching),
)
"""The modules with the pages of the app."""

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    # the drawn numerals and crests are data: addresses inside the style sheets
    " img-src 'self' data:; media-src 'self'; connect-src 'self'; manifest-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


MARK = ("X-Fudami", "1")
"""The header of every answer of this program. On the phone's way there can be a login page of a
network, or a proxy without its server, which answer, too.
"""


class App(Flask):
    """Flask without views that are coroutines.

    Flask would look for one at every function that a request calls, a twentieth of a play's time.
    """

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func


class Templates(Environment):
    """A Jinja environment that copies its globals into each template when it loads it.

    Rendering a template is then much cheaper.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> dict[str, Any]:
        return {**self.globals, **(d or {})}


def create_app(data_dir: Path | None = None, **config: Any) -> Flask:
    """The web app on the data in ``data_dir`` (None: the user's default folder).

    Raises what ``Store`` raises, and ``LostData`` if data that was there is gone.
    ``config``: Flask configuration values that replace the defaults.
    """
    folder = data_dir or paths.data_dir()
    require_kept(paths.database(folder))
    app = without_data(**config)
    open_data(app, folder)
    return app


def open_data(app: Flask, folder: Path) -> None:
    """Let ``app`` answer from the data in ``folder``, and no longer from any other."""
    app.config["DATA_DIR"] = folder
    app.extensions["ledger"] = Ledger(Store(paths.database(folder)))
    app.extensions["desk"] = Desk(app.extensions["ledger"])
    app.extensions["fragments"] = delta.Fragments()
    app.extensions["misses"] = Misses()
    app.extensions["waiting"] = WaitingFiles(folder)
    app.extensions["results"] = ResultSender(app.extensions["ledger"], public=app.config["PUBLIC"])
    guarded.begin(app)
    access.open_doors(app, key_in(folder))


def without_data(**config: Any) -> Flask:
    """The web app without data: every request fails until ``open_data`` is called."""
    app = App(
        "referee",
        template_folder=str(paths.shipped("templates")),
        static_folder=str(paths.shipped("static")),
    )
    app.config.update(
        MAX_CONTENT_LENGTH=64 * 1024,
        MAX_FORM_MEMORY_SIZE=64 * 1024,
        SECURE=None,  # `referee serve --https`: see web/site/trust.py
        PUBLIC=False,  # `referee serve --public`: see http/behind_proxy.py
        PACKED="",  # `referee serve --pack`: see web/site/take_along.py
        LOG_REQUESTS=False,
        QUOTA=quota.MOST,  # with PUBLIC: see http/quota.py
        MACHINE=machine.SERVER,
        # a table of a hundred seats sends a field for each name and for each house rule
        MAX_FORM_PARTS=250,
        SEND_FILE_MAX_AGE_DEFAULT=assets.YEAR_SECONDS,
    )
    app.config.update(config)
    app.jinja_environment = Templates
    # all templates stay compiled: to look one up in a cache of limited size takes longer, since it
    # moves the one that was used to the end of a queue
    app.jinja_options = {"extensions": [WhiteSpace], "cache_size": -1}
    Htmx(app)
    if app.config["LOG_REQUESTS"]:
        # registered first, so that requests which later handlers refuse are logged, too
        logs.register(app)
    app.extensions["asset"] = assets.register(app)
    _prepare_templates(app)
    for module in PAGES:
        app.register_blueprint(module.bp)
    errors.register(app)
    bad_headers.register(app)
    if app.config["PUBLIC"]:
        behind_proxy.register(app)
    machine.register(app)
    app.before_request(errors.refuse_other_sites)
    if app.config["PUBLIC"]:
        quota.register(app)
    access.register(app)
    app.after_request(_no_store)
    app.wsgi_app = _with_security_headers(  # type: ignore[method-assign,assignment]
        app.wsgi_app, framed=app.config["MACHINE"].framed
    )
    app.after_request(trust.remember)
    return app


def _prepare_templates(app: Flask) -> None:
    """Define the globals, filters and values that every template can use."""
    app.jinja_env.template_class = in_japanese.MarkedTemplate
    app.jinja_env.globals.update(
        _=language.gettext,
        book_at=book_at,
        pgettext=language.pgettext,
        asset=app.extensions["asset"],
        piece=cached_parts.piece,
        sits=access.sits,
        heard=voice.heard,
        share_picture=crests.share_picture,
        screen=screen,
        style_sheet=assets.style_sheet,
        table_script=assets.table_script,
    )
    app.jinja_env.filters.update(day_of=local_time.day_of)
    app.jinja_env.filters.update(is_long=wording.is_long, name=wording.whole, won=wording.won)
    app.jinja_env.filters.update(amount=wording.amount, unit=wording.unit, written=written)
    app.jinja_env.filters.update(text_width=wording.width, short=wording.short)
    app.jinja_env.filters.update(together=wording.together)
    app.jinja_env.filters.update(room=games.room)
    app.jinja_env.tests.update(stopped=stopped)
    app.jinja_env.filters.update(drawn=game_templates.drawn, with_line=alternatives.with_line)
    app.context_processor(
        lambda: {
            "lang": language.current(),
            "theme": language.theme(),
            "text_size": language.text_size(),
        }
    )
    app.context_processor(settings.at_table)


def _no_store(response: Response) -> Response:
    """Forbid caching of all answers but static files and those with their own Cache-Control."""
    if request.endpoint not in ("static", "bundle"):
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def _with_security_headers(app: WSGIApplication, *, framed: bool) -> WSGIApplication:
    """``app``, with ``MARK``, and the ``SECURITY_HEADERS`` that an answer does not set itself.

    ``framed``: pages of the same host may show it in a frame.
    """
    always = [
        (name, value.replace("frame-ancestors 'none'", "frame-ancestors 'self'"))
        if framed
        else (name, value)
        for name, value in SECURITY_HEADERS.items()
    ]

    def guarded(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], fault: Any = None) -> Any:
            own = {name.lower() for name, _ in headers}
            headers = [*headers, MARK, *(row for row in always if row[0].lower() not in own)]
            return start_response(status, headers, fault)

        return app(environ, start)

    return guarded
