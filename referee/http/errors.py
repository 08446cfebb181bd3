"""Error pages in the person's language, which say what to do."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, request, url_for
from werkzeug.exceptions import HTTPException

from referee.core.record import Unreadable
from referee.http import forms, htmx, language
from referee.http.language import gettext as _
from referee.http.replies import Reply, replying
from referee.ledger import NotYours, StaleTable
from referee.rulings import COMMON, book, sentences
from referee.store import NewerData, NoSuchCircle, NoSuchDesk, NoSuchMatch, OlderData, Unavailable

READS = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""
FINAL = (403, 404, 410)
"""Statuses of answers that do not change if the same is sent again."""


class Trouble(NamedTuple):
    """The heading of an error page, and the sentence that says what to do."""

    title: str
    what_to_do: str


def register(app: Flask) -> None:
    """Register a page for every kind of error."""
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(NoSuchMatch, lambda fault: page(404))
    app.register_error_handler(NoSuchCircle, lambda fault: page(404))
    app.register_error_handler(NoSuchDesk, lambda fault: page(404))
    app.register_error_handler(NotYours, _not_yours)
    app.register_error_handler(StaleTable, lambda fault: page(409))
    app.register_error_handler(Unreadable, lambda fault: page(400, forms.sentence(fault)))
    app.register_error_handler(forms.BadForm, lambda fault: page(400, str(fault)))
    app.register_error_handler(Unavailable, _unavailable)
    if not app.testing:
        app.register_error_handler(Exception, _bug)


def refuse_other_sites() -> None:
    """Refuse changes that pages of other sites request.

    Browsers send Sec-Fetch-Site to secure addresses only; on a plain local network Origin is
    checked. A client that sends neither is no browser that another site could misuse.
    """
    if request.method in READS:
        return
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        own = site in ("same-origin", "none")
    else:
        origin = request.headers.get("Origin")
        own = origin is None or _host(origin) == request.host
    if not own:
        abort(403)


def _host(origin: str) -> str:
    with suppress(ValueError):
        return urlsplit(origin).netloc
    return ""


def page(status: int, text: str = "") -> Response:
    """The error page for ``status``, or its notice for htmx; ``text`` replaces its sentence.

    A 409 with a text is a refusal, without one it says that another phone was faster.
    """
    trouble = _refused() if text and status == 409 else _trouble(status)
    title, says = trouble.title, text or trouble.what_to_do
    if htmx.wants_partial():
        response = htmx.notice("_notice.html", status=status, title=title, text=says)
    else:
        log = url_for("scores.record", match=_match()) if status == 500 and _match() else None
        response = htmx.fragment(
            "error.html", status=status, title=title, text=says, table=_table(status), log=log
        )
    response.status_code = status
    return replying(response, Reply.NEVER) if status in FINAL else response


def _table(status: int) -> str | None:
    """The address of the table at which the error occurred; None if a link to it is of no use."""
    match = _match()
    if match is None or status not in (400, 404, 405, 409, 500):
        return None
    address = url_for("tables.table", match=match)
    if status == 500:  # the store is not asked: it may be what failed
        return address if request.path != address else None
    try:
        current_app.extensions["ledger"].store.header(match)
    except (NoSuchMatch, Unavailable):
        return None
    return address


def _match() -> str | None:
    return (request.view_args or {}).get("match")


def _http(fault: HTTPException) -> Response | HTTPException:
    if fault.code is None or fault.code < 400:
        return fault  # a redirect
    response = page(fault.code)
    if fault.code == 405:
        response.headers.extend(
            (name, value) for name, value in fault.get_headers() if name == "Allow"
        )
    return response


def _not_yours(fault: NotYours) -> Response:
    facts = sentences.evidence(fault.verdict, None, book(COMMON), language.current())
    return page(403, sentences.says(facts, language.current()))


def _unavailable(fault: Unavailable) -> Response:
    current_app.logger.error("%s %s: %s", request.method, request.url_rule, fault)
    return page(503, of_another_version(fault))


def of_another_version(fault: Unavailable) -> str:
    """What to do if another version has changed the data under this server; "" if none has."""
    match fault:
        case NewerData():
            return _(
                "データが、札見の新しいバージョンで書き換えられています。何も記録していません。"
                "そのバージョンをインストールするか、それより前のバックアップを戻してください。"
            )
        case OlderData():
            return _(
                "データが、札見の古いバージョンのものに入れ替わっています。何も記録していません。"
                "札見を起動し直してください。"
            )
    return ""


def _bug(fault: Exception) -> Response:
    # logged as the route pattern, because the address may contain the secret of an invitation
    current_app.logger.error("%s %s", request.method, request.url_rule, exc_info=fault)
    return page(500)


def _refused() -> Trouble:
    """The trouble of a change that a page of another site requested; heads every refusal."""
    return Trouble(
        _("受け付けませんでした"),
        _("ほかのサイトからの操作は受け付けません。アプリを開き直してください。"),
    )


def _trouble(status: int) -> Trouble:
    match status:
        case 400:
            return Trouble(
                _("読み取れません"),
                _("送信内容に誤りがあります。前の画面に戻ってやり直してください。"),
            )
        case 403 if request.method in READS:
            return Trouble(
                _("このページは開けません"),
                _("このスマホでは開けません。ホームに戻ってください。"),
            )
        case 403:
            return _refused()
        case 404:
            return Trouble(
                _("見つかりません"),
                _("このアドレスには何もありません。ホームから開き直してください。"),
            )
        case 405:
            return Trouble(
                _("この操作はできません"),
                _("このアドレスでは、その操作はできません。ホームに戻ってください。"),
            )
        case 409:
            return Trouble(
                _("ほかのスマホが先に記録しました"),
                _("いまの卓を見て、まだ必要ならもう一度お試しください。"),
            )
        case 429:
            return Trouble(
                _("少しお待ちください"),
                _("短時間に送信しすぎです。少し待ってから、もう一度お試しください。"),
            )
        case 413:
            return Trouble(
                _("送信内容が大きすぎます"),
                _("何も記録していません。小さくして、もう一度お試しください。"),
            )
        case status if status < 500:
            return _trouble(400)
        case _:
            return _own_trouble(status)


def _own_trouble(status: int) -> Trouble:
    """The trouble of a server that cannot answer."""
    match status:
        case 503 if request.method in READS:
            return Trouble(
                _("いまは開けません"),
                _("データを読めませんでした。少し待って、このページを開き直してください。"),
            )
        case 503:
            return Trouble(
                _("いまは記録できません"),
                _(
                    "保存できませんでした。記録は増えていません。少し待って、もう一度タップ"
                    "してください。"
                ),
            )
        case _ if _match() is None:
            return Trouble(
                _("エラーが発生しました"),
                _("札見の不具合です。ホームに戻って、もう一度お試しください。"),
            )
        case _:
            return Trouble(
                _("エラーが発生しました"),
                _("札見の不具合です。卓を開き直して、最後の記録を確かめてください。"),
            )
