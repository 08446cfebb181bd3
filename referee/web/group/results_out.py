"""The page on which a group names the address to which its results are sent."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, Response, current_app, request, url_for

from referee.http import access, htmx
from referee.http.language import gettext as _
from referee.outgoing.posting import LONGEST, BadAddress, checked
from referee.outgoing.results import ResultSender
from referee.store.result_addresses import ResultAddress

bp = Blueprint("results_out", __name__)


@bp.get("/circle/results")
def page() -> Response:
    """The present address, and what became of the last message."""
    return _page()


@bp.post("/circle/results")
def change() -> Response:
    """Do what the pressed key says: "name" an address, "test" it, "drop" it."""
    circle, addresses = access.circle(), _sender().addresses
    match request.form.get("do"):
        case "test":
            _sender().test(circle)
            return htmx.go_to(url_for(".page", tested=1))
        case "drop":
            addresses.drop(circle)
        case _:
            typed = request.form.get("address", "").strip()
            try:
                addresses.name(circle, checked(typed))
            except BadAddress:
                return _page(typed[:LONGEST], _("https:// で始まるアドレスを入れてください。"))
    return htmx.go_to(url_for(".page"))


def host_of(circle: str) -> str:
    """The name of the computer to which the results of a group go; "" for none."""
    found = _sender().addresses.of(circle)
    return urlsplit(found.address).hostname or "" if found and not found.off else ""


def _page(typed: str = "", fault: str = "") -> Response:
    found = _sender().addresses.of(access.circle())
    return htmx.fragment(
        "group/results_out.html",
        found=found,
        said=_said(found) if found else "",
        typed=typed or (found.address if found else ""),
        longest=LONGEST,
        fault=fault,
        tested="tested" in request.args,
    )


def _said(found: ResultAddress) -> str:
    """What became of the last message."""
    match found.last:
        case "":
            return ""
        case "ok":
            return _("最後の送信は届きました。")
        case "private":
            return _("このサーバーからは、そのアドレスには送れません。")
        case "silent":
            return _("そのアドレスから応答がありません。")
        case "certificate":
            return _("そのアドレスの証明書を確かめられません。")
        case status:
            return _("そのアドレスの応答は%(status)sでした。", status=status)


def _sender() -> ResultSender:
    found: ResultSender = current_app.extensions["results"]
    return found
